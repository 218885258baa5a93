// A load for a memcached on this machine's loopback interface, and a check of its answers.
//
//   memcached-load PORT [CONNECTIONS [ROUNDS [THREADS]]]
//
// Every connection sets and gets keys of its own, whose values it therefore knows, and increments
// a counter that it shares with all others. In a round each connection sends one batch of requests;
// only then are the answers read, so that the server has work from all connections at once. At the
// end the counter must show as many increments as there were.
//
// Prints how many requests it made. Exits with 1 at the first wrong answer, with 2 if the server
// cannot be reached.

#include <arpa/inet.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

constexpr int kKeys = 16;     // of each connection
constexpr int kRequests = 4;  // in a batch: set, get, get of an older key, incr
constexpr int kPatience = 60; // seconds for the server to begin

[[noreturn]] void Fail(int status, const std::string &what) {
  fprintf(stderr, "memcached-load: %s\n", what.c_str());
  _exit(status);
}

int Connect(int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  for (int tries = 0; tries < kPatience * 20; tries++) {
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (descriptor < 0)
      Fail(2, strerror(errno));
    if (!connect(descriptor, reinterpret_cast<sockaddr *>(&address), sizeof(address))) {
      int on = 1;
      setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
      return descriptor;
    }
    close(descriptor);
    usleep(50000);
  }
  Fail(2, "nobody listens on port " + std::to_string(port));
}

class Connection {
public:
  Connection(int port, int number) : number_(number), descriptor_(Connect(port)) {}

  void Send(const std::string &text) {
    for (size_t sent = 0; sent < text.size();) {
      ssize_t count = write(descriptor_, text.data() + sent, text.size() - sent);
      if (count <= 0)
        Fail(1, "the server has closed connection " + std::to_string(number_));
      sent += count;
    }
  }

  void Expect(const std::string &answer) {
    if (Read(answer.size()) != answer)
      Fail(1, "connection " + std::to_string(number_) + " expected '" + answer + "', found '" +
                  last_ + "'");
  }

  // A line that is a number.
  unsigned long ReadNumber() {
    std::string line;
    while (Read(1) != "\n")
      line += last_;
    char *end;
    unsigned long number = strtoul(line.c_str(), &end, 10);
    if (end == line.c_str())
      Fail(1, "expected a number, found '" + line + "'");
    return number;
  }

  void SendRound(int round) {
    int key = round % kKeys, older = round * 7 % kKeys;
    version_[key] = round;
    std::string value = Value(key);
    Send("set " + Key(key) + " 0 0 " + std::to_string(value.size()) + "\r\n" + value + "\r\n" +
         "get " + Key(key) + "\r\n" + "get " + Key(older) + "\r\n" + "incr counter 1\r\n");
  }

  void CheckRound(int round) {
    int key = round % kKeys, older = round * 7 % kKeys;
    Expect("STORED\r\n");
    ExpectValue(key);
    ExpectValue(older);
    unsigned long counted = ReadNumber();
    if (counted <= counter_)
      Fail(1,
           "the counter went from " + std::to_string(counter_) + " to " + std::to_string(counted));
    counter_ = counted;
  }

private:
  int number_;
  int descriptor_;
  unsigned long counter_ = 0;                              // what it was last
  std::vector<int> version_ = std::vector<int>(kKeys, -1); // the round of each key's last set
  std::string buffer_, last_;

  const std::string &Read(size_t size) {
    while (buffer_.size() < size) {
      char bytes[4096];
      ssize_t count = read(descriptor_, bytes, sizeof(bytes));
      if (count <= 0)
        Fail(1, "the server has closed connection " + std::to_string(number_));
      buffer_.append(bytes, count);
    }
    last_ = buffer_.substr(0, size);
    buffer_.erase(0, size);
    return last_;
  }

  std::string Key(int key) { return "c" + std::to_string(number_) + "-" + std::to_string(key); }

  // Of the version last set: the longer the later, up to a kilobyte.
  std::string Value(int key) {
    std::string piece = Key(key) + ":" + std::to_string(version_[key]) + " ", value;
    while (value.size() < size_t(version_[key] * 37 % 1000))
      value += piece;
    return value + piece;
  }

  void ExpectValue(int key) {
    if (version_[key] >= 0) {
      std::string value = Value(key);
      Expect("VALUE " + Key(key) + " 0 " + std::to_string(value.size()) + "\r\n" + value + "\r\n");
    }
    Expect("END\r\n");
  }
};

int Argument(int argc, char **argv, int index, int otherwise) {
  int value = argc > index ? atoi(argv[index]) : otherwise;
  if (value <= 0)
    Fail(2, "usage: memcached-load PORT [CONNECTIONS [ROUNDS [THREADS]]]");
  return value;
}

} // namespace

int main(int argc, char **argv) {
  int port = Argument(argc, argv, 1, 0), connections = Argument(argc, argv, 2, 50),
      rounds = Argument(argc, argv, 3, 200), threads = Argument(argc, argv, 4, 2);

  Connection control(port, -1);
  control.Send("flush_all\r\nset counter 0 0 1\r\n0\r\n");
  control.Expect("OK\r\nSTORED\r\n");

  std::vector<std::thread> workers;
  for (int self = 0; self < threads; self++) {
    workers.emplace_back([=] {
      std::vector<Connection> mine;
      for (int number = self; number < connections; number += threads)
        mine.emplace_back(port, number);
      for (int round = 0; round < rounds; round++) {
        for (Connection &connection : mine)
          connection.SendRound(round);
        for (Connection &connection : mine)
          connection.CheckRound(round);
      }
    });
  }
  for (std::thread &worker : workers)
    worker.join();

  control.Send("incr counter 0\r\n");
  unsigned long counted = control.ReadNumber(), expected = long(connections) * rounds;
  if (counted != expected)
    Fail(1, std::to_string(expected) + " increments, the counter shows " + std::to_string(counted));
  printf("%lu requests\n", expected * kRequests);
}
