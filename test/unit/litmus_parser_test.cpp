// The reader and the writer of litmus tests: what each construct becomes, what
// each mistake is told, and that a program survives being written and read. Then
// the corpus in test/litmus: every file can be read, says what the oracle says, and
// that is what follows from the rules by hand.

#include "litmus_documentation.h"

#include "heddle/litmus/axiomatic.h"
#include "heddle/litmus/generator.h"
#include "heddle/litmus/parser.h"
#include "heddle/litmus/printer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

namespace {
using namespace heddle::litmus;
using Kind = Statement::Kind;

// The whole test, or a failure with the parser's error.
Program MustParse(const std::string &text) {
  Program program;
  ParseError error;
  EXPECT_TRUE(Parse(text, "test.litmus", &program, &error)) << error.ToString() << "\n" << text;
  return program;
}

std::string ErrorOf(const std::string &text) {
  Program program;
  ParseError error;
  EXPECT_FALSE(Parse(text, "t", &program, &error)) << text;
  return error.ToString();
}

// Thread bodies, wrapped so that the body begins in line 4, column 1.
std::string WithBody(const std::string &body) {
  return "C t\n{}\nP0(atomic_int *x, atomic_int *y, int *n) {\n" + body + "\n}\n";
}
Program ParseBody(const std::string &body) { return MustParse(WithBody(body)); }
std::string BodyError(const std::string &body) { return ErrorOf(WithBody(body)); }

// One expression over r0 = 5 and r1 = 3, evaluated.
Value Evaluated(const std::string &expression) {
  Program program = ParseBody("int r0, r1; int r2 = " + expression + ";");
  if (program.threads.empty() || program.threads[0].body.empty())
    return -999;
  return Evaluate(program.threads[0].body.back().value, {5, 3, 0});
}

// A condition over 0:r0, 0:r1 and x, for the state given.
bool ConditionHolds(const std::string &condition, State state) {
  Program program = MustParse("C t\n{}\nP0(atomic_int *x) { int r0, r1; }\n"
                              "locations [0:r0; 0:r1; x;]\nexists " +
                              condition);
  return program.observed.size() == state.size() && Holds(program.condition, program, state);
}

std::string ConditionError(const std::string &condition) {
  return ErrorOf("C t\n{ y = 0; }\nP0(atomic_int *x) { int r0; }\nexists " + condition);
}

TEST(LitmusParser, ReadsStoreBuffering) {
  Program program = MustParse(R"(C SB
"two stores, two loads"
{ x=0; y=0; }
P0(atomic_int* x, atomic_int* y) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
  int r0 = atomic_load_explicit(y, memory_order_acquire);
}
P1(atomic_int* x, atomic_int* y) {
  atomic_store_explicit(y, 1, memory_order_release);
  int r0 = atomic_load_explicit(x, memory_order_seq_cst);
}
exists (0:r0=0 /\ 1:r0=0)
)");
  EXPECT_EQ(program.name, "SB");
  ASSERT_EQ(program.locations.size(), 2u);
  EXPECT_EQ(program.locations[1].name, "y");
  ASSERT_EQ(program.threads.size(), 2u);
  const Statement &store = program.threads[0].body.at(0);
  EXPECT_EQ(store.kind, Kind::kStore);
  EXPECT_EQ(store.location, 0);
  EXPECT_EQ(store.order, Order::kRelaxed);
  EXPECT_EQ(store.value.constant, 1);
  EXPECT_EQ(store.position.line, 5);
  EXPECT_EQ(store.position.column, 3);
  const Statement &load = program.threads[1].body.at(1);
  EXPECT_EQ(load.kind, Kind::kLoad);
  EXPECT_EQ(load.location, 0);
  EXPECT_EQ(load.target, 0);
  EXPECT_EQ(load.order, Order::kSeqCst);
  EXPECT_EQ(program.quantifier, Quantifier::kExists);
  EXPECT_EQ(program.observed, (std::vector<Observable>{{0, 0}, {1, 0}}));
  EXPECT_TRUE(Holds(program.condition, program, {0, 0}));
  EXPECT_FALSE(Holds(program.condition, program, {0, 1}));
}

TEST(LitmusParser, Header) {
  EXPECT_EQ(MustParse("C 2+2W+rel\n{}P0(){}").name, "2+2W+rel");
  EXPECT_EQ(MustParse("(* first *) C   a(b)c   (* comment *)\n\"text\" {}P0(){}").name, "a(b)c");
  // What diy writes about a test.
  EXPECT_EQ(MustParse("C n\nCycle=Rfe PodRR Fre\nRelax=\n\"s\"\nCom=Rf Fr\n{}P0(){}").name, "n");
  EXPECT_EQ(MustParse("C n\n\"a string\nof two lines\"\n{}P0(){}").name, "n");
  EXPECT_EQ(ErrorOf(""), "t:1:1: expected 'C' and the test's name, found end of file");
  EXPECT_EQ(ErrorOf("X86 SB"), "t:1:1: expected 'C' and the test's name, found 'X86'");
  EXPECT_EQ(ErrorOf("C  \n{}"), "t:1:4: expected the test's name");
  // All in front of the initial state is prose, as in herd.
  EXPECT_EQ(
      MustParse("C n (texname)\n\"{ in a string\" Result: Sometimes, P0 or not {}P0(){}").name,
      "n");
  EXPECT_EQ(MustParse("C n\n\"no partner\nOrig=Rfe\n{}P0(){}").name, "n");
  EXPECT_EQ(ErrorOf("C n\n\"no end"), "t:2:8: expected '{', found end of file");
  EXPECT_EQ(ErrorOf("C n\n  P0 (int *x) {}"), "t:2:3: expected '{', found 'P0'");
  EXPECT_EQ(ErrorOf("C n\n(* no end {"), "t:2:1: this comment has no end");
  EXPECT_EQ(ErrorOf("C n\n{}\nP1() {}"), "t:3:1: expected 'P0', found 'P1'");
  EXPECT_EQ(ErrorOf("C n\n{}\n"), "t:3:1: expected 'P0', found end of file");
  EXPECT_EQ(ErrorOf("C n\n{}\nP0(){}\nP2(){}"), "t:4:1: expected 'P1', found 'P2'");
}

TEST(LitmusParser, InitialState) {
  Program program = MustParse(R"(C t
{ x=0; int y = 1; atomic_int z = 2; [x]=1; 0:r0=0; 0:r1=7; int *p; atomic_long q = -0x10;
  volatile int v; _Atomic int a=3; _Atomic(long) b=4; [w]=5 }
P0(atomic_int *z, atomic_int *late) { int r1; int r2 = r1; }
)");
  std::vector<std::pair<std::string, Value>> locations;
  for (const Location &location : program.locations)
    locations.push_back({location.name, location.initial});
  EXPECT_EQ(locations, (std::vector<std::pair<std::string, Value>>{{"x", 1},
                                                                   {"y", 1},
                                                                   {"z", 2},
                                                                   {"p", 0},
                                                                   {"q", -16},
                                                                   {"v", 0},
                                                                   {"a", 3},
                                                                   {"b", 4},
                                                                   {"w", 5},
                                                                   {"late", 0}}));
  // Registers start as 0; one that does not is assigned.
  const Thread &thread = program.threads[0];
  EXPECT_EQ(thread.registers, (std::vector<std::string>{"r0", "r1", "r2"}));
  ASSERT_EQ(thread.body.size(), 2u);
  EXPECT_EQ(thread.body[0].kind, Kind::kAssign);
  EXPECT_EQ(thread.body[0].target, 1);
  EXPECT_EQ(thread.body[0].value.constant, 7);

  // herd's other way to name a thread.
  EXPECT_EQ(MustParse("C t\n{ P0:r0=7; }\nP0(){}\nexists (P0:r0=7)").threads[0].body.size(), 1u);
  EXPECT_EQ(ErrorOf("C t\n{}\nP0(atomic_int *P1){}"), "t:3:16: 'P1' is a thread, no location");
  EXPECT_EQ(ErrorOf("C t\n{ P7:r0=7; }\nP0(){}"), "t:2:6: there is no thread P7");

  EXPECT_EQ(ErrorOf("C t\n{ x=0; x=1; }"), "t:2:8: 'x' is declared already");
  EXPECT_EQ(ErrorOf("C t\n{ int x; int x; }"), "t:2:14: 'x' is declared already");
  EXPECT_EQ(ErrorOf("C t\n{ x=y; }"), "t:2:5: addresses are not supported as values: expected an "
                                      "integer, found 'y'");
  // All integers are the same.
  program = MustParse("C t\n{ unsigned long long int x=1; uint8_t y=256; char 0:r0=2; int 0:r1; }\n"
                      "P0(atomic_ulong *x, unsigned _Atomic *y) { uint64_t r0; signed char r1; }");
  EXPECT_EQ(program.locations[1].initial, 256);
  EXPECT_EQ(program.threads[0].registers, (std::vector<std::string>{"r0", "r1"}));
  EXPECT_EQ(ErrorOf("C t\n{ x=0 y=0; }"), "t:2:7: expected ';', found 'y'");
  EXPECT_EQ(ErrorOf("C t\n{ float x; }"),
            "t:2:3: type 'float' is not supported: registers and locations are integers");
  EXPECT_EQ(ErrorOf("C t\n{ 3:r0=0; }\nP0(){}"), "t:2:5: there is no thread P3");
  EXPECT_EQ(ErrorOf("C t\n{ 0:r0=0; 0:r0=1; }\nP0(){}"), "t:2:13: 'r0' is declared already");
  EXPECT_EQ(ErrorOf("C t\n{ 99:r0=0; }\nP0(){}"), "t:2:3: too many threads: there may be 16");
  EXPECT_EQ(ErrorOf("C t\n{ x=0;"), "t:2:7: expected a location, found end of file");
  EXPECT_EQ(ErrorOf("C t\n{ int **x; }"), "t:2:8: pointers to pointers are not supported");
}

