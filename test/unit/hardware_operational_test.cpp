// The axioms against machines. Random programs run on a machine for x86-TSO, with a
// store buffer per thread, in all ways; its states are those of the axioms. And models
// that are weaker by design have the states of the stronger ones.

#include "hardware_model_testing.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace {
using namespace heddle::litmus;
using namespace heddle::litmus::hardware;

// The abstract machine of Owens, Sarkar and Sewell. With `buffered` false, that of
// sequential consistency.
class Machine {
public:
  Machine(const std::vector<Code> &threads, bool buffered)
      : threads_(threads), buffered_(buffered) {}

  std::set<State> States() {
    Configuration start;
    start.memory.assign(3, 0);
    start.threads.resize(threads_.size());
    Step(start);
    return states_;
  }

private:
  struct Running {
    size_t next = 0;
    std::vector<Value> values; // of the events so far
    std::vector<std::pair<int, Value>> buffer;
    bool operator<(const Running &other) const {
      return std::tie(next, values, buffer) < std::tie(other.next, other.values, other.buffer);
    }
  };
  struct Configuration {
    std::vector<Value> memory;
    std::vector<Running> threads;
    bool operator<(const Configuration &other) const {
      return std::tie(memory, threads) < std::tie(other.memory, other.threads);
    }
  };

  void Step(const Configuration &now) {
    if (!seen_.insert(now).second)
      return;
    bool stuck = true;
    for (size_t t = 0; t < threads_.size(); t++) {
      if (!now.threads[t].buffer.empty()) {
        stuck = false;
        Configuration next = now;
        auto [location, value] = next.threads[t].buffer.front();
        next.threads[t].buffer.erase(next.threads[t].buffer.begin());
        next.memory[location] = value;
        Step(next);
      }
      if (now.threads[t].next < threads_[t].Operations().size()) {
        stuck = false;
        Execute(now, t);
      }
    }
    if (stuck)
      Finish(now);
  }

  void Execute(Configuration next, size_t t) {
    Running &thread = next.threads[t];
    const auto &operations = threads_[t].Operations();
    const Event &event = operations[thread.next].event;
    bool drains = event.kind == Event::Kind::kFence || event.flags & kAtomic;
    if (drains && !thread.buffer.empty())
      return;
    Perform(operations[thread.next], &next, &thread);
    // The two halves of a locked instruction are one step.
    if (event.flags & kAtomic)
      Perform(operations[thread.next], &next, &thread);
    Step(next);
  }

  void Perform(const Code::Operation &operation, Configuration *next, Running *thread) {
    const Event &event = operation.event;
    Value value = event.value + (operation.adds >= 0 ? thread->values[operation.adds] : 0);
    if (event.kind == Event::Kind::kRead) {
      value = next->memory[event.location];
      for (auto [location, buffered] : thread->buffer)
        if (location == event.location)
          value = buffered;
    } else if (event.kind == Event::Kind::kWrite) {
      if (buffered_ && !(event.flags & kAtomic))
        thread->buffer.push_back({event.location, value});
      else
        next->memory[event.location] = value;
    }
    thread->values.push_back(value);
    thread->next++;
  }

  void Finish(const Configuration &end) {
    State state;
    for (size_t t = 0; t < threads_.size(); t++)
      for (size_t i = 0; i < threads_[t].Operations().size(); i++)
        if (threads_[t].Operations()[i].event.kind == Event::Kind::kRead)
          state.push_back(end.threads[t].values[i]);
    state.insert(state.end(), end.memory.begin(), end.memory.end());
    states_.insert(state);
  }

  const std::vector<Code> &threads_;
  bool buffered_;
  std::set<Configuration> seen_;
  std::set<State> states_;
};

std::set<State> Axioms(const std::vector<Code> &threads, Architecture model) {
  std::set<State> states;
  for (const auto &[state, count] : RunHardware(MakeProgram(threads), model).states)
    states.insert(state);
  return states;
}

class RandomCode {
public:
  explicit RandomCode(uint64_t seed) : random_(seed) {}

  int Below(int limit) { return static_cast<int>(random_() % limit); }

