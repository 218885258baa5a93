// A thread that waits in the kernel for data is away from the schedule; the others go on, and wake it.
// Each call that may wait, with a thread that gives it what it waits for.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --kernel --seeds 1 %t
#include "heddle_test.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <string>
#include <thread>
#include <unistd.h>

static int from, to; // the ends of what is waited for
static atomic<bool> waits;

// `wait` in another thread; `give` when that is, or is about to be, in the kernel.
template <class Wait, class Give>
static void Meet(const char *name, const Wait &wait, const Give &give) {
  waits = false;
  std::thread waiter([&] {
    waits = true;
    if (!wait()) {
      fprintf(stderr, "%s\n", name);
      _exit(1);
    }
  });
  while (!waits)
    sched_yield();
  for (int i = 0; i < 20; i++)
    sched_yield();
  give();
  waiter.join();
}
#define MEET(wait, give) Meet(#wait, [&] { return wait; }, [&] { EXPECT(give); })

static char byte, sent_byte;
static iovec part = {&byte, 1}, sent_part = {&sent_byte, 1};

static void Readers() {
  pollfd file = {from, POLLIN, 0};
  timespec minute = {60, 0};
  timeval limit = {60, 0};
  fd_set set;
  MEET(read(from, &byte, 1) == 1, write(to, "a", 1) == 1);
  MEET(readv(from, &part, 1) == 1, writev(to, &sent_part, 1) == 1);
  MEET(syscall(SYS_read, from, &byte, 1) == 1, syscall(SYS_write, to, "a", 1) == 1);
  MEET(poll(&file, 1, -1) == 1 && read(from, &byte, 1) == 1, write(to, "a", 1) == 1);
  MEET(ppoll(&file, 1, &minute, nullptr) == 1 && read(from, &byte, 1) == 1, write(to, "a", 1) == 1);
  FD_ZERO(&set);
  FD_SET(from, &set);
  MEET(select(from + 1, &set, nullptr, nullptr, &limit) == 1 && read(from, &byte, 1) == 1,
       write(to, "a", 1) == 1);
  MEET(pselect(from + 1, &set, nullptr, nullptr, &minute, nullptr) == 1 &&
           read(from, &byte, 1) == 1,
       write(to, "a", 1) == 1);
  int epoll = epoll_create1(0);
  epoll_event event = {EPOLLIN, {}};
  EXPECT(!epoll_ctl(epoll, EPOLL_CTL_ADD, from, &event));
  MEET(epoll_wait(epoll, &event, 1, -1) == 1 && read(from, &byte, 1) == 1, write(to, "a", 1) == 1);
  MEET(epoll_pwait(epoll, &event, 1, -1, nullptr) == 1 && read(from, &byte, 1) == 1,
       write(to, "a", 1) == 1);
  close(epoll);
}

static void Sockets() {
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  mmsghdr messages = {message, 0};
  msghdr sent = message;
  sent.msg_iov = &sent_part;
  mmsghdr sent_messages = {sent, 0};
  MEET(recv(from, &byte, 1, 0) == 1, send(to, "a", 1, 0) == 1);
  MEET(recvfrom(from, &byte, 1, 0, nullptr, nullptr) == 1,
       sendto(to, "a", 1, 0, nullptr, 0) == 1);
  MEET(recvmsg(from, &message, 0) == 1, sendmsg(to, &sent, 0) == 1);
  MEET(recvmmsg(from, &messages, 1, 0, nullptr) == 1, sendmmsg(to, &sent_messages, 1, 0) == 1);

  int server = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  EXPECT(!bind(server, (sockaddr *)&address, size) && !listen(server, 5));
  EXPECT(!getsockname(server, (sockaddr *)&address, &size));
  auto connect_to = [&] {
    int client = socket(AF_INET, SOCK_STREAM, 0);
    return !connect(client, (sockaddr *)&address, sizeof(address)) && !close(client);
  };
  MEET(close(accept(server, nullptr, nullptr)) == 0, connect_to());
  MEET(close(accept4(server, nullptr, nullptr, 0)) == 0, connect_to());
  addrinfo *found;
  EXPECT(!getaddrinfo("127.0.0.1", nullptr, nullptr, &found));
  freeaddrinfo(found);
  close(server);
}

static void Others(const std::string &path) {
  int event = eventfd(0, 0);
  eventfd_t value;
  MEET(!eventfd_read(event, &value) && value == 3, !eventfd_write(event, 3));
  close(event);

  std::string fifo = path + ".fifo";
  unlink(fifo.c_str());
  EXPECT(!mkfifo(fifo.c_str(), 0600));
  MEET(!close(open(fifo.c_str(), O_RDONLY)), !close(open(fifo.c_str(), O_WRONLY)));
  unlink(fifo.c_str());

  int first = open(path.c_str(), O_RDWR | O_CREAT, 0600), second = open(path.c_str(), O_RDWR);
  EXPECT(!flock(first, LOCK_EX));
  MEET(!flock(second, LOCK_EX), !flock(first, LOCK_UN));
  EXPECT(!flock(second, LOCK_UN));
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  EXPECT(!fcntl(first, F_OFD_SETLK, &lock));
  struct flock unlock = lock;
  unlock.l_type = F_UNLCK;
  MEET(!fcntl(second, F_OFD_SETLKW, &lock), !fcntl(first, F_OFD_SETLK, &unlock));
  close(first);
  close(second);
  unlink(path.c_str());

  int queue = msgget(IPC_PRIVATE, 0600);
  struct {
    long type;
    char text[1];
  } message = {1, {'a'}}, received;
  MEET(msgrcv(queue, &received, 1, 0, 0) == 1, !msgsnd(queue, &message, 1, 0));
  msgctl(queue, IPC_RMID, nullptr);
  int semaphores = semget(IPC_PRIVATE, 1, 0600);
  sembuf down = {0, -1, 0}, up = {0, 1, 0};
  MEET(!semop(semaphores, &down, 1), !semop(semaphores, &up, 1));
  semctl(semaphores, 0, IPC_RMID);

  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  int signal;
  timespec minute = {60, 0};
  MEET(!sigwait(&signals, &signal) && signal == SIGUSR1, !kill(getpid(), SIGUSR1));
  MEET(sigwaitinfo(&signals, nullptr) == SIGUSR1, !kill(getpid(), SIGUSR1));
  MEET(sigtimedwait(&signals, nullptr, &minute) == SIGUSR1, !kill(getpid(), SIGUSR1));

  EXPECT(WEXITSTATUS(system("exit 3")) == 3);
  FILE *command = popen("exit 4", "r");
  EXPECT(command && WEXITSTATUS(pclose(command)) == 4);
}

int main(int, char **argv) {
  int ends[2];
  EXPECT(!pipe(ends));
  from = ends[0];
  to = ends[1];
  Readers();
  EXPECT(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
  from = ends[0];
  to = ends[1];
  Readers();
  Sockets();
  Others(argv[0] + std::string(".file"));
}
