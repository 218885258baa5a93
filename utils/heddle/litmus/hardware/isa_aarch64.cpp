// The AArch64 instruction set, as far as compilers use it for integers: operands,
// branches and barriers here, the others in isa_aarch64_*.cpp. By the Arm
// Architecture Reference Manual for A-profile, chapter C6.
#include "isa_aarch64.h"

namespace heddle::litmus::hardware {
namespace aarch64 {

std::optional<Register> ParseRegister(const std::string &name) {
  static const std::map<std::string, Register> kNamed = {
      {"sp", {kStackPointer, 64}},  {"wsp", {kStackPointer, 32}}, {"xzr", {kZeroRegister, 64}},
      {"wzr", {kZeroRegister, 32}}, {"lr", {kLinkRegister, 64}},  {"fp", {29, 64}}};
  if (std::optional<Register> named = Find(kNamed, name))
    return named;
  if (name.size() < 2 || (name[0] != 'x' && name[0] != 'w'))
    return std::nullopt;
  std::optional<int64_t> number = ParseNumber(name.substr(1));
  if (!number || *number > 30 || name[1] == '-' || name[1] == '#')
    return std::nullopt;
  return Register{static_cast<int>(*number), name[0] == 'x' ? 64 : 32};
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
  if (space != std::string::npos)
    amount = Expect(ParseNumber(how.substr(space + 1)), "a shift or an extension", how);
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
    if (std::optional<int> width = Find(kWidths, kind.substr(3)))
      return Derive((kind[0] == 's' ? SignExtend(x, *width) : LowBits(x, *width)) << amount,
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
  std::array<Word, kArmFlags> flags = ArmSumFlags(x, y, carry, bits);
  for (int i = 0; i < kArmFlags; i++)
    machine.registers[kN + i] = flags[i];
}

void Execution::SetLogicFlags(const Word &result, int bits) {
  uint64_t value = LowBits(result.value, bits);
  machine.registers[kN] = Derive(value >> (bits - 1) & 1, {result});
  machine.registers[kZ] = Derive(value == 0, {result});
  machine.registers[kC] = machine.registers[kV] = Derive(0, {result});
}

Word Execution::Condition(const std::string &name) const {
  return Expect(EvaluateArmCondition(machine, kN, name), "a condition", name);
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
  e.machine.registers[kLinkRegister] = {e.next()};
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
  for (std::string condition : kArmConditions)
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

const Handlers &GetHandlers() {
  static const Handlers handlers = [] {
    Handlers h;
    AddBranchHandlers(&h);
    h["dmb"] = h["dsb"] = [](Execution &e) { AddArmBarrier(e, e.operand(0)); };
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