TEST(LitmusParser, Parameters) {
  Program program =
      MustParse("C t\n{ y=0; }\nvoid P0(volatile atomic_int* x, _Atomic int *y, "
                "atomic_int *const z, long *w) {}\nstatic void P1(void) {}\nP2 () {}");
  EXPECT_EQ(program.threads.size(), 3u);
  ASSERT_EQ(program.locations.size(), 4u);
  EXPECT_EQ(program.locations[0].name, "y");
  EXPECT_EQ(program.locations[1].name, "x");
  EXPECT_EQ(ErrorOf("C t\n{}\nP0(atomic_int x) {}"),
            "t:3:15: expected '*': a thread gets pointers to the locations, found 'x'");
  EXPECT_EQ(ErrorOf("C t\n{}\nP0(x) {}"),
            "t:3:4: expected a parameter such as 'atomic_int *x', found 'x'");
  EXPECT_EQ(ErrorOf("C t\n{}\nP0(int *x, int *x) {}"), "t:3:17: 'x' is declared already");
}

TEST(LitmusParser, Operations) {
  const Thread thread = ParseBody(R"(
    int r0, r1 = 1;
    r0 = atomic_load(x);
    r0 = atomic_load_explicit(x, memory_order_consume);
    r0 = *x;
    *y = r0 + 1;
    atomic_store(x, 2);
    atomic_store_explicit(x, 2, memory_order::relaxed);
    r0 = atomic_exchange(x, 3);
    atomic_exchange_explicit(x, 3, std::memory_order_acq_rel);
    r0 = atomic_fetch_add_explicit(x, 1, memory_order_release);
    atomic_fetch_sub(x, 1);
    atomic_fetch_and(x, 1);
    atomic_fetch_or(x, 1);
    atomic_fetch_xor_explicit(x, 1, memory_order_acquire);
    r0 = atomic_compare_exchange_strong_explicit(x, &r1, 5, memory_order_acq_rel,
                                                 memory_order_relaxed);
    atomic_compare_exchange_weak(y, &r1, r0);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_load_explicit(x, memory_order_relaxed);
    *x;
    atomic_store_explicit(n, 1, memory_order_relaxed);
  )")
                            .threads[0];
  ASSERT_EQ(thread.body.size(), 20u);
  EXPECT_EQ(thread.registers.size(), 2u) << "no hidden register is needed";
  auto check = [&](size_t at, Kind kind, int location, int target, Order order) {
    const Statement &statement = thread.body[at];
    EXPECT_EQ(statement.kind, kind) << at;
    EXPECT_EQ(statement.location, location) << at;
    EXPECT_EQ(statement.target, target) << at;
    EXPECT_EQ(statement.order, order) << at;
  };
  check(1, Kind::kLoad, 0, 0, Order::kSeqCst);
  check(2, Kind::kLoad, 0, 0, Order::kConsume);
  check(3, Kind::kLoad, 0, 0, Order::kSeqCst);
  check(4, Kind::kStore, 1, -1, Order::kSeqCst);
  check(5, Kind::kStore, 0, -1, Order::kSeqCst);
  check(6, Kind::kStore, 0, -1, Order::kRelaxed);
  check(7, Kind::kRmw, 0, 0, Order::kSeqCst);
  check(8, Kind::kRmw, 0, -1, Order::kAcqRel);
  check(9, Kind::kRmw, 0, 0, Order::kRelease);
  EXPECT_EQ(thread.body[9].operation, RmwOperation::kAdd);
  EXPECT_EQ(thread.body[10].operation, RmwOperation::kSub);
  EXPECT_EQ(thread.body[11].operation, RmwOperation::kAnd);
  EXPECT_EQ(thread.body[12].operation, RmwOperation::kOr);
  EXPECT_EQ(thread.body[13].operation, RmwOperation::kXor);
  check(14, Kind::kCompareExchange, 0, 0, Order::kAcqRel);
  EXPECT_EQ(thread.body[14].failure_order, Order::kRelaxed);
  EXPECT_EQ(thread.body[14].expected, 1);
  EXPECT_FALSE(thread.body[14].weak);
  check(15, Kind::kCompareExchange, 1, -1, Order::kSeqCst);
  EXPECT_EQ(thread.body[15].failure_order, Order::kSeqCst);
  EXPECT_TRUE(thread.body[15].weak);
  check(16, Kind::kFence, -1, -1, Order::kSeqCst);
  check(17, Kind::kLoad, 0, -1, Order::kRelaxed);
  check(18, Kind::kLoad, 0, -1, Order::kSeqCst);
  check(19, Kind::kStore, 2, -1, Order::kRelaxed);
}

TEST(LitmusParser, OrdersThatAreNot) {
  EXPECT_EQ(BodyError("int r0 = atomic_load_explicit(x, memory_order_release);"),
            "t:4:34: a load cannot be release; it may be relaxed, consume, acquire, seq_cst");
  EXPECT_EQ(BodyError("atomic_load_explicit(x, memory_order_acq_rel);"),
            "t:4:25: a load cannot be acq_rel; it may be relaxed, consume, acquire, seq_cst");
  EXPECT_EQ(BodyError("atomic_store_explicit(x, 1, memory_order_acquire);"),
            "t:4:29: a store cannot be acquire; it may be relaxed, release, seq_cst");
  EXPECT_EQ(BodyError("atomic_store_explicit(x, 1, memory_order::consume);"),
            "t:4:29: a store cannot be consume; it may be relaxed, release, seq_cst");
  EXPECT_EQ(BodyError("int r; atomic_compare_exchange_strong_explicit(x, &r, 1, "
                      "memory_order_release, memory_order_release);"),
            "t:4:80: a compare-exchange that failed cannot be release; it may be relaxed, consume, "
            "acquire, seq_cst");
  EXPECT_EQ(BodyError("atomic_store_explicit(x, 1, relaxed);"),
            "t:4:29: expected a memory order such as memory_order_acquire, found 'relaxed'");
  EXPECT_EQ(BodyError("atomic_store_explicit(x, 1, memory_order_relax);"),
            "t:4:29: expected one of memory_order_relaxed, consume, acquire, release, acq_rel, "
            "seq_cst, found 'memory_order_relax'");
  EXPECT_EQ(BodyError("atomic_store_explicit(x, 1);"), "t:4:27: expected ',', found ')'");
  EXPECT_EQ(BodyError("atomic_store(x, 1, memory_order_relaxed);"),
            "t:4:18: expected ')', found ','");
}

