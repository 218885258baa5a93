// A32 and T32: loads and stores, also of several registers, and exclusives.
#include "isa_arm.h"

namespace heddle::litmus::hardware::arm {
namespace {

Word Plus(const Word &address, uint64_t offset) {
  return Derive(LowBits(address.value + offset, 32), {address});
}

// "[r1]", "[r1, #4]", "[r1, -r2, lsl #2]", "[r1, #4]!", "[r1], #4" with the offset in
// the next operands, or the address of a literal. Writes the base register back where
// it is said to change.
Word TakeAddress(Execution &e, int index) {
  if (e.operand(index)[0] != '[')
    return {e.GetTarget(index)};
  auto [parts, writes_back] = GetBrackets(e, index);
  int base = e.Expect(ParseRegister(parts[0]), "a base register", parts[0]);
  Word address = e.ReadRegister(base);
  if (base == kProgramCounter)
    address.value &= ~uint64_t{3};
  auto add = [&](const std::vector<std::string> &offset_parts, size_t at) {
    Word offset = e.Expect(e.ParseOffset(offset_parts, at), "an offset", offset_parts[at]);
    return Derive(LowBits(address.value + offset.value, 32), {address, offset});
  };
  if (parts.size() > 1)
    address = add(parts, 1);
  if (writes_back)
    e.Write(base, address);
  else if (index + 1 < e.count())
    e.Write(base, add(e.instruction.operands, index + 1));
  return address;
}

// A load of the program counter is a jump: the sum of what the effects need.
Handler LoadHandler(int size, bool is_signed = false, uint32_t flags = 0) {
  return {[=](Execution &e) {
            Word value = e.Load(TakeAddress(e, 1), size, is_signed, flags);
            e.Write(e.GetRegister(0), value);
          },
          kWritesFirst};
}

Handler StoreHandler(int size, uint32_t flags = 0) {
  return {[=](Execution &e) {
    Word value = e.Read(0);
    e.machine.Store(TakeAddress(e, 1), size, value, flags);
  }};
}

// Two words, each an access of its own.
void LoadTwo(Execution &e) {
  Word address = TakeAddress(e, 2);
  Word first = e.machine.Load(address, 4), second = e.machine.Load(Plus(address, 4), 4);
  e.Write(e.GetRegister(0), first);
  e.Write(e.GetRegister(1), second);
}

void StoreTwo(Execution &e) {
  Word first = e.Read(0), second = e.Read(1);
  Word address = TakeAddress(e, 2);
  e.machine.Store(address, 4, first);
  e.machine.Store(Plus(address, 4), 4, second);
}

// Registers and where they go, the lowest to the lowest address.
struct Block {
  std::vector<int> registers;
  Word address;
};

// "ldm r0!, {r1, r2}", or "pop {r1, r2}", which has the stack pointer and changes it. With
// `beside`, as of stmib and stmda, all is a word further on.
Block TakeBlock(Execution &e, bool is_stack, bool down, bool beside) {
  std::string base_name = is_stack ? "sp!" : e.operand(0);
  bool writes_back = base_name.back() == '!';
  if (writes_back)
    base_name.pop_back();
  std::optional<int> base = ParseRegister(base_name);
  Block block;
  block.registers = ParseRegisterList(e.operand(is_stack ? 0 : 1));
  if (!base || block.registers.empty())
    e.Unknown("expected a base register and a list of registers");
  Word address = e.ReadRegister(*base);
  uint64_t size = 4 * block.registers.size();
  Word low = down ? Plus(address, -size) : address;
  if (writes_back)
    e.Write(*base, down ? low : Plus(address, size));
  block.address = beside ? Plus(low, 4) : low;
  return block;
}

Handler LoadBlockHandler(bool is_stack, bool down, bool beside = false) {
  return {[=](Execution &e) {
    Block block = TakeBlock(e, is_stack, down, beside);
    std::vector<Word> values;
    for (size_t i = 0; i < block.registers.size(); i++)
      values.push_back(e.machine.Load(Plus(block.address, 4 * i), 4));
    // The program counter, if it is there, comes last.
    for (size_t i = 0; i < block.registers.size(); i++)
      e.Write(block.registers[i], values[i]);
  }};
}

Handler StoreBlockHandler(bool is_stack, bool down, bool beside = false) {
  return {[=](Execution &e) {
    std::vector<Word> values;
    for (int number : ParseRegisterList(e.operand(is_stack ? 0 : 1)))
      values.push_back(e.ReadRegister(number));
    Block block = TakeBlock(e, is_stack, down, beside);
    for (size_t i = 0; i < values.size(); i++)
      e.machine.Store(Plus(block.address, 4 * i), 4, values[i]);
  }};
}

Handler LoadExclusiveHandler(uint32_t flags) {
  return {[=](Execution &e) {
            Word value = e.machine.LoadExclusive(TakeAddress(e, 1), 4, flags);
            e.Write(e.GetRegister(0), value);
          },
          kWritesFirst};
}

// The status depends on nothing, as in AArch64: see isa_aarch64_atomic.cpp.
Handler StoreExclusiveHandler(uint32_t flags) {
  return {[=](Execution &e) {
            Word value = e.Read(1);
            std::optional<int> write = e.machine.StoreExclusive(TakeAddress(e, 2), 4, value, flags);
            e.Write(e.GetRegister(0), {!write});
          },
          kWritesFirst};
}

} // namespace

void AddMemoryHandlers(Handlers *handlers) {
  Handlers &h = *handlers;
  h["ldr"] = LoadHandler(4);
  h["ldrb"] = LoadHandler(1);
  h["ldrh"] = LoadHandler(2);
  h["ldrsb"] = LoadHandler(1, true);
  h["ldrsh"] = LoadHandler(2, true);
  h["ldrd"] = {LoadTwo, kWritesFirst};
  h["str"] = StoreHandler(4);
  h["strb"] = StoreHandler(1);
  h["strh"] = StoreHandler(2);
  h["strd"] = {StoreTwo};
  h["lda"] = LoadHandler(4, false, kAcquire);
  h["stl"] = StoreHandler(4, kRelease);

  h["pop"] = LoadBlockHandler(true, false);
  h["push"] = StoreBlockHandler(true, true);
  h["ldm"] = h["ldmia"] = h["ldmfd"] = LoadBlockHandler(false, false);
  h["ldmdb"] = LoadBlockHandler(false, true);
  h["ldmib"] = LoadBlockHandler(false, false, true);
  h["ldmda"] = LoadBlockHandler(false, true, true);
  h["stm"] = h["stmia"] = StoreBlockHandler(false, false);
  h["stmdb"] = h["stmfd"] = StoreBlockHandler(false, true);
  h["stmib"] = StoreBlockHandler(false, false, true);
  h["stmda"] = StoreBlockHandler(false, true, true);

  h["ldrex"] = LoadExclusiveHandler(0);
  h["ldaex"] = LoadExclusiveHandler(kAcquire);
  h["strex"] = StoreExclusiveHandler(0);
  h["stlex"] = StoreExclusiveHandler(kRelease);
  h["clrex"] = {[](Execution &e) { e.machine.monitor.reset(); }};
  // The disassembler has added the address of the instruction, or it has not.
  h["adr"] = {[](Execution &e) {
                bool relative = e.operand(1)[0] == '#';
                uint64_t base = e.ReadRegister(kProgramCounter).value & ~uint64_t{3};
                e.Write(e.GetRegister(0), {relative ? base + e.GetNumber(1) : e.GetTarget(1)});
              },
              kWritesFirst};
}

} // namespace heddle::litmus::hardware::arm
