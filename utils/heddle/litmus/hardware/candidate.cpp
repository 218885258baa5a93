// What the traces of all threads say together, before anything is chosen.
#include "candidate.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace heddle::litmus::hardware {

Candidate::Candidate(const HardwareProgram &program, const std::vector<const Trace *> &traces) {
  size_t size = program.locations.size();
  for (const Trace *trace : traces)
    size += trace->events.size();
  if (size > axiomatic::kMaxEvents)
    throw std::length_error("the test has an execution of " + std::to_string(size) +
                            " events, initial writes and fences among them; there may be " +
                            std::to_string(axiomatic::kMaxEvents));
  for (Relation *relation : {&po, &po_loc, &same_thread, &addr, &data, &ctrl, &rmw, &rf, &co, &fr})
    *relation = Relation(static_cast<int>(size));
  events.reserve(size);
  for (size_t i = 0; i < program.locations.size(); i++) {
    Event initial;
    initial.kind = Event::Kind::kWrite;
    initial.location = static_cast<int>(i);
    initial.value = program.locations[i].initial;
    events.push_back(std::move(initial));
  }
  for (size_t t = 0; t < traces.size(); t++) {
    int first = Size();
    for (const hardware::Event &event : traces[t]->events) {
      events.push_back({event, static_cast<int>(t)});
      int added = Size() - 1;
      for (int before = first; before < added; before++) {
        po.Add(before, added);
        if (event.location >= 0 && events[before].location == event.location)
          po_loc.Add(before, added);
      }
    }
    for (int a = first; a < Size(); a++)
      for (int b = first; b < Size(); b++)
        same_thread.Add(a, b);
    auto add = [&](const Edges &edges, Relation *relation) {
      for (auto [from, to] : edges)
        relation->Add(first + from, first + to);
    };
    add(traces[t]->addr, &addr);
    add(traces[t]->data, &data);
    add(traces[t]->ctrl, &ctrl);
    add(traces[t]->rmw, &rmw);
  }
  for (int i = 0; i < Size(); i++) {
    if (events[i].kind == Event::Kind::kRead)
      reads |= Singleton(i);
    if (events[i].kind == Event::Kind::kWrite)
      writes |= Singleton(i);
  }
}

EventSet Candidate::Flagged(uint32_t flags) const {
  EventSet found = 0;
  for (int i = 0; i < Size(); i++)
    if (events[i].kind != Event::Kind::kFence && events[i].flags & flags)
      found |= Singleton(i);
  return found;
}

EventSet Candidate::Fences(Fence kind) const {
  EventSet found = 0;
  for (int i = 0; i < Size(); i++)
    if (events[i].kind == Event::Kind::kFence && events[i].fence == kind)
      found |= Singleton(i);
  return found;
}

void RequireFences(const Candidate &candidate, std::initializer_list<Fence> known,
                   const char *model) {
  for (const Candidate::Event &event : candidate.events)
    if (event.kind == Candidate::Event::Kind::kFence &&
        std::find(known.begin(), known.end(), event.fence) == known.end())
      throw std::invalid_argument(std::string(model) + " has no such fence: '" + event.text +
                                  "' is a trace's fence of kind " +
                                  std::to_string(static_cast<int>(event.fence)));
}

} // namespace heddle::litmus::hardware