TEST(LitmusParser, ExpressionsFollowC) {
  EXPECT_EQ(Evaluated("1 + 2 * 3"), 7);
  EXPECT_EQ(Evaluated("(1 + 2) * 3"), 9);
  EXPECT_EQ(Evaluated("10 - 4 - 3"), 3);
  EXPECT_EQ(Evaluated("10 - (4 - 3)"), 9);
  EXPECT_EQ(Evaluated("1 | 2 ^ 3 & 6"), 1 | (2 ^ (3 & 6)));
  EXPECT_EQ(Evaluated("1 == 1 & 0"), 0);
  EXPECT_EQ(Evaluated("2 & 3 == 3"), 0);
  EXPECT_EQ(Evaluated("1 < 2 == 1"), 1);
  EXPECT_EQ(Evaluated("5 > 3 > 1"), 0);
  EXPECT_EQ(Evaluated("1 || 0 && 0"), 1);
  EXPECT_EQ(Evaluated("r0 - r1"), 2);
  EXPECT_EQ(Evaluated("r0 >= 5 && r1 <= 3"), 1);
  EXPECT_EQ(Evaluated("r0 != 5 || !r1"), 0);
  EXPECT_EQ(Evaluated("-r0 + +r1"), -2);
  EXPECT_EQ(Evaluated("~r0"), ~5);
  EXPECT_EQ(Evaluated("!!r0"), 1);
  EXPECT_EQ(Evaluated("- -r0"), 5);
  EXPECT_EQ(Evaluated("0x1F"), 31);
  EXPECT_EQ(Evaluated("0xffffffffffffffff"), -1);
  EXPECT_EQ(Evaluated("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(Evaluated("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(Evaluated("12L"), 12);

  auto error = [](const std::string &expression) {
    return BodyError("int r0; r0 = " + expression + ";");
  };
  EXPECT_EQ(error("9223372036854775808"),
            "t:4:14: '9223372036854775808' does not fit into 64 bits");
  EXPECT_EQ(error("0x1ffffffffffffffff"),
            "t:4:14: '0x1ffffffffffffffff' does not fit into 64 bits");
  EXPECT_EQ(error("010"), "t:4:14: '010' is octal in C and decimal in herd; write it without the "
                          "0 in front");
  EXPECT_EQ(error("12ab"), "t:4:14: '12ab' is no integer");
  EXPECT_EQ(error("0x"), "t:4:14: '0x' is no integer");
  EXPECT_EQ(error("r0 / 2"), "t:4:17: division is not supported");
  EXPECT_EQ(error("r0 % 2"), "t:4:17: division is not supported");
  EXPECT_EQ(error("r0 << 2"), "t:4:17: shifts are not supported");
  EXPECT_EQ(error("r0 ? 1 : 2"), "t:4:17: the conditional operator is not supported; use 'if'");
  EXPECT_EQ(error("r0++"), "t:4:16: '++' is not supported; write 'r = r + 1'");
  EXPECT_EQ(error("(int)r0"), "t:4:15: casts are not supported");
  EXPECT_EQ(error("&r0"), "t:4:14: addresses are not supported, except that of a "
                          "compare-exchange's expected value");
  EXPECT_EQ(error("(r0"), "t:4:17: expected ')', found ';'");
  EXPECT_EQ(error("r0 +"), "t:4:18: expected an expression, found ';'");
  EXPECT_EQ(error(""), "t:4:14: expected an expression, found ';'");
  EXPECT_EQ(error("r0[1]"), "t:4:16: arrays are not supported");
}

TEST(LitmusParser, OperationsInsideExpressions) {
  // Each goes to a hidden register just before the statement.
  Thread thread = ParseBody(R"(
    int r0 = atomic_load(x) + 1;
    if (atomic_load_explicit(y, memory_order_acquire) == 1)
      atomic_store(x, *y);
    if (atomic_compare_exchange_strong(x, &r0, 2)) { r0 = 7; }
    r0 = atomic_exchange(x, *y + 1);
    r0 = (*x);
    if (!*x) {}
    if (*x) {}
  )")
                      .threads[0];
  EXPECT_EQ(thread.registers, (std::vector<std::string>{"r0", "__t0", "__t1", "__t2", "__t3",
                                                        "__t4", "__t5", "__t6"}));
  std::vector<Kind> kinds;
  for (const Statement &statement : thread.body)
    kinds.push_back(statement.kind);
  EXPECT_EQ(kinds, (std::vector<Kind>{Kind::kLoad, Kind::kAssign,        // r0
                                      Kind::kLoad, Kind::kIf,            // if
                                      Kind::kCompareExchange, Kind::kIf, // if
                                      Kind::kLoad, Kind::kRmw,           // exchange
                                      Kind::kLoad,                       // (*x)
                                      Kind::kLoad, Kind::kIf, Kind::kLoad, Kind::kIf}));
  EXPECT_EQ(thread.body[0].target, 1);
  EXPECT_EQ(thread.body[1].target, 0);
  EXPECT_EQ(thread.body[1].value.left->register_index, 1);
  EXPECT_EQ(thread.body[2].order, Order::kAcquire);
  ASSERT_EQ(thread.body[3].then_body.size(), 2u) << "the load belongs to the branch";
  EXPECT_EQ(thread.body[3].then_body[0].kind, Kind::kLoad);
  EXPECT_EQ(thread.body[3].then_body[1].value.register_index, 3);
  EXPECT_EQ(thread.body[4].target, 4);
  EXPECT_EQ(thread.body[5].value.register_index, 4);
  EXPECT_EQ(thread.body[7].target, 0);
  EXPECT_EQ(thread.body[8].target, 0);

  // C assigns the result after the operation has written to r0.
  thread = ParseBody("int r0; r0 = atomic_compare_exchange_strong(x, &r0, 1);").threads[0];
  ASSERT_EQ(thread.body.size(), 2u);
  EXPECT_EQ(thread.body[0].target, 1);
  EXPECT_EQ(thread.body[1].kind, Kind::kAssign);
  EXPECT_EQ(thread.body[1].target, 0);
}

TEST(LitmusParser, HiddenRegistersTakeFreeNames) {
  Thread thread = ParseBody("int __t0 = 1; int r0 = *x + 1;").threads[0];
  EXPECT_EQ(thread.registers, (std::vector<std::string>{"__t0", "r0", "__t1"}));
  EXPECT_EQ(BodyError("int r0 = *x + 1; int __t0;"), "t:4:22: '__t0' is declared already");
}

TEST(LitmusParser, OperationsInWrongPlaces) {
  EXPECT_EQ(BodyError("int r0 = *x + *y;"),
            "t:4:15: two atomic operations in one expression: C does not say which comes first; "
            "give each a register");
  EXPECT_EQ(BodyError("int r0 = 0; if (r0 && *x) {}"),
            "t:4:23: an atomic operation on the right of '&&' or '||' is not supported; use 'if'");
  EXPECT_EQ(BodyError("int r0 = 0; if (r0 || (1 + atomic_load(x))) {}"),
            "t:4:28: an atomic operation on the right of '&&' or '||' is not supported; use 'if'");
  EXPECT_EQ(BodyError("int r0 = atomic_store(x, 1);"), "t:4:10: 'atomic_store' has no value");
  EXPECT_EQ(BodyError("int r0 = *n;"),
            "t:4:10: '*' on 'n' is a plain access: declare it as 'atomic_int *'");
  EXPECT_EQ(BodyError("*n = 1;"),
            "t:4:1: '*' on 'n' is a plain access: declare it as 'atomic_int *'");
  EXPECT_EQ(BodyError("atomic_store(&x, 1);"),
            "t:4:14: expected a location, found '&': a thread's parameters are pointers already");
}

TEST(LitmusParser, Names) {
  EXPECT_EQ(BodyError("r9 = 1;"), "t:4:1: 'r9' is not declared in P0");
  EXPECT_EQ(BodyError("int flag; flug = 1;"),
            "t:4:11: 'flug' is not declared in P0; did you mean 'flag'?");
  EXPECT_EQ(BodyError("atomic_store(z, 1);"), "t:4:14: location 'z' is not declared in P0; did "
                                              "you mean 'n', 'x', 'y'?");
  EXPECT_EQ(ErrorOf("C t\n{ flag=0; }\nP0() { atomic_store(flag, 1); }"),
            "t:3:21: location 'flag' is no parameter of P0");
  EXPECT_EQ(BodyError("int r0; atomic_store(r0, 1);"), "t:4:22: 'r0' is a register, no location");
  EXPECT_EQ(BodyError("int r0 = x;"), "t:4:10: 'x' is a location, no register: read it with "
                                      "atomic_load_explicit");
  EXPECT_EQ(BodyError("x = 1;"),
            "t:4:1: 'x' is a location: write to it with atomic_store_explicit");
  EXPECT_EQ(BodyError("int r0; int r0;"), "t:4:13: 'r0' is declared already");
  EXPECT_EQ(BodyError("int x;"), "t:4:5: 'x' is declared already, as a location");
  EXPECT_EQ(BodyError("int r0 = r0 + 1;"), "t:4:10: 'r0' is used in its own initialiser");
  EXPECT_EQ(BodyError("int if = 1;"), "t:4:5: expected a register, found 'if'");
  EXPECT_EQ(BodyError("atomic_lod_explicit(x, memory_order_relaxed);"),
            "t:4:1: unknown function 'atomic_lod_explicit'; did you mean 'atomic_load_explicit', "
            "'atomic_store_explicit'?");
}

TEST(LitmusParser, UnknownFunctions) {
  EXPECT_EQ(BodyError("foo(1);"), "t:4:1: unknown function 'foo'");
  EXPECT_EQ(BodyError("int r0 = READ_ONCE(x);"),
            "t:4:10: 'READ_ONCE' is not supported: it is the Linux kernel's, whose memory model is "
            "another than C's");
  EXPECT_EQ(BodyError("atomic_stor(x, 1);"),
            "t:4:1: unknown function 'atomic_stor'; did you mean 'atomic_store'?");
  EXPECT_EQ(BodyError("atomic_init(x, 1);"), "t:4:1: 'atomic_init' is not supported: set initial "
                                             "values in the block before P0");
  EXPECT_EQ(BodyError("atomic_signal_fence(memory_order_seq_cst);"),
            "t:4:1: 'atomic_signal_fence' is not supported: it orders nothing between threads");
}

TEST(LitmusParser, Statements) {
  Thread thread = ParseBody(R"(
    ;;
    int r0 = 1, r1, r2 = r0 + 1; // a comment
    long r3 = r2; /* another */ (* herd's (* nested *) *)
    { int r4 = 1; { int r5 = r4; } }
    if (r0 == 1) r1 = 1; else if (r0 == 2) { r1 = 2; r1 = 3; } else r1 = 4;
    if (r0) { int r6 = 1; } else { int r6 = 2; }
    if (r0) if (r1) r0 = 1; else r0 = 2;
  )")
                      .threads[0];
  EXPECT_EQ(thread.registers, (std::vector<std::string>{"r0", "r1", "r2", "r3", "r4", "r5", "r6"}));
  ASSERT_EQ(thread.body.size(), 8u);
  const Statement &chain = thread.body[5];
  ASSERT_EQ(chain.kind, Kind::kIf);
  ASSERT_EQ(chain.else_body.size(), 1u);
  EXPECT_EQ(chain.else_body[0].then_body.size(), 2u);
  EXPECT_EQ(chain.else_body[0].else_body.size(), 1u);
  // An else belongs to the nearest if.
  EXPECT_TRUE(thread.body[7].else_body.empty());
  EXPECT_EQ(thread.body[7].then_body.at(0).else_body.size(), 1u);

  EXPECT_EQ(BodyError("while (1) {}"),
            "t:4:1: loops are not supported, so that every execution is finite");
  EXPECT_EQ(BodyError("for (;;) {}"),
            "t:4:1: loops are not supported, so that every execution is finite");
  EXPECT_EQ(BodyError("return;"), "t:4:1: 'return' is not supported; use 'if'");
  EXPECT_EQ(BodyError("if (1) int r0 = 1;"), "t:4:8: a declaration needs a block: expected '{'");
  EXPECT_EQ(BodyError("{ int r0; } r0 = 1;"),
            "t:4:13: 'r0' is declared only in a block that has ended");
  EXPECT_EQ(BodyError("int *p;"),
            "t:4:1: a register cannot be a pointer: locations come as parameters");
  EXPECT_EQ(BodyError("atomic_int r0;"),
            "t:4:1: a register cannot be atomic: locations come as parameters");
  EXPECT_EQ(BodyError("bool r0;"), "t:4:1: type 'bool' is not supported: registers and locations "
                                   "are integers; write 'int'");
  EXPECT_EQ(BodyError("int r0; r0 += 1;"),
            "t:4:12: compound assignment is not supported; write 'r = r + ...'");
  EXPECT_EQ(BodyError("else {}"), "t:4:1: expected a statement, found 'else'");
  EXPECT_EQ(BodyError("1;"), "t:4:1: expected a statement, found '1'");
  EXPECT_EQ(BodyError("int r0"), "t:5:1: expected ';', found '}'");
  EXPECT_EQ(BodyError("/* no end"), "t:4:1: this comment has no end");
  EXPECT_EQ(BodyError("\x80"), "t:4:1: expected a statement, found byte 0x80");
  EXPECT_EQ(ErrorOf("C t\n{}\nP0() { "), "t:3:8: expected a statement, found end of file");
}

TEST(LitmusParser, Conditions) {
  EXPECT_TRUE(ConditionHolds("0:r0=1", {1, 0, 0}));
  EXPECT_TRUE(ConditionHolds("(x=2)", {0, 0, 2}));
  EXPECT_TRUE(ConditionHolds("[x]=2", {0, 0, 2}));
  EXPECT_TRUE(ConditionHolds("0:r0 = -3", {-3, 0, 0}));
  EXPECT_TRUE(ConditionHolds("0:r0=0x10", {16, 0, 0}));
  EXPECT_TRUE(ConditionHolds("0:r0<>1", {0, 0, 0}));
  EXPECT_FALSE(ConditionHolds("0:r0!=0", {0, 0, 0}));
  EXPECT_TRUE(ConditionHolds("~(0:r0=1)", {0, 0, 0}));
  EXPECT_TRUE(ConditionHolds("not not 0:r0=0", {0, 0, 0}));
  EXPECT_TRUE(ConditionHolds("true", {0, 0, 0}));
  EXPECT_FALSE(ConditionHolds("(false \\/ false)", {0, 0, 0}));
  // => binds tighter than /\, which binds tighter than \/, as in herd; => is right associative.
  EXPECT_TRUE(ConditionHolds("true \\/ false /\\ false", {0, 0, 0}));
  EXPECT_TRUE(ConditionHolds("false /\\ false \\/ true", {0, 0, 0}));
  EXPECT_TRUE(ConditionHolds("false => false => false", {0, 0, 0}));
  EXPECT_TRUE(ConditionHolds("true \\/ true => false", {0, 0, 0}));
  EXPECT_FALSE(ConditionHolds("false /\\ false => false", {0, 0, 0}));
  EXPECT_TRUE(ConditionHolds("~true => false", {0, 0, 0}));
  EXPECT_TRUE(ConditionHolds("~false /\\ true", {0, 0, 0}));
  // With comments and without spaces.
  EXPECT_TRUE(ConditionHolds("(* why *)(0:r0=1/\\0:r1=2/\\x=3)", {1, 2, 3}));

  EXPECT_EQ(ConditionError("0:r9=1"), "t:4:10: P0 has no register 'r9'; did you mean 'r0'?");
  EXPECT_EQ(ConditionError("1:r0=1"), "t:4:8: there is no thread P1");
  EXPECT_EQ(ConditionError("flag=1"), "t:4:8: there is no location 'flag'");
  // What two hold.
  EXPECT_TRUE(ConditionHolds("0:r0=0:r1 /\\ 0:r0<>[x]", {3, 3, 4}));
  EXPECT_TRUE(ConditionHolds("[x] == P0:r1 /\\ 0:r1=*x", {0, 5, 5}));
  EXPECT_FALSE(ConditionHolds("0:r0=0:r1", {3, 4, 0}));
  EXPECT_EQ(ConditionError("x=y"),
            "t:4:10: addresses are not supported as values; '[y]' is what the location holds");
  EXPECT_EQ(ConditionError("x=z"), "t:4:10: expected an integer, found 'z'");
  EXPECT_EQ(ConditionError("x=(1)"), "t:4:10: expected an integer, found '('");
  EXPECT_EQ(ConditionError("x[1]=1"), "t:4:9: arrays are not supported");
  EXPECT_EQ(ConditionError("fault(P0,x)"), "t:4:8: faults are not supported");
  EXPECT_EQ(ConditionError("x=1 with tso:exists"),
            "t:4:12: conditions for several models are not supported: expected the end of the "
            "condition, found 'with'");
  EXPECT_EQ(ConditionError("x<1"), "t:4:9: expected '=', found '<'");
  EXPECT_EQ(ConditionError("(x=1"), "t:4:12: expected ')', found end of file");
  EXPECT_EQ(ConditionError("x=1 x=2"), "t:4:12: expected end of file, found 'x'");
  EXPECT_EQ(ConditionError(""), "t:4:8: expected a register such as 0:r0 or a location, found end "
                                "of file");
  EXPECT_EQ(ErrorOf("C t\n{}\nP0(){}\nobserved x=0;"),
            "t:4:1: lists of observed states are not supported; use 'exists'");
  EXPECT_EQ(ErrorOf("C t\n{}\nP0(){}\nfinally"),
            "t:4:1: expected 'P1', 'locations', 'filter', 'exists', '~exists' or 'forall', found "
            "'finally'");
}

TEST(LitmusParser, Filter) {
  Program program = MustParse("C t\n{}\nP0(atomic_int *x) { int r0, r1; }\nlocations [0:r1;]\n"
                              "filter (0:r0=1 \\/ x=[x])\nexists (x=1)");
  EXPECT_EQ(PrintProgram(program), "C t\n{\n  x = 0;\n}\n\nP0() {\n  int r0, r1;\n}\n\n"
                                   "locations [0:r1;]\nfilter (0:r0=1 \\/ x=[x])\nexists (x=1)\n");
  program = MustParse("C t\n{}\nP0(atomic_int *x) { int r0; }\nfilter 0:r0=1 forall (x=1)");
  Outcome outcome;
  outcome.states = {{{0, 0}, 1}, {{1, 1}, 2}, {{2, 1}, 3}};
  ApplyFilter(program, &outcome);
  EXPECT_EQ(outcome.states, (std::map<State, uint64_t>{{{1, 1}, 2}}));
  EXPECT_TRUE(IsValidated(program, outcome));
}

// The table of docs/litmus.md: each example is read, or refused with this error.
TEST(LitmusParser, ReadsWhatTheDocumentationSays) {
  const std::map<std::string, std::pair<std::string, std::string>> kAround = {
      {"head", {"C t ", "\n{}\nP0(){}"}},
      {"state", {"C t\n{ ", " }\nP0(atomic_int *x, atomic_int *y) { int r0; }"}},
      {"thread", {"C t\n{}\nP0(atomic_int *x, atomic_int *y, int *n) { int r0, r1;\n", "\n}"}},
      {"condition", {"C t\n{}\nP0(atomic_int *x, atomic_int *y) { int r0, r1; }\n", ""}},
  };
  int rows = 0;
  for (const auto &[where, example, meaning] : TableOf("litmus.md", "example")) {
    rows++;
    auto [before, after] = kAround.at(where);
    Program program;
    ParseError error;
    bool read = Parse(before + example + after, "t", &program, &error);
    constexpr std::string_view kRefused = "refused: ";
    if (meaning.compare(0, kRefused.size(), kRefused) != 0) {
      EXPECT_TRUE(read) << example << "\n" << error.ToString();
      continue;
    }
    EXPECT_FALSE(read) << example;
    EXPECT_NE(error.message.find(meaning.substr(kRefused.size())), std::string::npos)
        << example << "\n"
        << error.ToString();
  }
  EXPECT_GE(rows, 40);
}

TEST(LitmusParser, Quantifiers) {
  auto quantifier = [](const std::string &text) {
    return MustParse("C t\n{}\nP0(){}\n" + text).quantifier;
  };
  EXPECT_EQ(quantifier("exists true"), Quantifier::kExists);
  EXPECT_EQ(quantifier("forall true"), Quantifier::kForall);
  EXPECT_EQ(quantifier("~exists (true)"), Quantifier::kNotExists);
  EXPECT_EQ(quantifier("~ exists (true)"), Quantifier::kNotExists);
  EXPECT_EQ(quantifier("not exists (true)"), Quantifier::kNotExists);
  EXPECT_EQ(quantifier(""), Quantifier::kForall);
  // herd's older forms.
  EXPECT_EQ(quantifier("final (true)"), Quantifier::kExists);
  EXPECT_EQ(quantifier("(true)"), Quantifier::kExists);
}

TEST(LitmusParser, Observed) {
  // By thread and declaration, then locations by declaration, each once.
  auto observed = [](const std::string &end) {
    Program program = MustParse("C t\n{ x=0; y=0; }\nP0() { int b, a; }\nP1() { int c; }\n" + end);
    return FormatState(program, State(program.observed.size()));
  };
  EXPECT_EQ(observed("locations [y; 1:c; 0:a;] exists (x=1 /\\ 0:b=1 /\\ y=1)"),
            "0:b=0; 0:a=0; 1:c=0; x=0; y=0;");
  EXPECT_EQ(observed("exists (y=1) locations [int x; 0:a]"), "0:a=0; x=0; y=0;");
  EXPECT_EQ(observed("locations [x int; 0:a int *; y *;]"), "0:a=0; x=0; y=0;");
  EXPECT_EQ(observed("locations []"), "");
  EXPECT_EQ(observed("locations [x] locations [y]"), "x=0; y=0;");
}

TEST(LitmusParser, Limits) {
  auto repeated = [](const std::string &text, size_t count) {
    std::string result;
    for (size_t i = 0; i < count; i++)
      result += text;
    return result;
  };
  std::string deep = "nested too deeply: the limit is 200";
  EXPECT_NE(BodyError("int r0 = " + repeated("(", 100000)).find(deep), std::string::npos);
  EXPECT_NE(BodyError("int r0 = " + repeated("!", 100000)).find(deep), std::string::npos);
  EXPECT_NE(BodyError("int r0 = " + repeated("+", 100000)).find("not supported"),
            std::string::npos);
  EXPECT_NE(BodyError("int r0 = " + repeated("+ ", 100000)).find(deep), std::string::npos);
  // A chain is as deep as a nest.
  EXPECT_NE(BodyError("int r0 = 1" + repeated(" + 1", 100000)).find(deep), std::string::npos);
  EXPECT_NE(BodyError(repeated("{", 100000)).find(deep), std::string::npos);
  EXPECT_NE(BodyError(repeated("if (1) ", 100000)).find(deep), std::string::npos);
  EXPECT_NE(BodyError(repeated("if (1) ; else ", 50000)).find(deep), std::string::npos);
  EXPECT_NE(ConditionError(repeated("(", 100000)).find(deep), std::string::npos);
  EXPECT_NE(ConditionError(repeated("~", 100000)).find(deep), std::string::npos);
  EXPECT_NE(ConditionError(repeated("true => ", 100000)).find(deep), std::string::npos);
  // Comments nest, but not on the stack.
  EXPECT_NE(ConditionError(repeated("(*", 100000)).find("no end"), std::string::npos);
  MustParse("C t\n{}\nP0(atomic_int *x){}\nexists (x=0" + repeated(" /\\ x=0", 10000) + ")");

  ParseBody(repeated("atomic_store(x, 1);\n", 1000));
  EXPECT_EQ(BodyError(repeated("atomic_store(x, 1);\n", 1001)),
            "t:1004:1: too many statements: there may be 1000");
  std::string threads;
  for (int i = 0; i < 17; i++)
    threads += "P" + std::to_string(i) + "() {}\n";
  EXPECT_EQ(ErrorOf("C t\n{}\n" + threads), "t:19:1: too many threads: there may be 16");
  std::string locations;
  for (int i = 0; i < 257; i++)
    locations += "x" + std::to_string(i) + "=0;\n";
  EXPECT_EQ(ErrorOf("C t\n{" + locations), "t:258:1: too many locations: there may be 256");
  std::string registers;
  for (int i = 0; i < 1001; i++)
    registers += "int r" + std::to_string(i) + ";\n";
  EXPECT_EQ(BodyError(registers), "t:1004:5: too many registers: there may be 1000");
  EXPECT_EQ(ErrorOf(repeated(" ", (1 << 20) + 1)),
            "t: too long: 1048577 bytes, the limit is 1048576");
  // A long name is cut short in an error.
  EXPECT_EQ(BodyError(repeated("a", 1000) + " = 1;"),
            "t:4:1: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...' is not declared in P0");
}

TEST(LitmusParser, SurvivesDamage) {
  // Every prefix of a test, and the test with bytes changed, is read or refused.
  std::string text = PrintProgram(RandomProgram(3, {})) + "(* end *)";
  Program program;
  ParseError error;
  for (size_t i = 0; i < text.size(); i++)
    Parse(std::string_view(text).substr(0, i), "t", &program, &error);
  std::mt19937 random(1);
  const std::string bytes = "(){}[];,=*&|/\\~!<>+-\"x r0P1\n\0\x80"
                            "9";
  for (int i = 0; i < 5000; i++) {
    std::string damaged = text;
    for (int changes = 1 + random() % 4; changes > 0; changes--) {
      size_t at = random() % damaged.size();
      switch (random() % 3) {
      case 0:
        damaged[at] = bytes[random() % bytes.size()];
        break;
      case 1:
        damaged.erase(at, 1 + random() % 8);
        break;
      case 2:
        damaged.insert(at, damaged.substr(random() % damaged.size(), random() % 20));
        break;
      }
      if (damaged.empty())
        break;
    }
    if (!Parse(damaged, "t", &program, &error)) {
      EXPECT_FALSE(error.message.empty());
    }
  }
}

TEST(LitmusPrinter, ProgramsSurviveBeingWrittenAndRead) {
  for (uint64_t seed = 0; seed < 1000; seed++) {
    RandomParameters parameters;
    parameters.if_percent = 30;
    parameters.dependency_percent = 40;
    Program program = RandomProgram(seed, parameters);
    std::string text = PrintProgram(program);
    Program read = MustParse(text);
    ASSERT_TRUE(SameProgram(program, read)) << text << PrintProgram(read);
  }
}

// Expressions and conditions of any form, which the generator does not make.
class RandomTree {
public:
  explicit RandomTree(unsigned seed) : random_(seed) {}
  Expression MakeExpression(int depth) {
    Expression expression;
    int kinds = static_cast<int>(Expression::Kind::kLogicalOr) + 1;
    expression.kind = static_cast<Expression::Kind>(depth == 0 ? random_() % 2 : random_() % kinds);
    if (expression.kind == Expression::Kind::kConstant)
      expression.constant = static_cast<Value>(random_() % 7) - 3;
    else if (expression.kind == Expression::Kind::kRegister)
      expression.register_index = random_() % 3;
    else
      expression.left = std::make_shared<const Expression>(MakeExpression(depth - 1));
    if (expression.kind > Expression::Kind::kComplement)
      expression.right = std::make_shared<const Expression>(MakeExpression(depth - 1));
    return expression;
  }
  Proposition MakeProposition(int depth) {
    Proposition proposition;
    proposition.kind = static_cast<Proposition::Kind>(depth == 0 ? random_() % 4 : random_() % 8);
    size_t operands = 0;
    switch (proposition.kind) {
    case Proposition::Kind::kSame:
      proposition.observable = MakeObservable();
      proposition.other = MakeObservable();
      break;
    case Proposition::Kind::kEquals:
      proposition.observable = MakeObservable();
      proposition.constant = static_cast<Value>(random_() % 7) - 3;
      break;
    case Proposition::Kind::kNot:
      operands = 1;
      break;
    case Proposition::Kind::kAnd:
    case Proposition::Kind::kOr:
      operands = 2 + random_() % 2;
      break;
    case Proposition::Kind::kImplies:
      operands = 2;
      break;
    default:
      break;
    }
    for (size_t i = 0; i < operands; i++)
      proposition.operands.push_back(MakeProposition(depth - 1));
    return proposition;
  }

private:
  Observable MakeObservable() {
    return random_() % 2 ? Observable{0, static_cast<int>(random_() % 3)}
                         : Observable{-1, static_cast<int>(random_() % 2)};
  }

  std::mt19937 random_;
};

TEST(LitmusPrinter, ExpressionsAndConditionsSurvive) {
  for (unsigned seed = 0; seed < 1000; seed++) {
    RandomTree tree(seed);
    Program program;
    program.name = "tree";
    program.locations = {{"x", -5}, {"y", 6}};
    program.threads.resize(1);
    program.threads[0].registers = {"r0", "r1", "r2"};
    Statement statement;
    statement.kind = Kind::kAssign;
    statement.target = 1;
    statement.value = tree.MakeExpression(seed % 5);
    program.threads[0].body.push_back(statement);
    program.quantifier = static_cast<Quantifier>(seed % 3);
    program.condition = tree.MakeProposition(seed % 4);
    ObserveAll(&program);
    std::string text = PrintProgram(program);
    Program read = MustParse(text);
    ASSERT_TRUE(SameProgram(program, read)) << text << PrintProgram(read);
  }
}

TEST(LitmusPrinter, ChainsOfNegationsStayFlat) {
  std::string text = "C t\n{ x; }\nP0(){}\nexists ";
  for (int i = 0; i < 150; i++)
    text += "~";
  Program program = MustParse(text + "x=1");
  EXPECT_TRUE(SameProgram(program, MustParse(PrintProgram(program))));
}

TEST(LitmusPrinter, DeclaresInTheRegistersOrder) {
  std::string text = R"(C t
{
  x = 0;
}

P0(atomic_int *x) {
  int b;
  int a = atomic_load_explicit(x, memory_order_relaxed);
  if (a == 1) {
    b = 2;
  } else {
    atomic_thread_fence(memory_order_acq_rel);
  }
  int c = 1;
  int d = atomic_compare_exchange_weak_explicit(x, &c, a - (b - -1), memory_order_release, memory_order_acquire);
  int unused;
}

locations [0:b; x;]
~exists (0:a=1 /\ not (0:d=0))
)";
  EXPECT_EQ(PrintProgram(MustParse(text)), text);
}

Program StoreBuffering(const std::string &condition) {
  return MustParse("C SB\n{}\nP0(atomic_int *x) { int r0; }\nP1(atomic_int *x) { int r0; }\n" +
                   condition);
}

TEST(LitmusPrinter, Result) {
  Outcome outcome;
  outcome.states = {{{0, 0}, 1}, {{0, 1}, 20}, {{1, 0}, 3000000}, {{1, 1}, 1}};
  EXPECT_EQ(PrintResult(StoreBuffering("exists (0:r0=0 /\\ 1:r0=0)"), outcome, "cxx20"),
            R"(Test SB Allowed
States 4
1     *>0:r0=0; 1:r0=0;
20    :>0:r0=0; 1:r0=1;
3000000:>0:r0=1; 1:r0=0;
1     :>0:r0=1; 1:r0=1;
Ok
Witnesses
Positive: 1 Negative: 3000021
Condition exists (0:r0=0 /\ 1:r0=0)
Observation SB Sometimes 1 3000021
Model cxx20
)");
  outcome.states.erase({0, 0});
  outcome.states[{1, 0}] = 1;
  // herd counts what validates the condition as positive, and observes its proposition.
  EXPECT_EQ(PrintResult(StoreBuffering("~exists (0:r0=0 /\\ 1:r0=0)"), outcome, "sc"),
            R"(Test SB Forbidden
States 3
20    :>0:r0=0; 1:r0=1;
1     :>0:r0=1; 1:r0=0;
1     :>0:r0=1; 1:r0=1;
Ok
Witnesses
Positive: 22 Negative: 0
Condition ~exists (0:r0=0 /\ 1:r0=0)
Observation SB Never 0 22
Model sc
)");
  EXPECT_EQ(PrintResult(StoreBuffering("forall (0:r0=1 \\/ 1:r0=1)"), outcome, "sc"),
            R"(Test SB Required
States 3
20    *>0:r0=0; 1:r0=1;
1     *>0:r0=1; 1:r0=0;
1     *>0:r0=1; 1:r0=1;
Ok
Witnesses
Positive: 22 Negative: 0
Condition forall (0:r0=1 \/ 1:r0=1)
Observation SB Always 22 0
Model sc
)");
  auto validated = [&](const std::string &condition) {
    return IsValidated(StoreBuffering(condition), outcome);
  };
  EXPECT_FALSE(validated("exists (0:r0=0 /\\ 1:r0=0)"));
  EXPECT_TRUE(validated("exists (0:r0=1 /\\ 1:r0=1)"));
  EXPECT_FALSE(validated("~exists (0:r0=1 /\\ 1:r0=1)"));
  EXPECT_FALSE(validated("forall (0:r0=1 /\\ 1:r0<>2)"));
}

TEST(LitmusExpectations, SurviveBeingWrittenAndRead) {
  Program program = StoreBuffering("locations [0:r0; 1:r0; x;]");
  Expectation some{{"c11tester", "cxx20", "tsan11/cxx11"}, {{0, 0, 0}, {0, 1, -2}}, {}};
  Expectation none{{"sc"}, {}, {}};
  std::string text = "C SB ... (* expected: prose *) " + PrintExpectation(program, some) +
                     PrintExpectation(program, none);
  EXPECT_NE(text.find("(* expect c11tester cxx20 tsan11/cxx11: 2 states\n"
                      "   0:r0=0; 1:r0=0; x=0;\n"
                      "   0:r0=0; 1:r0=1; x=-2;\n*)\n"),
            std::string::npos)
      << text;
  std::vector<Expectation> read;
  ParseError error;
  ASSERT_TRUE(ParseExpectations(text, "t", program, &read, &error)) << error.ToString();
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].models, some.models);
  EXPECT_EQ(read[0].states, some.states);
  EXPECT_EQ(Find(read, "tsan11/cxx11"), &read[0]);
  EXPECT_EQ(Find(read, "sc"), &read[1]);
  EXPECT_EQ(Find(read, "sc/cxx11"), &read[1]) << "if it is the same, it need not be there";
  EXPECT_EQ(Find(read, "tsan11"), nullptr);
  EXPECT_EQ(Find(read, "cxx11"), nullptr);
  EXPECT_TRUE(read[1].states.empty());
}

