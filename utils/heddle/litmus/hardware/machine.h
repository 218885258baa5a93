// What executes instructions: registers and memory whose contents know which
// reads they depend on, and the trace that comes of it.
//
// An instruction set gives its registers numbers and calls the machine for all
// else; the machine knows no instruction set.
//
// Memory that only one thread sees, which is all but the shared locations, makes
// no events. What is loaded from it depends on what the stored value and the two
// addresses depended on. This is exact. Say that the accesses had been events, W
// and then R. Where R1 is a read that W's value or address depends on, every one
// of the models orders R1 before R (data or addr, then rfi: dob of AArch64, rules
// 11 and 12 of RVWMO, and in x86 all reads are in order anyway), and then R before
// whatever depends on R, as if that depended on R1. There is nothing else that W
// and R could be ordered with: no other thread accesses them, so that no rf, co or
// fr leads out of the thread. What is left is that an access whose address depends
// on R1 is ordered before later writes, and before what follows an instruction
// barrier (addr;po). A control dependency orders the same, and is what is noted.
// A barrier or an acquire or release access that orders W or R with other accesses
// orders R1, which precedes both, as well.
//
// A conditional select, or whatever else chooses by a flag between registers, makes
// a "pick dependency" on what the flag depended on (Arm Architecture Reference
// Manual for A-profile, B2.3, from issue I.a on). Where a pick dependency reaches
// an address or a branch, the manual orders later writes and what follows an
// instruction barrier; where it reaches the data of a write, that write. This is
// again what control dependencies order, and as such they are noted.
//
// Pick dependencies lead through shared memory: what the thread loads from a location
// that it wrote last itself has those of the value it wrote. (Others need no such care: a
// read is ordered before its dependent write and the loads behind that, see above.) Where
// such a load is an acquire, it is behind the picking read in all that it orders with later
// writes, and in nothing else (pick-locally-ordered-before).
#ifndef HEDDLE_LITMUS_HARDWARE_MACHINE_H
#define HEDDLE_LITMUS_HARDWARE_MACHINE_H

#include "choices.h"
#include "code.h"
#include "liveness.h"

#include <array>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <unordered_map>

namespace heddle::litmus::hardware {

class Arrivals;

// A set of reads of the trace, by their index.
using Reads = uint64_t;

// A value and what it depends on.
struct Word {
  uint64_t value = 0;
  Reads reads = 0;  // directly
  Reads picked = 0; // by a choice between registers
};

// What is computed from others.
inline Word Derive(uint64_t value, std::initializer_list<Word> sources) {
  Word result{value};
  for (const Word &source : sources) {
    result.reads |= source.reads;
    result.picked |= source.picked;
  }
  return result;
}

// One of several, as `condition` says.
inline Word Pick(const Word &chosen, const Word &condition) {
  Word result = chosen;
  result.picked |= condition.reads | condition.picked;
  return result;
}

// The low `bits` of a value, as a signed number.
inline int64_t SignExtend(uint64_t value, int bits) {
  return bits >= 64 ? value : static_cast<int64_t>(value << (64 - bits)) >> (64 - bits);
}
inline uint64_t LowBits(uint64_t value, int bits) {
  return bits >= 64 ? value : value & ((uint64_t{1} << bits) - 1);
}

// A byte of private memory: its value and what it depends on.
using Byte = Word;

// All that the rest of a path depends on.
struct MachineState {
  static constexpr int kRegisters = 72;
  // Stands for `monitor` among the registers that are live.
  static constexpr int kMonitor = kRegisters;
  uint64_t pc = 0;
  std::array<Word, kRegisters> words; // registers and flags
  std::map<uint64_t, Byte> memory;    // private, where it was written
  Reads control = 0;                  // what branches have depended on
  Reads picked_acquires = 0;          // what later writes are ordered behind, see above
  // The last write of a shared location: the pick dependencies of its value, and if it is
  // a read-modify-write's, those of the value that was read.
  struct LocalWrite {
    Reads value = 0, read = 0;
  };
  std::map<int, LocalWrite> local_writes; // by location, where there are any
  // The address and the read of a load-exclusive that a store-exclusive may follow.
  struct Monitor {
    uint64_t address;
    int size;
    int read;
    Reads picked;
  };
  std::optional<Monitor> monitor;
};

// Where an event of the trace depends on reads.
struct Incoming {
  Reads addr = 0, data = 0, ctrl = 0, rmw = 0;
};

// What an instruction set sees of MachineState::words, with accesses noted.
class Registers {
public:
  Registers(MachineState *state, LivenessNotes *notes) : state_(*state), notes_(*notes) {}

