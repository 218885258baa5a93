// Functions, lines and variables of the places in an execution.
#ifndef HEDDLE_SHOW_SYMBOLS_H
#define HEDDLE_SHOW_SYMBOLS_H

#include "execution.h"

#include <map>
#include <string>
#include <vector>

namespace heddle::show {

struct Frame {
  std::string function, file;
  unsigned line = 0;

  // Whether people want to see it: not of the runtime, nor of the standard library.
  bool IsUsers() const;
  bool IsRuntimes() const;
  std::string Where() const; // "queue.cpp:88", or the function
};

class Symbols {
public:
  Symbols() = default;

  void AddCode(const Place &place, std::vector<Frame> frames) { code_[place] = std::move(frames); }
  void AddData(const Place &place, const std::string &name) { data_[place] = name; }

  // Innermost first, inlined functions included, the runtime's own left out.
  std::vector<Frame> Stack(const Execution &execution, const std::vector<uint64_t> &pcs) const;
  std::vector<Frame> Stack(const Execution &execution, unsigned stack) const;
  // The name of a variable, "queue+8"; nothing if it is not known.
  std::string Variable(const Execution &execution, uint64_t address) const;

private:
  std::map<Place, std::vector<Frame>> code_;
  std::map<Place, std::string> data_;
};

// The first frame that is the user's, or the first; nothing if there is none.
const Frame *UsersFrame(const std::vector<Frame> &stack);

// What llvm-symbolizer is asked, in its order, and what it answers, as JSON.
std::string SymbolizerQuestions(const Execution &execution);
Symbols ReadAnswers(const Execution &execution, const std::string &answers);
// Nothing is known without `symbolizer`, its path.
Symbols Symbolize(const Execution &execution, const std::string &symbolizer);

// Lines of source files.
class Sources {
public:
  // Without the space around it; nothing if the file is not there.
  std::string Line(const std::string &file, unsigned line);

private:
  std::map<std::string, std::vector<std::string>> files_;
};

} // namespace heddle::show

#endif // HEDDLE_SHOW_SYMBOLS_H