TEST(LitmusExpectations, Errors) {
  Program program = StoreBuffering("locations [0:r0; x;]");
  auto error_of = [&](const std::string &text) {
    std::vector<Expectation> read;
    ParseError error;
    EXPECT_FALSE(ParseExpectations(text, "t", program, &read, &error)) << text;
    return error.ToString();
  };
  EXPECT_EQ(error_of("(* expect sc: 2 states 0:r0=0; x=0; *)"),
            "t:1:37: expected '0:r0', found '*'");
  EXPECT_EQ(error_of("(* expect sc: 1 state 0:r0=0; x=0; 0:r0=1; x=0; *)"),
            "t:1:36: expected '*', found '0'");
  EXPECT_EQ(error_of("(* expect sc: 2 states\n0:r0=0; x=0;\n0:r0=0; x=0; *)"),
            "t:3:1: this state is listed already");
  EXPECT_EQ(error_of("(* expect sc: 1 state 0:r0=0; y=0; *)"), "t:1:31: expected 'x', found 'y'");
  EXPECT_EQ(error_of("(* expect : 0 states *)"), "t:1:11: expected a model after 'expect'");
  EXPECT_EQ(error_of("(* expect sc sc: 0 states *)"),
            "t:1:14: there are expectations for sc already");
  EXPECT_EQ(error_of("(* expect sc: 0 states *) (* expect sc: 0 states *)"),
            "t:1:37: there are expectations for sc already");
  EXPECT_EQ(error_of("(* expect sc: many *)"), "t:1:15: expected an integer, found 'many'");
}