  // A register to be read or written.
  class Reference {
  public:
    Reference(const Registers *registers, int number) : registers_(*registers), number_(number) {}
    operator const Word &() const {
      registers_.notes_.ReadRegister(number_);
      return registers_.state_.words[number_];
    }
    const Reference &operator=(const Word &word) const {
      Word copy = word;
      registers_.notes_.WriteRegister(number_);
      registers_.state_.words[number_] = copy;
      return *this;
    }
    const Reference &operator=(const Reference &other) const {
      return *this = static_cast<const Word &>(other);
    }

  private:
    const Registers &registers_;
    int number_;
  };
  Reference operator[](int number) { return Reference(this, number); }
  const Word &operator[](int number) const { return Reference(this, number); }

private:
  MachineState &state_;
  LivenessNotes &notes_;
};

class Machine : public MachineState {
public:
  // A return to here ends the thread.
  static constexpr uint64_t kReturnAddress = 0x7ffffff0;
  static constexpr uint64_t kStackTop = 0x7fe00000;

  // A path that jumps back more often than `most_jumps` is not followed to its end.
  Machine(const Image &image, const Values &values, Choices *choices, Liveness *liveness,
          Arrivals *arrivals, int most_jumps);
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;

  const Image &image() const { return image_; }
  const Instruction &current() const { return *current_; }

  // Loads are extended with zeros.
  Word Load(const Word &address, int size, uint32_t flags = 0);
  void Store(const Word &address, int size, const Word &value, uint32_t flags = 0);
  Word LoadExclusive(const Word &address, int size, uint32_t flags);
  // The write's index, or none if it fails, which makes no event: because no load-exclusive of
  // the same memory precedes, or for no reason if the image says so.
  std::optional<int> StoreExclusive(const Word &address, int size, const Word &value,
                                    uint32_t flags);
  // An instruction that reads and writes as one. `update` makes the new value from
  // the old one, or none to write nothing. Returns the old value.
  using Update = std::function<std::optional<Word>(const Word &old)>;
  Word Modify(const Word &address, int size, uint32_t read_flags, uint32_t write_flags,
              const Update &update);
  void AddFence(Fence fence, uint8_t before = 0, uint8_t after = 0);
  // Follows all ways, from 0 to count - 1.
  int Choose(int count) { return choices_->Choose(count); }

  // Throws if the access meets a shared location in any other way than as a whole.
  bool IsShared(const Word &address, int size) const {
    return FindLocation(address.value, size) >= 0;
  }

  void Jump(const Word &target);
  // Everything after depends on `condition`, taken or not.
  void Branch(const Word &condition, uint64_t target);
  // The rest of the path depends on it.
  void AddControl(const Word &word) { control |= word.reads | word.picked; }
  // What this instruction alone depends on: see Arm's conditional execution.
  void SetPredicate(const Word &condition) { predicate_ = condition.reads | condition.picked; }

  // Executes until the thread ends. False if the path was cut: it adds nothing, or has jumped
  // back too often.
  using Step = std::function<void(Machine &, const Instruction &)>;
  bool Run(uint64_t end, const Step &step);
  bool JumpedTooOften() const { return jumps_ > most_jumps_; }

  // Private memory as it is now, four bytes.
  Value ReadResult(uint64_t address);
  Trace MakeTrace() const;
  const std::vector<Event> &events() const { return events_; }
  const std::vector<Incoming> &incoming() const { return incoming_; }

  [[noreturn]] void Fail(const std::string &what) const;
  // " ('ldr w0, [x1]' at 0x10000)": the instruction.
  std::string Where() const;

  Registers registers;

private:
  int FindLocation(uint64_t address, int size) const;
  const Variable &VariableOf(int location) const;
  int AddEvent(Event event, const Word &address, const Word &data);
  int AddRead(int location, const Word &address, uint32_t flags);
  // `read_picks` are the pick dependencies of what a read-modify-write has read.
  int AddWrite(int location, const Word &address, const Word &value, uint32_t flags,
               Reads read_picks = 0);
  Word ReadValue(int event) const;
  Byte LoadByte(uint64_t address);
  void AccessPrivate(const Word &address, uint32_t flags);
  bool IsToFollow();

  LivenessNotes notes_;
  const Image &image_;
  const Values &values_;
  Choices *choices_;
  const Instruction *current_ = nullptr;
  Arrivals *arrivals_;
  const int most_jumps_;
  int steps_ = 0;
  int jumps_ = 0; // back
  bool cut_ = false;
  bool jumped_ = false;
  bool jumped_back_ = false;
  Reads predicate_ = 0;
  std::vector<Event> events_;
  std::vector<Incoming> incoming_;
};

} // namespace heddle::litmus::hardware

#endif // HEDDLE_LITMUS_HARDWARE_MACHINE_H
