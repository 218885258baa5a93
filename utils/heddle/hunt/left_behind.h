// What executions have left running and the hunt has ended. Any thread may add to it.
#ifndef HEDDLE_HUNT_LEFT_BEHIND_H
#define HEDDLE_HUNT_LEFT_BEHIND_H

#include <mutex>
#include <set>
#include <string>

namespace heddle::hunt {

class LeftBehind {
public:
  // `name` is that of one of them.
  void Add(unsigned processes, const std::string &name) {
    constexpr size_t kMostNames = 3;
    std::lock_guard lock(mutex_);
    processes_ += processes;
    if (processes && names_.size() < kMostNames)
      names_.insert(name);
  }

  // A remark, or nothing.
  std::string Text() const {
    std::lock_guard lock(mutex_);
    if (!processes_)
      return "";
    std::string names;
    for (const std::string &name : names_)
      names += (names.empty() ? "" : ", ") + name;
    return "executions have left processes running, which were ended: " +
           std::to_string(processes_) + " (" + names + ").";
  }

private:
  mutable std::mutex mutex_;
  unsigned long processes_ = 0;
  std::set<std::string> names_;
};

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_LEFT_BEHIND_H
