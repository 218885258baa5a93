#include "litmus_random.h"

#include "hunt/files.h"
#include "litmus/cycles.h"
#include "litmus/generator.h"
#include "litmus/generator_parts.h"
#include "litmus/printer.h"
#include "litmus/seqcst.h"

#include <cstdio>
#include <string>

namespace heddle {

using namespace litmus;

namespace {

// Makes that share of the fences membarriers.
void PutMembarriers(std::vector<Statement> *body, int percent, Random *random) {
  for (Statement &statement : *body) {
    if (statement.kind == Statement::Kind::kFence && random->Percent(percent)) {
      statement.kind = Statement::Kind::kMembarrier;
      statement.order = Order::kSeqCst;
    }
    PutMembarriers(&statement.then_body, percent, random);
    PutMembarriers(&statement.else_body, percent, random);
  }
}

} // namespace

Program MakeRandom(const LitmusOptions &options, uint64_t seed) {
  Program program;
  if (options.shape == "cycles") {
    CycleParameters parameters;
    parameters.max_events = options.events;
    program = CycleProgram(seed, parameters);
  } else if (options.shape == "seqcst") {
    SeqCstParameters parameters;
    parameters.max_events = options.events;
    program = SeqCstProgram(seed, parameters);
  } else {
    RandomParameters parameters;
    parameters.events.max_events = options.events;
    program = RandomProgram(seed, parameters);
  }
  if (options.membarriers) {
    Random random(seed);
    for (Thread &thread : program.threads)
      PutMembarriers(&thread.body, options.membarriers, &random);
  }
  program.name = options.shape + "-" + std::to_string(options.events) + "-" + std::to_string(seed);
  return program;
}

RandomSeeds::RandomSeeds(const LitmusOptions &options, uint64_t count)
    : shard(hunt::ReadShard(options.shard)), first(options.seed),
      count(count / shard.count + (shard.index < count % shard.count)) {}

void GenerateFiles(const LitmusOptions &options) {
  hunt::MakeDirectories(options.out);
  const RandomSeeds seeds(options, options.generate);
  std::string all;
  for (uint64_t i = 0; i < seeds.count; i++) {
    const Program program = MakeRandom(options, seeds.Of(i));
    hunt::WriteFile(options.out + "/" + program.name + ".litmus", PrintProgram(program));
    all += program.name + ".litmus\n";
  }
  hunt::WriteFile(options.out + "/@all", all);
  printf("%llu programs in %s\n", (unsigned long long)seeds.count, options.out.c_str());
}

} // namespace heddle
