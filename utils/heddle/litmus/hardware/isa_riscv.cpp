// The RISC-V instruction set, RV64GC as far as compilers use it for integers: what
// computes, branches and loads here, atomics in isa_riscv_atomic.cpp. By "The RISC-V
// Instruction Set Manual, Volume I: Unprivileged ISA"; which registers an instruction
// depends on is in its chapter on RVWMO, "Source and Destination Register Listings".
//
// A compressed instruction is what it expands to. llvm-objdump prints it so, unless
// asked not to.
#include "isa_riscv.h"

namespace heddle::litmus::hardware {
namespace riscv {

std::optional<int> ParseRegister(const std::string &name) {
  static const std::map<std::string, int> kNumbers = [] {
    std::map<std::string, int> numbers = {{"zero", 0}, {"ra", 1}, {"sp", 2},
                                          {"gp", 3},   {"tp", 4}, {"fp", 8}};
    auto add = [&](const std::string &letter, int from, int to, int first) {
      for (int i = from; i <= to; i++)
        numbers[letter + std::to_string(i)] = first + i - from;
    };
    add("x", 0, 31, 0);
    add("t", 0, 2, 5);
    add("s", 0, 1, 8);
    add("a", 0, 7, 10);
    add("s", 2, 11, 18);
    add("t", 3, 6, 28);
    return numbers;
  }();
  return Find(kNumbers, name);
}

Word Execution::Read(int index) const {
  if (std::optional<int64_t> number = ParseNumber(operand(index)))
    return {static_cast<uint64_t>(*number)};
  // x0 is never written, and so depends on nothing.
  return machine.registers[GetRegister(index)];
}

void Execution::Write(int number, const Word &value) {
  if (number != 0)
    machine.registers[number] = value;
}

Word Execution::GetAddress(int index) const {
  const std::string &text = operand(index);
  size_t open = text.find('(');
  if (open == std::string::npos || text.back() != ')')
    Unknown("expected an address like '4(a0)', found '" + text + "'");
  std::optional<int64_t> offset = open ? ParseNumber(text.substr(0, open)) : 0;
  std::optional<int> base = ParseRegister(text.substr(open + 1, text.size() - open - 2));
  if (!offset || !base)
    Unknown("expected an address like '4(a0)', found '" + text + "'");
  const Word &word = machine.registers[*base];
  return Derive(word.value + *offset, {word});
}

namespace {

using Comparison = bool (*)(uint64_t, uint64_t);

// d = op(n, m); with two operands d = op(d, m). `narrow`: of 32 bits, extended by the
// sign.
Handler BinaryHandler(Binary function, bool narrow) {
  return [=](Execution &e) {
    bool two = e.count() == 2;
    Word x = e.Read(two ? 0 : 1), y = e.Read(two ? 1 : 2);
    uint64_t value = function(x.value, y.value);
    e.Write(e.GetRegister(0), Derive(narrow ? SignExtend(value, 32) : value, {x, y}));
  };
}

// "neg a0, a1" is op(a1).
using Unary = uint64_t (*)(uint64_t);
Handler UnaryHandler(Unary function) {
  return [=](Execution &e) {
    Word x = e.Read(1);
    e.Write(e.GetRegister(0), Derive(function(x.value), {x}));
  };
}

Handler BranchHandler(Comparison holds, bool swapped) {
  return [=](Execution &e) {
    Word x = e.Read(swapped ? 1 : 0), y = e.Read(swapped ? 0 : 1);
    e.machine.Branch(Derive(holds(x.value, y.value), {x, y}), e.GetTarget(2));
  };
}

Handler BranchZeroHandler(Comparison holds, bool swapped) {
  return [=](Execution &e) {
    Word x = e.Read(0);
    bool taken = swapped ? holds(0, x.value) : holds(x.value, 0);
    e.machine.Branch(Derive(taken, {x}), e.GetTarget(1));
  };
}

Handler LoadHandler(int size, bool is_signed) {
  return [=](Execution &e) {
    Word value = e.Load(e.GetAddress(1), size, is_signed);
    e.Write(e.GetRegister(0), value);
  };
}

Handler StoreHandler(int size) {
  return [=](Execution &e) { e.machine.Store(e.GetAddress(1), size, e.Read(0)); };
}

// Division by zero and overflow have defined results.
template <typename Integer> uint64_t Divide(uint64_t x, uint64_t y) {
  Integer a = x, b = y;
  if (b == 0)
    return ~uint64_t{0};
  if (b == static_cast<Integer>(-1) && static_cast<Integer>(-1) < 0)
    return -x;
  return a / b;
}
template <typename Integer> uint64_t Remainder(uint64_t x, uint64_t y) {
  Integer a = x, b = y;
  if (b == 0)
    return x;
  if (b == static_cast<Integer>(-1) && static_cast<Integer>(-1) < 0)
    return 0;
  return a % b;
}

void AddArithmetic(Handlers *handlers) {
  Handlers &h = *handlers;
  // With a register and, as "addi", with a number: names that have both forms.
  const std::map<std::string, Binary> kWide = {
      {"add", [](uint64_t x, uint64_t y) { return x + y; }},
      {"and", [](uint64_t x, uint64_t y) { return x & y; }},
      {"or", [](uint64_t x, uint64_t y) { return x | y; }},
      {"xor", [](uint64_t x, uint64_t y) { return x ^ y; }},
      {"sll", [](uint64_t x, uint64_t y) { return x << (y & 63); }},
      {"srl", [](uint64_t x, uint64_t y) { return x >> (y & 63); }},
      {"sra", [](uint64_t x, uint64_t y) -> uint64_t { return Signed(x) >> (y & 63); }},
      {"slt", [](uint64_t x, uint64_t y) -> uint64_t { return Signed(x) < Signed(y); }},
  };
  for (const auto &[name, function] : kWide)
    h[name] = h[name + "i"] = BinaryHandler(function, false);
  h["sltu"] = h["sltiu"] =
      BinaryHandler([](uint64_t x, uint64_t y) -> uint64_t { return x < y; }, false);
  h["sub"] = BinaryHandler([](uint64_t x, uint64_t y) { return x - y; }, false);
  h["mul"] = BinaryHandler([](uint64_t x, uint64_t y) { return x * y; }, false);
  h["div"] = BinaryHandler(Divide<int64_t>, false);
  h["divu"] = BinaryHandler(Divide<uint64_t>, false);
  h["rem"] = BinaryHandler(Remainder<int64_t>, false);
  h["remu"] = BinaryHandler(Remainder<uint64_t>, false);

  h["addw"] = h["addiw"] = BinaryHandler([](uint64_t x, uint64_t y) { return x + y; }, true);
  h["subw"] = BinaryHandler([](uint64_t x, uint64_t y) { return x - y; }, true);
  h["mulw"] = BinaryHandler([](uint64_t x, uint64_t y) { return x * y; }, true);
  h["sllw"] = h["slliw"] =
      BinaryHandler([](uint64_t x, uint64_t y) { return x << (y & 31); }, true);
  h["srlw"] = h["srliw"] =
      BinaryHandler([](uint64_t x, uint64_t y) { return LowBits(x, 32) >> (y & 31); }, true);
  h["sraw"] = h["sraiw"] = BinaryHandler(
      [](uint64_t x, uint64_t y) -> uint64_t { return SignExtend(x, 32) >> (y & 31); }, true);
  h["divw"] = BinaryHandler(Divide<int32_t>, true);
  h["divuw"] = BinaryHandler(Divide<uint32_t>, true);
  h["remw"] = BinaryHandler(Remainder<int32_t>, true);
  h["remuw"] = BinaryHandler(Remainder<uint32_t>, true);
}

void AddPseudoInstructions(Handlers *handlers) {
  Handlers &h = *handlers;
  h["li"] = h["mv"] = UnaryHandler([](uint64_t x) { return x; });
  h["not"] = UnaryHandler([](uint64_t x) { return ~x; });
  h["neg"] = UnaryHandler([](uint64_t x) { return -x; });
  h["negw"] = UnaryHandler([](uint64_t x) -> uint64_t { return SignExtend(-x, 32); });
  h["sext.b"] = UnaryHandler([](uint64_t x) -> uint64_t { return SignExtend(x, 8); });
  h["sext.h"] = UnaryHandler([](uint64_t x) -> uint64_t { return SignExtend(x, 16); });
  h["sext.w"] = UnaryHandler([](uint64_t x) -> uint64_t { return SignExtend(x, 32); });
  h["zext.b"] = UnaryHandler([](uint64_t x) { return LowBits(x, 8); });
  h["zext.h"] = UnaryHandler([](uint64_t x) { return LowBits(x, 16); });
  h["zext.w"] = UnaryHandler([](uint64_t x) { return LowBits(x, 32); });
  h["seqz"] = UnaryHandler([](uint64_t x) -> uint64_t { return x == 0; });
  h["snez"] = UnaryHandler([](uint64_t x) -> uint64_t { return x != 0; });
  h["sltz"] = UnaryHandler([](uint64_t x) -> uint64_t { return Signed(x) < 0; });
  h["sgtz"] = UnaryHandler([](uint64_t x) -> uint64_t { return Signed(x) > 0; });
  h["lui"] = [](Execution &e) {
    e.Write(e.GetRegister(0), {static_cast<uint64_t>(SignExtend(e.GetNumber(1) << 12, 32))});
  };
  h["auipc"] = [](Execution &e) {
    e.Write(e.GetRegister(0),
            {e.instruction.address + static_cast<uint64_t>(SignExtend(e.GetNumber(1) << 12, 32))});
  };
  h["nop"] = [](Execution &) {};
}

void Link(Execution &e, int number, const Word &target) {
  e.Write(number, {e.next()});
  e.machine.Jump(target);
}

// "a0", "4(a0)": where an indirect jump goes.
Word GetIndirect(Execution &e, int index) {
  return e.operand(index).find('(') == std::string::npos ? e.Read(index) : e.GetAddress(index);
}

void AddBranches(Handlers *handlers) {
  Handlers &h = *handlers;
  struct {
    const char *name, *swapped; // "blt" and "bgt", which swaps the operands
    Comparison holds;
  } const kBranches[] = {
      {"eq", "", [](uint64_t x, uint64_t y) { return x == y; }},
      {"ne", "", [](uint64_t x, uint64_t y) { return x != y; }},
      {"lt", "gt", [](uint64_t x, uint64_t y) { return Signed(x) < Signed(y); }},
      {"ge", "le", [](uint64_t x, uint64_t y) { return Signed(x) >= Signed(y); }},
      {"ltu", "gtu", [](uint64_t x, uint64_t y) { return x < y; }},
      {"geu", "leu", [](uint64_t x, uint64_t y) { return x >= y; }},
  };
  for (const auto &[name, swapped, holds] : kBranches) {
    h[std::string("b") + name] = BranchHandler(holds, false);
    h[std::string("b") + name + "z"] = BranchZeroHandler(holds, false);
    if (*swapped) {
      h[std::string("b") + swapped] = BranchHandler(holds, true);
      h[std::string("b") + swapped + "z"] = BranchZeroHandler(holds, true);
    }
  }
  h["j"] = h["tail"] = [](Execution &e) { e.machine.Jump({e.GetTarget(0)}); };
  h["jal"] = h["call"] = [](Execution &e) {
    bool one = e.count() == 1;
    Link(e, one ? kReturnRegister : e.GetRegister(0), {e.GetTarget(one ? 0 : 1)});
  };
  h["jr"] = [](Execution &e) { e.machine.Jump(GetIndirect(e, 0)); };
  h["jalr"] = [](Execution &e) {
    bool one = e.count() == 1;
    Word target = GetIndirect(e, one ? 0 : 1);
    Link(e, one ? kReturnRegister : e.GetRegister(0), target);
  };
  h["ret"] = [](Execution &e) { e.machine.Jump(e.machine.registers[kReturnRegister]); };
}

void AddLoadsAndStores(Handlers *handlers) {
  Handlers &h = *handlers;
  h["lb"] = LoadHandler(1, true);
  h["lh"] = LoadHandler(2, true);
  h["lw"] = LoadHandler(4, true);
  h["ld"] = LoadHandler(8, false);
  h["lbu"] = LoadHandler(1, false);
  h["lhu"] = LoadHandler(2, false);
  h["lwu"] = LoadHandler(4, false);
  h["sb"] = StoreHandler(1);
  h["sh"] = StoreHandler(2);
  h["sw"] = StoreHandler(4);
  h["sd"] = StoreHandler(8);
}

const Handlers &GetHandlers() {
  static const Handlers handlers = [] {
    Handlers h;
    AddArithmetic(&h);
    AddPseudoInstructions(&h);
    AddBranches(&h);
    AddLoadsAndStores(&h);
    AddAtomicHandlers(&h);
    Handlers compressed;
    for (const auto &[name, handler] : h)
      compressed["c." + name] = handler;
    h.insert(compressed.begin(), compressed.end());
    for (std::string name : {"lw", "ld", "sw", "sd"})
      h["c." + name + "sp"] = h[name];
    h["c.addi4spn"] = h["c.addi16sp"] = h["addi"];
    return h;
  }();
  return handlers;
}

int RegisterNumber(const std::string &name) { return ParseRegister(name).value_or(-1); }

void Begin(Machine &machine, uint64_t stack, uint64_t return_address) {
  machine.registers[kStackPointer] = {stack};
  machine.registers[kReturnRegister] = {return_address};
  // What the start-up code does: linkers may address variables from there.
  auto global_pointer = machine.image().symbols.find("__global_pointer$");
  if (global_pointer != machine.image().symbols.end())
    machine.registers[kGlobalPointer] = {global_pointer->second};
}

void Step(Machine &machine, const Instruction &instruction) {
  auto handler = GetHandlers().find(instruction.mnemonic);
  if (handler == GetHandlers().end())
    ThrowUnknown(instruction, "RISC-V code with this mnemonic is not supported");
  Execution execution(&machine, &instruction);
  handler->second(execution);
}

} // namespace
} // namespace riscv

const InstructionSet kRiscVInstructions = {riscv::RegisterNumber, riscv::Begin, riscv::Step};

} // namespace heddle::litmus::hardware
