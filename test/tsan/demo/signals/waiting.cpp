// Calls that wait for a signal from another process.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play --peer %t | %FileCheck %s
#include "peer.h"
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/time.h>

static int Peer() {
  const int fd = AwaitProgram();
  const int program = atoi(ReadLine(fd).c_str());
  sigval value;
  value.sival_int = 0;
  for (std::string line = ReadLine(fd); !line.empty(); line = ReadLine(fd), value.sival_int++)
    EXPECT(!sigqueue(program, SIGUSR1, value));
  return 0;
}

static int peer, handled;
static void Handle(int) { handled++; }

int main(int argc, char **argv) {
  if (IsPeer(argc, argv))
    return Peer();
  struct sigaction action = {};
  action.sa_handler = Handle;
  EXPECT(!sigaction(SIGUSR2, &action, nullptr));
  EXPECT(!sigaction(SIGALRM, &action, nullptr));
  sigset_t set, none;
  sigemptyset(&none);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGUSR2);
  sigaddset(&set, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  sigdelset(&set, SIGALRM);
  peer = ConnectTo(argv[1]);
  Send(peer, std::to_string(getpid()) + "\n");

  int signal = 0;
  Send(peer, "go\n");
  EXPECT(!sigwait(&set, &signal));
  printf("sigwait: %d\n", signal);
  siginfo_t info = {};
  Send(peer, "go\n");
  EXPECT(sigwaitinfo(&set, &info) == SIGUSR1);
  printf("sigwaitinfo: %d, %d from %d\n", info.si_code == SI_QUEUE, info.si_value.sival_int,
         info.si_pid);
  const timespec minute = {60, 0}, soon = {0, 1000000};
  Send(peer, "go\n");
  EXPECT(sigtimedwait(&set, &info, &minute) == SIGUSR1);
  printf("sigtimedwait: %d\n", info.si_value.sival_int);
  EXPECT(sigtimedwait(&set, &info, &soon) == -1 && errno == EAGAIN);

  const int fd = signalfd(-1, &set, SFD_CLOEXEC);
  EXPECT(fd >= 0);
  signalfd_siginfo read_info = {};
  Send(peer, "go\n");
  EXPECT(read(fd, &read_info, sizeof(read_info)) == sizeof(read_info));
  printf("signalfd: %u, %d from %u\n", read_info.ssi_signo, read_info.ssi_int, read_info.ssi_pid);
  close(fd);

  // From the program itself.
  EXPECT(!raise(SIGUSR2));
  EXPECT(!sigwait(&set, &signal) && signal == SIGUSR2 && handled == 0);

  itimerval once = {{}, {0, 1000}};
  EXPECT(!setitimer(ITIMER_REAL, &once, nullptr));
  EXPECT(sigsuspend(&none) == -1 && errno == EINTR);
  printf("sigsuspend: %d\n", handled);
  once.it_interval.tv_usec = 2000; // should it come before pause does
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
  EXPECT(!setitimer(ITIMER_REAL, &once, nullptr));
  EXPECT(pause() == -1 && errno == EINTR);
  once = {};
  EXPECT(!setitimer(ITIMER_REAL, &once, nullptr));
  printf("pause: %d\n", handled);
}
// CHECK: sigwait: 10
// CHECK: sigwaitinfo: 1, 1 from
// CHECK: sigtimedwait: 2
// CHECK: signalfd: 10, 3 from
// CHECK: sigsuspend: 1
// CHECK: pause: {{[2-9]}}
