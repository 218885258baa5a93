// Every row of the table of calls that may bring input. The program has no peer, so a replay would
// find most of it again by itself: what is compared is what is different from run to run.
//
// RUN: %rows_without_call %source_dir/lib/heddle/rtl/heddle_inputs.inc %s
// RUN: %clangxx_heddle -Wno-deprecated-declarations %s -o %t
// RUN: rm -rf %t.dir && mkdir %t.dir && mkfifo %t.dir/fifo
// RUN: cd %t.dir && %record_and_play --options real_sleep=1 %t | %FileCheck %s
#include "heddle_test.h"
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <random>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static long Hash(const void *data, size_t size) {
  unsigned long hash = 5381;
  for (size_t i = 0; i < size; i++)
    hash = hash * 33 + ((const unsigned char *)data)[i];
  return long(hash % 1000000007);
}

// The call, and what it says: its result, errno if it failed, and whatever else is given.
template <class... Values>
static void Say(const char *name, long result, int error, Values... values) {
  printf("%s: %ld %d", name, result, error);
  (printf(" %ld", long(values)), ...);
  printf("\n");
}
#define ROW(name, call, ...)                                                                       \
  do {                                                                                             \
    errno = 0;                                                                                     \
    const long result = long(call);                                                                \
    Say(#name, result, result < 0 ? errno : 0, ##__VA_ARGS__);                                     \
  } while (0)
#define BYTES(value) Hash(&value, sizeof(value))

static char data[256];
static iovec parts[2] = {{data, 3}, {data + 3, 100}};
static msghdr Message() {
  msghdr message = {};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  return message;
}

static void Files() {
  int fd = 0, random = 0, ends[2];
  ROW(open, fd = open("/proc/self/stat", O_RDONLY));
  ROW(pread, pread(fd, data, 100, 0), BYTES(data));
  ROW(pread64, pread64(fd, data, 100, 0), BYTES(data));
  ROW(preadv, preadv(fd, parts, 2, 0), BYTES(data));
  ROW(preadv64, preadv64(fd, parts, 2, 0), BYTES(data));
  ROW(lseek, lseek(fd, 0, SEEK_SET));
  ROW(lseek64, lseek64(fd, 0, SEEK_SET));
  struct stat status = {};
  ROW(fstat, fstat(fd, &status), long(status.st_ino), long(status.st_mtime));
  struct stat64 status64 = {};
  ROW(fstat64, fstat64(fd, &status64), long(status64.st_ino));
  close(fd);
  ROW(open64, random = open64("/dev/urandom", O_RDWR));
  ROW(read, read(random, data, 100), BYTES(data));
  ROW(readv, readv(random, parts, 2), BYTES(data));
  int entropy = 0;
  ROW(ioctl, ioctl(random, _IOR('R', 0x00, int), &entropy), entropy);
  close(random);
  ROW(openat, fd = openat(AT_FDCWD, "/dev/null", O_RDWR));
  ROW(pwrite, pwrite(fd, data, 5, 0));
  ROW(pwrite64, pwrite64(fd, data, 5, 0));
  ROW(pwritev, pwritev(fd, parts, 2, 0));
  ROW(pwritev64, pwritev64(fd, parts, 2, 0));
  ROW(fcntl, fcntl(fd, F_GETFL));
  ROW(fcntl, fcntl(fd, F_DUPFD, 20));
  ROW(fcntl64, fcntl64(20, F_GETFL));
  close(20);
  ROW(isatty, isatty(fd));
  termios attributes = {};
  ROW(tcgetattr, tcgetattr(fd, &attributes));
  ROW(tcsetattr, tcsetattr(fd, TCSANOW, &attributes));
  ROW(tcdrain, tcdrain(fd));
  ROW(tcgetpgrp, tcgetpgrp(fd));
  close(fd);
  ROW(creat, fd = creat("/dev/null", 0600));
  ROW(dup, ends[0] = dup(fd));
  close(ends[0]);
  close(fd);
  // A terminal, if there can be one.
  ROW(posix_openpt, fd = posix_openpt(O_RDWR | O_NOCTTY));
  winsize size = {};
  ROW(ioctl, ioctl(fd, TIOCGWINSZ, &size), size.ws_row, size.ws_col);
  close(fd);

  ROW(pipe, pipe(ends), ends[0], ends[1]);
  ROW(write, write(ends[1], "abcdef", 6));
  ROW(writev, writev(ends[1], parts, 2));
  int pending = 0;
  ROW(ioctl, ioctl(ends[0], FIONREAD, &pending), pending);
  int others[2];
  ROW(pipe2, pipe2(others, O_CLOEXEC), others[0], others[1]);
  ROW(splice, splice(ends[0], nullptr, others[1], nullptr, 4, 0));
  fd = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);
  EXPECT(write(fd, "0123456789", 10) == 10);
  off_t at = 2;
  ROW(sendfile, sendfile(others[1], fd, &at, 3), at);
  off64_t at64 = 1;
  ROW(sendfile64, sendfile64(others[1], fd, &at64, 3), at64);
  memset(data, 0, sizeof(data));
  ROW(read, read(others[0], data, 100), BYTES(data));
  printf("spliced: %s\n", data);
  ROW(flock, flock(fd, LOCK_EX));
  ROW(lockf, lockf(fd, F_LOCK, 1));
  ROW(lockf64, lockf64(fd, F_ULOCK, 1));
  for (int each : {fd, ends[0], ends[1], others[0], others[1]})
    close(each);
  ROW(openat64, fd = openat64(AT_FDCWD, "fifo", O_RDONLY | O_NONBLOCK));
  ROW(read, read(fd, data, 1));
  close(fd);
  FILE *file = nullptr;
  ROW(fopen, (file = fopen("/proc/self/stat", "r")) != nullptr, fileno(file));
  ROW(fopen, fread(data, 1, 100, file), BYTES(data));
  fclose(file);
  ROW(fopen64, (file = fopen64("/dev/urandom", "r")) != nullptr, fileno(file));
  ROW(fopen64, getc(file), getc(file));
  fclose(file);
  EXPECT(!pipe(ends) && write(ends[1], "line\n", 5) == 5);
  ROW(fdopen, (file = fdopen(ends[0], "r")) != nullptr, fileno(file));
  ROW(fdopen, fgets(data, 100, file) == data, Hash(data, 5));
  fclose(file);
  close(ends[1]);

  ROW(eventfd, fd = eventfd(3, 0));
  eventfd_t value = 0;
  ROW(eventfd_read, eventfd_read(fd, &value), long(value));
  ROW(eventfd_write, eventfd_write(fd, 1));
  close(fd);
}