TEST(LitmusFiles, Unreadable) {
  Program program;
  ParseError error;
  EXPECT_FALSE(ParseFile("/nonexistent/SB.litmus", &program, &error));
  EXPECT_EQ(error.ToString(), "/nonexistent/SB.litmus: cannot be read: No such file or directory");
  EXPECT_FALSE(ParseFile("/", &program, &error));
  EXPECT_EQ(error.ToString(), "/: cannot be read: Is a directory");
}

// ---- The corpus ----

struct CorpusTest {
  std::string path, text;
  Program program;
  std::vector<Expectation> expectations;
};

// By name.
const std::map<std::string, CorpusTest> &Corpus() {
  static const std::map<std::string, CorpusTest> corpus = [] {
    std::map<std::string, CorpusTest> tests;
    auto directory = std::filesystem::path(__FILE__).parent_path().parent_path() / "litmus/corpus";
    for (const auto &entry : std::filesystem::directory_iterator(directory)) {
      CorpusTest test;
      ParseError error;
      test.path = entry.path().string();
      EXPECT_EQ(entry.path().extension(), ".litmus") << test.path;
      EXPECT_TRUE(ReadFile(test.path, &test.text, &error) &&
                  Parse(test.text, test.path, &test.program, &error) &&
                  ParseExpectations(test.text, test.path, test.program, &test.expectations, &error))
          << error.ToString();
      EXPECT_EQ(entry.path().stem(), test.program.name) << test.path;
      tests[test.program.name] = std::move(test);
    }
    return tests;
  }();
  return corpus;
}

