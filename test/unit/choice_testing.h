// What the tests of heddle/choice share: memory that is counted, logs as
// vectors, and random programs whose every choice depends on those before.

#ifndef HEDDLE_TEST_UNIT_CHOICE_TESTING_H
#define HEDDLE_TEST_UNIT_CHOICE_TESTING_H

#include "heddle/choice/choice_log.h"
#include "heddle/choice/choice_stream.h"

#include <cstdlib>
#include <ostream>
#include <string>
#include <vector>

namespace __heddle {

inline std::ostream &operator<<(std::ostream &out, const Choice &choice) {
  return out << LetterOf(choice.kind) << choice.answer << '/' << choice.options;
}

namespace testing_choice {

struct CountingMemory {
  static void *Alloc(uptr bytes) {
    allocations++;
    live += bytes;
    peak = live > peak ? live : peak;
    return std::malloc(bytes);
  }
  static void Free(void *block, uptr bytes) {
    live -= bytes;
    std::free(block);
  }
  static inline uptr allocations = 0;
  static inline uptr live = 0;
  static inline uptr peak = 0;
};

using Log = ChoiceLog<CountingMemory>;
using Bytes = Growable<u8, CountingMemory>;
using Choices = std::vector<Choice>;

constexpr ChoiceKind kKinds[] = {ChoiceKind::kThread,   ChoiceKind::kRead,    ChoiceKind::kWake,
                                 ChoiceKind::kSpurious, ChoiceKind::kTimeout, ChoiceKind::kValue,
                                 ChoiceKind::kPlace};

inline Choices ToVector(LogView log) {
  Choices choices;
  LogReader reader(log);
  for (Choice choice; reader.Next(choice);)
    choices.push_back(choice);
  return choices;
}
inline Choices ToVector(const Log &log) { return ToVector(log.View()); }

inline void Fill(Log &log, const Choices &choices) {
  log.Clear();
  for (const Choice &choice : choices)
    log.Append(choice);
}

inline std::vector<u8> Serialized(const Log &log) {
  Bytes bytes;
  log.Serialize(bytes);
  return {bytes.Data(), bytes.Data() + bytes.Size()};
}

inline std::string Text(LogView log) {
  std::string text(FormatLog(log, nullptr, 0), '\0');
  FormatLog(log, text.data(), text.size() + 1);
  return text;
}
inline std::string Text(const Log &log) { return Text(log.View()); }

// A program that is a tree of choices: what it asks next, or that it ends, is a
// hash of its seed and of the answers so far.
class RandomTree {
public:
  RandomTree(u64 seed, u32 max_depth, u32 max_options)
      : seed_(seed), max_depth_(max_depth), max_options_(max_options) {}

  // False if the program ends here. `path`: the answers so far.
  bool Asks(const std::vector<u32> &path, ChoiceKind &kind, u32 &options) const {
    u64 hash = seed_;
    for (u32 answer : path)
      hash = (hash ^ (answer + 1)) * 0x9fb21c651e98df25 + (hash >> 29);
    hash ^= hash >> 31;
    if (path.size() == max_depth_ || hash % 8 == 0)
      return false;
    kind = kKinds[hash / 8 % kChoiceKinds];
    options = 2 + hash / 64 % (max_options_ - 1);
    return true;
  }

  std::vector<u32> Run(ChoiceStream &stream) const {
    std::vector<u32> path;
    ChoiceKind kind;
    u32 options;
    while (Asks(path, kind, options))
      path.push_back(stream.Choose(kind, options));
    return path;
  }

private:
  u64 seed_;
  u32 max_depth_;
  u32 max_options_;
};

} // namespace testing_choice
} // namespace __heddle

#endif // HEDDLE_TEST_UNIT_CHOICE_TESTING_H