static void Sockets() {
  int pair[2], server = 0, fd = 0;
  ROW(socketpair, socketpair(AF_UNIX, SOCK_DGRAM, 0, pair), pair[0], pair[1]);
  ROW(send, send(pair[0], "one", 3, 0));
  ROW(recv, recv(pair[1], data, 100, 0), Hash(data, 3));
  ROW(sendto, sendto(pair[0], "two", 3, 0, nullptr, 0));
  ROW(recvfrom, recvfrom(pair[1], data, 100, 0, nullptr, nullptr), Hash(data, 3));
  msghdr message = Message();
  ROW(sendmsg, sendmsg(pair[0], &message, 0));
  ROW(recvmsg, recvmsg(pair[1], &message, 0), long(message.msg_flags));
  mmsghdr messages[1] = {};
  messages[0].msg_hdr = Message();
  ROW(sendmmsg, sendmmsg(pair[0], messages, 1, 0), messages[0].msg_len);
  ROW(recvmmsg, recvmmsg(pair[1], messages, 1, 0, nullptr), messages[0].msg_len);
  close(pair[0]);
  close(pair[1]);

  ROW(socket, server = socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address = {}, peer = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  ROW(bind, bind(server, (sockaddr *)&address, size));
  ROW(listen, listen(server, 2));
  ROW(getsockname, getsockname(server, (sockaddr *)&address, &size), ntohs(address.sin_port));
  fd = socket(AF_INET, SOCK_STREAM, 0);
  ROW(connect, connect(fd, (sockaddr *)&address, sizeof(address)));
  size = sizeof(peer);
  int accepted = 0;
  ROW(accept, accepted = accept(server, (sockaddr *)&peer, &size), ntohs(peer.sin_port));
  ROW(getpeername, getpeername(accepted, (sockaddr *)&peer, &size), ntohs(peer.sin_port));
  int option = 1;
  ROW(setsockopt, setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &option, sizeof(option)));
  size = sizeof(option);
  ROW(getsockopt, getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &option, &size), option);
  ROW(shutdown, shutdown(fd, SHUT_WR));
  close(accepted);
  close(fd);
  fd = socket(AF_INET, SOCK_STREAM, 0);
  EXPECT(!connect(fd, (sockaddr *)&address, sizeof(address)));
  ROW(accept4, accepted = accept4(server, nullptr, nullptr, SOCK_CLOEXEC));

  EXPECT(write(accepted, "x", 1) == 1);
  pollfd file = {fd, POLLIN, 0};
  const timespec minute = {60, 0};
  sigset_t none;
  sigemptyset(&none);
  ROW(poll, poll(&file, 1, -1), file.revents);
  ROW(ppoll, ppoll(&file, 1, &minute, &none), file.revents);
  fd_set set;
  FD_ZERO(&set);
  FD_SET(fd, &set);
  timeval limit = {60, 0};
  ROW(select, select(fd + 1, &set, nullptr, nullptr, &limit), limit.tv_usec);
  ROW(pselect, pselect(fd + 1, &set, nullptr, nullptr, &minute, &none), FD_ISSET(fd, &set));
  int waiter = 0, other = 0;
  ROW(epoll_create, other = epoll_create(1));
  ROW(epoll_create1, waiter = epoll_create1(0));
  epoll_event event = {EPOLLIN, {}};
  ROW(epoll_ctl, epoll_ctl(waiter, EPOLL_CTL_ADD, fd, &event));
  ROW(epoll_wait, epoll_wait(waiter, &event, 1, -1), event.events);
  ROW(epoll_pwait, epoll_pwait(waiter, &event, 1, -1, &none), event.events);
  ROW(epoll_pwait2, epoll_pwait2(waiter, &event, 1, &minute, &none), event.events);
  for (int each : {server, fd, accepted, waiter, other})
    close(each);
}

