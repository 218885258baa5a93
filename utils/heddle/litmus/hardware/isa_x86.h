// The x86-64 instruction set: what its files share.
#ifndef HEDDLE_LITMUS_HARDWARE_ISA_X86_H
#define HEDDLE_LITMUS_HARDWARE_ISA_X86_H

#include "isa_execution.h"

namespace heddle::litmus::hardware::x86 {

// Numbers of registers: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15, then the
// flags, and whether a lock prefix precedes on a line of its own.
enum : int { kRax = 0, kRdx = 2, kRsp = 4, kRbp = 5, kCF = 16, kPF, kZF, kSF, kOF, kLockPrefix };

struct Register {
  int number;
  int bits;
  bool high = false; // ah, ch, dh and bh
};
// With or without "%".
std::optional<Register> ParseRegister(const std::string &name);

// An operand: a register, a number, or memory.
struct Operand {
  enum class Kind { kRegister, kNumber, kMemory };
  Kind kind = Kind::kNumber;
  Register reg = {0, 0};
  int64_t number = 0;
  Word address;
  bool IsMemory() const { return kind == Kind::kMemory; }
};

// An instruction that is being executed.
class Execution : public InstructionExecution {
public:
  Execution(Machine *machine, const Instruction *instruction, bool locked);

  // In the order of AT&T: sources first.
  const Operand &operand(int index) const { return At(operands_, index); }
  // What the mnemonic's suffix says, or the operands.
  int bits() const;
  Word Read(const Operand &operand, int bits) const;
  void Write(const Operand &operand, int bits, const Word &value);
  Word ReadRegister(const Register &reg) const;
  void WriteRegister(const Register &reg, const Word &value);
  uint64_t GetTarget() const;

  // Changes memory or a register: as one, if it is locked and memory.
  using Update = Machine::Update;
  Word Modify(const Operand &operand, int bits, bool locked, const Update &update);

  void SetResultFlags(const Word &result, int bits);
  void SetFlag(int flag, const Word &value) { machine.registers[flag] = value; }

  const bool locked;
  int suffix_bits = 0; // 0: none

private:
  Operand ParseOperand(const std::string &text) const;
  std::optional<Word> ParseAddress(const std::string &text) const;
  std::optional<uint64_t> FindSymbol(const std::string &name) const;
  std::vector<Operand> operands_;
};

// Whether "e", "ne", "l" and so on holds; none if it is no condition.
std::optional<Word> EvaluateCondition(const Machine &machine, const std::string &name);

using Handler = std::function<void(Execution &)>;
// Those in `sized` also with a suffix b, w, l or q.
struct Handlers {
  std::map<std::string, Handler> plain, sized;
};

void AddDataHandlers(Handlers *handlers);

} // namespace heddle::litmus::hardware::x86

#endif // HEDDLE_LITMUS_HARDWARE_ISA_X86_H
