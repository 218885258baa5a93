#include "straight_line.h"

#include <utility>

namespace heddle::litmus {
namespace {

using Kind = Statement::Kind;

// What a compare-exchange expects, given that stores write 1, 2, 3, ... up to `stored`.
void Expect(Statement *event, Thread *thread, int stored, Random *random) {
  event->expected = AddRegister(thread);
  int expected = random->Below(stored);
  expected += expected >= event->value.constant;
  if (expected == 0)
    return; // as all registers are
  Statement assign;
  assign.kind = Kind::kAssign;
  assign.target = event->expected;
  assign.value = Constant(expected);
  thread->body.push_back(std::move(assign));
}

} // namespace

Program MakeStraightLine(std::vector<EventList> threads, int locations, Random *random) {
  Program program;
  for (int i = 0; i < locations; i++)
    program.locations.push_back({LocationName(i), 0});
  Values values(locations);
  std::vector<int> stored(locations);
  for (EventList &events : threads)
    for (Statement &event : events)
      if (event.kind == Kind::kRmw && event.operation == RmwOperation::kAdd)
        event.value = Constant(values.Added(event.location));
      else if (Writes(event))
        event.value = Constant(stored[event.location] = values.Stored(event.location));
  for (EventList &events : threads) {
    Thread &thread = program.threads.emplace_back();
    for (Statement &event : events) {
      if (event.kind == Kind::kCompareExchange)
        Expect(&event, &thread, stored[event.location], random);
      if (Reads(event))
        event.target = AddRegister(&thread);
      thread.body.push_back(event);
    }
  }
  ObserveAll(&program);
  return program;
}

} // namespace heddle::litmus
