// Which registers and bytes of private memory are read, before they are written, by
// what follows the beginning of a loop. The others may hold anything: a path repeats an earlier
// state if those that are live are the same (see loops.cpp).
//
// This is found out by execution: in rounds, each of which explores all paths and
// cuts those that repeat in what is known to be live so far, until a round finds
// nothing new. In that last round no path has read anything else, so that a path that
// was cut would have done what the earlier one did.
#ifndef HEDDLE_LITMUS_HARDWARE_LIVENESS_H
#define HEDDLE_LITMUS_HARDWARE_LIVENESS_H

#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace heddle::litmus::hardware {

struct Live {
  std::set<int> registers;
  std::set<uint64_t> bytes;
};

// By where a jump back has led to. All paths are looked at there, also those that have not
// jumped.
struct Liveness {
  std::map<uint64_t, Live> at;
  bool grew = false;
};

// Notes the accesses of a path.
class LivenessNotes {
public:
  explicit LivenessNotes(Liveness *liveness) : liveness_(liveness) {}

  bool Knows(uint64_t pc) const { return liveness_->at.count(pc); }
  Live &At(uint64_t pc) {
    auto [live, is_new] = liveness_->at.try_emplace(pc);
    liveness_->grew |= is_new;
    return live->second;
  }
  void Arrive(uint64_t pc) { arrivals_.push_back(&At(pc)); }
  void ReadRegister(int number) { Note(&Live::registers, register_written_, number); }
  void ReadByte(uint64_t address) { Note(&Live::bytes, byte_written_, address); }
  void WriteRegister(int number) { register_written_[number] = arrivals_.size(); }
  void WriteByte(uint64_t address) { byte_written_[address] = arrivals_.size(); }
  // All that is live there is read by what an earlier path has done.
  void Cut(uint64_t pc) {
    Live live = At(pc);
    for (int number : live.registers)
      ReadRegister(number);
    for (uint64_t address : live.bytes)
      ReadByte(address);
  }

private:
  // It is live at all places that the path came to after it was written last.
  template <typename Key>
  void Note(std::set<Key> Live::*set, const std::map<Key, size_t> &written, Key key) {
    auto last = written.find(key);
    for (size_t i = last == written.end() ? 0 : last->second; i < arrivals_.size(); i++)
      liveness_->grew |= (arrivals_[i]->*set).insert(key).second;
  }

  Liveness *liveness_;
  std::vector<Live *> arrivals_;
  std::map<int, size_t> register_written_;
  std::map<uint64_t, size_t> byte_written_;
};

} // namespace heddle::litmus::hardware

#endif // HEDDLE_LITMUS_HARDWARE_LIVENESS_H