struct NamedModel {
  const char *name;
  AxiomaticModel model;
  ReleaseSequence release_sequence;
};
constexpr NamedModel kModels[] = {
    {"sc", AxiomaticModel::kSc, ReleaseSequence::kCxx20},
    {"tsan11", AxiomaticModel::kTsan11, ReleaseSequence::kCxx20},
    {"tsan11/cxx11", AxiomaticModel::kTsan11, ReleaseSequence::kCxx11},
    {"c11tester", AxiomaticModel::kC11Tester, ReleaseSequence::kCxx20},
    {"c11tester/cxx11", AxiomaticModel::kC11Tester, ReleaseSequence::kCxx11},
    {"cxx20", AxiomaticModel::kCxx20, ReleaseSequence::kCxx20},
};

std::set<State> StatesOf(const Program &program, const NamedModel &model) {
  AxiomaticOptions options;
  options.model = model.model;
  options.release_sequence = model.release_sequence;
  std::set<State> states;
  for (const auto &[state, count] : RunAxiomatic(program, options).states)
    states.insert(state);
  return states;
}

// Models with the same states share a comment, and a model with the release
// sequences of C++11 has one only if they make a difference.
std::vector<Expectation> ExpectationsByOracle(const Program &program) {
  std::vector<Expectation> expectations;
  for (const NamedModel &model : kModels) {
    std::set<State> states = StatesOf(program, model);
    if (model.release_sequence == ReleaseSequence::kCxx11 &&
        Find(expectations, model.name)->states == states)
      continue;
    auto same = std::find_if(expectations.begin(), expectations.end(),
                             [&](const Expectation &other) { return other.states == states; });
    if (same == expectations.end())
      same = expectations.insert(same, {{}, std::move(states), {}});
    same->models.push_back(model.name);
  }
  return expectations;
}

