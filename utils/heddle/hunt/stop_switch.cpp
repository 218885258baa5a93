#include "stop_switch.h"

#include "failure.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace heddle::hunt {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

StopSwitch *heeding;

} // namespace

StopSwitch::StopSwitch() : event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!event_)
    throw Failure(std::string("no descriptors are left: ") + strerror(errno) +
                  ". Raise the limit: ulimit -n 4096");
}

StopSwitch::~StopSwitch() {
  if (heeding != this)
    return;
  for (int number : kSignals)
    signal(number, SIG_DFL);
  heeding = nullptr;
}

void StopSwitch::HeedSignals() {
  heeding = this;
  for (int number : kSignals) {
    struct sigaction action = {};
    action.sa_handler = Handle;
    action.sa_flags = SA_RESTART | SA_RESETHAND;
    // Who started us with nohup does not want it heeded.
    struct sigaction before;
    if (!sigaction(number, nullptr, &before) && before.sa_handler != SIG_IGN)
      sigaction(number, &action, nullptr);
  }
}

void StopSwitch::Handle(int signal) {
  if (heeding)
    heeding->StopBy(signal);
}

void StopSwitch::StopBy(int signal) {
  int none = 0;
  if (signal)
    signal_.compare_exchange_strong(none, signal);
  stopped_ = true;
  const uint64_t one = 1;
  const int error = errno; // a handler leaves it alone
  (void)!write(event_.Get(), &one, sizeof(one));
  errno = error;
}

Descriptor AnyOf(const StopSwitch &one, const StopSwitch &other) {
  Descriptor any(epoll_create1(EPOLL_CLOEXEC));
  for (const StopSwitch *each : {&one, &other}) {
    epoll_event event = {};
    event.events = EPOLLIN;
    if (!any || epoll_ctl(any.Get(), EPOLL_CTL_ADD, each->Number(), &event))
      throw Failure(std::string("no descriptors are left: ") + strerror(errno) +
                    ". Raise the limit: ulimit -n 4096");
  }
  return any;
}

} // namespace heddle::hunt
