// For the tests of instruction sets: code from lines of assembly, its traces as text,
// and what it computes.
#ifndef HEDDLE_UNIT_HARDWARE_TESTING_H
#define HEDDLE_UNIT_HARDWARE_TESTING_H

#include "heddle/litmus/hardware/execute.h"
#include "heddle/litmus/hardware/instruction.h"
#include "heddle/litmus/hardware/loops.h"

#include <map>
#include <string>
#include <vector>

namespace heddle::litmus::hardware {

using Lines = std::vector<std::string>;
using RegisterValues = std::map<std::string, uint64_t>;

// Where things are in a test: code from kCode on, the shared locations x, y and z,
// and the results.
constexpr uint64_t kCode = 0x10000, kX = 0x20000, kY = 0x20010, kZ = 0x20020;
constexpr uint64_t kResult0 = 0x30000, kResult1 = 0x30010;

// A line is an instruction, or a label that ends in a colon.
inline Image MakeImage(Architecture architecture, const Lines &lines, int size = 4) {
  Image image;
  image.architecture = architecture;
  uint64_t address = kCode;
  for (const std::string &line : lines) {
    if (line.back() == ':') {
      image.symbols[line.substr(0, line.size() - 1)] = address;
      continue;
    }
    image.code[address] = ParseInstruction(address, line, size);
    address += size;
  }
  image.variables = {{kX, 0, -1}, {kY, 1, -1}, {kZ, 2, -1}, {kResult0, -1, 0}, {kResult1, -1, 1}};
  return image;
}

inline Entry MakeEntry(const Image &image, RegisterValues registers, Lines observed = {}) {
  Entry entry;
  entry.address = kCode;
  entry.end = image.code.rbegin()->first + image.code.rbegin()->second.size;
  entry.registers = std::move(registers);
  entry.observed = std::move(observed);
  return entry;
}

inline std::string DescribeFence(const Event &event) {
  auto kinds = [](uint8_t set) {
    return std::string(set & kReads ? "r" : "") + (set & kWrites ? "w" : "");
  };
  switch (event.fence) {
  case Fence::kNone:
    return "none";
  case Fence::kArmFull:
    return "full";
  case Fence::kArmLoad:
    return "load";
  case Fence::kArmStore:
    return "store";
  case Fence::kArmStoreDsb:
    return "store-dsb";
  case Fence::kArmIsb:
    return "isb";
  case Fence::kRiscV:
    return "fence(" + kinds(event.before) + "," + kinds(event.after) + ")";
  case Fence::kRiscVTso:
    return "tso";
  case Fence::kRiscVI:
    return "fence.i";
  case Fence::kX86Full:
    return "mfence";
  }
  return "?";
}

// "Rx=1.acq Wy=1 data(0,1) -> 1 0": the events, the edges, the observed registers.
// The flags are acq, pc, rel, ex (exclusive), at (atomic) and noret.
inline std::string Describe(const Trace &trace) {
  static const std::pair<uint32_t, const char *> kFlags[] = {
      {kAcquire, ".acq"},  {kAcquirePc, ".pc"}, {kRelease, ".rel"},
      {kExclusive, ".ex"}, {kAtomic, ".at"},    {kNoReturn, ".noret"}};
  std::string text;
  for (const Event &event : trace.events) {
    if (event.kind == Event::Kind::kFence) {
      text += DescribeFence(event);
    } else {
      text += event.kind == Event::Kind::kRead ? "R" : "W";
      text += "xyz"[event.location];
      text += "=" + std::to_string(event.value);
      for (const auto &[flag, name] : kFlags)
        text += event.flags & flag ? name : "";
    }
    text += " ";
  }
  const std::pair<const char *, const Edges &> kEdges[] = {
      {"addr", trace.addr}, {"data", trace.data}, {"ctrl", trace.ctrl}, {"rmw", trace.rmw}};
  for (const auto &[name, edges] : kEdges)
    for (const auto &[from, to] : edges)
      text += std::string(name) + "(" + std::to_string(from) + "," + std::to_string(to) + ") ";
  text += "->";
  for (Value value : trace.registers)
    text += " " + std::to_string(value);
  return text;
}

inline Lines Describe(const std::vector<Trace> &traces) {
  Lines texts;
  for (const Trace &trace : traces)
    texts.push_back(Describe(trace));
  return texts;
}

// All loads return `value`.
inline Values Only(Value value) { return Values(3, {value}); }

// The only trace, with all loads returning `value`.
inline std::string TraceOf(const Image &image, const RegisterValues &registers,
                           const Lines &observed, Value value) {
  Lines traces = Describe(Execute(image, MakeEntry(image, registers, observed), Only(value)));
  return traces.size() == 1 ? traces[0] : std::to_string(traces.size()) + " traces";
}

// The traces of a function, from its first line to where it returns.
inline Lines TracesOfFunction(const Image &image, const RegisterValues &registers,
                              Value value = 1) {
  Entry entry = MakeEntry(image, registers);
  entry.end = 0;
  return Describe(Execute(image, entry, Only(value)));
}

// What code that loads nothing leaves in the register `result`.
inline uint64_t Compute(const InstructionSet &set, const Image &image,
                        const RegisterValues &registers, const std::string &result) {
  Values values(3);
  Choices choices;
  Liveness liveness;
  Arrivals arrivals;
  Machine machine(image, values, &choices, &liveness, &arrivals, 1000);
  machine.pc = kCode;
  for (const auto &[name, value] : registers)
    machine.registers[set.register_number(name)] = {value};
  machine.Run(MakeEntry(image, {}).end, set.step);
  return machine.words[set.register_number(result)].value;
}

} // namespace heddle::litmus::hardware

#endif // HEDDLE_UNIT_HARDWARE_TESTING_H