static void Handle(int) {}

static void Signals() {
  struct sigaction action = {};
  action.sa_handler = Handle;
  EXPECT(!sigaction(SIGALRM, &action, nullptr));
  sigset_t alarms, none, old;
  sigemptyset(&none);
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  EXPECT(!pthread_sigmask(SIG_BLOCK, &alarms, &old));
  const itimerval soon = {{0, 0}, {0, 1000}}, often = {{0, 1000}, {0, 1000}};
  itimerval previous = {};
  ROW(alarm, alarm(50));
  ROW(ualarm, ualarm(0, 0));
  int signal = 0;
  siginfo_t info = {};
  ROW(setitimer, setitimer(ITIMER_REAL, &soon, &previous), previous.it_value.tv_usec);
  ROW(sigwait, sigwait(&alarms, &signal), signal);
  EXPECT(!setitimer(ITIMER_REAL, &soon, nullptr));
  ROW(sigwaitinfo, sigwaitinfo(&alarms, &info), info.si_code);
  const timespec minute = {60, 0};
  EXPECT(!setitimer(ITIMER_REAL, &soon, nullptr));
  ROW(sigtimedwait, sigtimedwait(&alarms, &info, &minute), info.si_code);
  EXPECT(!setitimer(ITIMER_REAL, &soon, nullptr));
  ROW(sigsuspend, sigsuspend(&none));
  int fd = 0;
  ROW(signalfd, fd = signalfd(-1, &alarms, 0));
  close(fd);
  EXPECT(!setitimer(ITIMER_REAL, &often, nullptr));
  EXPECT(!pthread_sigmask(SIG_SETMASK, &old, nullptr));
  ROW(pause, pause());
  ROW(getitimer, getitimer(ITIMER_REAL, &previous), previous.it_value.tv_usec);
  previous = {};
  EXPECT(!setitimer(ITIMER_REAL, &previous, nullptr));

  timer_t timer;
  sigevent event;
  memset(&event, 0, sizeof(event));
  event.sigev_notify = SIGEV_NONE;
  ROW(timer_create, timer_create(CLOCK_MONOTONIC, &event, &timer));
  const itimerspec hour = {{}, {3600, 0}};
  itimerspec left = {};
  ROW(timer_settime, timer_settime(timer, 0, &hour, &left), left.it_value.tv_nsec);
  ROW(timer_gettime, timer_gettime(timer, &left), left.it_value.tv_nsec);
  ROW(timer_getoverrun, timer_getoverrun(timer));
  ROW(timer_delete, timer_delete(timer));
  ROW(timerfd_create, fd = timerfd_create(CLOCK_MONOTONIC, 0));
  ROW(timerfd_settime, timerfd_settime(fd, 0, &hour, &left), left.it_value.tv_nsec);
  ROW(timerfd_gettime, timerfd_gettime(fd, &left), left.it_value.tv_nsec);
  close(fd);
}

