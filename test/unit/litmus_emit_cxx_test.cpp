// Litmus tests as C++: every statement and expression. That the programs do what
// the tests say is seen in test/litmus/real-threads.test.

#include "heddle/litmus/emit_cxx.h"
#include "litmus_testing.h"

#include <gtest/gtest.h>

#include <string>

namespace {
using namespace heddle::litmus;

std::string Between(const std::string &text, const std::string &begin, const std::string &end) {
  size_t from = text.find(begin), to = text.find(end, from);
  EXPECT_NE(to, std::string::npos) << "no " << begin << " ... " << end << " in\n" << text;
  return text.substr(from, to - from);
}

std::string Body(const std::string &statements) {
  std::string text =
      EmitCxx({Parsed("C test\n{ x = 0; }\nP0(atomic_int *x) { " + statements + " }\n")});
  size_t from = text.find("{\n", text.find("void P0(")) + 2;
  return text.substr(from, text.find("\n}\n", from) + 1 - from);
}

TEST(LitmusEmitCxx, Test) {
  std::string text = EmitCxx({Parsed(R"(C MP+"final"
{ x = 7; y = -1; }
P0(atomic_int *x, atomic_int *y) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
  atomic_store_explicit(y, 1, memory_order_release);
}
P1(atomic_int *x, atomic_int *y) {
  int r0 = atomic_load_explicit(y, memory_order_acquire);
  int r1 = atomic_load_explicit(x, memory_order_relaxed);
}
locations [y;]
exists (1:r1=0)
)")});
  EXPECT_EQ(Between(text, "namespace test0", "bool IsNamed"), R"(namespace test0 {

struct Memory {
  std::atomic<Value> x_{7};
  std::atomic<Value> y_{-1};
};

void P0([[maybe_unused]] Memory &memory, [[maybe_unused]] State &state) {
  memory.x_.store(1, std::memory_order_relaxed);
  memory.y_.store(1, std::memory_order_release);
}

void P1([[maybe_unused]] Memory &memory, [[maybe_unused]] State &state) {
  [[maybe_unused]] Value r0_ = 0;
  [[maybe_unused]] Value r1_ = 0;
  r0_ = memory.y_.load(std::memory_order_acquire);
  r1_ = memory.x_.load(std::memory_order_relaxed);
  state[0] = r1_;
}

State Run(const std::vector<size_t> &order) {
  void (*const functions[])(Memory &, State &) = {P0, P1};
  auto memory = std::make_unique<Memory>();
  State state(2);
  std::vector<std::thread> threads;
  for (size_t t : order)
    threads.emplace_back(functions[t], std::ref(*memory), std::ref(state));
  for (std::thread &thread : threads)
    thread.join();
  state[1] = memory->y_.load(std::memory_order_relaxed);
  return state;
}

} // namespace test0

const std::vector<Test> kTests = {
    {"MP+\"final\"", {"1:r1", "y"}, 2, test0::Run},
};

)");
}

TEST(LitmusEmitCxx, SeveralTestsAreOneProgram) {
  Program program = Parsed("C test\n{ x = 0; }\nP0(atomic_int *x) { }\n");
  std::string text = EmitCxx({program, program});
  EXPECT_NE(text.find("test0::Run}"), std::string::npos);
  EXPECT_NE(text.find("test1::Run}"), std::string::npos);
  EXPECT_EQ(text.find("int main("), text.rfind("int main("));
}

TEST(LitmusEmitCxx, ReadModifyWrites) {
  EXPECT_EQ(Body("atomic_fetch_sub_explicit(x, 2, memory_order_acq_rel);"),
            "  (void)memory.x_.fetch_sub(2, std::memory_order_acq_rel);\n");
  EXPECT_EQ(Body("int r0 = atomic_exchange(x, 2);"),
            "  [[maybe_unused]] Value r0_ = 0;\n"
            "  r0_ = memory.x_.exchange(2, std::memory_order_seq_cst);\n");
  EXPECT_EQ(Body("int r0 = 1; int r1 = atomic_compare_exchange_weak_explicit(x, &r0, 2, "
                 "memory_order_release, memory_order_consume);"),
            "  [[maybe_unused]] Value r0_ = 0;\n"
            "  [[maybe_unused]] Value r1_ = 0;\n"
            "  r0_ = 1;\n"
            "  r1_ = memory.x_.compare_exchange_weak(r0_, 2, std::memory_order_release, "
            "std::memory_order_consume);\n");
}

TEST(LitmusEmitCxx, IfsAndFences) {
  EXPECT_EQ(Body("int r0 = *x; if (r0) { atomic_thread_fence(memory_order_acquire); } "
                 "else if (r0 < 1) { *x = r0; }"),
            R"(  [[maybe_unused]] Value r0_ = 0;
  r0_ = memory.x_.load(std::memory_order_seq_cst);
  if (r0_) {
    std::atomic_thread_fence(std::memory_order_acquire);
  } else {
    if (Value((r0_) < (1))) {
      memory.x_.store(r0_, std::memory_order_seq_cst);
    }
  }
)");
}

// Signed overflow is undefined in C++, and wraps around in a litmus test.
TEST(LitmusEmitCxx, ExpressionsWrapAround) {
  auto emitted = [](const std::string &expression) {
    std::string body = Body("int r0 = 0; int r1 = " + expression + ";");
    size_t from = body.rfind(" = ") + 3;
    return body.substr(from, body.rfind(';') - from);
  };
  EXPECT_EQ(emitted("r0 + 2 * r0"), "Value(Wrap(r0_) + Wrap(Value(Wrap(2) * Wrap(r0_))))");
  EXPECT_EQ(emitted("-r0"), "Value(0 - Wrap(r0_))");
  EXPECT_EQ(emitted("!~r0"), "Value(!Wrap(Value(~Wrap(r0_))))");
  EXPECT_EQ(emitted("r0 & 1 || r0 ^ 3"), "Value((Value((r0_) & (1))) || (Value((r0_) ^ (3))))");
  EXPECT_EQ(emitted("2147483648"), "INT64_C(2147483648)");
  EXPECT_EQ(emitted("-9223372036854775808"), "INT64_MIN");
}

} // namespace
