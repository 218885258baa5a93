// Operations on relations, for models that are written as formulas: union,
// intersection, composition, restriction, closure.
#ifndef HEDDLE_LITMUS_HARDWARE_ALGEBRA_H
#define HEDDLE_LITMUS_HARDWARE_ALGEBRA_H

#include "../relation.h"

namespace heddle::litmus::hardware {

using axiomatic::Contains;
using axiomatic::Each;
using axiomatic::EventSet;
using axiomatic::Relation;
using axiomatic::Singleton;

inline Relation &operator|=(Relation &a, const Relation &b) {
  for (int event = 0; event < a.Size(); event++)
    a.Add(event, b[event]);
  return a;
}

inline Relation operator|(Relation a, const Relation &b) { return a |= b; }

inline Relation operator&(const Relation &a, const Relation &b) {
  Relation both(a.Size());
  for (int event = 0; event < a.Size(); event++)
    both.Add(event, a[event] & b[event]);
  return both;
}

inline Relation Without(const Relation &a, const Relation &b) {
  Relation rest(a.Size());
  for (int event = 0; event < a.Size(); event++)
    rest.Add(event, a[event] & ~b[event]);
  return rest;
}

// x -> z if x -> y in `a` and y -> z in `b`.
inline Relation Compose(const Relation &a, const Relation &b) {
  Relation composed(a.Size());
  for (int x = 0; x < a.Size(); x++)
    for (int y : Each(a[x]))
      composed.Add(x, b[y]);
  return composed;
}

template <class... Rest>
Relation Compose(const Relation &a, const Relation &b, const Relation &c, const Rest &...rest) {
  return Compose(Compose(a, b), c, rest...);
}

// The pairs that begin in one set and end in the other.
inline Relation Restrict(EventSet from, const Relation &relation, EventSet to) {
  Relation restricted(relation.Size());
  for (int event = 0; event < relation.Size(); event++)
    if (Contains(from, event))
      restricted.Add(event, relation[event] & to);
  return restricted;
}

// x -> z if x -> y in `a`, y is in `via`, and y -> z in `b`.
inline Relation ComposeVia(const Relation &a, EventSet via, const Relation &b) {
  return Compose(Restrict(~EventSet{0}, a, via), b);
}

inline Relation TransitiveClosure(Relation relation) {
  for (int via = 0; via < relation.Size(); via++)
    for (int event = 0; event < relation.Size(); event++)
      if (relation.Has(event, via))
        relation.Add(event, relation[via]);
  return relation;
}

inline Relation WithIdentity(Relation relation) {
  for (int event = 0; event < relation.Size(); event++)
    relation.Add(event, event);
  return relation;
}

// No step, one, or many.
inline Relation ReflexiveClosure(const Relation &relation) {
  return WithIdentity(TransitiveClosure(relation));
}

inline bool Irreflexive(const Relation &relation) {
  for (int event = 0; event < relation.Size(); event++)
    if (relation.Has(event, event))
      return false;
  return true;
}

inline bool Same(const Relation &a, const Relation &b) {
  for (int event = 0; event < a.Size(); event++)
    if (a[event] != b[event])
      return false;
  return true;
}

inline EventSet Range(const Relation &relation) {
  EventSet range = 0;
  for (int event = 0; event < relation.Size(); event++)
    range |= relation[event];
  return range;
}

} // namespace heddle::litmus::hardware

#endif // HEDDLE_LITMUS_HARDWARE_ALGEBRA_H
