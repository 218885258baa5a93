// RISC-V: fences, load-reserved and store-conditional, and AMOs.
#include "isa_riscv.h"

namespace heddle::litmus::hardware::riscv {
namespace {

// "rw", "iorw": input and output are no memory.
uint8_t ParseKinds(const Execution &e, const std::string &text) {
  uint8_t kinds = 0;
  for (char c : text) {
    if (c == 'r')
      kinds |= kReads;
    else if (c == 'w')
      kinds |= kWrites;
    else if (c != 'i' && c != 'o')
      e.Unknown("expected what a fence orders, like 'rw', found '" + text + "'");
  }
  return kinds;
}

void FenceOf(Execution &e) {
  if (e.count() == 0)
    e.machine.AddFence(Fence::kRiscV, kReads | kWrites, kReads | kWrites);
  else
    e.machine.AddFence(Fence::kRiscV, ParseKinds(e, e.operand(0)), ParseKinds(e, e.operand(1)));
}

// Registers hold words extended by the sign.
Word Extend(Word word) {
  word.value = SignExtend(word.value, 32);
  return word;
}

Handler LoadReservedHandler(uint32_t flags) {
  return [=](Execution &e) {
    Word value = e.machine.LoadExclusive(e.GetAddress(1), 4, flags);
    e.Write(e.GetRegister(0), Extend(value));
  };
}

// The status depends on the write, if there is one, and on nothing else: the manual's
// listing has it as a result of the SC that carries no dependency from its sources,
// and what depends on it depends on the SC. (Arm's does not: see isa_aarch64_atomic.)
Handler StoreConditionalHandler(uint32_t flags) {
  return [=](Execution &e) {
    std::optional<int> write = e.machine.StoreExclusive(e.GetAddress(2), 4, e.Read(1), flags);
    e.Write(e.GetRegister(0), write ? Word{0, Reads{1} << *write} : Word{1});
  };
}

// Zalasr.
Handler LoadAcquireHandler(int size, uint32_t flags) {
  return [=](Execution &e) {
    Word value = e.machine.Load(e.GetAddress(1), size, flags);
    value.value = SignExtend(value.value, 8 * size);
    e.Write(e.GetRegister(0), value);
  };
}

Handler StoreReleaseHandler(int size, uint32_t flags) {
  return [=](Execution &e) { e.machine.Store(e.GetAddress(1), size, e.Read(0), flags); };
}

// An AMO is one operation that is both a load and a store, so that both of its events
// have its orders.
Handler AmoHandler(Binary operation, uint32_t flags) {
  return [=](Execution &e) {
    Word old = e.Modify(e.GetAddress(2), 4, flags, flags, operation, e.Read(1));
    e.Write(e.GetRegister(0), Extend(old));
  };
}

} // namespace

void AddAtomicHandlers(Handlers *handlers) {
  Handlers &h = *handlers;
  h["fence"] = FenceOf;
  h["fence.tso"] = [](Execution &e) { e.machine.AddFence(Fence::kRiscVTso); };
  h["fence.i"] = [](Execution &e) { e.machine.AddFence(Fence::kRiscVI); };

  const std::map<std::string, Binary> kOperations = {
      {"swap", nullptr},
      {"add", [](uint64_t x, uint64_t y) { return x + y; }},
      {"and", [](uint64_t x, uint64_t y) { return x & y; }},
      {"or", [](uint64_t x, uint64_t y) { return x | y; }},
      {"xor", [](uint64_t x, uint64_t y) { return x ^ y; }},
      {"max", [](uint64_t x, uint64_t y) { return Signed(x) < Signed(y) ? y : x; }},
      {"min", [](uint64_t x, uint64_t y) { return Signed(x) < Signed(y) ? x : y; }},
      {"maxu", [](uint64_t x, uint64_t y) { return x < y ? y : x; }},
      {"minu", [](uint64_t x, uint64_t y) { return x < y ? x : y; }},
  };
  const std::map<std::string, uint32_t> kOrders = {{"", 0},
                                                   {".aq", kAcquire},
                                                   {".rl", kRelease},
                                                   {".aqrl", kAcquire | kRelease},
                                                   {".aq.rl", kAcquire | kRelease}};
  const std::map<std::string, int> kSizes = {{"b", 1}, {"h", 2}, {"w", 4}, {"d", 8}};
  for (const auto &[suffix, flags] : kOrders) {
    for (const auto &[size, bytes] : kSizes) {
      if (flags & kAcquire)
        h["l" + size + suffix] = LoadAcquireHandler(bytes, flags);
      if (flags & kRelease)
        h["s" + size + suffix] = StoreReleaseHandler(bytes, flags);
    }
    h["lr.w" + suffix] = LoadReservedHandler(flags);
    h["sc.w" + suffix] = StoreConditionalHandler(flags);
    for (const auto &[name, operation] : kOperations)
      h["amo" + name + ".w" + suffix] = AmoHandler(operation, flags);
  }
}

} // namespace heddle::litmus::hardware::riscv
