// AArch64: exclusives, and the instructions that read and write as one (LSE).
#include "isa_aarch64.h"

namespace heddle::litmus::hardware::aarch64 {
namespace {

// Of all these, "[x1]" is the only way to say where.
Word GetAddress(Execution &e, int index) {
  auto [parts, writes_back] = GetBrackets(e, index);
  std::optional<Register> base = ParseRegister(parts[0]);
  if (!base || writes_back || parts.size() > 2 || (parts.size() == 2 && ParseNumber(parts[1]) != 0))
    e.Unknown("expected an address in a register, found '" + e.operand(index) + "'");
  return e.Read(*base);
}

// `size` in bytes, or 0 for that of the register; so in the others.
Handler LoadExclusiveHandler(uint32_t flags, int size) {
  return [=](Execution &e) {
    int bytes = size ? size : e.bits(0) / 8;
    e.Write(0, e.machine.LoadExclusive(GetAddress(e, 1), bytes, flags));
  };
}

// The status depends on nothing: the Arm manual (B2.3, "dependency through registers
// and memory") leaves out the register that a store-exclusive writes, as processors
// may know the status before the value.
Handler StoreExclusiveHandler(uint32_t flags, int size) {
  return [=](Execution &e) {
    int bytes = size ? size : e.bits(1) / 8;
    std::optional<int> write = e.machine.StoreExclusive(GetAddress(e, 2), bytes, e.Read(1), flags);
    e.Write(0, {!write});
  };
}

// The old value goes nowhere: the read is not ordered as one, nor has it acquire
// semantics (manual, C6.2 of LDADDA and the others, and B2.3 of DMB LD).
uint32_t ReadFlags(uint32_t flags, bool returns) {
  return returns ? flags & kAcquire : static_cast<uint32_t>(kNoReturn);
}

void Modify(Execution &e, Binary operation, uint32_t flags, int size, Register source,
            std::optional<Register> target, const Word &address) {
  bool returns = target && target->number != kZeroRegister;
  Word old = e.Modify(address, size ? size : source.bits / 8, ReadFlags(flags, returns),
                      flags & kRelease, operation, e.Read(source));
  if (returns)
    e.Write(*target, old);
}

Handler ModifyHandler(Binary operation, uint32_t flags, int size) {
  return [=](Execution &e) {
    Modify(e, operation, flags, size, e.GetRegister(0), e.GetRegister(1), GetAddress(e, 2));
  };
}

Handler ModifyNoReturnHandler(Binary operation, uint32_t flags, int size) {
  return [=](Execution &e) {
    Modify(e, operation, flags, size, e.GetRegister(0), std::nullopt, GetAddress(e, 1));
  };
}

// "cas ws, wt, [xn]": if there is what ws holds, writes wt; ws gets what was there.
// If not, there is no write. Whether there is one depends on what ws depended on,
// as a pick dependency.
//
// After a write, ws may get its value from memory or keep the one it has, which is the
// same: a processor that predicts the comparison has it before the read. So what depends
// on ws then depends on the read, or on what ws depended on, with a pick dependency on the
// read. The second way orders less if ws depended on nothing.
Handler CompareAndSwapHandler(uint32_t flags, int size) {
  return [=](Execution &e) {
    int bytes = size ? size : e.bits(0) / 8;
    Word expected = e.Read(0), desired = e.Read(1);
    expected.value = LowBits(expected.value, 8 * bytes);
    uint32_t read_flags = ReadFlags(flags, e.GetRegister(0).number != kZeroRegister);
    bool swapped = false;
    Word old = e.machine.Modify(GetAddress(e, 2), bytes, read_flags, flags & kRelease,
                                [&](const Word &value) -> std::optional<Word> {
                                  swapped = value.value == expected.value;
                                  if (!swapped)
                                    return std::nullopt;
                                  return Pick(desired, expected);
                                });
    bool depended = expected.reads | expected.picked;
    if (swapped && (!depended || e.machine.Choose(2)))
      old = Pick(expected, old);
    e.Write(0, old);
  };
}

} // namespace

void AddAtomicHandlers(Handlers *handlers) {
  Handlers &h = *handlers;
  const std::pair<std::string, int> kWidths[] = {{"", 0}, {"b", 1}, {"h", 2}};
  for (const auto &[width, size] : kWidths) {
    h["ldxr" + width] = LoadExclusiveHandler(0, size);
    h["ldaxr" + width] = LoadExclusiveHandler(kAcquire, size);
    h["stxr" + width] = StoreExclusiveHandler(0, size);
    h["stlxr" + width] = StoreExclusiveHandler(kRelease, size);
  }
  h["clrex"] = [](Execution &e) { e.machine.monitor.reset(); };

  const std::map<std::string, Binary> kOperations = {
      {"add", [](uint64_t x, uint64_t y) { return x + y; }},
      {"clr", [](uint64_t x, uint64_t y) { return x & ~y; }},
      {"eor", [](uint64_t x, uint64_t y) { return x ^ y; }},
      {"set", [](uint64_t x, uint64_t y) { return x | y; }},
      {"smax", [](uint64_t x, uint64_t y) { return Signed(x) < Signed(y) ? y : x; }},
      {"smin", [](uint64_t x, uint64_t y) { return Signed(x) < Signed(y) ? x : y; }},
      {"umax", [](uint64_t x, uint64_t y) { return x < y ? y : x; }},
      {"umin", [](uint64_t x, uint64_t y) { return x < y ? x : y; }},
  };
  const std::map<std::string, uint32_t> kOrders = {
      {"", 0}, {"a", kAcquire}, {"l", kRelease}, {"al", kAcquire | kRelease}};
  for (const auto &[order, flags] : kOrders)
    for (const auto &[width, size] : kWidths) {
      std::string suffix = order + width;
      for (const auto &[name, operation] : kOperations) {
        h["ld" + name + suffix] = ModifyHandler(operation, flags, size);
        h["st" + name + suffix] = ModifyNoReturnHandler(operation, flags, size);
      }
      h["swp" + suffix] = ModifyHandler(nullptr, flags, size);
      h["cas" + suffix] = CompareAndSwapHandler(flags, size);
    }
}

} // namespace heddle::litmus::hardware::aarch64
