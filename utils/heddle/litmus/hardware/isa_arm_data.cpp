// A32 and T32: arithmetic, logic and moves.
#include "isa_arm.h"

namespace heddle::litmus::hardware::arm {
namespace {

Word Invert(Word word) {
  word.value = LowBits(~word.value, 32);
  return word;
}

// The sources of "add r0, r1, r2, lsl #2", or of "add r0, r2", which adds to r0.
struct Sources {
  Word x;
  Execution::Shifted y;
};
Sources ReadSources(const Execution &e) {
  if (e.count() == 2 || e.IsShift(2))
    return {e.Read(0), e.ReadShifted(1)};
  return {e.Read(1), e.ReadShifted(2)};
}

enum class Sum { kAdd, kSubtract, kReverse };

// x + y + carry, with what is subtracted inverted. Without the flag the carry is 0
// for a sum and 1, no borrow, for a difference.
Word AddUp(Execution &e, Word x, Word y, Sum kind, bool with_carry, bool sets_flags) {
  Word carry = with_carry ? e.machine.registers[kC] : Word{kind != Sum::kAdd};
  if (kind == Sum::kSubtract)
    y = Invert(y);
  if (kind == Sum::kReverse)
    x = Invert(x);
  Word sum = Derive(x.value + y.value + carry.value, {x, y, carry});
  if (sets_flags)
    e.SetAddFlags(x, y, carry);
  return sum;
}

Handler SumHandler(Sum kind, bool with_carry, bool sets_flags) {
  return {[=](Execution &e) {
            Sources sources = ReadSources(e);
            Word sum = AddUp(e, sources.x, sources.y.value, kind, with_carry, sets_flags);
            e.Write(e.GetRegister(0), sum);
          },
          kWritesFirst | (sets_flags ? kSetsFlags : kNone)};
}

Handler CompareHandler(Sum kind) {
  return {[=](Execution &e) { AddUp(e, e.Read(0), e.ReadShifted(1).value, kind, false, true); },
          kSetsFlags};
}

Handler LogicHandler(Binary function, bool sets_flags) {
  return {[=](Execution &e) {
            auto [x, y] = ReadSources(e);
            Word result = Derive(function(x.value, y.value.value), {x, y.value});
            if (sets_flags)
              e.SetLogicFlags(result, y.carry);
            e.Write(e.GetRegister(0), result);
          },
          kWritesFirst | (sets_flags ? kSetsFlags : kNone)};
}

Handler TestHandler(Binary function) {
  return {[=](Execution &e) {
            Word x = e.Read(0);
            Execution::Shifted y = e.ReadShifted(1);
            e.SetLogicFlags(Derive(function(x.value, y.value.value), {x, y.value}), y.carry);
          },
          kSetsFlags};
}

Handler MoveHandler(bool invert, bool sets_flags) {
  return {[=](Execution &e) {
            Execution::Shifted source = e.ReadShifted(1);
            Word value = invert ? Invert(source.value) : source.value;
            if (sets_flags)
              e.SetLogicFlags(value, source.carry);
            e.Write(e.GetRegister(0), value);
          },
          kWritesFirst | (sets_flags ? kSetsFlags : kNone)};
}

void MoveTop(Execution &e) {
  Word old = e.Read(0);
  e.Write(e.GetRegister(0),
          Derive((old.value & 0xffff) | LowBits(e.GetNumber(1), 16) << 16, {old}));
}

// "lsr r0, r1, #5", "lsls r0, r1", "rrx r0, r1".
Handler ShiftHandler(const std::string &kind, bool sets_flags) {
  return {[=](Execution &e) {
            bool two = e.count() == 2 && kind != "rrx";
            Word amount = kind == "rrx" ? Word{1} : e.Read(two ? 1 : 2);
            Execution::Shifted shifted = e.Shift(e.Read(two ? 0 : 1), kind, amount);
            if (sets_flags)
              e.SetLogicFlags(shifted.value, shifted.carry);
            e.Write(e.GetRegister(0), shifted.value);
          },
          kWritesFirst | (sets_flags ? kSetsFlags : kNone)};
}

Handler UnaryHandler(uint64_t (*function)(uint64_t)) {
  return {[=](Execution &e) {
            Word x = e.Read(1);
            e.Write(e.GetRegister(0), Derive(function(x.value), {x}));
          },
          kWritesFirst};
}

// "mul r0, r1, r2", "muls r0, r1", and with an addend.
Handler MultiplyHandler(int sign, bool has_addend) {
  return {[=](Execution &e) {
            bool two = e.count() == 2;
            Word x = e.Read(two ? 0 : 1), y = e.Read(two ? 1 : 2);
            Word addend = has_addend ? e.Read(3) : Word{};
            e.Write(e.GetRegister(0),
                    Derive(addend.value + sign * x.value * y.value, {x, y, addend}));
          },
          kWritesFirst};
}

// Two registers get the result, of which the condition marks the first only: where a
// conditional one is skipped, the other loses a pick dependency.
Handler MultiplyLongHandler(bool is_signed, bool accumulates) {
  return {[=](Execution &e) {
            Word x = e.Read(2), y = e.Read(3), low = e.Read(0), high = e.Read(1);
            uint64_t product =
                is_signed ? SignExtend(x.value, 32) * SignExtend(y.value, 32) : x.value * y.value;
            Word sum = Derive(product, {x, y});
            if (accumulates)
              sum = Derive(product + (high.value << 32 | low.value), {x, y, low, high});
            e.Write(e.GetRegister(0), sum);
            e.Write(e.GetRegister(1), Derive(sum.value >> 32, {sum}));
          },
          kWritesFirst};
}

Handler DivideHandler(bool is_signed) {
  return {[=](Execution &e) {
            Word x = e.Read(1), y = e.Read(2);
            uint64_t quotient = 0; // of a division by zero, too
            if (y.value)
              quotient =
                  is_signed ? SignExtend(x.value, 32) / SignExtend(y.value, 32) : x.value / y.value;
            e.Write(e.GetRegister(0), Derive(quotient, {x, y}));
          },
          kWritesFirst};
}

Handler ExtractHandler(bool is_signed) {
  return {[=](Execution &e) {
            Word x = e.Read(1);
            int width = e.GetNumber(3);
            uint64_t field = x.value >> e.GetNumber(2);
            e.Write(e.GetRegister(0),
                    Derive(is_signed ? SignExtend(field, width) : LowBits(field, width), {x}));
          },
          kWritesFirst};
}

// "bfi r0, r1, #4, #8" and "bfc r0, #4, #8", which puts zeros.
Handler InsertHandler(bool clears) {
  return {[=](Execution &e) {
            Word old = e.Read(0), x = clears ? Word{} : e.Read(1);
            int position = e.GetNumber(clears ? 1 : 2), width = e.GetNumber(clears ? 2 : 3);
            uint64_t mask = LowBits(~uint64_t{0}, width) << position;
            e.Write(e.GetRegister(0),
                    Derive((old.value & ~mask) | (x.value << position & mask), {old, x}));
          },
          kWritesFirst};
}

} // namespace

void AddDataHandlers(Handlers *handlers) {
  Handlers &h = *handlers;
  const std::map<std::string, Binary> kLogic = {
      {"and", [](uint64_t x, uint64_t y) { return x & y; }},
      {"orr", [](uint64_t x, uint64_t y) { return x | y; }},
      {"orn", [](uint64_t x, uint64_t y) { return x | LowBits(~y, 32); }},
      {"eor", [](uint64_t x, uint64_t y) { return x ^ y; }},
      {"bic", [](uint64_t x, uint64_t y) { return x & ~y; }},
  };
  // Each also with an "s", which sets the flags.
  for (bool flags : {false, true}) {
    std::string s = flags ? "s" : "";
    h["add" + s] = SumHandler(Sum::kAdd, false, flags);
    h["adc" + s] = SumHandler(Sum::kAdd, true, flags);
    h["sub" + s] = SumHandler(Sum::kSubtract, false, flags);
    h["sbc" + s] = SumHandler(Sum::kSubtract, true, flags);
    h["rsb" + s] = SumHandler(Sum::kReverse, false, flags);
    h["rsc" + s] = SumHandler(Sum::kReverse, true, flags);
    for (const auto &[name, function] : kLogic)
      h[name + s] = LogicHandler(function, flags);
    h["mov" + s] = MoveHandler(false, flags);
    h["mvn" + s] = MoveHandler(true, flags);
    for (std::string kind : {"lsl", "lsr", "asr", "ror", "rrx"})
      h[kind + s] = ShiftHandler(kind, flags);
  }
  h["addw"] = h["add"];
  h["subw"] = h["sub"];
  h["movw"] = h["mov"];
  h["movt"] = {MoveTop, kWritesFirst};
  h["cmp"] = CompareHandler(Sum::kSubtract);
  h["cmn"] = CompareHandler(Sum::kAdd);
  h["tst"] = TestHandler(kLogic.at("and"));
  h["teq"] = TestHandler(kLogic.at("eor"));

  h["clz"] = UnaryHandler([](uint64_t x) -> uint64_t { return x ? __builtin_clzll(x) - 32 : 32; });
  h["uxtb"] = UnaryHandler([](uint64_t x) { return LowBits(x, 8); });
  h["uxth"] = UnaryHandler([](uint64_t x) { return LowBits(x, 16); });
  h["sxtb"] = UnaryHandler([](uint64_t x) -> uint64_t { return SignExtend(x, 8); });
  h["sxth"] = UnaryHandler([](uint64_t x) -> uint64_t { return SignExtend(x, 16); });
  h["mul"] = MultiplyHandler(1, false);
  h["mla"] = MultiplyHandler(1, true);
  h["mls"] = MultiplyHandler(-1, true);
  h["umull"] = MultiplyLongHandler(false, false);
  h["smull"] = MultiplyLongHandler(true, false);
  h["umlal"] = MultiplyLongHandler(false, true);
  h["smlal"] = MultiplyLongHandler(true, true);
  h["udiv"] = DivideHandler(false);
  h["sdiv"] = DivideHandler(true);
  h["ubfx"] = ExtractHandler(false);
  h["sbfx"] = ExtractHandler(true);
  h["bfi"] = InsertHandler(false);
  h["bfc"] = InsertHandler(true);
}

} // namespace heddle::litmus::hardware::arm
