// What executing an instruction has in common in all instruction sets: its operands
// taken from the text, and an error that names the instruction where they are not as
// expected. Each set has a class Execution of its own that adds what registers and
// addresses are there.
#ifndef HEDDLE_LITMUS_HARDWARE_ISA_EXECUTION_H
#define HEDDLE_LITMUS_HARDWARE_ISA_EXECUTION_H

#include "execute.h"
#include "instruction.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::litmus::hardware {

// What an instruction computes from two sources.
using Binary = uint64_t (*)(uint64_t, uint64_t);

inline int64_t Signed(uint64_t value) { return static_cast<int64_t>(value); }

// What a table has for a name, or nothing.
template <typename Entry>
std::optional<Entry> Find(const std::map<std::string, Entry> &table, const std::string &name) {
  auto found = table.find(name);
  return found == table.end() ? std::nullopt : std::optional<Entry>(found->second);
}

// An instruction that is being executed.
class InstructionExecution {
public:
  InstructionExecution(Machine *machine, const Instruction *instruction)
      : machine(*machine), instruction(*instruction) {}

  int count() const { return instruction.operands.size(); }
  // The address of the instruction behind it.
  uint64_t next() const { return instruction.address + instruction.size; }

  [[noreturn]] void Unknown(const std::string &what) const { ThrowUnknown(instruction, what); }

  Machine &machine;
  const Instruction &instruction;

protected:
  // One of as many as the instruction has. Throws UnknownInstruction if there is none.
  template <typename Operand>
  const Operand &At(const std::vector<Operand> &operands, int index) const {
    if (index >= count())
      Unknown("expected more operands");
    return operands[index];
  }
};

// One whose operands mean what the handler expects there: they are read when it asks.
class TextExecution : public InstructionExecution {
public:
  using InstructionExecution::InstructionExecution;

  // These throw UnknownInstruction if the operand is another or missing.
  const std::string &operand(int index) const { return At(instruction.operands, index); }
  int64_t GetNumber(int index) const {
    return Expect(ParseNumber(operand(index)), "a number", operand(index));
  }
  uint64_t GetTarget(int index) const {
    return ResolveTarget(machine.image(), instruction, operand(index));
  }

  // What `found` was parsed as; throws UnknownInstruction if that is nothing.
  template <typename Parsed>
  Parsed Expect(const std::optional<Parsed> &parsed, const char *what,
                const std::string &found) const {
    if (!parsed)
      Unknown(std::string("expected ") + what + ", found '" + found + "'");
    return *parsed;
  }

  // Loads and extends, by the sign or with zeros.
  Word Load(const Word &address, int size, bool is_signed, uint32_t flags = 0) {
    Word value = machine.Load(address, size, flags);
    if (is_signed)
      value.value = SignExtend(value.value, 8 * size);
    return value;
  }
  // An atomic instruction: writes what `operation` makes of the old value and `source`, both
  // extended by the sign, for which unsigned comparisons hold as well. Without an operation
  // it is a swap, which does not depend on what was there. Returns the old value.
  Word Modify(const Word &address, int size, uint32_t read_flags, uint32_t write_flags,
              Binary operation, const Word &source) {
    auto extend = [&](const Word &word) { return SignExtend(word.value, 8 * size); };
    return machine.Modify(address, size, read_flags, write_flags,
                          [&](const Word &old) -> std::optional<Word> {
                            if (!operation)
                              return source;
                            return Derive(operation(extend(old), extend(source)), {old, source});
                          });
  }
};

} // namespace heddle::litmus::hardware

#endif // HEDDLE_LITMUS_HARDWARE_ISA_EXECUTION_H
