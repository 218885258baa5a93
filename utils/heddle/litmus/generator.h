// Litmus tests made by machine: all small ones, and random larger ones.
//
// The enumeration holds each program once up to renaming of threads, locations
// and values. Of all programs of the same shape that differ by a renaming it has
// the one that is least when written as a sequence of numbers; values follow from
// the position (every store of a location writes another one: 1, 2, 3, ...), so
// renaming them is no freedom. Left out is what can show nothing:
//
// - a location that only one thread touches, or that nobody writes;
// - threads that share no location with the rest: two programs side by side;
// - a fence that does nothing in any model: at a thread's beginning or end; an
//   acquire fence without a weaker-than-acquire read before it, a release fence
//   without a weaker-than-release write after it, an acq_rel fence without both
//   (it is one of the others, or nothing); a fence beside another where one of
//   the orders asked for does the work of both. A release fence followed by an
//   acquire fence is more than it seems and stays: together they are weaker than
//   acq_rel, since the release covers nothing that the acquire brings.
//
// A seq_cst fence at a thread's beginning does nothing because nothing forces
// anything to be before it in S: nothing happens before it, so it can be the first
// of all. Likewise it can be the last of all at a thread's end.
#ifndef HEDDLE_LITMUS_GENERATOR_H
#define HEDDLE_LITMUS_GENERATOR_H

#include "program.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace heddle::litmus {

struct GeneratorParameters {
  int min_threads = 2;
  int max_threads = 2;
  int max_events_per_thread = 4;
  int max_events = 4; // of all threads, fences included
  int max_locations = 2;

  // The orders that each kind of event comes in; none: no such event.
  std::vector<Order> loads, stores, exchanges, fetch_adds, fences;
  // Success and failure. An enumerated compare-exchange expects the initial value.
  std::vector<std::pair<Order, Order>> compare_exchanges;
};

// Loads relaxed, acquire, seq_cst; stores relaxed, release, seq_cst.
GeneratorParameters LoadsAndStores();
// Also exchanges and fences in all orders they have.
GeneratorParameters LoadsStoresExchangesAndFences();

class Generator {
public:
  explicit Generator(GeneratorParameters parameters);

  // Makes the next program, which observes all registers and locations and is
  // named after its events: "Wx.rlx-Ry.acq+Wy.rel-Fsc-Rx.rlx". False at the end.
  bool Next(Program *program);
  // Goes past the next program without making it.
  bool Skip();

  static uint64_t Count(const GeneratorParameters &parameters);

private:
  // An event without its location.
  struct Event {
    enum class Kind { kLoad, kStore, kExchange, kFetchAdd, kCompareExchange, kFence };
    Kind kind;
    Order order;
    Order failure_order;
    bool has_location;
    bool reads, writes;
    // Whether an acquire or release fence could add to it.
    bool weak_read, weak_write;
  };
  // An event at a location is a number: event * max_locations + location. That
  // of a fence has location 0.
  using Code = int;

  void AddEvents(Event::Kind kind, const std::vector<Order> &orders);
  void AddEvent(Event::Kind kind, Order order, Order failure_order);
  const Event &EventOf(Code code) const { return events_[code / parameters_.max_locations]; }
  int LocationOf(Code code) const { return code % parameters_.max_locations; }

  bool NextShape();
  bool StartShape();
  bool FitsHere(size_t position, Code code) const;
  void Put(size_t position, Code code);
  bool IsUseful() const;
  bool FencesWork() const;
  bool IsCanonical() const;
  void Build(Program *program) const;

  GeneratorParameters parameters_;
  std::vector<Event> events_;
  // Each permutation of the first n locations, identity left out, by n.
  std::vector<std::vector<std::vector<int>>> permutations_;

  // The shape: how many events each thread has, the longest first.
  std::vector<int> sizes_;
  struct Slot {
    int thread;
    bool first, last;
    // Same place in the thread before, if that is as long; else -1.
    int twin;
  };
  std::vector<Slot> slots_;

  // The program, and what holds before each of its events.
  std::vector<Code> codes_;
  std::vector<int> locations_used_;
  // The thread is so far the same as the one before.
  std::vector<bool> tied_;
  bool done_ = false;
};

struct RandomParameters {
  RandomParameters();

  // Bounds and orders. Programs have at least two threads.
  GeneratorParameters events;
  // How often, of 100 places where one could be, there is an `if` on a register,
  // and an `else` to it.
  int if_percent = 15;
  int else_percent = 30;
  // How often a store writes a value computed from a register. Such a value may
  // not be unique.
  int dependency_percent = 5;
};

// The same program for the same seed and parameters, on any machine. Every
// location is written, and touched by two threads, unless the parameters make
// that all but impossible.
Program RandomProgram(uint64_t seed, const RandomParameters &parameters);

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_GENERATOR_H
