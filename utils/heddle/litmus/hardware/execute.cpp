// All paths of a thread: each is executed from its beginning, with the answers to
// what was to be chosen on the way taken in turn (see choices.h). Paths are short,
// and so there is no state to be copied and put back.
#include "execute.h"

#include "instruction.h"
#include "loops.h"

namespace heddle::litmus::hardware {

const InstructionSet &GetInstructionSet(Architecture architecture) {
  switch (architecture) {
  case Architecture::kAArch64:
    return kAArch64Instructions;
  case Architecture::kArm:
    return kArmInstructions;
  case Architecture::kRiscV:
    return kRiscVInstructions;
  case Architecture::kX86:
    return kX86Instructions;
  }
  throw std::logic_error("no such architecture");
}

namespace {

int RegisterNumber(const InstructionSet &set, const std::string &name) {
  int number = set.register_number(name);
  if (number < 0)
    throw UnknownInstruction("expected a register, found '" + name + "'");
  return number;
}

// The variables with a `result` must be of this thread alone.
std::vector<Value> ReadResults(const Image &image, Machine *machine) {
  std::vector<Value> results;
  std::vector<bool> seen;
  for (const Variable &variable : image.variables) {
    if (variable.result < 0)
      continue;
    if (static_cast<size_t>(variable.result) >= results.size()) {
      results.resize(variable.result + 1);
      seen.resize(variable.result + 1);
    }
    if (seen[variable.result])
      throw std::runtime_error("two variables stand for the observed register " +
                               std::to_string(variable.result) +
                               ": expected the variables of one thread");
    seen[variable.result] = true;
    results[variable.result] = machine->ReadResult(variable.address);
  }
  return results;
}

std::string EntryName(const Image &image, const Entry &entry) {
  for (const auto &[name, address] : image.symbols)
    if (address == entry.address)
      return name;
  return "a thread";
}

bool RunPath(const Image &image, const Entry &entry, const InstructionSet &set, Machine *machine,
             Trace *trace) {
  machine->pc = entry.address;
  set.begin(*machine, Machine::kStackTop, Machine::kReturnAddress);
  for (const auto &[name, value] : entry.registers)
    machine->registers[RegisterNumber(set, name)] = {value};
  if (!machine->Run(entry.end, set.step))
    return false;
  *trace = machine->MakeTrace();
  if (entry.observed.empty())
    trace->registers = ReadResults(image, machine);
  for (const std::string &name : entry.observed) {
    const Word &word = machine->registers[RegisterNumber(set, name)];
    trace->registers.push_back(ObservedValue(word.value));
  }
  return true;
}

} // namespace

// A second or two. Compilers' retry loops that keep what they read on the stack have that many.
constexpr int kMaxPaths = 1 << 14;

std::vector<Trace> Execute(const Image &image, const Entry &entry, const Values &values) {
  const InstructionSet &set = GetInstructionSet(image.architecture);
  std::vector<Trace> traces;
  Liveness liveness;
  Arrivals arrivals;
  // First those that jump back seldom: most of the others come to where one of these has been.
  bool too_often = true;
  for (int most_jumps = 1; too_often; liveness.grew ? 0 : most_jumps *= 2) {
    try {
      if (liveness.grew)
        arrivals.Clear();
      liveness.grew = too_often = false;
      traces.clear();
      Choices choices;
      int paths = 0;
      do {
        if (++paths > kMaxPaths)
          throw std::runtime_error("more than " + std::to_string(kMaxPaths) +
                                   " paths: a retry loop has too many values to read");
        Machine machine(image, values, &choices, &liveness, &arrivals, most_jumps);
        Trace trace;
        if (RunPath(image, entry, set, &machine, &trace))
          traces.push_back(std::move(trace));
        too_often |= machine.JumpedTooOften();
      } while (choices.Next());
    } catch (const UnknownInstruction &) {
      throw;
    } catch (const OtherWidth &error) {
      throw OtherWidth(EntryName(image, entry) + ": " + error.what(), error.location, error.size,
                       error.instruction);
    } catch (const std::runtime_error &error) {
      throw std::runtime_error(EntryName(image, entry) + ": " + error.what());
    }
    too_often |= liveness.grew;
  }
  return traces;
}

} // namespace heddle::litmus::hardware
