// The AArch64 instruction set, as far as compilers use it for integers: operands,
// branches and barriers here, the others in isa_aarch64_*.cpp. By the Arm
// Architecture Reference Manual for A-profile, chapter C6.
#include "isa_aarch64.h"

#include <algorithm>

namespace heddle::litmus::hardware {
namespace aarch64 {

const char *const kConditions[16] = {"eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc",
                                     "hi", "ls", "ge", "lt", "gt", "le", "hs", "lo"};

std::optional<Register> ParseRegister(const std::string &name) {
  static const std::map<std::string, Register> kNamed = {
      {"sp", {kStackPointer, 64}},  {"wsp", {kStackPointer, 32}}, {"xzr", {kZeroRegister, 64}},
      {"wzr", {kZeroRegister, 32}}, {"lr", {kLinkRegister, 64}},  {"fp", {29, 64}}};
  if (auto named = kNamed.find(name); named != kNamed.end())
    return named->second;
  if (name.size() < 2 || (name[0] != 'x' && name[0] != 'w'))
    return std::nullopt;
  std::optional<int64_t> number = ParseNumber(name.substr(1));
  if (!number || *number > 30 || name[1] == '-' || name[1] == '#')
    return std::nullopt;
  return Register{static_cast<int>(*number), name[0] == 'x' ? 64 : 32};
}

const std::string &Execution::operand(int index) const {
  if (index >= count())
    Unknown("expected more operands");
  return instruction.operands[index];
}

Register Execution::GetRegister(int index) const {
  std::optional<Register> reg = ParseRegister(operand(index));
  if (!reg)
    Unknown("expected a general-purpose register, found '" + operand(index) + "'");
  return *reg;
}

int64_t Execution::GetNumber(int index) const {
  std::optional<int64_t> number = ParseNumber(operand(index));
  if (!number)
    Unknown("expected a number, found '" + operand(index) + "'");
  return *number;
}

uint64_t Execution::GetTarget(int index) const {
  return ResolveTarget(machine.image(), instruction, operand(index));
}

Word Execution::Read(Register reg) const {
  // The zero register depends on nothing.
  if (reg.number == kZeroRegister)
    return {};
  Word word = machine.registers[reg.number];
  word.value = LowBits(word.value, reg.bits);
  return word;
}

Word Execution::Read(int index) const {
  if (std::optional<int64_t> number = ParseNumber(operand(index)))
    return {static_cast<uint64_t>(*number)};
  return Read(GetRegister(index));
}

Word Execution::Shift(const Word &value, const std::string &how, int bits) const {
  size_t space = how.find(' ');
  std::string kind = how.substr(0, space);
  int64_t amount = 0;
  if (space != std::string::npos) {
    std::optional<int64_t> number = ParseNumber(how.substr(space + 1));
    if (!number)
      Unknown("expected a shift or an extension, found '" + how + "'");
    amount = *number;
  }
  uint64_t x = value.value;
  if (kind.empty() || kind == "lsl")
    return Derive(x << amount, {value});
  if (kind == "lsr")
    return Derive(LowBits(x, bits) >> amount, {value});
  if (kind == "asr")
    return Derive(SignExtend(x, bits) >> amount, {value});
  if (kind == "ror" && amount > 0)
    return Derive(LowBits(x, bits) >> amount | x << (bits - amount), {value});
  static const std::map<std::string, int> kWidths = {{"b", 8}, {"h", 16}, {"w", 32}, {"x", 64}};
  if (kind.size() == 4 && (kind.rfind("uxt", 0) == 0 || kind.rfind("sxt", 0) == 0))
    if (auto width = kWidths.find(kind.substr(3)); width != kWidths.end())
      return Derive((kind[0] == 's' ? SignExtend(x, width->second) : LowBits(x, width->second))
                        << amount,
                    {value});
  Unknown("expected a shift or an extension, found '" + how + "'");
}

Word Execution::ReadShifted(int index, int bits) const {
  return Shift(Read(index), index + 1 < count() ? operand(index + 1) : "", bits);
}

void Execution::Write(Register reg, const Word &value) {
  if (reg.number == kZeroRegister)
    return;
  Word word = value;
  word.value = LowBits(word.value, reg.bits);
  machine.registers[reg.number] = word;
}

void Execution::SetAddFlags(const Word &x, const Word &y, const Word &carry, int bits) {
  uint64_t a = LowBits(x.value, bits), b = LowBits(y.value, bits);
  unsigned __int128 wide = static_cast<unsigned __int128>(a) + b + carry.value;
  uint64_t sum = LowBits(static_cast<uint64_t>(wide), bits);
  auto bit = [&](uint64_t value) { return Derive(value, {x, y, carry}); };
  machine.registers[kN] = bit(sum >> (bits - 1) & 1);
  machine.registers[kZ] = bit(sum == 0);
  machine.registers[kC] = bit(static_cast<uint64_t>(wide >> bits) & 1);
  machine.registers[kV] = bit((~(a ^ b) & (a ^ sum)) >> (bits - 1) & 1);
}

void Execution::SetLogicFlags(const Word &result, int bits) {
  uint64_t value = LowBits(result.value, bits);
  machine.registers[kN] = Derive(value >> (bits - 1) & 1, {result});
  machine.registers[kZ] = Derive(value == 0, {result});
  machine.registers[kC] = machine.registers[kV] = Derive(0, {result});
}

Word Execution::Condition(const std::string &name) const {
  const Word &n = machine.registers[kN], &z = machine.registers[kZ], &c = machine.registers[kC],
             &v = machine.registers[kV];
  if (name == "al")
    return {1};
  // Each condition and its negation.
  Word holds;
  if (name == "eq" || name == "ne")
    holds = z;
  else if (name == "cs" || name == "cc" || name == "hs" || name == "lo")
    holds = c;
  else if (name == "mi" || name == "pl")
    holds = n;
  else if (name == "vs" || name == "vc")
    holds = v;
  else if (name == "hi" || name == "ls")
    holds = Derive(c.value && !z.value, {c, z});
  else if (name == "ge" || name == "lt")
    holds = Derive(n.value == v.value, {n, v});
  else if (name == "gt" || name == "le")
    holds = Derive(n.value == v.value && !z.value, {n, v, z});
  else
    Unknown("expected a condition, found '" + name + "'");
  static const std::vector<std::string> kNegated = {"ne", "cc", "lo", "pl", "vc", "ls", "lt", "le"};
  if (std::count(kNegated.begin(), kNegated.end(), name))
    holds.value = !holds.value;
  return holds;
}

namespace {

void Nothing(Execution &) {}

void BranchOnZero(Execution &e, bool zero) {
  Word value = e.Read(0);
  e.machine.Branch(Derive((value.value == 0) == zero, {value}), e.GetTarget(1));
}

void BranchOnBit(Execution &e, bool set) {
  Word value = e.Read(0);
  e.machine.Branch(Derive((value.value >> e.GetNumber(1) & 1) == set, {value}), e.GetTarget(2));
}

void Call(Execution &e, const Word &target) {
  e.machine.registers[kLinkRegister] = {e.instruction.address + e.instruction.size};
  e.machine.Jump(target);
}

void AddBranchHandlers(Handlers *handlers) {
  Handlers &h = *handlers;
  h["b"] = [](Execution &e) { e.machine.Jump({e.GetTarget(0)}); };
  h["bl"] = [](Execution &e) { Call(e, {e.GetTarget(0)}); };
  h["br"] = [](Execution &e) { e.machine.Jump(e.Read(0)); };
  h["blr"] = [](Execution &e) { Call(e, e.Read(0)); };
  h["ret"] = [](Execution &e) {
    e.machine.Jump(e.count() ? e.Read(0) : e.machine.registers[kLinkRegister]);
  };
  for (std::string condition : kConditions)
    for (std::string name : {"b." + condition, "b" + condition})
      h[name] = [condition](Execution &e) {
        e.machine.Branch(e.Condition(condition), e.GetTarget(0));
      };
  h["cbz"] = [](Execution &e) { BranchOnZero(e, true); };
  h["cbnz"] = [](Execution &e) { BranchOnZero(e, false); };
  h["tbz"] = [](Execution &e) { BranchOnBit(e, false); };
  h["tbnz"] = [](Execution &e) { BranchOnBit(e, true); };
  // Hints, and what guards branches and return addresses.
  for (std::string name : {"nop", "hint", "bti", "paciasp", "autiasp", "pacibsp", "autibsp",
                           "yield", "prfm", "prfum", "csdb", "xpaclri"})
    h[name] = Nothing;
}

// Whether other processors are in the domain makes no difference here: all are in
// the inner-shareable one. A dsb orders all that a dmb does, and what it waits for
// besides is not seen by loads and stores.
void Barrier(Execution &e) {
  static const std::map<std::string, Fence> kFences = {
      {"sy", Fence::kArmFull},     {"ish", Fence::kArmFull},    {"osh", Fence::kArmFull},
      {"nsh", Fence::kArmFull},    {"ld", Fence::kArmLoad},     {"ishld", Fence::kArmLoad},
      {"oshld", Fence::kArmLoad},  {"nshld", Fence::kArmLoad},  {"st", Fence::kArmStore},
      {"ishst", Fence::kArmStore}, {"oshst", Fence::kArmStore}, {"nshst", Fence::kArmStore}};
  auto fence = kFences.find(e.operand(0));
  if (fence == kFences.end())
    e.Unknown("expected a kind of barrier, found '" + e.operand(0) + "'");
  e.machine.AddFence(fence->second);
}

const Handlers &GetHandlers() {
  static const Handlers handlers = [] {
    Handlers h;
    AddBranchHandlers(&h);
    h["dmb"] = h["dsb"] = Barrier;
    h["isb"] = [](Execution &e) { e.machine.AddFence(Fence::kArmIsb); };
    AddDataHandlers(&h);
    AddMemoryHandlers(&h);
    AddAtomicHandlers(&h);
    return h;
  }();
  return handlers;
}

int RegisterNumber(const std::string &name) {
  std::optional<Register> reg = ParseRegister(name);
  return reg ? reg->number : -1;
}

void Begin(Machine &machine, uint64_t stack, uint64_t return_address) {
  machine.registers[kStackPointer] = {stack};
  machine.registers[kLinkRegister] = {return_address};
}

void Step(Machine &machine, const Instruction &instruction) {
  auto handler = GetHandlers().find(instruction.mnemonic);
  if (handler == GetHandlers().end())
    ThrowUnknown(instruction, "AArch64 code with this mnemonic is not supported");
  Execution execution(&machine, &instruction);
  handler->second(execution);
}

} // namespace
} // namespace aarch64

const InstructionSet kAArch64Instructions = {aarch64::RegisterNumber, aarch64::Begin,
                                             aarch64::Step};

} // namespace heddle::litmus::hardware