  // Mostly two locations, so that threads meet.
  int Place() { return Below(6) ? Below(2) : Z; }

  // A few threads with so many events together; read-modify-writes count twice.
  std::vector<Code> Threads(int events, Fence fence, bool atomics) {
    std::vector<Code> threads(2 + Below(2));
    for (int value = 1; events > 0; events--) {
      Code &code = threads[Below(static_cast<int>(threads.size()))];
      switch (Below(fence == Fence::kNone ? 8 : 9)) {
      case 0:
        if (atomics) {
          Below(2) ? code.Swap(Place(), value++) : code.Increment(Place(), value++);
          events--;
          break;
        }
        [[fallthrough]];
      case 1:
      case 2:
      case 3:
        code.W(Place(), value++);
        break;
      case 8:
        code.F(fence);
        break;
      default:
        code.R(Place());
      }
    }
    return threads;
  }

private:
  std::mt19937_64 random_;
};

TEST(HardwareOperational, X86IsTheMachineWithBuffers) {
  int weak = 0;
  for (uint64_t seed = 0; seed < 1000; seed++) {
    std::vector<Code> threads = RandomCode(seed).Threads(7, Fence::kX86Full, true);
    std::set<State> machine = Machine(threads, true).States();
    ASSERT_EQ(Axioms(threads, Architecture::kX86), machine) << "seed " << seed;
    weak += machine != Machine(threads, false).States();
  }
  EXPECT_GT(weak, 20) << "too few programs show the buffers";
}

bool Includes(const std::set<State> &larger, const std::set<State> &smaller) {
  return std::includes(larger.begin(), larger.end(), smaller.begin(), smaller.end());
}

TEST(HardwareOperational, WeakerModelsHaveMoreStates) {
  for (uint64_t seed = 0; seed < 200; seed++) {
    std::vector<Code> plain = RandomCode(seed).Threads(7, Fence::kNone, false);
    std::set<State> sc = Machine(plain, false).States();
    std::set<State> x86 = Axioms(plain, Architecture::kX86);
    std::set<State> aarch64 = Axioms(plain, Architecture::kAArch64);
    std::set<State> riscv = Axioms(plain, Architecture::kRiscV);
    EXPECT_TRUE(Includes(x86, sc)) << "seed " << seed;
    EXPECT_TRUE(Includes(aarch64, x86)) << "seed " << seed;
    EXPECT_TRUE(Includes(riscv, x86)) << "seed " << seed;
    EXPECT_TRUE(Includes(Axioms(plain, Architecture::kArm), aarch64)) << "seed " << seed;

    std::vector<Code> fenced = RandomCode(seed).Threads(7, Fence::kArmFull, true);
    EXPECT_TRUE(
        Includes(Axioms(fenced, Architecture::kArm), Axioms(fenced, Architecture::kAArch64)))
        << "seed " << seed;
  }
}

TEST(HardwareOperational, FencesEverywhereMakeItSequential) {
  auto fenced = [](const std::vector<Code> &threads, Fence fence, uint8_t kinds) {
    std::vector<Code> result;
    for (const Code &code : threads) {
      result.emplace_back();
      for (const Code::Operation &operation : code.Operations()) {
        const Event &event = operation.event;
        if (event.kind == Event::Kind::kRead)
          result.back().R(event.location);
        else
          result.back().W(event.location, event.value);
        result.back().F(fence, kinds, kinds);
      }
    }
    return result;
  };
  for (uint64_t seed = 0; seed < 150; seed++) {
    std::vector<Code> threads = RandomCode(seed).Threads(6, Fence::kNone, false);
    std::set<State> sc = Machine(threads, false).States();
    for (auto [model, fence] : {std::pair(Architecture::kAArch64, Fence::kArmFull),
                                std::pair(Architecture::kArm, Fence::kArmFull),
                                std::pair(Architecture::kRiscV, Fence::kRiscV),
                                std::pair(Architecture::kX86, Fence::kX86Full)})
      EXPECT_EQ(Axioms(fenced(threads, fence, kReads | kWrites), model), sc) << "seed " << seed;
  }
}

} // namespace
