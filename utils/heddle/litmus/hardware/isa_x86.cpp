// The x86-64 instruction set, as far as compilers use it for integers: operands,
// branches and the stack here, the others in isa_x86_data.cpp. By the "Intel 64 and
// IA-32 Architectures Software Developer's Manual", volume 2.
//
// The syntax is AT&T's, as llvm-objdump prints it. Litmus tests may have the order of
// Intel ("mov eax,[x]"): no operand has "%" or "(" then, and one is a register or in
// brackets.
//
// Dependencies are noted as for the others, though no model of x86 asks for them.
// Accesses that are locked, and xchg with memory, are one operation and a full fence;
// to private memory, which compilers do instead of mfence, they are a fence alone.
// llvm-objdump prints "lock" on a line of its own.
#include "isa_x86.h"

#include <algorithm>

namespace heddle::litmus::hardware {
namespace x86 {

std::optional<Register> ParseRegister(const std::string &text) {
  static const std::map<std::string, Register> kRegisters = [] {
    std::map<std::string, Register> registers;
    const std::string kLegacy[] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};
    for (int i = 0; i < 8; i++) {
      const std::string &name = kLegacy[i];
      registers["r" + name] = {i, 64};
      registers["e" + name] = {i, 32};
      registers[name] = {i, 16};
      registers[i < 4 ? name.substr(0, 1) + "l" : name + "l"] = {i, 8};
      if (i < 4)
        registers[name.substr(0, 1) + "h"] = {i, 8, true};
    }
    for (int i = 8; i < 16; i++) {
      std::string name = "r" + std::to_string(i);
      registers[name] = {i, 64};
      registers[name + "d"] = {i, 32};
      registers[name + "w"] = {i, 16};
      registers[name + "b"] = {i, 8};
    }
    return registers;
  }();
  return Find(kRegisters, !text.empty() && text[0] == '%' ? text.substr(1) : text);
}

namespace {

bool IsIntelOrder(const Instruction &instruction) {
  bool intel = false;
  for (const std::string &text : instruction.operands) {
    if (text.find_first_of("%(") != std::string::npos)
      return false;
    intel |= text.find('[') != std::string::npos || ParseRegister(text);
  }
  return intel;
}

} // namespace

Execution::Execution(Machine *machine, const Instruction *instruction, bool locked)
    : InstructionExecution(machine, instruction), locked(locked) {
  for (const std::string &text : instruction->operands)
    operands_.push_back(ParseOperand(text));
  if (IsIntelOrder(*instruction))
    std::reverse(operands_.begin(), operands_.end());
}

// "(%rax)", "-8(%rbp,%rcx,4)", "0x10(%rip)"; "[x]", "[rax]"; "%fs:..." is not known.
std::optional<Word> Execution::ParseAddress(const std::string &text) const {
  if (text[0] == '[' && text.back() == ']') {
    std::string inside = text.substr(1, text.size() - 2);
    if (std::optional<Register> reg = ParseRegister(inside))
      return ReadRegister(*reg);
    return Word{ResolveTarget(machine.image(), instruction, inside)};
  }
  size_t open = text.find('(');
  if (open == std::string::npos || text.back() != ')')
    return std::nullopt;
  Word address;
  if (open > 0) {
    std::string before = text.substr(0, open);
    if (std::optional<int64_t> offset = ParseNumber(before))
      address = {static_cast<uint64_t>(*offset)};
    else if (std::optional<uint64_t> symbol = FindSymbol(before))
      address = {*symbol};
    else
      return std::nullopt;
  }
  std::vector<std::string> parts = SplitOperands(text.substr(open + 1, text.size() - open - 2));
  std::optional<int64_t> scale = parts.size() > 2 ? ParseNumber(parts[2]) : 1;
  if (!scale || parts.size() > 3)
    return std::nullopt;
  for (size_t i = 0; i < parts.size() && i < 2; i++) {
    if (parts[i].empty())
      continue;
    uint64_t factor = i == 1 ? *scale : 1;
    Word part;
    if (parts[i] == "%rip")
      part = {next()};
    else if (std::optional<Register> reg = ParseRegister(parts[i]))
      part = ReadRegister(*reg);
    else if (FindSymbol(parts[i]))
      part = {*FindSymbol(parts[i])};
    else
      return std::nullopt;
    address = Derive(address.value + part.value * factor, {address, part});
  }
  return address;
}

// The name of a location as an address: "(x)" of a litmus test.
std::optional<uint64_t> Execution::FindSymbol(const std::string &name) const {
  return Find(machine.image().symbols, name);
}

Operand Execution::ParseOperand(const std::string &text) const {
  Operand operand;
  if (std::optional<Register> reg = ParseRegister(text)) {
    operand.kind = Operand::Kind::kRegister;
    operand.reg = *reg;
  } else if (text[0] == '$' && ParseNumber(text)) {
    operand.number = *ParseNumber(text);
  } else if (text[0] == '*') {
    return ParseOperand(text.substr(1));
  } else if (std::optional<Word> address = ParseAddress(text)) {
    operand.kind = Operand::Kind::kMemory;
    operand.address = *address;
  } else if (std::optional<int64_t> number = ParseNumber(text)) {
    // A jump's target; or an address, which is for the instruction to say.
    operand.number = *number;
  } else if (FindSymbol(text) || instruction.mnemonic[0] == 'j' ||
             instruction.mnemonic.rfind("call", 0) == 0) {
    operand.number = ResolveTarget(machine.image(), instruction, text);
  } else {
    Unknown("expected a register, a number or memory, found '" + text + "'");
  }
  return operand;
}

int Execution::bits() const {
  if (suffix_bits)
    return suffix_bits;
  // The last one first: the source of a shift may be %cl.
  for (auto operand = operands_.rbegin(); operand != operands_.rend(); operand++)
    if (operand->kind == Operand::Kind::kRegister)
      return operand->reg.bits;
  return 32;
}

Word Execution::ReadRegister(const Register &reg) const {
  Word word = machine.registers[reg.number];
  word.value = LowBits(reg.high ? word.value >> 8 : word.value, reg.bits);
  return word;
}

// To 32 bits, the others become 0. To 8 or 16, the others stay, with what they
// depend on.
void Execution::WriteRegister(const Register &reg, const Word &value) {
  if (reg.bits >= 32) {
    machine.registers[reg.number] = Derive(LowBits(value.value, reg.bits), {value});
    return;
  }
  Word word = machine.registers[reg.number];
  int shift = reg.high ? 8 : 0;
  uint64_t mask = LowBits(~uint64_t{0}, reg.bits) << shift;
  machine.registers[reg.number] =
      Derive((word.value & ~mask) | (value.value << shift & mask), {word, value});
}

Word Execution::Read(const Operand &operand, int bits) const {
  switch (operand.kind) {
  case Operand::Kind::kRegister:
    return ReadRegister(operand.reg);
  case Operand::Kind::kNumber:
    return {LowBits(operand.number, bits)};
  case Operand::Kind::kMemory:
    return machine.Load(operand.address, bits / 8);
  }
  Unknown("");
}

void Execution::Write(const Operand &operand, int bits, const Word &value) {
  if (operand.kind == Operand::Kind::kRegister)
    WriteRegister(operand.reg, value);
  else if (operand.kind == Operand::Kind::kMemory)
    machine.Store(operand.address, bits / 8, Derive(LowBits(value.value, bits), {value}));
  else
    Unknown("expected a register or memory to write to");
}

Word Execution::Modify(const Operand &operand, int bits, bool locked, const Update &update) {
  if (operand.IsMemory() && locked && machine.IsShared(operand.address, bits / 8))
    return machine.Modify(operand.address, bits / 8, 0, 0, update);
  if (operand.IsMemory() && locked)
    machine.AddFence(Fence::kX86Full);
  Word old = Read(operand, bits);
  if (std::optional<Word> value = update(old))
    Write(operand, bits, *value);
  return old;
}

void Execution::SetResultFlags(const Word &result, int bits) {
  uint64_t value = LowBits(result.value, bits);
  SetFlag(kZF, Derive(value == 0, {result}));
  SetFlag(kSF, Derive(value >> (bits - 1) & 1, {result}));
  SetFlag(kPF, Derive(!(__builtin_popcountll(value & 0xff) & 1), {result}));
}

uint64_t Execution::GetTarget() const {
  if (operand(0).kind != Operand::Kind::kNumber)
    Unknown("expected the address of a jump");
  return operand(0).number;
}

std::optional<Word> EvaluateCondition(const Machine &machine, const std::string &name) {
  auto flag = [&](int number) -> Word { return machine.registers[number]; };
  const Word c = flag(kCF), p = flag(kPF), z = flag(kZF), s = flag(kSF), o = flag(kOF);
  const Word below_or_equal = Derive(c.value | z.value, {c, z});
  const Word less = Derive(s.value ^ o.value, {s, o});
  const Word less_or_equal = Derive((s.value ^ o.value) | z.value, {s, o, z});
  // Each with its synonyms and then the negation with its own.
  const struct {
    std::vector<std::string> names, negated;
    Word holds;
  } kConditions[] = {
      {{"o"}, {"no"}, o},
      {{"b", "c", "nae"}, {"ae", "nb", "nc"}, c},
      {{"e", "z"}, {"ne", "nz"}, z},
      {{"be", "na"}, {"a", "nbe"}, below_or_equal},
      {{"s"}, {"ns"}, s},
      {{"p", "pe"}, {"np", "po"}, p},
      {{"l", "nge"}, {"ge", "nl"}, less},
      {{"le", "ng"}, {"g", "nle"}, less_or_equal},
  };
  for (const auto &[names, negated, holds] : kConditions) {
    if (std::count(names.begin(), names.end(), name))
      return holds;
    if (std::count(negated.begin(), negated.end(), name))
      return Derive(!holds.value, {holds});
  }
  return std::nullopt;
}

namespace {

void Push(Execution &e, const Word &value) {
  Word stack = e.machine.registers[kRsp];
  stack.value -= 8;
  e.machine.registers[kRsp] = stack;
  e.machine.Store(stack, 8, value);
}

Word Pop(Execution &e) {
  Word stack = e.machine.registers[kRsp];
  Word value = e.machine.Load(stack, 8);
  stack.value += 8;
  e.machine.registers[kRsp] = stack;
  return value;
}

Word IndirectTarget(Execution &e) {
  return e.operand(0).kind == Operand::Kind::kNumber ? Word{e.GetTarget()}
                                                     : e.Read(e.operand(0), 64);
}

void AddBranchHandlers(Handlers *handlers) {
  auto &h = handlers->plain;
  h["jmp"] = h["jmpq"] =
      h["notrack jmpq"] = [](Execution &e) { e.machine.Jump(IndirectTarget(e)); };
  h["call"] = h["callq"] = [](Execution &e) {
    Word target = IndirectTarget(e);
    Push(e, {e.next()});
    e.machine.Jump(target);
  };
  h["ret"] = h["retq"] = h["rep retq"] = [](Execution &e) { e.machine.Jump(Pop(e)); };
  h["push"] = h["pushq"] = [](Execution &e) { Push(e, e.Read(e.operand(0), 64)); };
  h["pop"] = h["popq"] = [](Execution &e) {
    Word value = Pop(e);
    e.Write(e.operand(0), 64, value);
  };
  h["leave"] = h["leaveq"] = [](Execution &e) {
    e.machine.registers[kRsp] = e.machine.registers[kRbp];
    e.machine.registers[kRbp] = Pop(e);
  };
  h["mfence"] = [](Execution &e) { e.machine.AddFence(Fence::kX86Full); };
  // These order loads, and stores, which the model orders anyway.
  h["lfence"] = h["sfence"] = [](Execution &) {};
}

const Handlers &GetHandlers() {
  static const Handlers handlers = [] {
    Handlers h;
    AddBranchHandlers(&h);
    AddDataHandlers(&h);
    return h;
  }();
  return handlers;
}

// "jne", "sete", "cmovl": a name with a condition. They write a register, or jump.
bool StepConditional(Execution &e, const std::string &name) {
  auto condition = [&](size_t length) { return EvaluateCondition(e.machine, name.substr(length)); };
  if (name[0] == 'j')
    if (std::optional<Word> holds = condition(1)) {
      e.machine.Branch(*holds, e.GetTarget());
      return true;
    }
  if (name.rfind("set", 0) == 0)
    if (std::optional<Word> holds = condition(3)) {
      e.Write(e.operand(0), 8, *holds);
      return true;
    }
  if (name.rfind("cmov", 0) != 0)
    return false;
  std::optional<Word> holds = condition(4);
  if (!holds && name.find_last_of("wlq") == name.size() - 1)
    holds = EvaluateCondition(e.machine, name.substr(4, name.size() - 5));
  if (!holds)
    return false;
  int bits = e.operand(1).reg.bits;
  // The source is read, even from memory, whether the condition holds or not.
  Word source = e.Read(e.operand(0), bits), old = e.Read(e.operand(1), bits);
  e.Write(e.operand(1), bits, Pick(holds->value ? source : old, *holds));
  return true;
}

const Handler *FindHandler(const std::string &name, int *suffix_bits) {
  static const std::map<char, int> kSuffixes = {{'b', 8}, {'w', 16}, {'l', 32}, {'q', 64}};
  const Handlers &h = GetHandlers();
  if (auto found = h.plain.find(name); found != h.plain.end())
    return &found->second;
  if (auto found = h.sized.find(name); found != h.sized.end())
    return &found->second;
  auto suffix = kSuffixes.find(name.back());
  if (suffix == kSuffixes.end())
    return nullptr;
  auto found = h.sized.find(name.substr(0, name.size() - 1));
  if (found == h.sized.end())
    return nullptr;
  *suffix_bits = suffix->second;
  return &found->second;
}

int RegisterNumber(const std::string &name) {
  std::optional<Register> reg = ParseRegister(name);
  return reg ? reg->number : -1;
}

void Begin(Machine &machine, uint64_t stack, uint64_t return_address) {
  machine.registers[kRsp] = {stack - 8};
  for (int i = 0; i < 8; i++)
    machine.memory[stack - 8 + i] = {return_address >> (8 * i) & 0xff};
}

void Step(Machine &machine, const Instruction &instruction) {
  std::string name = instruction.mnemonic;
  if (name == "lock" && instruction.operands.empty()) {
    machine.registers[kLockPrefix] = {1};
    return;
  }
  // What they have as operands is not accessed, and may be anything.
  static const std::vector<std::string> kNothing = {"nop",     "nopw",  "nopl",   "nopq",
                                                    "endbr64", "pause", "rep nop"};
  if (std::count(kNothing.begin(), kNothing.end(), name))
    return;
  bool locked = static_cast<const Word &>(machine.registers[kLockPrefix]).value;
  machine.registers[kLockPrefix] = {};
  if (name.rfind("lock ", 0) == 0) {
    locked = true;
    name = name.substr(5);
  }
  Execution execution(&machine, &instruction, locked);
  if (const Handler *handler = FindHandler(name, &execution.suffix_bits))
    (*handler)(execution);
  else if (!StepConditional(execution, name))
    ThrowUnknown(instruction, "x86-64 code with this mnemonic is not supported");
}

} // namespace
} // namespace x86

const InstructionSet kX86Instructions = {x86::RegisterNumber, x86::Begin, x86::Step};

} // namespace heddle::litmus::hardware
