// AArch64: loads and stores, also of pairs, with all ways to say where.
#include "isa_aarch64.h"

namespace heddle::litmus::hardware::aarch64 {
namespace {

// "[x1]", "[x1, #4]", "[x1, w2, sxtw #2]", "[x1, #4]!", "[x1], #4" with the number
// as the next operand, or the address of a literal. Writes the base register back
// where it is said to change.
Word TakeAddress(Execution &e, int index) {
  if (e.operand(index)[0] != '[')
    return {e.GetTarget(index)};
  auto [parts, writes_back] = GetBrackets(e, index);
  Register base = e.Expect(ParseRegister(parts[0]), "a base register", parts[0]);
  Word address = e.Read(base);
  if (parts.size() > 1) {
    Word offset;
    if (std::optional<int64_t> number = ParseNumber(parts[1]))
      offset = {static_cast<uint64_t>(*number)};
    else
      offset = e.Shift(e.Read(e.Expect(ParseRegister(parts[1]), "an offset", parts[1])),
                       parts.size() > 2 ? parts[2] : "", 64);
    address = Derive(address.value + offset.value, {address, offset});
  }
  if (writes_back)
    e.Write(base, address);
  else if (index + 1 < e.count())
    e.Write(base, Derive(address.value + e.GetNumber(index + 1), {address}));
  return address;
}

Word Offset(const Word &address, int offset) { return Derive(address.value + offset, {address}); }

// `size` in bytes, or 0 for that of the register.
Handler LoadHandler(int size, bool is_signed = false, uint32_t flags = 0) {
  return [=](Execution &e) {
    int bytes = size ? size : e.bits(0) / 8;
    e.Write(0, e.Load(TakeAddress(e, 1), bytes, is_signed, flags));
  };
}

Handler StoreHandler(int size, uint32_t flags = 0) {
  return [=](Execution &e) {
    Word value = e.Read(0);
    e.machine.Store(TakeAddress(e, 1), size ? size : e.bits(0) / 8, value, flags);
  };
}

// Two accesses, each of its own: a pair is not atomic as a whole.
Handler LoadPairHandler(int size, bool is_signed) {
  return [=](Execution &e) {
    int bytes = size ? size : e.bits(0) / 8;
    Word address = TakeAddress(e, 2);
    Word first = e.Load(address, bytes, is_signed);
    Word second = e.Load(Offset(address, bytes), bytes, is_signed);
    e.Write(0, first);
    e.Write(1, second);
  };
}

void StorePair(Execution &e) {
  int bytes = e.bits(0) / 8;
  Word first = e.Read(0), second = e.Read(1);
  Word address = TakeAddress(e, 2);
  e.machine.Store(address, bytes, first);
  e.machine.Store(Offset(address, bytes), bytes, second);
}

} // namespace

void AddMemoryHandlers(Handlers *handlers) {
  Handlers &h = *handlers;
  // Of a word or more, a byte, a half. "ldur" is "ldr" with another encoding.
  for (std::string name : {"ldr", "ldur"}) {
    h[name] = LoadHandler(0);
    h[name + "b"] = LoadHandler(1);
    h[name + "h"] = LoadHandler(2);
    h[name + "sb"] = LoadHandler(1, true);
    h[name + "sh"] = LoadHandler(2, true);
    h[name + "sw"] = LoadHandler(4, true);
  }
  for (std::string name : {"str", "stur"}) {
    h[name] = StoreHandler(0);
    h[name + "b"] = StoreHandler(1);
    h[name + "h"] = StoreHandler(2);
  }
  for (auto [suffix, size] : {std::pair("", 0), std::pair("b", 1), std::pair("h", 2)}) {
    std::string width = suffix;
    h["ldar" + width] = LoadHandler(size, false, kAcquire);
    h["ldapr" + width] = h["ldapur" + width] = LoadHandler(size, false, kAcquirePc);
    h["stlr" + width] = h["stlur" + width] = StoreHandler(size, kRelease);
  }
  h["ldapursw"] = LoadHandler(4, true, kAcquirePc);
  h["ldp"] = h["ldnp"] = LoadPairHandler(0, false);
  h["ldpsw"] = LoadPairHandler(4, true);
  h["stp"] = h["stnp"] = StorePair;
}

} // namespace heddle::litmus::hardware::aarch64
