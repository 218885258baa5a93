// The Arm instruction sets A32 and T32 of Armv7-A and Armv8-A, as far as compilers
// use them for integers: operands, conditions, branches and barriers here, the others
// in isa_arm_*.cpp. By the Arm Architecture Reference Manual for Armv7-A, chapter A8,
// and for Armv8-A, chapter F5.
//
// Most instructions can be conditional. One whose condition depends on a read is
// itself control-dependent on it, but what follows is not, for it is executed either
// way; what the instruction writes, or would have written, has a pick dependency, as
// a conditional select of AArch64 has (see machine.h). An IT instruction of T32 adds
// nothing: the mnemonics of those it rules have the condition as well.
#include "isa_arm.h"

#include <algorithm>

namespace heddle::litmus::hardware {
namespace arm {

std::optional<int> ParseRegister(const std::string &name) {
  static const std::map<std::string, int> kNumbers = [] {
    std::map<std::string, int> numbers = {{"sb", 9},  {"sl", 10}, {"fp", 11}, {"ip", 12},
                                          {"sp", 13}, {"lr", 14}, {"pc", 15}};
    for (int i = 0; i < 16; i++)
      numbers["r" + std::to_string(i)] = i;
    return numbers;
  }();
  return Find(kNumbers, name);
}

std::vector<int> ParseRegisterList(const std::string &text) {
  std::vector<int> numbers;
  if (text.size() < 2 || text[0] != '{' || text.back() != '}')
    return {};
  for (const std::string &part : SplitOperands(text.substr(1, text.size() - 2))) {
    size_t dash = part.find('-');
    std::optional<int> first = ParseRegister(part.substr(0, dash));
    std::optional<int> last =
        dash == std::string::npos ? first : ParseRegister(part.substr(dash + 1));
    if (!first || !last)
      return {};
    for (int number = *first; number <= *last; number++)
      numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

namespace {

// What a disassembler prints for data between functions: ".word", or bytes.
bool IsData(const Instruction &instruction) {
  const std::string &name = instruction.mnemonic;
  return name[0] == '.' || name[0] == '<' ||
         (name.size() % 2 == 0 && name.find_first_not_of("0123456789abcdef") == std::string::npos);
}

// Only T32 has instructions of two bytes, and no function of it does without: one
// that is near decides.
bool IsThumb(const Machine &machine, const Instruction &instruction) {
  constexpr int kNear = 64;
  const std::string &name = instruction.mnemonic;
  if (instruction.size == 2 || (name.size() > 2 && name.compare(name.size() - 2, 2, ".w") == 0))
    return true;
  const std::map<uint64_t, Instruction> &code = machine.image().code;
  auto is_short = [](const Instruction &other) { return other.size == 2 && !IsData(other); };
  auto here = code.find(instruction.address);
  auto after = here, before = here;
  for (int i = 0; i < kNear; i++) {
    if (after != code.end() && is_short((after++)->second))
      return true;
    if (before != code.begin() && is_short((--before)->second))
      return true;
  }
  return false;
}

} // namespace

Word Execution::ReadRegister(int number) const {
  if (number == kProgramCounter)
    return {instruction.address + (IsThumb(machine, instruction) ? 4 : 8)};
  return machine.registers[number];
}

Word Execution::Read(int index) const {
  if (std::optional<int64_t> number = ParseNumber(operand(index)))
    return {LowBits(*number, 32)};
  return ReadRegister(GetRegister(index));
}

namespace {
const std::string kShifts[] = {"lsl", "lsr", "asr", "ror", "rrx"};
}

bool Execution::IsShift(int index) const {
  return index < count() &&
         std::count(std::begin(kShifts), std::end(kShifts), operand(index).substr(0, 3)) > 0;
}

Execution::Shifted Execution::Shift(const Word &word, const std::string &kind,
                                    const Word &amount) const {
  const Word &carry = machine.registers[kC];
  uint64_t x = LowBits(word.value, 32), n = amount.value & 0xff;
  auto result = [&](uint64_t value, uint64_t bit) {
    return Shifted{Derive(LowBits(value, 32), {word, amount}), Derive(bit & 1, {word, amount})};
  };
  if (kind == "rrx") {
    Shifted shifted = result(x >> 1 | carry.value << 31, x);
    shifted.value = Derive(shifted.value.value, {word, carry});
    return shifted;
  }
  if (n == 0)
    return {Derive(x, {word, amount}), Derive(carry.value, {carry, amount})};
  if (kind == "lsl")
    return n > 32 ? result(0, 0) : result(x << n, x >> (32 - n));
  if (kind == "lsr")
    return n > 32 ? result(0, 0) : result(x >> n, x >> (n - 1));
  if (kind == "asr") {
    int64_t extended = SignExtend(x, 32);
    return result(extended >> std::min<uint64_t>(n, 32),
                  extended >> (std::min<uint64_t>(n, 32) - 1));
  }
  if (kind == "ror") {
    uint64_t rotated = LowBits(x >> (n & 31) | x << (32 - (n & 31)), 32);
    return result(rotated, rotated >> 31);
  }
  Unknown("expected a shift, found '" + kind + "'");
}

Execution::Shifted Execution::ReadShifted(int index) const {
  Word value = Read(index);
  if (index + 1 >= count())
    return {value, machine.registers[kC]};
  const std::string &how = operand(index + 1);
  size_t space = how.find(' ');
  Word amount{1};
  if (space != std::string::npos) {
    std::string text = how.substr(space + 1);
    if (std::optional<int64_t> number = ParseNumber(text))
      amount = {static_cast<uint64_t>(*number)};
    else
      amount = ReadRegister(Expect(ParseRegister(text), "a shift", how));
  }
  return Shift(value, how.substr(0, space), amount);
}

std::optional<Word> Execution::ParseOffset(const std::vector<std::string> &parts,
                                           size_t index) const {
  std::string text = parts[index];
  if (std::optional<int64_t> number = ParseNumber(text))
    return Word{static_cast<uint64_t>(*number)};
  bool negative = text[0] == '-';
  std::optional<int> reg = ParseRegister(negative ? text.substr(1) : text);
  if (!reg)
    return std::nullopt;
  Word value = ReadRegister(*reg);
  if (index + 1 < parts.size()) {
    const std::string &how = parts[index + 1];
    std::optional<int64_t> amount = how.size() > 4 ? ParseNumber(how.substr(4)) : std::nullopt;
    if (!amount)
      return std::nullopt;
    value = Shift(value, how.substr(0, 3), {static_cast<uint64_t>(*amount)}).value;
  }
  return Derive(negative ? -value.value : value.value, {value});
}

void Execution::Write(int number, const Word &value) {
  Word word = Pick(value, condition_);
  word.value = LowBits(word.value, 32);
  if (number == kProgramCounter) {
    word.value &= ~uint64_t{1};
    machine.Jump(word);
    return;
  }
  machine.registers[number] = word;
}

void Execution::WriteFlag(int flag, const Word &value) {
  machine.registers[flag] = Pick(value, condition_);
}

void Execution::SetAddFlags(const Word &x, const Word &y, const Word &carry) {
  std::array<Word, kArmFlags> flags = ArmSumFlags(x, y, carry, 32);
  for (int i = 0; i < kArmFlags; i++)
    WriteFlag(kN + i, flags[i]);
}

void Execution::SetLogicFlags(const Word &result, const Word &carry) {
  uint64_t value = LowBits(result.value, 32);
  WriteFlag(kN, Derive(value >> 31 & 1, {result}));
  WriteFlag(kZ, Derive(value == 0, {result}));
  WriteFlag(kC, carry);
}

namespace {

void CallOf(Execution &e, const Word &target) {
  e.Write(kLinkRegister, {e.next()});
  e.Write(kProgramCounter, target);
}

Handler BranchOnZero(bool zero) {
  return {[=](Execution &e) {
            Word value = e.Read(0);
            e.machine.Branch(Derive((value.value == 0) == zero, {value}), e.GetTarget(1));
          },
          kJumps};
}

// A call of a number or label, or of a register.
void Call(Execution &e) {
  CallOf(e, ParseRegister(e.operand(0)) ? e.Read(0) : Word{e.GetTarget(0)});
}

void AddBranchHandlers(Handlers *handlers) {
  Handlers &h = *handlers;
  h["b"] = {[](Execution &e) { e.machine.Jump({e.GetTarget(0)}); }, kJumps};
  h["bx"] = {[](Execution &e) { e.Write(kProgramCounter, e.Read(0)); }, kJumps};
  h["bl"] = h["blx"] = {Call, kJumps};
  h["cbz"] = BranchOnZero(true);
  h["cbnz"] = BranchOnZero(false);
  for (std::string name : {"nop", "yield", "hint", "pld", "pldw", "bti", "pac", "aut"})
    h[name] = {[](Execution &) {}};
  // See the head: "it", "itt", "ite" and so on.
  h["it"] = h["nop"];
  for (std::string first : {"t", "e"})
    for (std::string second : {"", "t", "e"})
      for (std::string third : {"", "t", "e"})
        h["it" + first + second + third] = h["nop"];
}

// "un" is an old name of "nsh".
void Barrier(Execution &e) {
  std::string kind = e.count() ? e.operand(0) : "sy";
  if (kind == "un" || kind == "unst")
    kind.replace(0, 2, "nsh");
  AddArmBarrier(e, kind);
}

const Handlers &GetHandlers() {
  static const Handlers handlers = [] {
    Handlers h;
    AddBranchHandlers(&h);
    h["dmb"] = h["dsb"] = {Barrier};
    h["isb"] = {[](Execution &e) { e.machine.AddFence(Fence::kArmIsb); }};
    AddDataHandlers(&h);
    AddMemoryHandlers(&h);
    return h;
  }();
  return handlers;
}

int RegisterNumber(const std::string &name) { return ParseRegister(name).value_or(-1); }

void Begin(Machine &machine, uint64_t stack, uint64_t return_address) {
  machine.registers[kStackPointer] = {stack};
  machine.registers[kLinkRegister] = {return_address};
}

void Skip(Machine &machine, const Instruction &instruction, const Handler &handler,
          const Word &condition) {
  if (handler.effects & kWritesFirst && !instruction.operands.empty())
    if (std::optional<int> number = ParseRegister(instruction.operands[0]))
      machine.registers[*number] = Pick(machine.registers[*number], condition);
  if (handler.effects & kSetsFlags)
    for (int flag = kN; flag <= kV; flag++)
      machine.registers[flag] = Pick(machine.registers[flag], condition);
}

// A mnemonic is a name, a condition and an encoding, of which both may be missing:
// "ldr", "ldrne", "ldrne.w". A name may end like a condition, as "teq" does.
void Step(Machine &machine, const Instruction &instruction) {
  std::string name = instruction.mnemonic;
  if (name.size() > 2 &&
      (name.compare(name.size() - 2, 2, ".w") == 0 || name.compare(name.size() - 2, 2, ".n") == 0))
    name.resize(name.size() - 2);
  Word condition{1};
  auto handler = GetHandlers().find(name);
  if (handler == GetHandlers().end() && name.size() > 2) {
    std::string suffix = name.substr(name.size() - 2);
    if (std::optional<Word> holds = EvaluateArmCondition(machine, kN, suffix)) {
      condition = *holds;
      handler = GetHandlers().find(name.substr(0, name.size() - 2));
    }
  }
  if (handler == GetHandlers().end())
    ThrowUnknown(instruction, "A32 or T32 code with this mnemonic is not supported");
  if (handler->second.effects & kJumps)
    machine.AddControl(condition);
  else
    machine.SetPredicate(condition);
  if (!condition.value) {
    Skip(machine, instruction, handler->second, condition);
    return;
  }
  Execution execution(&machine, &instruction, condition);
  handler->second.execute(execution);
}

} // namespace
} // namespace arm

const InstructionSet kArmInstructions = {arm::RegisterNumber, arm::Begin, arm::Step};

} // namespace heddle::litmus::hardware
