// Which seeds are whose. Execution number k of shard I of N has the seed base + k * N + I, so that
// hunts with different I share none, whatever they find.
#ifndef HEDDLE_HUNT_SHARD_H
#define HEDDLE_HUNT_SHARD_H

#include <cstdint>
#include <string>

namespace heddle::hunt {

struct Shard {
  uint64_t index = 0, count = 1;

  uint64_t SeedOf(uint64_t base, uint64_t execution) const {
    return base + execution * count + index;
  }
};

// "I/N" with I from 0 to N - 1. Throws Failure.
Shard ReadShard(const std::string &text);

// "90", "90s", "5m", "2h", "1.5h": seconds. Throws Failure.
double ReadDuration(const std::string &text);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_SHARD_H
