// What the threads of a litmus test can do: their events with all values, and
// the write that each read reads from (rf). No memory model yet, except for what
// all of ours have in common.
#ifndef HEDDLE_LITMUS_PREEXECUTION_H
#define HEDDLE_LITMUS_PREEXECUTION_H

#include "program.h"
#include "relation.h"

#include <cstdint>
#include <functional>
#include <set>
#include <vector>

namespace heddle::litmus::axiomatic {

struct Event {
  // A compare-exchange is a kRmw where it succeeds, and a kRead with the failure
  // order where it fails.
  enum class Kind { kRead, kWrite, kRmw, kFence };
  Kind kind = Kind::kFence;
  int thread = -1; // -1: the write of an initial value
  int location = -1;
  Value read_value = 0, written_value = 0;
  Order order = Order::kRelaxed;
  const Statement *statement = nullptr; // of the program; null for initial writes

  bool Reads() const { return kind == Kind::kRead || kind == Kind::kRmw; }
  bool Writes() const { return kind == Kind::kWrite || kind == Kind::kRmw; }
};

struct PreExecution {
  explicit PreExecution(size_t locations) : writes_of(locations), accesses_of(locations) {}

  // First the initial writes of all locations, then the others. sb and rf go from
  // lower numbers to higher ones.
  int size = 0;
  PerEvent<Event> events;
  EventSet initial = 0, reads = 0, writes = 0, rmws = 0, fences = 0;
  EventSet sc_events = 0, sc_fences = 0;
  std::vector<EventSet> writes_of, accesses_of; // by location
  PerEvent<int> rf;                             // by read: the write
  PerEvent<EventSet> readers{};                 // by write: the reads

  // By event: all events before it. hb and sw are those of C++20's release
  // sequences; C++11's can only add to them, and depend on more.
  PerEvent<EventSet> sb_before;
  PerEvent<EventSet> sw_before;
  PerEvent<EventSet> hb_before;    // (sb | asw | sw)+
  PerEvent<EventSet> sb_rf_before; // (sb | asw | rf)+
  // By write: who synchronizes where it is read, itself or fences before it.
  PerEvent<EventSet> release_sources;
  // By event: the reads that it acquires for, itself or, for a fence, all before.
  PerEvent<EventSet> acquired_reads;

  // The write that an access shows: its own, or the one it reads from.
  int Shows(int access) const { return Contains(writes, access) ? access : rf[access]; }
  // The writes whose release sequences, by C++20's rule, have this one.
  EventSet Cxx20Heads(int write) const;
};

// Takes one candidate from what may still be examined. False if there is none.
inline bool SpendOne(uint64_t *budget) { return *budget > 0 && (*budget)-- > 0; }

// Enumerates all pre-executions where sb and rf make no cycle, an axiom that all
// models have in some form. It allows to build them from the past to the future:
// a read returns the value of a write that is already there, and no value has to
// be guessed. Each comes once, and with incoherent ones left out as far as this
// can be seen early.
//
// A membarrier is a seq_cst fence B of its thread, one E at its end, and one F_u in each other
// thread u, between any two of its events, with B before F_u before E in happens-before. They
// take effect at one time (docs/model.md): with the edges from all that is before any of them to
// all that is behind any of them, too, sb and rf make no cycle. So a pre-execution can be built
// in an order in which they come together. As long as a membarrier may come, all orders are
// tried, and what comes from several of them is used once.
class PreExecutions {
public:
  // Keeps the pre-execution in *result, and calls `use` when it is complete.
  // Takes one from *budget for each that becomes complete or gets stuck. The
  // enumeration ends early if `use` returns false or the budget is used up.
  // Throws std::length_error if there could be more than 64 events.
  PreExecutions(const Program &program, PreExecution *result, uint64_t *budget,
                std::function<bool()> use);

  // Whether the enumeration did not end early.
  bool Run() { return Extend(); }

  // The registers of a thread at its end.
  const std::vector<Value> &Registers(int thread) const { return threads_[thread].registers; }

private:
  // The statements of a thread are laid out flat.
  struct Instruction {
    const Statement *statement;        // null: a jump
    size_t target = 0;                 // of a jump, or of an if whose condition is false
    std::vector<bool> may_write_after; // by location: from here on
    bool membarrier_after = false;     // there may be one from here on
  };
  struct Thread {
    std::vector<Instruction> code;
    size_t at = 0;
    std::vector<Value> registers;
    EventSet events = 0;
    // The writes that the next instruction, a read, has decided not to read from.
    EventSet declined = 0;
  };

  static void Flatten(const std::vector<Statement> &body, std::vector<Instruction> *code);
  bool Extend();
  bool ExtendByRead(int thread);
  bool ExtendByAny();
  bool ExtendByPlain(int thread);
  bool ExtendByMembarrier(int thread);
  bool MembarrierMayCome() const;
  bool IsNew();
  bool ExtendBy(const Event &event, int rf, int first_register = -1, Value first_value = 0,
                int second_register = -1, Value second_value = 0);
  bool MayRead(int thread, const Statement &statement, int write) const;
  bool MayBeWrittenByOthers(int thread, int location) const;
  void SkipToEvent(Thread *thread);
  void Append(const Event &event, int rf, EventSet sb_before, EventSet sw_before = 0);
  void RemoveLast();

  PreExecution &x_;
  uint64_t &budget_;
  std::function<bool()> use_;
  std::vector<Thread> threads_;
  const bool has_membarriers_;
  EventSet cut_ = 0;                // up to the last membarrier
  std::set<std::vector<int>> used_; // with membarriers
  // By write: other writes that it follows in mo, as far as known when it came.
  PerEvent<EventSet> known_mo_before_;
};

} // namespace heddle::litmus::axiomatic

#endif // HEDDLE_LITMUS_PREEXECUTION_H
