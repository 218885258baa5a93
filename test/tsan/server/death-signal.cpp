// The signal that the program wants when its parent dies (PR_SET_PDEATHSIG) is the same in an execution of a fork
// server, though a fork forgets it.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %t > %t.alone && echo "ended 0" >> %t.alone
// RUN: %fork_server schedule=random %t -- schedule=random:seed=1 schedule=random:seed=2 > %t.served
// RUN: sed '1d;$d' %t.served | sort -u > %t.each
// RUN: sort -u %t.alone | diff - %t.each
#include <csignal>
#include <cstdio>
#include <sys/prctl.h>
#include <thread>

int main() {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  std::thread([] {}).join();
  int signal = 0;
  prctl(PR_GET_PDEATHSIG, &signal);
  printf("signal %d\n", signal);
}