// With HEDDLE_UPDATE_CORPUS=1 in the environment the comments are written anew
// instead.
TEST(LitmusCorpus, StatesAreTheOracles) {
  bool update = std::getenv("HEDDLE_UPDATE_CORPUS") != nullptr;
  EXPECT_GE(Corpus().size(), 200u);
  for (const auto &[name, test] : Corpus()) {
    std::string comments;
    for (const Expectation &expectation : ExpectationsByOracle(test.program))
      comments += PrintExpectation(test.program, expectation);
    size_t at = std::min(test.text.find("(* expect "), test.text.size());
    if (update)
      std::ofstream(test.path) << test.text.substr(0, test.text.find_last_not_of('\n', at - 1) + 1)
                               << "\n\n"
                               << comments;
    else
      EXPECT_EQ(test.text.substr(at), comments) << test.path;
  }
}

TEST(LitmusCorpus, ProgramsSurviveBeingWrittenAndRead) {
  for (const auto &[name, test] : Corpus()) {
    std::string text = PrintProgram(test.program);
    EXPECT_TRUE(SameProgram(MustParse(text), test.program)) << text;
    EXPECT_NE(test.text.find("\n\""), std::string::npos) << name << " does not say why";
  }
}

TEST(LitmusCorpus, ModelsAreNested) {
  // A model on the left has no state that the one on the right has not.
  constexpr std::pair<const char *, const char *> kWithin[] = {
      {"sc", "tsan11/cxx11"},           {"tsan11/cxx11", "tsan11"},
      {"tsan11", "c11tester"},          {"tsan11/cxx11", "c11tester/cxx11"},
      {"c11tester/cxx11", "c11tester"}, {"sc", "cxx20"}};
  for (const auto &[name, test] : Corpus())
    for (auto [stronger, weaker] : kWithin) {
      const Expectation *few = Find(test.expectations, stronger);
      const Expectation *many = Find(test.expectations, weaker);
      ASSERT_TRUE(few && many) << name;
      EXPECT_TRUE(std::includes(many->states.begin(), many->states.end(), few->states.begin(),
                                few->states.end()))
          << name << ": " << stronger << ", " << weaker;
    }
}

// What an engine that executes stores and seq_cst operations in their order can show.
TEST(LitmusCorpus, StatesOfTsan20AreWithinCxx20) {
  const NamedModel sc = {"sc", AxiomaticModel::kSc, ReleaseSequence::kCxx20};
  const NamedModel tsan20 = {"tsan20", AxiomaticModel::kTsan20, ReleaseSequence::kCxx20};
  for (const auto &[name, test] : Corpus()) {
    const std::set<State> states = StatesOf(test.program, tsan20), few = StatesOf(test.program, sc);
    EXPECT_TRUE(std::includes(states.begin(), states.end(), few.begin(), few.end())) << name;
    for (const char *weaker : {"cxx20", "tsan11"}) {
      const Expectation *many = Find(test.expectations, weaker);
      ASSERT_TRUE(many) << name;
      EXPECT_TRUE(
          std::includes(many->states.begin(), many->states.end(), states.begin(), states.end()))
          << name << ": " << weaker;
    }
  }
}

