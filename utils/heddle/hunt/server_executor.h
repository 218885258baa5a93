// Asks a fork server in the program for executions (lib/heddle/server/protocol.h,
// docs/fork-server.md). A server serves one engine of weak memory. A program that never becomes
// one, whose server dies again and again, or which ends in another way when it is forked, is
// started for each execution instead.
#ifndef HEDDLE_HUNT_SERVER_EXECUTOR_H
#define HEDDLE_HUNT_SERVER_EXECUTOR_H

#include "executor.h"
#include "files.h"
#include "reaped_process.h"

#include "heddle/server/protocol.h"

#include <functional>
#include <map>
#include <memory>
#include <string>

#include <sys/types.h>

namespace heddle::hunt {

// The client's end of the socket.
class ServerConnection {
public:
  explicit ServerConnection(Descriptor socket) : socket_(std::move(socket)) {}

  enum class Got { kAnswer, kGone, kTimeOut, kStopped, kStrange };

  // False if the server has gone, or the request is too long.
  bool Ask(const std::string &request, int output, int errors);
  // Waits for so many seconds, or until `stop` is readable. `meanwhile` is called several times a
  // second; if it returns true, the time is over.
  Got Receive(double seconds, int stop, __heddle::Answer *answer,
              const std::function<bool()> &meanwhile = {});

private:
  Descriptor socket_;
};

class ServerExecutor final : public Executor {
public:
  // `options` are the server's; requests may change what the protocol allows.
  ServerExecutor(const Setting &setting, const Options &options);
  ~ServerExecutor() override;

  Execution Run(const Options &options) override;

  // Whether executions come from a server.
  bool Serves() const { return process_ != nullptr; }

private:
  bool Start(); // false if the program does not become a server
  void EndServer();
  // False if the server failed, and it should be done in another way.
  bool Ask(const Options &options, Execution *execution);
  // False if the program ends in another way by itself, and then the execution is one by itself.
  bool IsFaithful(const Options &options, Execution *execution);
  bool AwaitEnd(Execution *execution, int output, int errors);

  Setting setting_;
  Options options_;
  SpawnExecutor fallback_;
  std::unique_ptr<ReapedProcess> process_; // while there is a server
  int failures_ = 0;
  bool refuses_ = false; // the program is not for a server
  std::map<Ended::How, int> compared_failures_;
  int compared_successes_ = 0;
  std::unique_ptr<ServerConnection> connection_;
  std::string output_, errors_; // what it printed before it became a server
};

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_SERVER_EXECUTOR_H
