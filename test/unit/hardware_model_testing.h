// Threads of machine code as lists of events, for tests of the hardware models that
// need no instruction set.
#ifndef HEDDLE_TEST_HARDWARE_MODEL_TESTING_H
#define HEDDLE_TEST_HARDWARE_MODEL_TESTING_H

#include "heddle/litmus/hardware/model.h"

#include <algorithm>
#include <string>
#include <vector>

namespace heddle::litmus::hardware {

enum { X, Y, Z }; // locations

// A thread without branches. Its reads are its registers, in order.
class Code {
public:
  Code &R(int location, uint32_t flags = 0) { return Add(Event::Kind::kRead, location, 0, flags); }
  Code &W(int location, Value value, uint32_t flags = 0) {
    return Add(Event::Kind::kWrite, location, value, flags);
  }
  Code &F(Fence fence, uint8_t before = 0, uint8_t after = 0) {
    Add(Event::Kind::kFence, -1, 0, 0);
    operations_.back().event.fence = fence;
    operations_.back().event.before = before;
    operations_.back().event.after = after;
    return *this;
  }
  Code &Full() { return F(Fence::kArmFull); }
  // An instruction, or a pair of exclusives, that writes a constant.
  Code &Swap(int location, Value value, uint32_t read_flags = kAtomic,
             uint32_t write_flags = kAtomic) {
    R(location, read_flags).W(location, value, write_flags);
    int write = static_cast<int>(operations_.size()) - 1;
    rmw_.push_back({write - 1, write});
    return *this;
  }
  // One that adds to what it read.
  Code &Increment(int location, Value value, uint32_t read_flags = kAtomic,
                  uint32_t write_flags = kAtomic) {
    Swap(location, value, read_flags, write_flags);
    return Data(static_cast<int>(operations_.size()) - 2);
  }
  // Dependencies of the last event on the read with this number among all events.
  Code &Addr(int from) { return Depend(&addr_, from); }
  // The value read is added to the one that is written.
  Code &Data(int from) {
    operations_.back().adds = from;
    return Depend(&data_, from);
  }
  // Of the last event and all that follow.
  Code &Ctrl(int from) {
    control_.push_back({from, static_cast<int>(operations_.size()) - 1});
    return *this;
  }

  size_t Registers() const {
    return std::count_if(operations_.begin(), operations_.end(), [](const Operation &operation) {
      return operation.event.kind == Event::Kind::kRead;
    });
  }

  std::vector<Trace> Traces(const Values &values) const {
    std::vector<Trace> traces;
    Extend({}, values, &traces);
    for (Trace &trace : traces) {
      trace.addr = addr_;
      trace.data = data_;
      trace.rmw = rmw_;
      for (auto [from, to] : control_)
        for (int i = to; i < static_cast<int>(operations_.size()); i++)
          trace.ctrl.push_back({from, i});
    }
    return traces;
  }

  struct Operation {
    Event event;
    int adds = -1; // the event whose value is added
  };
  const std::vector<Operation> &Operations() const { return operations_; }

private:
  Code &Add(Event::Kind kind, int location, Value value, uint32_t flags) {
    Operation operation;
    operation.event.kind = kind;
    operation.event.location = location;
    operation.event.value = value;
    operation.event.flags = flags;
    operations_.push_back(operation);
    return *this;
  }
  Code &Depend(Edges *edges, int from) {
    edges->push_back({from, static_cast<int>(operations_.size()) - 1});
    return *this;
  }

  void Extend(Trace trace, const Values &values, std::vector<Trace> *traces) const {
    if (trace.events.size() == operations_.size()) {
      traces->push_back(trace);
      return;
    }
    const Operation &operation = operations_[trace.events.size()];
    Event event = operation.event;
    if (operation.adds >= 0)
      event.value += trace.events[operation.adds].value;
    trace.events.push_back(event);
    if (event.kind != Event::Kind::kRead)
      return Extend(trace, values, traces);
    for (Value value : values[event.location]) {
      Trace extended = trace;
      extended.events.back().value = value;
      extended.registers.push_back(value);
      Extend(extended, values, traces);
    }
  }

  std::vector<Operation> operations_;
  Edges addr_, data_, rmw_, control_;
};

// Of three locations that are 0; all registers and locations are observed.
inline HardwareProgram MakeProgram(const std::vector<Code> &threads) {
  HardwareProgram program;
  program.locations = {{"x", 0}, {"y", 0}, {"z", 0}};
  std::vector<ThreadTraces> traces;
  for (size_t t = 0; t < threads.size(); t++) {
    traces.push_back([&threads, t](const Values &values) { return threads[t].Traces(values); });
    for (size_t r = 0; r < threads[t].Registers(); r++)
      program.observed.push_back({static_cast<int>(t), static_cast<int>(r)});
  }
  for (int l = 0; l < 3; l++)
    program.observed.push_back({-1, l});
  MakeTraces(traces, &program);
  return program;
}

// A register of a thread, or with thread -1 a location, and its value.
struct Final {
  int thread, index;
  Value value;
};

// Whether there is an execution that ends so.
inline bool Allows(Architecture model, const std::vector<Code> &threads,
                   const std::vector<Final> &finals) {
  HardwareProgram program = MakeProgram(threads);
  Outcome outcome = RunHardware(program, model);
  return std::any_of(outcome.states.begin(), outcome.states.end(), [&](const auto &state) {
    return std::all_of(finals.begin(), finals.end(), [&](const Final &final) {
      for (size_t i = 0; i < program.observed.size(); i++)
        if (program.observed[i] == Observable{final.thread, final.index})
          return state.first[i] == final.value;
      return false;
    });
  });
}

} // namespace heddle::litmus::hardware

#endif // HEDDLE_TEST_HARDWARE_MODEL_TESTING_H