static void Processes() {
  int child = 0, status = 0;
  rusage usage = {};
  siginfo_t info = {};
  if (!(child = fork()))
    _exit(3);
  ROW(fork, child);
  ROW(waitpid, waitpid(child, &status, 0), status);
  if (!(child = fork()))
    _exit(4);
  ROW(wait, wait(&status), status);
  if (!(child = fork()))
    _exit(5);
  ROW(wait3, wait3(&status, 0, &usage), status, usage.ru_maxrss);
  if (!(child = fork()))
    _exit(6);
  ROW(wait4, wait4(child, &status, 0, &usage), status, usage.ru_maxrss);
  char name[] = "true";
  char *arguments[] = {name, nullptr};
  ROW(posix_spawn, posix_spawn(&child, "/bin/true", nullptr, nullptr, arguments, environ), child);
  ROW(waitid, waitid(P_PID, child, &info, WEXITED), info.si_pid, info.si_status);
  ROW(posix_spawnp, posix_spawnp(&child, "true", nullptr, nullptr, arguments, environ), child);
  ROW(kill, kill(child, 0));
  ROW(waitpid, waitpid(child, &status, 0), status);
  if (!(child = fork()))
    for (;;)
      pause();
  ROW(sigqueue, sigqueue(child, SIGKILL, sigval()));
  ROW(waitpid, waitpid(child, &status, 0), status);
  ROW(kill, kill(getppid(), 0));
}

static void Queues() {
  int queue = 0, set = 0;
  ROW(msgget, queue = msgget(IPC_PRIVATE, 0600));
  struct {
    long type;
    char text[8];
  } message = {1, "text"};
  ROW(msgsnd, msgsnd(queue, &message, 5, 0));
  ROW(msgrcv, msgrcv(queue, &message, 8, 0, 0), message.type, Hash(message.text, 5));
  msqid_ds state = {};
  ROW(msgctl, msgctl(queue, IPC_STAT, &state), state.msg_rtime);
  EXPECT(!msgctl(queue, IPC_RMID, nullptr));
  ROW(semget, set = semget(IPC_PRIVATE, 1, 0600));
  sembuf up = {0, 1, 0}, down = {0, -1, 0};
  ROW(semop, semop(set, &up, 1));
  const timespec minute = {60, 0};
  ROW(semtimedop, semtimedop(set, &down, 1, &minute));
  ROW(semctl, semctl(set, 0, IPC_RMID));

  char name[64];
  snprintf(name, sizeof(name), "/heddle-every-row-%d", getpid());
  mq_attr attributes = {};
  attributes.mq_maxmsg = 2;
  attributes.mq_msgsize = 8;
  timespec later;
  clock_gettime(CLOCK_REALTIME, &later);
  later.tv_sec += 60;
  unsigned priority = 0;
  ROW(mq_open, queue = mq_open(name, O_RDWR | O_CREAT, 0600, &attributes));
  ROW(mq_unlink, mq_unlink(name));
  ROW(mq_getattr, mq_getattr(queue, &attributes), attributes.mq_maxmsg);
  ROW(mq_send, mq_send(queue, "one", 3, 1));
  ROW(mq_receive, mq_receive(queue, data, 8, &priority), priority);
  ROW(mq_timedsend, mq_timedsend(queue, "two", 3, 2, &later));
  ROW(mq_timedreceive, mq_timedreceive(queue, data, 8, &priority, &later), priority);
  if (queue >= 0)
    mq_close(queue);
}

