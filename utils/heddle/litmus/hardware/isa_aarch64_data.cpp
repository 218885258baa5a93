// AArch64: arithmetic, logic, moves and conditional selects.
#include "isa_aarch64.h"

namespace heddle::litmus::hardware::aarch64 {
namespace {

// d = op(n, m), or d = op(d, m) as litmus tests may write it.
Handler BinaryHandler(Binary function, bool sets_flags = false) {
  return [=](Execution &e) {
    int bits = e.bits(0);
    Word x = e.Read(1), y = e.ReadShifted(2, bits);
    Word result = Derive(function(x.value, y.value), {x, y});
    if (sets_flags)
      e.SetLogicFlags(result, bits);
    e.Write(0, result);
  };
}

Word Invert(Word word) {
  word.value = ~word.value;
  return word;
}

// x + y, or x - y as x + ~y + 1.
void AddOrSubtract(Execution &e, const Word &x, Word y, bool subtract, bool sets_flags, int bits,
                   std::optional<Register> target) {
  Word carry{subtract};
  if (subtract)
    y = Invert(y);
  Word sum = Derive(x.value + y.value + carry.value, {x, y});
  if (sets_flags)
    e.SetAddFlags(x, y, carry, bits);
  if (target)
    e.Write(*target, sum);
}

Handler AddHandler(bool subtract, bool sets_flags) {
  return [=](Execution &e) {
    int bits = e.bits(0);
    AddOrSubtract(e, e.Read(1), e.ReadShifted(2, bits), subtract, sets_flags, bits,
                  e.GetRegister(0));
  };
}

Handler CompareHandler(bool subtract) {
  return [=](Execution &e) {
    int bits = e.bits(0);
    AddOrSubtract(e, e.Read(0), e.ReadShifted(1, bits), subtract, true, bits, std::nullopt);
  };
}

Handler NegateHandler(bool sets_flags) {
  return [=](Execution &e) {
    int bits = e.bits(0);
    AddOrSubtract(e, {}, e.ReadShifted(1, bits), true, sets_flags, bits, e.GetRegister(0));
  };
}

// By a number or by a register, modulo the width.
Handler ShiftHandler(const std::string &kind) {
  return [=](Execution &e) {
    int bits = e.bits(0);
    Word amount = e.Read(2);
    Word shifted =
        e.Shift(e.Read(1), kind + " #" + std::to_string(amount.value & (bits - 1)), bits);
    e.Write(0, Derive(shifted.value, {shifted, amount}));
  };
}

// "mov w0, #1", "movz x0, #1, lsl #16", "movn".
Handler MoveHandler(bool invert) {
  return [=](Execution &e) {
    Word value = e.ReadShifted(1, e.bits(0));
    e.Write(0, invert ? Invert(value) : value);
  };
}

void MoveKeep(Execution &e) {
  int shift = 0;
  if (e.count() > 2)
    shift = e.Shift({1}, e.operand(2), 64).value == 1
                ? 0
                : __builtin_ctzll(e.Shift({1}, e.operand(2), 64).value);
  Word old = e.Read(0);
  uint64_t mask = uint64_t{0xffff} << shift;
  e.Write(0, Derive((old.value & ~mask) | (e.Read(1).value << shift & mask), {old}));
}

Handler ExtendHandler(int from, bool is_signed) {
  return [=](Execution &e) {
    Word x = e.Read(1);
    e.Write(0, Derive(is_signed ? SignExtend(x.value, from) : LowBits(x.value, from), {x}));
  };
}

// Takes `width` bits from `from` and puts them at `to`.
enum class Field { kUnsigned, kSigned, kInsert };
Handler FieldHandler(Field field, bool extract) {
  return [=](Execution &e) {
    Word x = e.Read(1);
    int position = e.GetNumber(2), width = e.GetNumber(3);
    uint64_t bits = LowBits(extract ? x.value >> position : x.value, width);
    int to = extract ? 0 : position;
    if (field == Field::kInsert) {
      Word old = e.Read(0);
      uint64_t mask = LowBits(~uint64_t{0}, width) << to;
      e.Write(0, Derive((old.value & ~mask) | bits << to, {old, x}));
      return;
    }
    uint64_t extended = field == Field::kSigned ? SignExtend(bits, width) : bits;
    e.Write(0, Derive(extended << to, {x}));
  };
}

// d = a + n * m, and the like.
Handler MultiplyHandler(int sign, bool has_addend) {
  return [=](Execution &e) {
    Word x = e.Read(1), y = e.Read(2), a = has_addend ? e.Read(3) : Word{};
    e.Write(0, Derive(a.value + sign * x.value * y.value, {x, y, a}));
  };
}

Handler MultiplyLongHandler(bool is_signed) {
  return [=](Execution &e) {
    Word x = e.Read(1), y = e.Read(2);
    uint64_t a = is_signed ? SignExtend(x.value, 32) : x.value;
    uint64_t b = is_signed ? SignExtend(y.value, 32) : y.value;
    e.Write(0, Derive(a * b, {x, y}));
  };
}

Handler DivideHandler(bool is_signed) {
  return [=](Execution &e) {
    int bits = e.bits(0);
    Word x = e.Read(1), y = e.Read(2);
    uint64_t quotient = 0; // of a division by zero, too
    int64_t a = SignExtend(x.value, bits), b = SignExtend(y.value, bits);
    if (b == -1 && is_signed)
      quotient = -static_cast<uint64_t>(a);
    else if (b)
      quotient = is_signed ? a / b : x.value / y.value;
    e.Write(0, Derive(quotient, {x, y}));
  };
}

// What the second source becomes if the condition does not hold.
using Change = uint64_t (*)(uint64_t);
uint64_t Keep(uint64_t value) { return value; }
uint64_t Increment(uint64_t value) { return value + 1; }
uint64_t Complement(uint64_t value) { return ~value; }
uint64_t Negative(uint64_t value) { return -value; }

// The result depends on the source that was chosen, and has a pick dependency on
// what the flags depend on; on the other source it does not depend.
Handler SelectHandler(Change change) {
  return [=](Execution &e) {
    Word condition = e.Condition(e.operand(3));
    Word x = e.Read(1), y = e.Read(2);
    y.value = change(y.value);
    e.Write(0, Pick(condition.value ? x : y, condition));
  };
}

// "cinc w0, w1, eq" is csinc with the sources equal and the condition negated.
Handler ConditionalHandler(Change change) {
  return [=](Execution &e) {
    Word condition = e.Condition(e.operand(2));
    Word x = e.Read(1);
    if (condition.value)
      x.value = change(x.value);
    e.Write(0, Pick(x, condition));
  };
}

Handler SetHandler(uint64_t value) {
  return [=](Execution &e) {
    Word condition = e.Condition(e.operand(1));
    e.Write(0, Pick({condition.value ? value : 0}, condition));
  };
}

// Compares, or sets the flags to what a number says.
Handler ConditionalCompareHandler(bool subtract) {
  return [=](Execution &e) {
    Word condition = e.Condition(e.operand(3));
    if (condition.value) {
      AddOrSubtract(e, e.Read(0), e.Read(1), subtract, true, e.bits(0), std::nullopt);
    } else {
      int64_t flags = e.GetNumber(2);
      for (int i = 0; i < 4; i++)
        e.machine.registers[kN + i] = {static_cast<uint64_t>(flags >> (3 - i) & 1)};
    }
    for (int flag = kN; flag <= kV; flag++)
      e.machine.registers[flag] = Pick(e.machine.registers[flag], condition);
  };
}

} // namespace

void AddDataHandlers(Handlers *handlers) {
  Handlers &h = *handlers;
  h["add"] = AddHandler(false, false);
  h["adds"] = AddHandler(false, true);
  h["sub"] = AddHandler(true, false);
  h["subs"] = AddHandler(true, true);
  h["cmn"] = CompareHandler(false);
  h["cmp"] = CompareHandler(true);
  h["neg"] = NegateHandler(false);
  h["negs"] = NegateHandler(true);

  h["and"] = BinaryHandler([](uint64_t x, uint64_t y) { return x & y; });
  h["ands"] = BinaryHandler([](uint64_t x, uint64_t y) { return x & y; }, true);
  h["orr"] = BinaryHandler([](uint64_t x, uint64_t y) { return x | y; });
  h["orn"] = BinaryHandler([](uint64_t x, uint64_t y) { return x | ~y; });
  h["eor"] = BinaryHandler([](uint64_t x, uint64_t y) { return x ^ y; });
  h["eon"] = BinaryHandler([](uint64_t x, uint64_t y) { return x ^ ~y; });
  h["bic"] = BinaryHandler([](uint64_t x, uint64_t y) { return x & ~y; });
  h["bics"] = BinaryHandler([](uint64_t x, uint64_t y) { return x & ~y; }, true);
  h["tst"] = [](Execution &e) {
    Word x = e.Read(0), y = e.ReadShifted(1, e.bits(0));
    e.SetLogicFlags(Derive(x.value & y.value, {x, y}), e.bits(0));
  };
  for (std::string kind : {"lsl", "lsr", "asr", "ror"})
    h[kind] = ShiftHandler(kind);

  h["mov"] = h["movz"] = MoveHandler(false);
  h["mvn"] = h["movn"] = MoveHandler(true);
  h["movk"] = MoveKeep;
  // The disassembler has added the address of the instruction.
  h["adr"] = h["adrp"] = [](Execution &e) { e.Write(0, {e.GetTarget(1)}); };

  h["uxtb"] = ExtendHandler(8, false);
  h["uxth"] = ExtendHandler(16, false);
  h["uxtw"] = ExtendHandler(32, false);
  h["sxtb"] = ExtendHandler(8, true);
  h["sxth"] = ExtendHandler(16, true);
  h["sxtw"] = ExtendHandler(32, true);
  h["ubfx"] = FieldHandler(Field::kUnsigned, true);
  h["sbfx"] = FieldHandler(Field::kSigned, true);
  h["bfxil"] = FieldHandler(Field::kInsert, true);
  h["ubfiz"] = FieldHandler(Field::kUnsigned, false);
  h["sbfiz"] = FieldHandler(Field::kSigned, false);
  h["bfi"] = FieldHandler(Field::kInsert, false);

  h["mul"] = MultiplyHandler(1, false);
  h["mneg"] = MultiplyHandler(-1, false);
  h["madd"] = MultiplyHandler(1, true);
  h["msub"] = MultiplyHandler(-1, true);
  h["smull"] = MultiplyLongHandler(true);
  h["umull"] = MultiplyLongHandler(false);
  h["sdiv"] = DivideHandler(true);
  h["udiv"] = DivideHandler(false);

  h["csel"] = SelectHandler(Keep);
  h["csinc"] = SelectHandler(Increment);
  h["csinv"] = SelectHandler(Complement);
  h["csneg"] = SelectHandler(Negative);
  h["cinc"] = ConditionalHandler(Increment);
  h["cinv"] = ConditionalHandler(Complement);
  h["cneg"] = ConditionalHandler(Negative);
  h["cset"] = SetHandler(1);
  h["csetm"] = SetHandler(~uint64_t{0});
  h["ccmp"] = ConditionalCompareHandler(true);
  h["ccmn"] = ConditionalCompareHandler(false);
}

} // namespace heddle::litmus::hardware::aarch64
