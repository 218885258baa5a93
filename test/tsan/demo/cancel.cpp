// A thread is cancelled in each call that waits, when it may be on its way there or waits already. What
// its cleanup handlers do is recorded. Each call three times; each recording is played.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %t kernel sync %t && %t kernel late %t && %t processes sync %t && %t schedule sync %t
// RUN: %record_and_play %t kernel sync %t | %FileCheck %s
// RUN: %record_and_play %t kernel late %t | %FileCheck %s
// RUN: %record_and_play %t signals sync %t | %FileCheck %s
// RUN: %record_and_play %t signals late %t | %FileCheck %s
// RUN: %record_and_play %t processes sync %t | %FileCheck %s
// RUN: %record_and_play %t schedule late %t | %FileCheck %s
// CHECK: ended
#include "heddle_test.h"
#include <fcntl.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2];
static atomic<int> ready, cleaned;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static char byte;
static pid_t child;
static int queue;
static const char *files; // where to create some

static void Unlock(void *) { EXPECT(!pthread_mutex_unlock(&mutex)); }
static void EndChild(void *) {
  EXPECT(!kill(child, SIGKILL) && waitpid(child, nullptr, 0) == child);
}
static void RemoveQueue(void *) { EXPECT(!msgctl(queue, IPC_RMID, nullptr)); }

static void Read() { (void)!read(ends[0], &byte, 1); }
static void Poll() {
  pollfd file = {ends[0], POLLIN, 0};
  poll(&file, 1, -1);
}
static void PollLimited() {
  pollfd file = {ends[0], POLLIN, 0};
  poll(&file, 1, 3600 * 1000);
}
static void Select() {
  fd_set set;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  select(ends[0] + 1, &set, nullptr, nullptr, nullptr);
}
static void Epoll() {
  const int fd = epoll_create1(0);
  epoll_event event = {};
  epoll_wait(fd, &event, 1, -1);
}
static void Accept() {
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  EXPECT(!bind(fd, (sockaddr *)&address, sizeof(sa_family_t)) && !listen(fd, 1));
  accept(fd, nullptr, nullptr);
}
static void Receive() {
  int pair[2];
  EXPECT(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
  recv(pair[0], &byte, 1, 0);
}
static void Write() {
  static char much[1 << 20];
  int pipe_ends[2];
  EXPECT(!pipe(pipe_ends));
  (void)!write(pipe_ends[1], much, sizeof(much));
}
static void SigWait() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  int signal;
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  sigwait(&set, &signal);
}
static void SigSuspend() {
  sigset_t none;
  sigemptyset(&none);
  sigsuspend(&none);
}
static void Pause() { pause(); }
static void WaitForChild() {
  child = fork();
  if (!child)
    for (;;)
      pause();
  pthread_cleanup_push(EndChild, nullptr);
  waitpid(child, nullptr, 0);
  pthread_cleanup_pop(0);
}
static void ReceiveMessage() {
  struct {
    long type;
    char text[8];
  } message;
  queue = msgget(IPC_PRIVATE, 0600 | IPC_CREAT);
  pthread_cleanup_push(RemoveQueue, nullptr);
  msgrcv(queue, &message, sizeof(message.text), 0, 0);
  pthread_cleanup_pop(0);
}
// What a replay calls again, and what libc would be cancelled in.
static void LockFile() {
  char name[4096];
  snprintf(name, sizeof(name), "%s-XXXXXX", files);
  const int fd = mkstemp(name);
  unlink(name);
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  fcntl(fd, F_SETLKW, &lock);
  for (;;)
    pthread_testcancel();
}
static void NanoSleep() {
  const timespec hour = {3600, 0};
  nanosleep(&hour, nullptr);
}
static void SemWait() { sem_wait(&semaphore); }
static void CondWait() {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(Unlock, nullptr);
  for (;;)
    pthread_cond_wait(&condition, &mutex);
  pthread_cleanup_pop(1);
}
static void Cleanup(void *) {
  EXPECT(write(ends[1], "c", 1) == 1);
  cleaned++;
}
static void *Run(void *call) {
  pthread_cleanup_push(Cleanup, nullptr);
  ready = 1;
  reinterpret_cast<void (*)()>(call)();
  pthread_cleanup_pop(0);
  EXPECT(false && "it was not cancelled");
  return nullptr;
}

static void Cancel(void (*call)(), bool late) {
  for (int i = 0; i < 3; i++) {
    ready = cleaned = 0;
    pthread_t thread;
    EXPECT(!pthread_create(&thread, nullptr, Run, reinterpret_cast<void *>(call)));
    while (!ready)
      sched_yield();
    for (int k = 0; late && k < 100; k++)
      sched_yield();
    EXPECT(!pthread_cancel(thread));
    void *result = nullptr;
    EXPECT(!pthread_join(thread, &result) && result == PTHREAD_CANCELED && cleaned == 1);
    char byte = 0;
    EXPECT(read(ends[0], &byte, 1) == 1 && byte == 'c');
  }
}

int main(int, char **arguments) {
  files = arguments[3];
  EXPECT(!pipe(ends) && !sem_init(&semaphore, 0, 0));
  struct {
    const char *kind;
    void (*call)();
  } const calls[] = {
      {"kernel", Read},       {"kernel", Poll},         {"kernel", PollLimited},
      {"kernel", Select},     {"kernel", Epoll},        {"kernel", Accept},
      {"kernel", Receive},    {"kernel", Write},        {"signals", SigWait},
      {"signals", SigSuspend}, {"signals", Pause},      {"processes", WaitForChild},
      {"processes", ReceiveMessage}, {"processes", LockFile}, {"schedule", NanoSleep},
      {"schedule", SemWait},  {"schedule", CondWait},
  };
  for (const auto &each : calls)
    if (!strcmp(each.kind, arguments[1]))
      Cancel(each.call, !strcmp(arguments[2], "late"));
  puts("ended");
}
