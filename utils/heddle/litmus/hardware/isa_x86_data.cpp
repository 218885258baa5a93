// x86-64: moves, arithmetic and logic, in registers and in memory.
#include "isa_x86.h"

namespace heddle::litmus::hardware::x86 {
namespace {

// x + y + carry, or x - y - carry, with the flags.
Word AddUp(Execution &e, const Word &x, const Word &y, const Word &carry, bool subtract, int bits) {
  uint64_t a = LowBits(x.value, bits), b = LowBits(y.value, bits), c = carry.value;
  uint64_t value = LowBits(subtract ? a - b - c : a + b + c, bits);
  Word result = Derive(value, {x, y, carry});
  unsigned __int128 wide = static_cast<unsigned __int128>(a) + b + c;
  bool carries = subtract ? static_cast<unsigned __int128>(b) + c > a : wide >> bits & 1;
  uint64_t overflow = subtract ? (a ^ b) & (a ^ value) : ~(a ^ b) & (a ^ value);
  e.SetFlag(kCF, Derive(carries, {result}));
  e.SetFlag(kOF, Derive(overflow >> (bits - 1) & 1, {result}));
  e.SetResultFlags(result, bits);
  return result;
}

Handler SumHandler(bool subtract, bool with_carry) {
  return [=](Execution &e) {
    int bits = e.bits();
    Word y = e.Read(e.operand(0), bits);
    e.Modify(e.operand(1), bits, e.locked, [&](const Word &x) -> std::optional<Word> {
      Word carry = with_carry ? e.machine.registers[kCF] : Word{};
      return AddUp(e, x, y, carry, subtract, bits);
    });
  };
}

void Compare(Execution &e) {
  int bits = e.bits();
  Word y = e.Read(e.operand(0), bits), x = e.Read(e.operand(1), bits);
  AddUp(e, x, y, {}, true, bits);
}

// These leave the carry as it is.
Handler StepByOneHandler(bool subtract) {
  return [=](Execution &e) {
    int bits = e.bits();
    e.Modify(e.operand(0), bits, e.locked, [&](const Word &x) -> std::optional<Word> {
      Word carry = e.machine.registers[kCF];
      Word result = AddUp(e, x, {1}, {}, subtract, bits);
      e.SetFlag(kCF, carry);
      return result;
    });
  };
}

Word Combine(Execution &e, Binary function, const Word &x, const Word &y, int bits) {
  Word result = Derive(LowBits(function(x.value, y.value), bits), {x, y});
  e.SetResultFlags(result, bits);
  e.SetFlag(kCF, Derive(0, {result}));
  e.SetFlag(kOF, Derive(0, {result}));
  return result;
}

// "xor %eax, %eax" is a way to say 0: processors know it, but the text depends on it.
Handler LogicHandler(Binary function) {
  return [=](Execution &e) {
    int bits = e.bits();
    Word y = e.Read(e.operand(0), bits);
    e.Modify(e.operand(1), bits, e.locked, [&](const Word &x) -> std::optional<Word> {
      return Combine(e, function, x, y, bits);
    });
  };
}

void Test(Execution &e) {
  int bits = e.bits();
  Word y = e.Read(e.operand(0), bits), x = e.Read(e.operand(1), bits);
  Combine(e, [](uint64_t a, uint64_t b) { return a & b; }, x, y, bits);
}

void Negate(Execution &e) {
  int bits = e.bits();
  e.Modify(e.operand(0), bits, e.locked,
           [&](const Word &x) -> std::optional<Word> { return AddUp(e, {}, x, {}, true, bits); });
}

void Not(Execution &e) {
  e.Modify(e.operand(0), e.bits(), e.locked,
           [&](const Word &x) -> std::optional<Word> { return Derive(~x.value, {x}); });
}

void Move(Execution &e) {
  int bits = e.bits();
  e.Write(e.operand(1), bits, e.Read(e.operand(0), bits));
}

// "movzbl": the first letter after the name is the source's size.
Handler ExtendHandler(int from, bool is_signed) {
  return [=](Execution &e) {
    Word x = e.Read(e.operand(0), from);
    x.value = is_signed ? SignExtend(x.value, from) : LowBits(x.value, from);
    e.Write(e.operand(1), e.operand(1).reg.bits, x);
  };
}

// What the accumulator has, extended into itself or into rdx.
Handler AccumulatorHandler(int from, int to, bool into_rdx) {
  return [=](Execution &e) {
    Word x = e.ReadRegister({kRax, from});
    int64_t extended = SignExtend(x.value, from);
    e.WriteRegister({into_rdx ? kRdx : kRax, to},
                    Derive(into_rdx ? extended >> 63 : extended, {x}));
  };
}

void LoadEffectiveAddress(Execution &e) {
  if (!e.operand(0).IsMemory())
    e.Unknown("expected an address");
  e.Write(e.operand(1), e.bits(), e.operand(0).address);
}

enum class Direction { kLeft, kRight, kSignedRight };

// By a number, by %cl, or by one. The flags are those of the result; a shift by
// nothing leaves them.
Handler ShiftHandler(Direction direction) {
  return [=](Execution &e) {
    int bits = e.suffix_bits ? e.suffix_bits : e.bits();
    Word amount = e.count() == 1 ? Word{1} : e.Read(e.operand(0), 8);
    int n = amount.value & (bits == 64 ? 63 : 31);
    e.Modify(e.operand(e.count() - 1), bits, e.locked, [&](const Word &x) -> std::optional<Word> {
      uint64_t value = LowBits(x.value, bits);
      int64_t extended = SignExtend(x.value, bits);
      uint64_t shifted = direction == Direction::kLeft    ? value << n
                         : direction == Direction::kRight ? value >> n
                                                          : extended >> n;
      Word result = Derive(LowBits(shifted, bits), {x, amount});
      if (n) {
        uint64_t out = direction == Direction::kLeft ? (n <= bits ? value >> (bits - n) : 0)
                                                     : extended >> (n - 1);
        if (direction == Direction::kRight)
          out = value >> (n - 1);
        e.SetResultFlags(result, bits);
        e.SetFlag(kCF, Derive(out & 1, {result}));
        e.SetFlag(kOF, Derive((result.value ^ value) >> (bits - 1) & 1, {result}));
      }
      return result;
    });
  };
}

// Of two or three operands. The flags are not set as they should be where the product
// does not fit; compilers do not ask.
void Multiply(Execution &e) {
  if (e.count() < 2)
    e.Unknown("expected two or three operands");
  int bits = e.bits();
  Word x = e.Read(e.operand(0), bits), y = e.Read(e.operand(1), bits);
  e.Write(
      e.operand(e.count() - 1), bits,
      Derive(LowBits(SignExtend(x.value, bits) * static_cast<uint64_t>(SignExtend(y.value, bits)),
                     bits),
             {x, y}));
}

// With memory it is locked, whether it says so or not. The memory may be either.
void Exchange(Execution &e) {
  int bits = e.bits();
  bool first = e.operand(0).IsMemory();
  const Operand &memory = e.operand(first ? 0 : 1), &other = e.operand(first ? 1 : 0);
  Word value = e.Read(other, bits);
  Word old =
      e.Modify(memory, bits, true, [&](const Word &) -> std::optional<Word> { return value; });
  e.Write(other, bits, old);
}

void ExchangeAndAdd(Execution &e) {
  int bits = e.bits();
  Word value = e.Read(e.operand(0), bits);
  Word old = e.Modify(e.operand(1), bits, e.locked, [&](const Word &x) -> std::optional<Word> {
    return AddUp(e, x, value, {}, false, bits);
  });
  e.Write(e.operand(0), bits, old);
}

// If it fails, the processor writes back what it has read. That write is none here: it
// is seen by nobody, and what it orders, a locked instruction does as a fence, which is
// added. So a failure is a read and a fence.
void CompareAndExchange(Execution &e) {
  int bits = e.bits();
  Register accumulator = {kRax, bits};
  Word expected = e.ReadRegister(accumulator), desired = e.Read(e.operand(0), bits);
  bool fails = false;
  Word old = e.Modify(e.operand(1), bits, e.locked, [&](const Word &x) -> std::optional<Word> {
    fails = LowBits(x.value, bits) != expected.value;
    if (fails)
      return std::nullopt;
    return Pick(desired, expected);
  });
  AddUp(e, expected, old, {}, true, bits);
  if (fails) {
    e.WriteRegister(accumulator, old);
    if (e.locked && e.operand(1).IsMemory() && e.machine.IsShared(e.operand(1).address, bits / 8))
      e.machine.AddFence(Fence::kX86Full);
  }
}

} // namespace

void AddDataHandlers(Handlers *handlers) {
  auto &h = handlers->sized;
  h["mov"] = h["movabs"] = Move;
  h["lea"] = LoadEffectiveAddress;
  h["add"] = SumHandler(false, false);
  h["adc"] = SumHandler(false, true);
  h["sub"] = SumHandler(true, false);
  h["sbb"] = SumHandler(true, true);
  h["cmp"] = Compare;
  h["test"] = Test;
  h["inc"] = StepByOneHandler(false);
  h["dec"] = StepByOneHandler(true);
  h["neg"] = Negate;
  h["not"] = Not;
  h["and"] = LogicHandler([](uint64_t x, uint64_t y) { return x & y; });
  h["or"] = LogicHandler([](uint64_t x, uint64_t y) { return x | y; });
  h["xor"] = LogicHandler([](uint64_t x, uint64_t y) { return x ^ y; });
  h["shl"] = h["sal"] = ShiftHandler(Direction::kLeft);
  h["shr"] = ShiftHandler(Direction::kRight);
  h["sar"] = ShiftHandler(Direction::kSignedRight);
  h["imul"] = Multiply;
  h["xchg"] = Exchange;
  h["xadd"] = ExchangeAndAdd;
  h["cmpxchg"] = CompareAndExchange;

  auto &plain = handlers->plain;
  for (std::string to : {"w", "l", "q"}) {
    plain["movzb" + to] = ExtendHandler(8, false);
    plain["movzw" + to] = ExtendHandler(16, false);
    plain["movsb" + to] = ExtendHandler(8, true);
    plain["movsw" + to] = ExtendHandler(16, true);
  }
  plain["movslq"] = ExtendHandler(32, true);
  plain["cltq"] = AccumulatorHandler(32, 64, false);
  plain["cwtl"] = AccumulatorHandler(16, 32, false);
  plain["cltd"] = AccumulatorHandler(32, 32, true);
  plain["cqto"] = AccumulatorHandler(64, 64, true);
}

} // namespace heddle::litmus::hardware::x86
