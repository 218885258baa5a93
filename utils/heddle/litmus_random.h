// The random programs of `heddle litmus`: made for comparisons, or written to files for
// everything else that runs litmus tests.
#ifndef HEDDLE_LITMUS_RANDOM_H
#define HEDDLE_LITMUS_RANDOM_H

#include "hunt/shard.h"
#include "litmus/program.h"
#include "litmus_options.h"

#include <cstdint>

namespace heddle {

// A program of the shape and size that the options name. Its own name says how to make it
// again: shape, events and seed.
litmus::Program MakeRandom(const LitmusOptions &options, uint64_t seed);

// How many of `count` random programs the options' shard has, and their seeds.
struct RandomSeeds {
  RandomSeeds(const LitmusOptions &options, uint64_t count);
  uint64_t Of(uint64_t i) const { return shard.SeedOf(first, i); }

  const hunt::Shard shard;
  const uint64_t first, count;
};

// Writes NAME.litmus for each program, and @all with the names, as herd and litmus7 read
// it. Throws hunt::Failure.
void GenerateFiles(const LitmusOptions &options);

} // namespace heddle

#endif // HEDDLE_LITMUS_RANDOM_H
