// A client that processes what a server sends and sends it back: the example of figure 4.2 of
// the thesis on tsan11rec. One thread polls and receives, others process and answer, and SIGTERM
// ends them all. The responders ask for requests again and again, as in the figure.
//
//   replay-client PORT
//
// Prints a line for each request, in the order in which they are answered, and at the end how
// many each responder had.

#include <algorithm>
#include <arpa/inet.h>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <netinet/in.h>
#include <poll.h>
#include <queue>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

constexpr size_t kSize = 100; // bytes of a request
constexpr int kResponders = 2;

std::atomic<int> quit;
std::mutex mutex;
std::queue<char *> requests;
int server;

[[noreturn]] void Fail(const char *what) {
  perror(what);
  _exit(1);
}

void Stop(int) { quit.store(1); }

void Connect(int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  server = socket(AF_INET, SOCK_STREAM, 0);
  if (server < 0 || connect(server, reinterpret_cast<sockaddr *>(&address), sizeof(address)))
    Fail("connect");
}

void Listener() {
  while (!quit.load()) {
    pollfd file = {server, POLLIN, 0};
    const int result = poll(&file, 1, 100);
    if (result == 0 || (result < 0 && errno == EINTR))
      continue;
    if (result < 0 || file.revents != POLLIN)
      Fail("poll");
    char *request = new char[kSize];
    if (recv(server, request, kSize, MSG_WAITALL) != ssize_t(kSize))
      Fail("recv");
    std::lock_guard<std::mutex> lock(mutex);
    requests.push(request);
  }
}

void Responder(int *answered) {
  while (!quit.load()) {
    std::unique_lock<std::mutex> lock(mutex);
    if (requests.empty())
      continue;
    char *request = requests.front();
    requests.pop();
    lock.unlock();
    std::reverse(request, request + kSize);
    if (send(server, request, kSize, 0) != ssize_t(kSize))
      Fail("send");
    // Which of two threads that print at a time comes first, a schedule does not see.
    lock.lock();
    printf("%.*s\n", 12, request);
    lock.unlock();
    delete[] request;
    ++*answered;
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: replay-client PORT\n");
    return 2;
  }
  signal(SIGTERM, Stop);
  Connect(atoi(argv[1]));
  int answered[kResponders] = {};
  std::vector<std::thread> threads;
  threads.emplace_back(Listener);
  for (int &count : answered)
    threads.emplace_back(Responder, &count);
  for (std::thread &thread : threads)
    thread.join();
  for (int count : answered)
    printf("%d requests\n", count);
}
