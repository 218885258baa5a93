// The way of a test to its image: C, the compiler's words, addresses of threads and variables.

#include "heddle/litmus/compile/compiler.h"
#include "heddle/litmus/compile/image.h"
#include "heddle/litmus/compile/source.h"
#include "heddle/litmus/compile/stress_source.h"
#include "heddle/litmus/compile/tests.h"
#include "litmus_builders.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {
using namespace heddle::litmus;
using namespace heddle::litmus::compile;
using namespace heddle::litmus::build;

Program ExchangeProgram() {
  Program program;
  program.name = "exchange";
  program.locations = {{"x", 3}};
  program.threads.resize(2);
  program.threads[0].registers = {"r0"};
  program.threads[0].body = {Rmw(0, kX, RmwOperation::kExchange, Constant(1), kAcq)};
  program.threads[1].body = {Store(kX, Value{2}, kRel)};
  program.observed = {{0, 0}, {-1, 0}};
  return program;
}

bool Has(const std::vector<std::string> &words, const std::string &word) {
  return std::count(words.begin(), words.end(), word) > 0;
}

TEST(CompileSource, Batch) {
  const Program program = ExchangeProgram();
  const std::string text = BatchSource({&program, &program});
  for (const char *part :
       {"#include <stdatomic.h>", "_Atomic int t0_x = 3;", "int t1_P0_r0;", "void t1_P1(void) {",
        "atomic_exchange_explicit(&t1_x, 1, memory_order_acquire)", "void _start(void)"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
  EXPECT_NE(BatchSource({}).find("_start"), std::string::npos);
}

TEST(CompileSource, Stress) {
  const Program program = ExchangeProgram();
  const std::string text = StressSource({&program});
  for (const char *part :
       {"#define MAX_THREADS 2", "#define MAX_LOCATIONS 1", "#define MAX_OBSERVED 2",
        "_Atomic int *x = locations[0];", "int *P0_r0 = &results[0];", "*P0_r0 = r0;",
        "{\"exchange\", 2, 1, 2, {t0_P0, t0_P1, }, {3, }, {-1, 0, }},", "int main("})
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
}

TEST(CompileSource, Words) {
  Configuration configuration;
  configuration.target = *FindTarget("aarch64-outline");
  configuration.level = "-O2";
  configuration.compiler.command = "cc";
  std::vector<std::string> words = CompileWords(configuration, "a.c", "a.o");
  EXPECT_EQ(words[0], "cc");
  EXPECT_TRUE(Has(words, "-moutline-atomics") && Has(words, "-O2") && Has(words, "-ffreestanding"));
  EXPECT_FALSE(Has(words, "--target=aarch64-linux-gnu"));
  configuration.compiler.family = Compiler::Family::kClang;
  EXPECT_TRUE(Has(CompileWords(configuration, "a.c", "a.o"), "--target=aarch64-linux-gnu"));
  words = LinkWords(configuration, "a.o", "a");
  EXPECT_TRUE(Has(words, "-lgcc") && Has(words, "-nostdlib") && Has(words, "-static"));
  configuration.target = *FindTarget("riscv64");
  EXPECT_FALSE(Has(LinkWords(configuration, "a.o", "a"), "-lgcc"));
  EXPECT_EQ(FindTarget("vax"), nullptr);
}

TEST(CompileSource, ResultsLeftOut) {
  Program program = ExchangeProgram();
  EXPECT_TRUE(LeaveOutResults(&program));
  EXPECT_EQ(program.threads[0].body[0].target, -1);
  ASSERT_EQ(program.observed.size(), 1u);
  EXPECT_EQ(program.observed[0].thread, -1);
  EXPECT_EQ(program.name, "exchange.unused");
  EXPECT_FALSE(LeaveOutResults(&program)); // there is none any more
}

// Two threads at 0x1000, a function of a library behind them, and variables at 0x2000.
compile::Binary MakeBinary() {
  compile::Binary binary;
  binary.file.symbols = {{"t0_P0", {0x1000, 8, true}},
                         {"t0_P1", {0x1008, 4, true}},
                         {"t1_P0", {0x100c, 4, true}},
                         {"__aarch64_swp4_acq", {0x1010, 4, true}},
                         {"__aarch64_have_lse_atomics", {0x2008, 1, false}},
                         {"t0_x", {0x2000, 4, false}},
                         {"t0_P0_r0", {0x2004, 4, false}}};
  binary.file.sections = {{0x1000, true, std::vector<uint8_t>(0x14)},
                          {0x2000, false, std::vector<uint8_t>(12)}};
  binary.code = {{0x1000, {4, "bl\t0x1010 <__aarch64_swp4_acq>"}},
                 {0x1004, {4, "ret"}},
                 {0x1008, {4, "ret"}},
                 {0x100c, {4, "nop"}},
                 {0x1010, {4, "ret"}}};
  return binary;
}

TEST(CompileImage, ThreadsHaveTheirCodeAndTheLibrarys) {
  const compile::Binary binary = MakeBinary();
  const ImageMaker maker(binary, *FindTarget("aarch64-outline-lse"), {"t0_", "t1_"});
  const std::vector<CompiledThread> threads = maker.Make(ExchangeProgram(), "t0_");
  ASSERT_EQ(threads.size(), 2u);
  EXPECT_EQ(threads[0].entry.address, 0x1000u);
  EXPECT_EQ(threads[1].entry.address, 0x1008u);
  EXPECT_EQ(threads[0].image.code.size(), 4u);
  EXPECT_EQ(threads[0].image.code.count(0x100c), 0u); // of another test
  EXPECT_EQ(threads[0].image.code.at(0x1000).mnemonic, "bl");
  // The location is everyone's, the result the thread's own.
  ASSERT_EQ(threads[0].image.variables.size(), 2u);
  EXPECT_EQ(threads[0].image.variables[0].location, 0);
  EXPECT_EQ(threads[0].image.variables[1].address, 0x2004u);
  EXPECT_EQ(threads[0].image.variables[1].result, 0);
  EXPECT_EQ(threads[1].image.variables.size(), 1u);
  // The library is told that the processor has LSE.
  bool has_lse = false;
  for (const hardware::Segment &segment : threads[0].image.data)
    if (segment.address == 0x2000)
      has_lse = segment.bytes[8] == 1;
  EXPECT_TRUE(has_lse);
  const std::string listing = maker.Listing(ExchangeProgram(), "t0_");
  EXPECT_NE(listing.find("t0_P0:\n  1000: bl 0x1010"), std::string::npos) << listing;
  EXPECT_NE(listing.find("__aarch64_swp4_acq:\n  1010: ret"), std::string::npos) << listing;
}

TEST(CompileImage, WhatTheCompilerLeftOut) {
  compile::Binary binary = MakeBinary();
  binary.file.symbols.erase("t0_P1");
  const ImageMaker maker(binary, *FindTarget("aarch64"), {"t0_"});
  EXPECT_THROW(maker.Make(ExchangeProgram(), "t0_"), std::runtime_error);
}

} // namespace
