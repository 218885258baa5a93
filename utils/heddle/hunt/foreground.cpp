#include "foreground.h"

#include "failure.h"
#include "files.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle::hunt {
namespace {

void WriteOn(int to, const char *bytes, ssize_t size) {
  while (size > 0) {
    const ssize_t written = write(to, bytes, size_t(size));
    if (written < 0 && errno != EINTR)
      return; // nobody reads it
    if (written > 0) {
      bytes += written;
      size -= written;
    }
  }
}

} // namespace

Ended RunInForeground(SpawnPlan plan) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    throw Failure(std::string("no descriptors are left: ") + strerror(errno));
  Descriptor from(ends[0]), to(ends[1]);
  plan.apart = false;
  plan.err = to.Get();
  // A Ctrl-C is for the program, and what it then says is for us.
  for (int number : {SIGINT, SIGQUIT})
    signal(number, SIG_IGN);
  const pid_t process = Spawn(plan);
  to.Close();
  Ended ended;
  Descriptor end = ProcessDescriptor(process);
  char buffer[1 << 12];
  // What it has started may keep the pipe open after its end: that is not waited for.
  for (bool running = true, open = true; open;) {
    pollfd waits[] = {{from.Get(), POLLIN, 0}, {running ? end.Get() : -1, POLLIN, 0}};
    poll(waits, 2, running ? -1 : 0);
    running = running && !waits[1].revents;
    const ssize_t got = waits[0].revents ? read(from.Get(), buffer, sizeof(buffer)) : -1;
    open = got > 0 || running;
    if (got > 0) {
      WriteOn(STDERR_FILENO, buffer, got);
      ended.errors.append(buffer, size_t(got));
    } else if (got == 0) {
      break;
    }
  }
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  SetStatus(status, &ended);
  return ended;
}

std::string WithoutColours(const std::string &text) {
  std::string plain;
  for (size_t at = 0; at < text.size(); at++) {
    if (text[at] != '\033') {
      plain += text[at];
      continue;
    }
    while (at + 1 < text.size() && text[at] != 'm')
      at++;
  }
  return plain;
}

int ShellCode(const Ended &ended) {
  return ended.how == Ended::How::kSignalled ? 128 + ended.code : ended.code;
}

} // namespace heddle::hunt
