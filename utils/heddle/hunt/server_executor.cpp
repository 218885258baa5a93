#include "server_executor.h"

#include "failure.h"
#include "process_status.h"
#include "running_time.h"
#include "spawn.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle::hunt {
namespace {

using __heddle::Answer;
using __heddle::AnswerKind;
using Got = ServerConnection::Got;

constexpr int kMaxFailures = 3; // in a row, before a program counts as not for a server
constexpr double kToDie = 1;    // seconds for a killed execution

// How many executions are compared with one by itself. The false failures of a program that can
// tell the two apart come soon, and in many executions.
constexpr int kComparedSuccesses = 1, kComparedFailures = 3, kComparedTimeOuts = 1;
// How often the program has to end in the same way by itself before its server is to blame.
constexpr int kRepetitions = 2;

bool EndsAlike(const Execution &one, const Execution &other) {
  return one.ended.how == other.ended.how && one.ended.code == other.ended.code;
}

} // namespace

//===-- The socket --------------------------------------------------------===//

bool ServerConnection::Ask(const std::string &request, int output, int errors) {
  if (request.empty() || request.size() > __heddle::kMaxRequest)
    return false;
  const int files[] = {output, errors};
  iovec part = {const_cast<char *>(request.data()), request.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(files))] = {};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(files));
  memcpy(CMSG_DATA(header), files, sizeof(files));
  ssize_t sent;
  do
    sent = sendmsg(socket_.Get(), &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent == ssize_t(request.size());
}

Got ServerConnection::Receive(double seconds, int stop, Answer *answer,
                              const std::function<bool()> &meanwhile) {
  RunningTime time;
  while (true) {
    pollfd waits[] = {{socket_.Get(), POLLIN, 0}, {stop, POLLIN, 0}};
    poll(waits, 2, time.Wait(seconds));
    if (waits[0].revents)
      break;
    if (waits[1].revents)
      return Got::kStopped;
    if (time.Look() >= seconds || (meanwhile && meanwhile()))
      return Got::kTimeOut;
  }
  ssize_t size;
  do
    size = recv(socket_.Get(), answer, sizeof(*answer), 0);
  while (size < 0 && errno == EINTR);
  if (size <= 0)
    return Got::kGone;
  return size == ssize_t(sizeof(*answer)) && answer->magic == __heddle::kServerMagic &&
                 answer->version == __heddle::kServerVersion
             ? Got::kAnswer
             : Got::kStrange;
}

//===-- The server --------------------------------------------------------===//

ServerExecutor::ServerExecutor(const Setting &setting, const Options &options)
    : setting_(setting), options_(options), fallback_(setting) {}

ServerExecutor::~ServerExecutor() { EndServer(); }

void ServerExecutor::EndServer() {
  connection_.reset();
  process_.reset();
}

bool ServerExecutor::Start() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
    throw Failure(std::string("no socket for a fork server: ") + strerror(errno));
  Descriptor theirs(ends[1]);
  connection_ = std::make_unique<ServerConnection>(Descriptor(ends[0]));
  const ProgramFiles files;
  Options options = options_;
  SpawnPlan plan = files.Plan(setting_, &options);
  plan.others.emplace_back(theirs.Get(), NumberInProgram(1));
  options.Set("fork_server", unsigned(NumberInProgram(1)));
  plan.environment = setting_.environment.With(options);
  // What executions leave behind is the server's to end, and they are themselves what it leaves.
  process_ = std::make_unique<ReapedProcess>(plan, ReapedProcess::Lasts::kUntilReleased, nullptr);
  theirs.Close();
  Answer answer;
  const Got got =
      connection_->Receive(setting_.timeout, setting_.stop, &answer,
                           Attendance(files.Output(), files.Errors(), process_->Process()));
  if (got != Got::kAnswer || answer.kind != AnswerKind::kReady) {
    EndServer();
    return false;
  }
  output_ = ReadOutput(files.Output());
  errors_ = ReadOutput(files.Errors());
  return true;
}

bool ServerExecutor::AwaitEnd(Execution *execution, int output, int errors) {
  Ended &ended = execution->ended;
  Answer answer;
  Got got = connection_->Receive(setting_.timeout, setting_.stop, &answer);
  if (got != Got::kAnswer || answer.kind != AnswerKind::kStarted)
    return false;
  const pid_t process = answer.process;
  ended.how = Ended::How::kExited;
  got = connection_->Receive(setting_.timeout, setting_.stop, &answer,
                             Attendance(output, errors, process));
  if (got == Got::kTimeOut || got == Got::kStopped) {
    ended.how = got == Got::kStopped ? Ended::How::kInterrupted : Ended::How::kTimedOut;
    ended.waited = got == Got::kTimeOut && Sleeps(process);
    kill(process, SIGKILL); // not waited for yet, so the number is still its own
    got = connection_->Receive(kToDie, -1, &answer);
    if (got == Got::kTimeOut) {
      EndServer();
      return true;
    }
  }
  if (got != Got::kAnswer || answer.kind != AnswerKind::kEnded || answer.process != process)
    return false;
  if (ended.how != Ended::How::kExited)
    return true;
  SetStatus(answer.status, &ended);
  return true;
}

bool ServerExecutor::Ask(const Options &options, Execution *execution) {
  if (!Serves() && !Start())
    return false;
  Descriptor output = MemoryFile("heddle-output"), errors = MemoryFile("heddle-errors");
  setting_.statistics->Clear(setting_.slot);
  if (!connection_->Ask(options.Text(), output.Get(), errors.Get()) ||
      !AwaitEnd(execution, output.Get(), errors.Get())) {
    EndServer();
    return false;
  }
  execution->ended.output = output_ + ReadOutput(output.Get());
  execution->ended.errors = errors_ + ReadOutput(errors.Get());
  execution->statistics = setting_.statistics->Read(setting_.slot);
  return true;
}

bool ServerExecutor::IsFaithful(const Options &options, Execution *execution) {
  if (!setting_.trust)
    return true;
  const Ended &ended = execution->ended;
  const bool fails = ended.how != Ended::How::kExited || ended.code;
  const int most = !fails                               ? kComparedSuccesses
                   : ended.how == Ended::How::kTimedOut ? kComparedTimeOuts
                                                        : kComparedFailures;
  int &compared = fails ? compared_failures_[ended.how] : compared_successes_;
  if (ended.how == Ended::How::kInterrupted || compared++ >= most)
    return true;
  const Execution alone = fallback_.Run(options);
  if (EndsAlike(*execution, alone) || alone.ended.how == Ended::How::kInterrupted)
    return true;
  // A program may end in this way or that by chance.
  for (int i = 0; i < kRepetitions; i++)
    if (!EndsAlike(fallback_.Run(options), alone))
      return true;
  Execution again;
  if (!Ask(options, &again) || !EndsAlike(*execution, again))
    return true;
  setting_.trust->Lose();
  *execution = alone;
  return false;
}

Execution ServerExecutor::Run(const Options &options) {
  Execution execution;
  if (setting_.trust && setting_.trust->Lost())
    EndServer();
  else if (!refuses_ && options.Text().size() <= __heddle::kMaxRequest) {
    if (Ask(options, &execution)) {
      failures_ = 0;
      if (!IsFaithful(options, &execution))
        EndServer();
      return execution;
    }
    pollfd stop = {setting_.stop, POLLIN, 0};
    if (poll(&stop, 1, 0) > 0) {
      execution.ended.how = Ended::How::kInterrupted;
      return execution;
    }
    refuses_ = ++failures_ >= kMaxFailures;
  }
  return fallback_.Run(options);
}

} // namespace heddle::hunt