// The verdicts, worked out from the rules by hand before any program was asked:
// for sc, tsan11, c11tester and cxx20, whether a state that satisfies the condition
// is allowed (A) or forbidden (F); for `forall`, whether the condition holds (A).
// The reasons are in the files.
constexpr struct {
  const char *verdict, *names;
} kVerdicts[] = {
    // Forbidden by all.
    {"FFFF", "membarrier-SB+po membarrier-SB+membarrier membarrier-MP-writer membarrier-MP-reader "
             "membarrier-RCU membarrier-2+2W+po membarrier-IRIW+po membarrier-ISA2+po+po "
             "membarrier-between-SB+fence membarrier-at-one-time "
             "SB+sc SB+sc-fences SB+sc+sc-fence SB+exchanges-sc SB+rmws-ar SB+own-reads+sc "
             "SB+sc-fences+rel-acq-fence 3.SB+sc 3.SB+sc-fences 3.SB+sc+sc+sc-fence MP+rel+acq "
             "MP+rel+con MP+sc MP+rel-fence+acq-fence MP+rel-fence+acq MP+rel+acq-fence "
             "MP+acqrel-fences MP+sc-fences MP+sc-fence+acq MP+exchange-rel+exchange-acq "
             "MP+rel-fence-two-flags MP+two-flags-acq-fence LB+rlx LB+acq-rel LB+acq-rel+rlx "
             "LB+sc LB+sc-fences LB+acqrel-fences LB+data LB+ctrl LB+rmws 3.LB+rlx "
             "3.LB+acq-rel 3.LB+sc S+rel+acq S+sc S+rel-fence+acq-fence S+sc-fences R+sc "
             "R+sc-fences R+sc+sc-fence 2+2W+sc 2+2W+sc-fences 3.2W+sc 3.2W+sc-fences "
             "WRC+rel-acq WRC+rlx+rlx-rel+acq WRC+sc WRC+rel-fence+acq-fence WWC+rel-acq "
             "WWC+rlx+rlx-rel+acq WWC+sc RWC+sc IRIW+sc ISA2+rel-acq ISA2+sc ISA2+fences "
             "ISA2+acq-fence-then-rel-fence W+RWC+sc W+RWC+sc-fences W+RWC+sc-rel+acq-sc+sc "
             "Z6.0+sc Z6.0+sc-fences Z6.1+sc Z6.1+sc-fences Z6.2+rel-acq Z6.2+sc "
             "Z6.2+sc-fences Z6.3+sc Z6.3+sc-fences Z6.4+sc Z6.4+sc-fences Z6.5+sc "
             "Z6.5+sc-fences CoRR CoRR1 CoRR2 CoRR2+sc CoRR2+final CoRR+sc-rlx CoRR+rlx-sc "
             "CoRR+rmw CoRR+three CoRW1 CoRW2 CoRW2+sc CoWR0 CoWR CoWR+sc CoWW CoWW+sc-rlx "
             "RMW+fetch_adds RMW+exchanges RMW+store-between RMW+stores-between "
             "RMW+two-in-a-row RMW+ar-chain CAS+one-winner CAS+success-acq CAS+failure-acq "
             "CAS+failure-sc CAS+lock RS+head-is-stale RS+rmw RS+exchange RS+cas RS+failed-cas "
             "RS+rmw-chain RS+two-heads RS+rmw-heads RS+three-heads RS+fence-head "
             "RS+fence-and-store-heads RS+fence-two-stores RS+rmw-acq-fence SC+fence-and-store "
             "2+2W+sc-fence+sc-release-fence "
             "SC+store-and-fence trap+stale-acquire-acquires trap+sc-store-hides-older "
             "trap+sc-store-hides-older-of-others trap+sc-fence-is-more-than-acqrel "
             "trap+initial-value-hidden trap+initial-value-sc"},
    // Allowed by all but sequential consistency.
    {"FAAA", "membarrier-beside-SB membarrier-beside-MP membarrier-between-SB+po "
             "SB+rlx SB+rel-acq SB+acqrel-fences SB+sc-fence+rlx SB+sc+rlx "
             "SB+sc-stores+rlx-loads SB+sc-stores+acq-loads SB+rel-stores+sc-loads "
             "SC-read-behind-last-write SB+sc-rlx+sc-fence SB+exchanges-ar SB+initial-values "
             "SB+own-reads 3.SB+rlx "
             "3.SB+rel-acq 3.SB+sc+sc+rel-acq MP+rlx MP+rel+rlx MP+rlx+acq MP+sc+rlx MP+rlx+sc "
             "MP+rel-fence+rlx MP+rlx+acq-fence MP+sc-fence+rlx MP+rlx+sc-fence "
             "MP+fence-behind-flag+acq MP+rel+fence-before-flag MP+acq-fence+rel-fence "
             "MP+exchange-acq+exchange-rel MP+rel+ctrl R+rlx R+rel-acq R+sc-stores+acq-load "
             "R+sc-fence+rlx WRC+rlx WRC+rel+acq-rlx+rlx WRC+sc-fence+rlx RWC+rlx RWC+rel-acq "
             "IRIW+rlx IRIW+rel+acq IRIW+acqrel-fences IRIW+sc-fence+rlx "
             "IRIW+sc-stores+acq-loads ISA2+rlx ISA2+rel+acq-rlx+acq ISA2+rel+rlx-rel+acq "
             "ISA2+rel-fence-then-acq-fence ISA2+middle-rel-fence W+RWC+rlx W+RWC+rel-acq "
             "Z6.0+rlx Z6.0+rel-acq Z6.3+rlx Z6.3+rel-acq Z6.4+rlx Z6.4+rel-acq Z6.5+rlx "
             "Z6.5+rel-acq RMW+stale-load CAS+success-rlx CAS+failure-rlx CAS+failure-rlx+sc "
             "CAS+failure-releases-nothing CAS+failure-stale CAS+lock-rlx RS+same-thread-store "
             "RS+same-thread-store-acq-fence RS+other-thread-store "
             "RS+rmw-then-same-thread-store RS+same-thread-store-then-rmw RS+blocked "
             "RS+not-blocked RS+two-heads-one-relaxed RS+two-heads-one-acq RS+relaxed-head "
             "trap+stale-acquire trap+stale-acquire-own trap+stale-acquire-rmw "
             "trap+sc-rule-for-sc-loads-only trap+sc-rule-for-sc-loads-only-acq "
             "trap+initial-value"},
    // Needs a modification order that is not the order of execution.
    {"FFAA", "SB+rmw-loads MP+rlx+rmw S+rlx S+rel+rlx S+rlx+acq S+sc+rlx R+sc-rlx+sc-fence "
             "2+2W+rlx 2+2W+rel 2+2W+acqrel-fences 2+2W+sc+rel 2+2W+rlx-sc 3.2W+rlx 3.2W+rel "
             "WWC+rlx WWC+rel+acq-rlx+rlx Z6.1+rlx Z6.1+rel-acq Z6.2+rlx "
             "SC+store-and-rlx-store"},
    // Seq_cst rules that C++20 made stronger.
    {"FAAF",
     "SB+sc-fences+rel-acq RWC+sc-fences IRIW+sc-fences IRIW+rel+sc-loads "
     "W+RWC+rel+acq-sc-fence+sc-fence W+RWC+sc-fence+acq+sc-fence SC+load-of-unordered-store "
     "trap+sc-fence-is-no-global-clock"},
    // Seq_cst rules that C++20 made weaker, or S against reads-from.
    {"FFFA", "MP+sc-store+sc-fence RWC+sc+acq-sc+sc IRIW+sc+acq-sc Z6.U MP+sc-rlx+rlx-sc"},
    // Allowed by all.
    {"AAAA", "RMW+three-fetch_adds RMW+fetch_ors CAS+weak CAS+ABA SC+load-of-newer-store"},
};

// Where C++11's release sequences, in tsan11 or c11tester, forbid what is allowed
// above.
constexpr const char *kForbiddenByCxx11ReleaseSequences[] = {
    "RS+same-thread-store",
    "RS+same-thread-store-acq-fence",
    "RS+rmw-then-same-thread-store",
    "RS+same-thread-store-then-rmw",
    "RS+not-blocked",
};

TEST(LitmusCorpus, VerdictsAreThoseOfTheRules) {
  size_t count = 0;
  for (const auto &[verdict, names] : kVerdicts) {
    std::istringstream stream(names);
    for (std::string name; stream >> name; count++) {
      auto found = Corpus().find(name);
      ASSERT_NE(found, Corpus().end()) << "there is no " << name;
      const CorpusTest &test = found->second;
      auto is_allowed = [&](std::string_view model) {
        const std::set<State> &states = Find(test.expectations, model)->states;
        auto holds = [&](const State &state) {
          return Holds(test.program.condition, test.program, state);
        };
        if (test.program.quantifier == Quantifier::kForall)
          return std::all_of(states.begin(), states.end(), holds);
        return std::any_of(states.begin(), states.end(), holds);
      };
      std::string found_verdict, found_cxx11;
      for (const char *model : {"sc", "tsan11", "c11tester", "cxx20"})
        found_verdict += is_allowed(model) ? 'A' : 'F';
      EXPECT_EQ(found_verdict, verdict) << name;
      bool differs = false;
      for (const char *other : kForbiddenByCxx11ReleaseSequences)
        differs |= name == other;
      for (const char *model : {"tsan11", "c11tester"})
        EXPECT_EQ(is_allowed(std::string(model) + "/cxx11"), is_allowed(model) && !differs) << name;
      // ~exists is for what all of them forbid.
      EXPECT_EQ(test.program.quantifier == Quantifier::kNotExists,
                std::string_view(verdict) == "FFFF")
          << name;
    }
  }
  EXPECT_EQ(count, Corpus().size()) << "a test has no verdict";
}

} // namespace
