// The litmus generator: its enumeration against one that knows nothing of
// canonical forms and tries everything, and what it promises about each program.

#include "heddle/litmus/generator.h"
#include "heddle/litmus/parser.h"
#include "heddle/litmus/printer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>

namespace {
using namespace heddle::litmus;

// A program as the tests see it: threads of events.
struct Event {
  char kind; // W, R, X, A, C, F
  int location;
  Order order, failure_order;
};
using Events = std::vector<std::vector<Event>>;

std::vector<Event> Alphabet(const GeneratorParameters &parameters) {
  std::vector<Event> alphabet;
  auto add = [&](char kind, const std::vector<Order> &orders) {
    for (Order order : orders)
      for (int i = 0; i < parameters.max_locations; i++)
        alphabet.push_back({kind, i, order, order});
  };
  add('W', parameters.stores);
  add('R', parameters.loads);
  add('X', parameters.exchanges);
  add('A', parameters.fetch_adds);
  for (auto [order, failure_order] : parameters.compare_exchanges)
    for (int i = 0; i < parameters.max_locations; i++)
      alphabet.push_back({'C', i, order, failure_order});
  for (Order order : parameters.fences)
    alphabet.push_back({'F', -1, order, order});
  return alphabet;
}

bool ReadsWeakly(const Event &event) {
  if (event.kind == 'C' && !IsAcquire(event.failure_order))
    return true;
  return (event.kind != 'W' && event.kind != 'F') && !IsAcquire(event.order);
}
bool WritesWeakly(const Event &event) {
  return event.kind != 'R' && event.kind != 'F' && !IsRelease(event.order);
}

// A direct reading of what generator.h leaves out.
bool IsUseful(const Events &threads, const GeneratorParameters &parameters) {
  std::map<int, std::set<size_t>> touched;
  std::set<int> written;
  for (size_t t = 0; t < threads.size(); t++)
    for (const Event &event : threads[t])
      if (event.kind != 'F') {
        touched[event.location].insert(t);
        if (event.kind != 'R')
          written.insert(event.location);
      }
  std::set<size_t> connected{0};
  for (size_t round = 0; round < threads.size(); round++)
    for (const auto &[location, by] : touched) {
      if (by.size() < 2 || !written.count(location))
        return false;
      if (std::any_of(by.begin(), by.end(), [&](size_t t) { return connected.count(t); }))
        connected.insert(by.begin(), by.end());
    }
  if (connected.size() != threads.size())
    return false;
  for (const std::vector<Event> &thread : threads)
    for (size_t i = 0; i < thread.size(); i++) {
      if (thread[i].kind != 'F')
        continue;
      Order order = thread[i].order;
      auto begin = thread.begin(), here = begin + i, end = thread.end();
      if (i == 0 || i + 1 == thread.size() || order == Order::kRelaxed)
        return false;
      if (order != Order::kSeqCst) {
        if (IsAcquire(order) && std::none_of(begin, here, ReadsWeakly))
          return false;
        if (IsRelease(order) && std::none_of(here, end, WritesWeakly))
          return false;
      }
      if (thread[i + 1].kind != 'F')
        continue;
      Order next = thread[i + 1].order;
      auto there = [&](Order wanted) {
        return std::count(parameters.fences.begin(), parameters.fences.end(), wanted) > 0;
      };
      if (order == next || ((order == Order::kSeqCst || next == Order::kSeqCst)))
        return false; // the stronger one is there
      if (order == Order::kAcqRel || next == Order::kAcqRel)
        return false;
      if (order == Order::kAcquire && there(Order::kAcqRel))
        return false;
    }
  return true;
}

std::string Text(const Events &threads, const std::vector<size_t> &thread_order,
                 const std::vector<int> &locations) {
  std::string text;
  for (size_t t : thread_order) {
    for (const Event &event : threads[t]) {
      text += event.kind;
      text += static_cast<char>('0' + static_cast<int>(event.order));
      text += static_cast<char>('0' + static_cast<int>(event.failure_order));
      text += event.kind == 'F' ? '-' : static_cast<char>('0' + locations[event.location]);
    }
    text += '|';
  }
  return text;
}

// The same for all renamings of threads and locations.
std::string Canonical(const Events &threads, int max_locations) {
  std::vector<size_t> thread_order(threads.size());
  std::iota(thread_order.begin(), thread_order.end(), 0);
  std::string least;
  do {
    std::vector<int> locations(max_locations);
    std::iota(locations.begin(), locations.end(), 0);
    do {
      std::string text = Text(threads, thread_order, locations);
      if (least.empty() || text < least)
        least = text;
    } while (std::next_permutation(locations.begin(), locations.end()));
  } while (std::next_permutation(thread_order.begin(), thread_order.end()));
  return least;
}

std::set<std::string> EnumerateNaively(const GeneratorParameters &parameters) {
  std::vector<Event> alphabet = Alphabet(parameters);
  std::set<std::string> found;
  Events threads;
  std::function<void(int)> extend = [&](int left) {
    if (static_cast<int>(threads.size()) >= parameters.min_threads && !threads.back().empty() &&
        IsUseful(threads, parameters))
      found.insert(Canonical(threads, parameters.max_locations));
    if (left == 0)
      return;
    for (const Event &event : alphabet) {
      if (!threads.empty() &&
          static_cast<int>(threads.back().size()) < parameters.max_events_per_thread) {
        threads.back().push_back(event);
        extend(left - 1);
        threads.back().pop_back();
      }
      if (static_cast<int>(threads.size()) < parameters.max_threads) {
        threads.push_back({event});
        extend(left - 1);
        threads.pop_back();
      }
    }
  };
  extend(parameters.max_events);
  return found;
}

Events EventsOf(const Program &program) {
  Events threads;
  for (const Thread &thread : program.threads) {
    threads.emplace_back();
    for (const Statement &statement : thread.body) {
      Event event{'F', statement.location, statement.order, statement.order};
      switch (statement.kind) {
      case Statement::Kind::kLoad:
        event.kind = 'R';
        break;
      case Statement::Kind::kStore:
        event.kind = 'W';
        break;
      case Statement::Kind::kRmw:
        event.kind = statement.operation == RmwOperation::kAdd ? 'A' : 'X';
        break;
      case Statement::Kind::kCompareExchange:
        event.kind = 'C';
        event.failure_order = statement.failure_order;
        break;
      default:
        break;
      }
      threads.back().push_back(event);
    }
  }
  return threads;
}

void ExpectSameAsNaive(const GeneratorParameters &parameters) {
  std::set<std::string> expected = EnumerateNaively(parameters);
  std::set<std::string> found;
  Generator generator(parameters);
  Program program;
  while (generator.Next(&program)) {
    std::string canonical = Canonical(EventsOf(program), parameters.max_locations);
    EXPECT_TRUE(found.insert(canonical).second) << "twice: " << program.name;
    EXPECT_TRUE(expected.count(canonical)) << "too much: " << program.name;
  }
  EXPECT_EQ(found.size(), expected.size());
  EXPECT_EQ(Generator::Count(parameters), expected.size());
}

TEST(LitmusGenerator, AllLoadsAndStores) {
  GeneratorParameters parameters = LoadsAndStores();
  parameters.loads = {Order::kRelaxed, Order::kAcquire};
  parameters.stores = {Order::kRelaxed, Order::kRelease};
  ExpectSameAsNaive(parameters);
  parameters.max_events_per_thread = 2;
  ExpectSameAsNaive(parameters);
}

TEST(LitmusGenerator, AllWithThreeThreadsAndLocations) {
  GeneratorParameters parameters;
  parameters.loads = parameters.stores = {Order::kRelaxed};
  parameters.max_threads = 3;
  parameters.max_locations = 3;
  parameters.max_events = 5;
  ExpectSameAsNaive(parameters);
  parameters.max_events_per_thread = 2;
  parameters.min_threads = 3;
  ExpectSameAsNaive(parameters);
}

TEST(LitmusGenerator, AllWithFourThreads) {
  GeneratorParameters parameters;
  parameters.loads = parameters.stores = {Order::kRelaxed};
  parameters.max_threads = 4;
  parameters.max_events = 5;
  ExpectSameAsNaive(parameters);
}

TEST(LitmusGenerator, AllWithRmws) {
  GeneratorParameters parameters;
  parameters.loads = parameters.stores = parameters.fetch_adds = {Order::kRelaxed};
  parameters.exchanges = {Order::kRelaxed, Order::kSeqCst};
  parameters.compare_exchanges = {{Order::kAcquire, Order::kRelaxed}};
  ExpectSameAsNaive(parameters);
}

TEST(LitmusGenerator, AllWithFences) {
  GeneratorParameters parameters;
  parameters.loads = {Order::kRelaxed, Order::kAcquire};
  parameters.stores = {Order::kRelaxed, Order::kRelease};
  parameters.max_locations = 1;
  parameters.max_events = 5;
  parameters.fences = {Order::kAcquire, Order::kRelease};
  ExpectSameAsNaive(parameters);
  parameters.loads = parameters.stores = {Order::kRelaxed};
  parameters.compare_exchanges = {{Order::kAcquire, Order::kRelaxed}};
  parameters.fences = {Order::kRelaxed, Order::kAcquire, Order::kRelease, Order::kAcqRel,
                       Order::kSeqCst};
  ExpectSameAsNaive(parameters);
}

// The numbers that test/litmus/README.md states.
TEST(LitmusGenerator, Counts) {
  GeneratorParameters parameters;
  parameters.loads = parameters.stores = {Order::kRelaxed};
  EXPECT_EQ(Generator::Count(parameters), 44u);
  EXPECT_EQ(Generator::Count(LoadsAndStores()), 2787u);
  parameters = LoadsAndStores();
  parameters.fences = LoadsStoresExchangesAndFences().fences;
  EXPECT_EQ(Generator::Count(parameters), 3045u);
  EXPECT_EQ(Generator::Count(LoadsStoresExchangesAndFences()), 38012u);
}

TEST(LitmusGenerator, Programs) {
  GeneratorParameters parameters = LoadsStoresExchangesAndFences();
  parameters.fetch_adds = {Order::kRelaxed};
  parameters.exchanges = {Order::kAcqRel};
  parameters.compare_exchanges = {{Order::kSeqCst, Order::kRelaxed}};
  Generator generator(parameters), again(parameters);
  Program program, same;
  std::set<std::string> names;
  ParseError error;
  for (int count = 0; generator.Next(&program); count++) {
    ASSERT_TRUE(again.Next(&same));
    ASSERT_TRUE(SameProgram(program, same)) << "the order is not deterministic";
    ASSERT_TRUE(names.insert(program.name).second) << program.name;
    // Every value is written once, every register once.
    std::map<int, std::set<Value>> values;
    for (const Thread &thread : program.threads) {
      std::set<int> registers;
      for (const Statement &statement : thread.body) {
        if (statement.target >= 0) {
          EXPECT_TRUE(registers.insert(statement.target).second);
        }
        if (statement.expected >= 0) {
          EXPECT_TRUE(registers.insert(statement.expected).second);
        }
        if (statement.location >= 0 && statement.kind != Statement::Kind::kLoad) {
          EXPECT_TRUE(values[statement.location].insert(statement.value.constant).second);
        }
      }
      EXPECT_EQ(registers.size(), thread.registers.size());
    }
    if (count % 16 == 0) {
      std::string text = PrintProgram(program);
      ASSERT_TRUE(Parse(text, "t", &same, &error)) << error.ToString() << "\n" << text;
      ASSERT_TRUE(SameProgram(program, same)) << text;
    }
  }
  EXPECT_FALSE(again.Next(&same));
  EXPECT_FALSE(again.Next(&same));
  for (const char *name :
       {"Wx.rlx-Ry.rlx+Wy.rlx-Rx.rlx", "Wx.rlx-Wy.rel+Ry.acq-Rx.rlx", "Rx.rlx-Wy.rlx+Ry.rlx-Wx.rlx",
        "Wx.sc-Wy.sc+Wy.sc-Wx.sc", "Xx.ar+Cx.sc.rlx", "Wx.rlx-Fsc-Rx.rlx+Ax.rlx"})
    EXPECT_TRUE(names.count(name)) << name;
}

TEST(LitmusGenerator, NothingToGenerate) {
  Program program;
  EXPECT_FALSE(Generator({}).Next(&program));
  GeneratorParameters only_fences;
  only_fences.fences = {Order::kSeqCst};
  EXPECT_FALSE(Generator(only_fences).Next(&program));
  GeneratorParameters only_loads;
  only_loads.loads = {Order::kRelaxed};
  EXPECT_FALSE(Generator(only_loads).Next(&program));
  GeneratorParameters one_event = LoadsAndStores();
  one_event.max_events = 1;
  EXPECT_FALSE(Generator(one_event).Next(&program));
}

TEST(LitmusRandom, SameSeedSameProgram) {
  EXPECT_EQ(PrintProgram(RandomProgram(1, {})), PrintProgram(RandomProgram(1, {})));
  EXPECT_NE(PrintProgram(RandomProgram(1, {})), PrintProgram(RandomProgram(2, {})));
  // On every machine: a change here breaks the seeds in old reports.
  EXPECT_EQ(PrintProgram(RandomProgram(1, {})), R"(C random-1
{
  x = 0;
  y = 0;
  z = 0;
}

P0(atomic_int *x, atomic_int *z) {
  atomic_store_explicit(z, 1, memory_order_relaxed);
  atomic_store_explicit(x, 1, memory_order_relaxed);
}

P1(atomic_int *x) {
  int r0 = atomic_load_explicit(x, memory_order_acquire);
}

P2(atomic_int *x, atomic_int *y, atomic_int *z) {
  int r0 = atomic_load_explicit(y, memory_order_seq_cst);
  int r1 = atomic_load_explicit(z, memory_order_relaxed);
  atomic_store_explicit(x, 2, memory_order_seq_cst);
}

P3(atomic_int *y, atomic_int *z) {
  atomic_store_explicit(z, 2, memory_order_release);
  atomic_store_explicit(y, 1, memory_order_relaxed);
}

locations [1:r0; 2:r0; 2:r1; x; y; z;]
exists (true)
)");
}

void VisitStatements(const std::vector<Statement> &body,
                     const std::function<void(const Statement &)> &visit) {
  for (const Statement &statement : body) {
    visit(statement);
    VisitStatements(statement.then_body, visit);
    VisitStatements(statement.else_body, visit);
  }
}

TEST(LitmusRandom, ProgramsAreOfUse) {
  std::map<Statement::Kind, int> kinds;
  int with_else = 0;
  for (uint64_t seed = 0; seed < 2000; seed++) {
    RandomParameters parameters;
    Program program = RandomProgram(seed, parameters);
    std::map<int, std::set<size_t>> touched;
    std::set<int> written;
    int events = 0;
    EXPECT_GE(program.threads.size(), 2u);
    EXPECT_LE(program.threads.size(), 4u);
    for (size_t t = 0; t < program.threads.size(); t++) {
      EXPECT_FALSE(program.threads[t].body.empty());
      VisitStatements(program.threads[t].body, [&](const Statement &statement) {
        kinds[statement.kind]++;
        with_else += !statement.else_body.empty();
        if (statement.kind != Statement::Kind::kAssign && statement.kind != Statement::Kind::kIf)
          events++;
        if (statement.location < 0)
          return;
        touched[statement.location].insert(t);
        if (statement.kind != Statement::Kind::kLoad)
          written.insert(statement.location);
      });
    }
    EXPECT_LE(events, parameters.events.max_events);
    EXPECT_EQ(touched.size(), program.locations.size());
    EXPECT_EQ(written.size(), program.locations.size());
    for (const auto &[location, by] : touched)
      EXPECT_GE(by.size(), 2u) << PrintProgram(program);
  }
  // Every kind of statement comes up.
  EXPECT_EQ(kinds.size(), 7u);
  for (auto [kind, count] : kinds)
    EXPECT_GT(count, 100) << static_cast<int>(kind);
  EXPECT_GT(with_else, 20);
}

TEST(LitmusRandom, OddParameters) {
  RandomParameters nothing;
  nothing.events = {};
  RandomProgram(1, nothing);
  RandomParameters small;
  small.events.max_threads = small.events.max_events = small.events.max_locations = 0;
  small.events.max_events_per_thread = 0;
  RandomProgram(1, small);
  RandomParameters large;
  large.events.max_threads = 16;
  large.events.max_events_per_thread = large.events.max_events = 200;
  large.events.max_locations = 30;
  Program program = RandomProgram(1, large);
  EXPECT_GT(program.locations.size(), 1u);
}

} // namespace
