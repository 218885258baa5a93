// Whether this machine, and a program, can be used with Heddle, and how to mend what is wrong.
#ifndef HEDDLE_HUNT_DOCTOR_H
#define HEDDLE_HUNT_DOCTOR_H

#include <string>
#include <vector>

namespace heddle::hunt {

struct Check {
  enum class Verdict {
    kGood,
    kRemark, // slower or weaker than it could be
    kWrong   // cannot be used
  };
  Verdict verdict;
  std::string what;   // "address space: no limit"
  std::string remedy; // what to do, unless it is good
};

std::vector<Check> CheckMachine();
// The compiler beside this command, and what it wraps.
std::vector<Check> CheckCompiler();
// Nothing is run.
std::vector<Check> CheckProgram(const std::string &name);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_DOCTOR_H
