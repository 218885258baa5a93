#include "explorer.h"

#include "heddle/choice/choice_stream.h"
#include "heddle/choice/enumerator.h"
#include "heddle/model/buffer.h"
#include "heddle/model/mograph.h"

#include <cstdlib>
#include <deque>
#include <memory>

namespace heddle::litmus {
namespace {

using __heddle::ChoiceKind;
using __heddle::ChoiceStream;

struct Memory {
  static void *Alloc(size_t bytes) { return malloc(bytes); }
  static void Free(void *memory, size_t) { free(memory); }
};

struct ExplorerPolicy {
  using Clock = __heddle::SmallClock<kMaxExploredThreads>;
  using Value = litmus::Value;
  static void *Allocate(size_t bytes) { return malloc(bytes); }
  static void Free(void *memory) { free(memory); }
  static constexpr bool kConcurrent = false;
  static constexpr bool kSlotsReused = false;
};

// The engines as they are in the runtime (heddle_weak_policy.h): a slot may pass from one
// thread to another, a thread's clock is kept elsewhere, values have notes, and what `buffer`
// remembers is packed.
struct ShippedPolicy {
  using Clock = __heddle::SmallClock<kMaxExploredThreads>;
  struct ThreadClock {
    Clock *clock;
    uint32_t Get(uint32_t slot) const { return clock->Get(slot); }
    void Set(uint32_t slot, uint32_t epoch) { clock->Set(slot, epoch); }
    void Join(const Clock &other) { clock->Join(other); }
    operator const Clock &() const { return *clock; }
  };
  struct Value {
    litmus::Value bits;
    uint64_t note;
    bool operator==(const Value &other) const { return bits == other.bits; }
    bool operator!=(const Value &other) const { return bits != other.bits; }
  };
  struct KeptValue {
    litmus::Value bits;
    void Keep(const Value &from) { bits = from.bits; }
    litmus::Value Get() const { return bits; }
    Value Restore(uint32_t, uint32_t, const uint64_t *note) const {
      return {bits, note ? *note : 0};
    }
    static bool HasNote(const Value &value) { return value.note; }
    static uint64_t NoteOf(const Value &value) { return value.note; }
  };
  struct Compact {
    using Slot = uint8_t;
    using Epoch = uint16_t;
    using Value = KeptValue;
    using Note = uint64_t;
    using Read = litmus::Value;
  };
  static void *Allocate(size_t bytes) { return malloc(bytes); }
  static void Free(void *memory) { free(memory); }
  static inline thread_local bool kConcurrent = false; // as under a schedule
  static constexpr bool kSlotsReused = true;
  static uint32_t FirstEpoch(uint32_t) { return 1; }
};

// A value of an engine, and back.
template <class Policy> typename Policy::Value ToValue(Value value) { return value; }
template <> ShippedPolicy::Value ToValue<ShippedPolicy>(Value value) {
  return {value, value ? 0u : 1u};
}
Value FromValue(Value value) { return value; }
Value FromValue(const ShippedPolicy::Value &value) { return value.bits; }

// Where a thread's clock is.
template <class Policy> struct ClockRoom {
  explicit ClockRoom(uint32_t slot) : model(slot) {}
  __heddle::ModelThread<Policy> model;
};
template <> struct ClockRoom<ShippedPolicy> {
  explicit ClockRoom(uint32_t slot) : model({Begin(slot)}, slot) {}
  ShippedPolicy::Clock *Begin(uint32_t slot) {
    clock.Set(slot, 1);
    return &clock;
  }
  ShippedPolicy::Clock clock;
  __heddle::ModelThread<ShippedPolicy> model;
};

__heddle::Order ToEngine(Order order) { return static_cast<__heddle::Order>(order); }

// What an engine asks while it performs an operation.
struct Choices {
  ChoiceStream &stream;
  uint32_t Read(uint32_t options, const __heddle::Views &) {
    return stream.Choose(ChoiceKind::kRead, options);
  }
  uint32_t Place(uint32_t options) { return stream.Choose(ChoiceKind::kPlace, options); }
  bool Spurious() { return stream.Choose(ChoiceKind::kSpurious, 2); }
};

// The two engines under one interface.
template <class Policy> class Buffer {
  using Engine = __heddle::BufferEngine<Policy>;
  using ModelThread = __heddle::ModelThread<Policy>;

public:
  explicit Buffer(const ExploreOptions &options) : engine_(OptionsOf(options)) {}
  void AddLocation(Value initial) { locations_.emplace_back(ToValue<Policy>(initial)); }
  void AddThread(ModelThread *t) { engine_.Begin(t); }
  void EndThread(ModelThread *t) { engine_.End(t); }

  Value Load(ModelThread *t, int x, Order order, Choices choices) {
    return FromValue(engine_.Load(t, &locations_[x], ToEngine(order), choices));
  }
  void Store(ModelThread *t, int x, Value value, Order order, Choices) {
    engine_.Store(t, &locations_[x], ToValue<Policy>(value), ToEngine(order));
  }
  template <class F> Value Rmw(ModelThread *t, int x, F function, Order order, Choices) {
    return FromValue(engine_.Rmw(
        t, &locations_[x],
        [&](const auto &old) { return ToValue<Policy>(function(FromValue(old))); },
        ToEngine(order)));
  }
  bool CompareExchange(ModelThread *t, int x, Value *expected, const Statement &s, Value desired,
                       Choices choices) {
    typename Engine::ReadValue found = *expected;
    bool stored =
        engine_.CompareExchange(t, &locations_[x], &found, ToValue<Policy>(desired),
                                ToEngine(s.order), ToEngine(s.failure_order), s.weak, choices);
    *expected = FromValue(found);
    return stored;
  }
  void Fence(ModelThread *t, Order order) { engine_.Fence(t, ToEngine(order)); }
  Value Latest(int x) { return FromValue(locations_[x].Latest()); }

private:
  static __heddle::BufferOptions OptionsOf(const ExploreOptions &options) {
    __heddle::BufferOptions result;
    result.history = options.history;
    if (!options.shipped)
      result.prune_interval = 1;
    if (options.cxx11_release_sequence)
      result.release_sequence = __heddle::ReleaseSequenceRules::kCxx11;
    if (options.cxx11_seq_cst)
      result.seq_cst = __heddle::SeqCstRules::kCxx11;
    return result;
  }

  Engine engine_;
  std::deque<typename Engine::Location> locations_;
};

template <class Policy> class Mograph {
  using Engine = __heddle::MographEngine<Policy>;
  using ModelThread = __heddle::ModelThread<Policy>;

public:
  explicit Mograph(const ExploreOptions &options) : engine_(OptionsOf(options)) {}
  void AddLocation(Value initial) { locations_.emplace_back(&engine_, ToValue<Policy>(initial)); }
  void AddThread(ModelThread *t) { engine_.Begin(t); }
  void EndThread(ModelThread *t) { engine_.End(t); }

  Value Load(ModelThread *t, int x, Order order, Choices choices) {
    return FromValue(engine_.Load(t, &locations_[x], ToEngine(order), choices));
  }
  void Store(ModelThread *t, int x, Value value, Order order, Choices choices) {
    engine_.Store(t, &locations_[x], ToValue<Policy>(value), ToEngine(order), choices);
  }
  template <class F> Value Rmw(ModelThread *t, int x, F function, Order order, Choices choices) {
    return FromValue(engine_.Rmw(
        t, &locations_[x],
        [&](const auto &old) { return ToValue<Policy>(function(FromValue(old))); }, ToEngine(order),
        choices));
  }
  bool CompareExchange(ModelThread *t, int x, Value *expected, const Statement &s, Value desired,
                       Choices choices) {
    auto found = ToValue<Policy>(*expected);
    bool stored =
        engine_.CompareExchange(t, &locations_[x], &found, ToValue<Policy>(desired),
                                ToEngine(s.order), ToEngine(s.failure_order), s.weak, choices);
    *expected = FromValue(found);
    return stored;
  }
  void Fence(ModelThread *t, Order order) { engine_.Fence(t, ToEngine(order)); }
  Value Latest(int x) { return FromValue(locations_[x].Latest()); }

private:
  static __heddle::MographOptions OptionsOf(const ExploreOptions &options) {
    __heddle::MographOptions result;
    result.prune = options.prune;
    result.window = options.window;
    if (!options.shipped)
      result.prune_interval = 1;
    if (options.cxx11_seq_cst)
      result.seq_cst = __heddle::SeqCstRules::kCxx11;
    return result;
  }

  Engine engine_;
  std::deque<typename Engine::Location> locations_;
};

// One thread of the program in execution: its registers, and what is left to do.
template <class Policy> struct RunningThread : ClockRoom<Policy> {
  explicit RunningThread(uint32_t slot, const Thread &code) : ClockRoom<Policy>(slot) {
    registers.resize(code.registers.size());
    Push(code.body);
  }

  void Push(const std::vector<Statement> &body) {
    for (size_t i = body.size(); i-- > 0;)
      left.push_back(&body[i]);
  }

  // Performs what concerns nobody else, up to the next visible statement.
  void Settle() {
    while (!left.empty()) {
      const Statement &s = *left.back();
      if (s.kind == Statement::Kind::kAssign) {
        left.pop_back();
        registers[s.target] = Evaluate(s.value, registers);
      } else if (s.kind == Statement::Kind::kIf) {
        left.pop_back();
        Push(Evaluate(s.value, registers) ? s.then_body : s.else_body);
      } else {
        return;
      }
    }
  }

  std::vector<Value> registers;
  std::vector<const Statement *> left; // the next one last
  uint64_t membarriers = 0;            // that have taken effect in the thread
};

template <class Policy, template <class> class Engine> class Run {
  using RunningThread = heddle::litmus::RunningThread<Policy>;

public:
  Run(const Program &program, const ExploreOptions &options, ChoiceStream &stream)
      : program_(program), engine_(options), choices_{stream}, stream_(stream),
        reduce_(options.reduce && options.engine == EngineKind::kMograph &&
                !options.cxx11_seq_cst && !HasMembarrier(program)) {
    for (const Location &location : program.locations)
      engine_.AddLocation(location.initial);
    for (size_t t = 0; t < program.threads.size(); t++)
      threads_.emplace_back(t, program.threads[t]);
    for (RunningThread &thread : threads_) {
      engine_.AddThread(&thread.model);
      thread.Settle();
    }
  }

  void Execute() {
    std::vector<RunningThread *> enabled;
    for (;;) {
      enabled.clear();
      for (RunningThread &thread : threads_)
        if (!thread.left.empty())
          enabled.push_back(&thread);
      if (enabled.empty())
        return;
      RunningThread *next = reduce_ ? FindWithoutRead(enabled) : nullptr;
      Step(next ? next : enabled[stream_.Choose(ChoiceKind::kThread, enabled.size())]);
    }
  }

  void Collect(Outcome *outcome) {
    State state;
    for (const Observable &observable : program_.observed)
      state.push_back(observable.thread >= 0
                          ? threads_[observable.thread].registers[observable.index]
                          : engine_.Latest(observable.index));
    outcome->states[state]++;
  }

private:
  // One that is about to do something which reads nothing.
  static RunningThread *FindWithoutRead(const std::vector<RunningThread *> &enabled) {
    for (RunningThread *thread : enabled) {
      const Statement::Kind kind = thread->left.back()->kind;
      if (kind == Statement::Kind::kStore || kind == Statement::Kind::kFence)
        return thread;
    }
    return nullptr;
  }

  // As in the runtime: see docs/model.md.
  void Membarrier(RunningThread *thread) {
    thread->model.ReleaseTo(&begun_);
    membarriers_++;
    typename Policy::Clock all;
    for (RunningThread &each : threads_)
      all.Set(each.model.slot(), each.model.epoch());
    thread->model.Acquire(all);
    engine_.Fence(&thread->model, Order::kSeqCst);
    thread->membarriers = membarriers_;
  }
  void TakeMembarriers(RunningThread *thread) {
    if (thread->membarriers == membarriers_)
      return;
    thread->membarriers = membarriers_;
    thread->model.Acquire(begun_);
    engine_.Fence(&thread->model, Order::kSeqCst);
  }

  void Step(RunningThread *thread) {
    TakeMembarriers(thread);
    const Statement &s = *thread->left.back();
    thread->left.pop_back();
    auto value = [&] { return Evaluate(s.value, thread->registers); };
    Value result = 0;
    switch (s.kind) {
    case Statement::Kind::kLoad:
      result = engine_.Load(&thread->model, s.location, s.order, choices_);
      break;
    case Statement::Kind::kStore:
      engine_.Store(&thread->model, s.location, value(), s.order, choices_);
      break;
    case Statement::Kind::kRmw: {
      Value operand = value();
      auto function = [&](Value old) { return Apply(s.operation, old, operand); };
      result = engine_.Rmw(&thread->model, s.location, function, s.order, choices_);
      break;
    }
    case Statement::Kind::kCompareExchange:
      result = engine_.CompareExchange(&thread->model, s.location, &thread->registers[s.expected],
                                       s, value(), choices_);
      break;
    case Statement::Kind::kFence:
      engine_.Fence(&thread->model, s.order);
      break;
    case Statement::Kind::kMembarrier:
      Membarrier(thread);
      break;
    case Statement::Kind::kAssign:
    case Statement::Kind::kIf:
      break; // Settle() has done them
    }
    if (s.target >= 0)
      thread->registers[s.target] = result;
    thread->Settle();
    if (thread->left.empty())
      engine_.EndThread(&thread->model);
  }

  const Program &program_;
  Engine<Policy> engine_;
  Choices choices_;
  ChoiceStream &stream_;
  const bool reduce_;
  std::deque<RunningThread> threads_;
  uint64_t membarriers_ = 0;
  typename Policy::Clock begun_{}; // what happens before a membarrier that was called
};

template <class Policy, template <class> class Engine>
Outcome ExploreWith(const Program &program, const ExploreOptions &options, bool *complete) {
  Outcome outcome;
  __heddle::Enumerator<Memory> enumerator;
  if (complete)
    *complete = true;
  do {
    if (options.max_executions && outcome.executions == options.max_executions) {
      if (complete)
        *complete = false;
      break;
    }
    ChoiceStream stream(enumerator);
    Run<Policy, Engine> run(program, options, stream);
    run.Execute();
    run.Collect(&outcome);
    outcome.executions++;
  } while (enumerator.Next());
  if (enumerator.Nondeterminism())
    throw std::logic_error("the engine's questions differ from one run to the next");
  return outcome;
}

} // namespace

Outcome Explore(const Program &program, const ExploreOptions &options, bool *complete) {
  if (program.threads.size() > kMaxExploredThreads)
    throw std::runtime_error("more than " + std::to_string(kMaxExploredThreads) + " threads");
  const bool buffer = options.engine == EngineKind::kBuffer;
  auto explore =
      options.shipped
          ? (buffer ? ExploreWith<ShippedPolicy, Buffer> : ExploreWith<ShippedPolicy, Mograph>)
          : (buffer ? ExploreWith<ExplorerPolicy, Buffer> : ExploreWith<ExplorerPolicy, Mograph>);
  return explore(program, options, complete);
}

} // namespace heddle::litmus
