// See isa_arm_common.h. By the Arm Architecture Reference Manual for A-profile, C1.2.4
// (conditions), AddWithCarry of its pseudocode, and B2.3 (barriers).
#include "isa_arm_common.h"

#include <algorithm>

namespace heddle::litmus::hardware {

std::optional<Word> EvaluateArmCondition(const Machine &machine, int flags,
                                         const std::string &name) {
  if (name == "al")
    return Word{1};
  auto found = std::find(std::begin(kArmConditions), std::end(kArmConditions), name);
  if (found == std::end(kArmConditions))
    return std::nullopt;
  const Word &n = machine.registers[flags], &z = machine.registers[flags + 1],
             &c = machine.registers[flags + 2], &v = machine.registers[flags + 3];
  Word higher = Derive(c.value && !z.value, {c, z});
  Word greater_or_equal = Derive(n.value == v.value, {n, v});
  Word greater = Derive(n.value == v.value && !z.value, {n, v, z});
  const Word kHold[] = {z, c, c, n, v, higher, greater_or_equal, greater};
  size_t index = found - std::begin(kArmConditions);
  const Word &holds = kHold[index / 2];
  return Derive(holds.value ^ (index & 1), {holds});
}

std::array<Word, kArmFlags> ArmSumFlags(const Word &x, const Word &y, const Word &carry, int bits) {
  uint64_t a = LowBits(x.value, bits), b = LowBits(y.value, bits);
  unsigned __int128 wide = static_cast<unsigned __int128>(a) + b + carry.value;
  uint64_t sum = LowBits(static_cast<uint64_t>(wide), bits);
  auto bit = [&](uint64_t value) { return Derive(value & 1, {x, y, carry}); };
  return {bit(sum >> (bits - 1)), bit(sum == 0), bit(static_cast<uint64_t>(wide >> bits)),
          bit((~(a ^ b) & (a ^ sum)) >> (bits - 1))};
}

BracketedAddress GetBrackets(const TextExecution &e, int index) {
  const std::string &text = e.operand(index);
  BracketedAddress address;
  address.writes_back = !text.empty() && text.back() == '!';
  size_t end = text.size() - address.writes_back;
  if (end > 2 && text[0] == '[' && text[end - 1] == ']')
    address.parts = SplitOperands(text.substr(1, end - 2));
  if (address.parts.empty())
    e.Unknown("expected an address in brackets, found '" + text + "'");
  return address;
}

void AddArmBarrier(const TextExecution &e, const std::string &kind) {
  static const std::map<std::string, Fence> kFences = {
      {"sy", Fence::kArmFull},     {"ish", Fence::kArmFull},    {"osh", Fence::kArmFull},
      {"nsh", Fence::kArmFull},    {"ld", Fence::kArmLoad},     {"ishld", Fence::kArmLoad},
      {"oshld", Fence::kArmLoad},  {"nshld", Fence::kArmLoad},  {"st", Fence::kArmStore},
      {"ishst", Fence::kArmStore}, {"oshst", Fence::kArmStore}, {"nshst", Fence::kArmStore}};
  Fence fence = e.Expect(Find(kFences, kind), "a kind of barrier", kind);
  bool dsb = e.instruction.mnemonic.compare(0, 3, "dsb") == 0;
  e.machine.AddFence(dsb && fence == Fence::kArmStore ? Fence::kArmStoreDsb : fence);
}

} // namespace heddle::litmus::hardware
