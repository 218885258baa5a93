// Whether executions of a fork server count. A correct program may tell one from a process of its
// own, by its process id for one, and fail for that reason alone (docs/fork-server.md). So some
// executions run both ways and are compared. What one worker has found out goes for all.
#ifndef HEDDLE_HUNT_SERVER_TRUST_H
#define HEDDLE_HUNT_SERVER_TRUST_H

#include <atomic>
#include <functional>
#include <string>

namespace heddle::hunt {

class ServerTrust {
public:
  explicit ServerTrust(std::function<void(const std::string &)> remark)
      : remark_(std::move(remark)) {}

  bool Lost() const { return lost_; }
  void Lose() {
    if (!lost_.exchange(true))
      remark_(
          "the program ends in another way where it is forked than in a process of its own: each "
          "execution has a process, as with --no-fork-server.");
  }

private:
  std::function<void(const std::string &)> remark_;
  std::atomic<bool> lost_{false};
};

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_SERVER_TRUST_H