extern "C" int ftime(timeb *);

static void Time() {
  timeval day = {};
  timespec now = {};
  timeb old = {};
  tms used = {};
  rusage usage = {};
  time_t seconds = 0;
  ROW(gettimeofday, gettimeofday(&day, nullptr), day.tv_usec);
  ROW(time, time(&seconds), seconds);
  ROW(ftime, ftime(&old), old.time, old.millitm);
  ROW(timespec_get, timespec_get(&now, TIME_UTC), now.tv_nsec);
  EXPECT(!clock_gettime(CLOCK_MONOTONIC, &now));
  printf("%ld\n", long(now.tv_nsec));
  EXPECT(!clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now));
  printf("%ld\n", long(now.tv_nsec));
  ROW(clock, clock());
  ROW(times, times(&used), used.tms_utime);
  ROW(getrusage, getrusage(RUSAGE_SELF, &usage), usage.ru_utime.tv_usec, usage.ru_maxrss);
  const timespec soon = {0, 1000};
  ROW(sleep, sleep(0));
  ROW(usleep, usleep(1));
  ROW(nanosleep, nanosleep(&soon, nullptr));
  ROW(clock_nanosleep, clock_nanosleep(CLOCK_MONOTONIC, 0, &soon, nullptr));
}

static void Machine() {
  ROW(getpid, getpid());
  ROW(getppid, getppid());
  ROW(gettid, gettid());
  ROW(getuid, getuid());
  ROW(geteuid, geteuid());
  ROW(getgid, getgid());
  ROW(getegid, getegid());
  ROW(getpgrp, getpgrp());
  ROW(getpgid, getpgid(getpid()));
  ROW(getsid, getsid(0));
  utsname name = {};
  ROW(uname, uname(&name), BYTES(name));
  char link[64];
  snprintf(link, sizeof(link), "/proc/%d/fd/0", int(getpid()));
  ROW(readlink, readlink(link, data, 100) > 0);
  ROW(readlinkat, readlinkat(AT_FDCWD, link, data, 100) > 0);
  ROW(gethostname, gethostname(data, 100), Hash(data, strlen(data)));
  ROW(getdomainname, getdomainname(data, 100), Hash(data, strlen(data)));
  struct sysinfo info = {};
  ROW(sysinfo, sysinfo(&info), info.uptime, long(info.freeram));
  double averages[3] = {};
  ROW(getloadavg, getloadavg(averages, 3), BYTES(averages));
  cpu_set_t set = {};
  ROW(sched_getaffinity, sched_getaffinity(0, sizeof(set), &set), CPU_COUNT(&set));
  ROW(sched_getcpu, sched_getcpu());
  ROW(get_nprocs, get_nprocs());
  ROW(get_nprocs_conf, get_nprocs_conf());
  ROW(sysconf, sysconf(_SC_AVPHYS_PAGES));
  ROW(sysconf, sysconf(_SC_PAGESIZE));
}

