//===-- heddle_inputs.cpp - The calls that may bring input ----------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// heddle_inputs.inc has the calls. Here is what a row of it becomes.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_inputs.h"

#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_not_recorded.h"

#include <fcntl.h>
#include <linux/sockios.h>
#include <mqueue.h>
#include <net/if.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

using namespace __sanitizer;
using namespace __heddle;

// Upstream's pointers to the real functions.
#define INPUT(result, name, parameters, arguments, before, brings, parts)                          \
  namespace __interception {                                                                       \
  extern result(*real_##name) parameters;                                                          \
  }
#define INPUT_OF_LIBC(result, name, parameters, arguments, before, brings, parts)
#include "heddle/rtl/heddle_inputs.inc"

namespace __heddle {
namespace {

//===-- What depends on an argument ---------------------------------------===//

// Bytes behind the argument of a successful fcntl.
uptr FcntlBrings(int command) {
  switch (command) {
  case F_GETLK:
  case F_OFD_GETLK:
    return sizeof(struct flock);
  case F_GETOWN_EX:
    return sizeof(f_owner_ex);
  }
  return 0;
}

// Requests from before requests said how many bytes they bring.
struct OldRequest {
  unsigned long request;
  uptr brings;
};
constexpr uptr kTermios = 36; // the kernel's
constexpr OldRequest kOldRequests[] = {
    {TCGETS, kTermios},
    {TCSETS, 0},
    {TCSETSW, 0},
    {TCSETSF, 0},
    {TCSBRK, 0},
    {TCXONC, 0},
    {TCFLSH, 0},
    {TIOCEXCL, 0},
    {TIOCNXCL, 0},
    {TIOCSCTTY, 0},
    {TIOCNOTTY, 0},
    {TIOCGPGRP, sizeof(pid_t)},
    {TIOCSPGRP, 0},
    {TIOCGSID, sizeof(pid_t)},
    {TIOCOUTQ, sizeof(int)},
    {TIOCGWINSZ, sizeof(winsize)},
    {TIOCSWINSZ, 0},
    {TIOCMGET, sizeof(int)},
    {TIOCMSET, 0},
    {FIONREAD, sizeof(int)},
    {FIONBIO, 0},
    {FIOASYNC, 0},
    {FIOCLEX, 0},
    {FIONCLEX, 0},
    {SIOCATMARK, sizeof(int)},
    {SIOCGPGRP, sizeof(pid_t)},
    {SIOCSPGRP, 0},
    {SIOCGIFNAME, sizeof(ifreq)},
    {SIOCGIFINDEX, sizeof(ifreq)},
    {SIOCGIFFLAGS, sizeof(ifreq)},
    {SIOCGIFADDR, sizeof(ifreq)},
    {SIOCGIFDSTADDR, sizeof(ifreq)},
    {SIOCGIFBRDADDR, sizeof(ifreq)},
    {SIOCGIFNETMASK, sizeof(ifreq)},
    {SIOCGIFMETRIC, sizeof(ifreq)},
    {SIOCGIFMTU, sizeof(ifreq)},
    {SIOCGIFHWADDR, sizeof(ifreq)},
};

const OldRequest *FindOldRequest(unsigned long request) {
  for (const OldRequest &each : kOldRequests)
    if (each.request == request)
      return &each;
  return nullptr;
}

bool IoctlIsKnown(unsigned long request) {
  const bool known = FindOldRequest(request) || _IOC_DIR(request) != _IOC_NONE;
  if (!known)
    NotRecorded("ioctl");
  return known;
}

uptr IoctlBrings(unsigned long request) {
  if (const OldRequest *known = FindOldRequest(request))
    return known->brings;
  return _IOC_DIR(request) & _IOC_READ ? _IOC_SIZE(request) : 0;
}

// What mkstemp has made.
int CreateNamed(const char *name, int flags) {
  return int(KernelCall(SYS_openat, AT_FDCWD, name, O_RDWR | O_CREAT | O_TRUNC | flags, 0600));
}

// What sysconf says of the machine, and not of the C library.
bool IsOfMachine(int name) {
  return name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF || name == _SC_PHYS_PAGES ||
         name == _SC_AVPHYS_PAGES;
}

} // namespace

//===-- The table ---------------------------------------------------------===//

#define INPUT_FUNCTION(result_type, name, parameters, before, call, brings, parts)                 \
  static result_type(*real_##name) parameters;                                                     \
  static result_type input_##name parameters {                                                     \
    before;                                                                                        \
    return Through<result_type>(                                                                   \
        kInput_##name, [&] { return brings; }, [&] { return call; },                               \
        [&](auto &io, result_type result) {                                                        \
          (void)io, (void)result;                                                                  \
          parts;                                                                                   \
        });                                                                                        \
  }
#define INPUT(result, name, parameters, arguments, before, brings, parts)                          \
  INPUT_FUNCTION(result, name, parameters, before, real_##name arguments, brings, parts)
#define INPUT_WHOLE_OF_LIBC(result, name, parameters, arguments, before, brings, parts)            \
  INPUT_FUNCTION(result, name, parameters, before, Whole([&] { return real_##name arguments; }),   \
                 brings, parts)
#define INPUT_BY_HAND(result, name, parameters)                                                    \
  result(*real_##name) parameters;                                                                 \
  result input_##name parameters;
#define INPUT_OF_LIBC_BY_HAND INPUT_BY_HAND
#include "heddle/rtl/heddle_inputs.inc"

Tells WhomItTells(InputCall call) {
  switch (call) {
  case kInput_write:
  case kInput_writev:
  case kInput_pwrite:
  case kInput_pwrite64:
  case kInput_pwritev:
  case kInput_pwritev64:
  case kInput_send:
  case kInput_sendto:
  case kInput_sendmsg:
  case kInput_sendmmsg:
  case kInput_sendfile:
  case kInput_sendfile64:
  case kInput_splice:
  case kInput_eventfd_write:
  case kInput_shutdown:
  case kInput_kill:
  case kInput_sigqueue:
  case kInput_msgsnd:
  case kInput_mq_send:
  case kInput_mq_timedsend:
    return Tells::kOthers;
  case kInput_connect:
  case kInput_semop:
  case kInput_semtimedop:
  case kInput_semctl:
  case kInput_flock:
  case kInput_lockf:
  case kInput_lockf64:
    return Tells::kBoth;
  default:
    return Tells::kMe;
  }
}

const char *NameOfInput(InputCall call) {
  static constexpr const char *kNames[] = {
#define INPUT(result, name, parameters, arguments, before, brings, parts) #name,
#include "heddle/rtl/heddle_inputs.inc"
      "a clock", "rdtsc"};
  static_assert(ARRAY_SIZE(kNames) == kInputs, "one for each");
  return call < kInputs ? kNames[call] : "an unknown function";
}

void InstallInputs() {
#define INPUT(result, name, parameters, arguments, before, brings, parts)                          \
  real_##name = __interception::real_##name;                                                       \
  __interception::real_##name = input_##name;
#define INPUT_OF_LIBC(result, name, parameters, arguments, before, brings, parts)                  \
  real_##name = reinterpret_cast<result(*) parameters>(                                            \
      ReplaceReal(#name, reinterpret_cast<uptr>(input_##name)));
#include "heddle/rtl/heddle_inputs.inc"
}

} // namespace __heddle
