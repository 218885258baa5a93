// Sets of events and binary relations on them, as bits: the vocabulary in
// which the axiomatic models are written. An event is a number below 64.
#ifndef HEDDLE_LITMUS_RELATION_H
#define HEDDLE_LITMUS_RELATION_H

#include <algorithm>
#include <array>
#include <cstdint>

namespace heddle::litmus::axiomatic {

constexpr int kMaxEvents = 64;

using EventSet = uint64_t;
template <class T> using PerEvent = std::array<T, kMaxEvents>;

constexpr EventSet Singleton(int event) { return EventSet{1} << event; }
constexpr bool Contains(EventSet set, int event) { return set >> event & 1; }
// for (int event : Each(set)), in ascending order.
class Each {
public:
  class Iterator {
  public:
    explicit Iterator(EventSet rest) : rest_(rest) {}
    int operator*() const { return __builtin_ctzll(rest_); }
    Iterator &operator++() {
      rest_ &= rest_ - 1;
      return *this;
    }
    bool operator!=(const Iterator &other) const { return rest_ != other.rest_; }

  private:
    EventSet rest_;
  };

  explicit Each(EventSet set) : set_(set) {}
  Iterator begin() const { return Iterator(set_); }
  Iterator end() const { return Iterator(0); }

private:
  EventSet set_;
};

// A relation on the events 0 .. size-1: row `a` is the set of all b with a -> b.
class Relation {
public:
  explicit Relation(int size = 0) : size_(size) { std::fill_n(rows_, size, 0); }
  // From the set of all a with a -> b, for each b.
  static Relation FromPredecessors(int size, const PerEvent<EventSet> &before) {
    Relation relation(size);
    for (int b = 0; b < size; b++)
      relation.AddProduct(before[b], Singleton(b));
    return relation;
  }
  // Only the rows in use are copied: the enumeration copies a relation at every
  // choice, and its executions have a dozen events, not 64.
  Relation(const Relation &other) : size_(other.size_) { std::copy_n(other.rows_, size_, rows_); }
  Relation &operator=(const Relation &other) {
    size_ = other.size_;
    std::copy_n(other.rows_, size_, rows_);
    return *this;
  }

  int Size() const { return size_; }
  EventSet operator[](int a) const { return rows_[a]; }
  bool Has(int a, int b) const { return Contains(rows_[a], b); }
  void Add(int a, int b) { rows_[a] |= Singleton(b); }
  void Add(int a, EventSet to) { rows_[a] |= to; }
  void AddProduct(EventSet from, EventSet to) {
    for (int a : Each(from))
      rows_[a] |= to;
  }

  // Adds a -> b to a relation that is transitively closed, and keeps it closed.
  void AddClosed(int a, int b) {
    if (Has(a, b))
      return;
    EventSet reached = rows_[b] | Singleton(b);
    for (int from = 0; from < size_; from++)
      if (from == a || Has(from, a))
        rows_[from] |= reached;
  }

  // Whether no cycle leads through `events` alone.
  bool Acyclic(EventSet events) const {
    while (events) {
      EventSet minimal = Minimal(events);
      if (!minimal)
        return false;
      events &= ~minimal;
    }
    return true;
  }
  // Writes `events`, on which the relation is acyclic, to `order` in one order
  // that agrees with it. Returns the end of what it wrote.
  int *Sort(EventSet events, int *order) const {
    while (EventSet minimal = Minimal(events)) {
      *order++ = *Each(minimal).begin();
      events &= ~Singleton(order[-1]);
    }
    return order;
  }

private:
  // The events to which no other of them leads.
  EventSet Minimal(EventSet events) const {
    EventSet targets = 0;
    for (int a : Each(events))
      targets |= rows_[a];
    return events & ~targets;
  }

  int size_;
  EventSet rows_[kMaxEvents];
};

} // namespace heddle::litmus::axiomatic

#endif // HEDDLE_LITMUS_RELATION_H