// Numbers, and names by chance.
template <class Open> static void Temporary(const char *row, int ending, Open open) {
  char name[] = "temporary-XXXXXX.c";
  if (!ending)
    name[sizeof(name) - 3] = 0;
  const int fd = open(name);
  Say(row, fd, fd < 0 ? errno : 0, Hash(name, strlen(name)));
  close(fd);
  unlink(name);
}
#define TEMPORARY(row, ending, ...)                                                                \
  Temporary(#row, ending, [](char *name) { return row(name, ##__VA_ARGS__); })

static void TemporaryFiles() {
  // ROW(mkstemp) ROW(mkstemp64) ROW(mkostemp) ROW(mkostemp64)
  // ROW(mkstemps) ROW(mkstemps64) ROW(mkostemps) ROW(mkostemps64)
  TEMPORARY(mkstemp, 0);
  TEMPORARY(mkstemp64, 0);
  TEMPORARY(mkostemp, 0, O_CLOEXEC);
  TEMPORARY(mkostemp64, 0, O_CLOEXEC);
  TEMPORARY(mkstemps, 2, 2);
  TEMPORARY(mkstemps64, 2, 2);
  TEMPORARY(mkostemps, 2, 2, O_CLOEXEC);
  TEMPORARY(mkostemps64, 2, 2, O_CLOEXEC);
  char name[] = "temporary-XXXXXX";
  ROW(mkdtemp, mkdtemp(name) ? 0 : -1, Hash(name, strlen(name)));
  rmdir(name);
  FILE *file = nullptr;
  ROW(tmpfile, fileno(file = tmpfile()));
  fclose(file);
  ROW(tmpfile64, fileno(file = tmpfile64()));
  fclose(file);
  DIR *directory = nullptr;
  ROW(opendir, dirfd(directory = opendir("/")));
  closedir(directory);
  int fd = -1;
  ROW(memfd_create, fd = memfd_create("row", 0));
  close(fd);
  ROW(inotify_init, fd = inotify_init());
  close(fd);
  ROW(inotify_init1, fd = inotify_init1(IN_NONBLOCK));
  int watch = -1;
  ROW(inotify_add_watch, watch = inotify_add_watch(fd, ".", IN_CREATE));
  ROW(inotify_rm_watch, inotify_rm_watch(fd, watch));
  close(fd);
}

static void Names() {
  addrinfo hints = {}, *found = nullptr;
  hints.ai_flags = AI_CANONNAME | AI_NUMERICSERV;
  ROW(getaddrinfo, getaddrinfo("127.0.0.1", "80", &hints, &found), found->ai_addrlen,
      ntohs(((sockaddr_in *)found->ai_addr)->sin_port));
  printf("%s\n", found->ai_canonname);
  char host[64] = {}, service[16] = {};
  ROW(getnameinfo, getnameinfo(found->ai_addr, found->ai_addrlen, host, sizeof(host), service,
                               sizeof(service), NI_NUMERICHOST | NI_NUMERICSERV));
  printf("%s %s\n", host, service);
  freeaddrinfo(found);
  hostent *entry = nullptr;
  ROW(gethostbyname, (entry = gethostbyname("127.0.0.1")) != nullptr);
  printf("%s %d\n", entry->h_name, entry->h_addr_list[0][0]);
}

static void Chance() {
  ROW(getrandom, getrandom(data, 100, 0), BYTES(data));
  ROW(getentropy, getentropy(data, 100), BYTES(data));
  ROW(arc4random, arc4random());
  arc4random_buf(data, 100);
  ROW(arc4random_buf, 0, BYTES(data));
  ROW(arc4random_uniform, arc4random_uniform(1000000));
  std::random_device device;
  ROW(_ZNSt13random_device9_M_getvalEv, device());
}

int main() {
  setvbuf(stdout, nullptr, _IONBF, 0); // a child must not write it again
  Files();
  Sockets();
  Signals();
  Processes();
  Queues();
  Time();
  Machine();
  TemporaryFiles();
  Names();
  Chance();
  printf("end\n");
}
// CHECK: spliced: abcd234123
// CHECK: sigwait: 0 0 14
// CHECK: sigsuspend: -1 4
// CHECK: waitpid: {{[0-9]+}} 0 768
// CHECK: getaddrinfo: 0 0 16 80
// CHECK: 127.0.0.1 80
// CHECK: end
