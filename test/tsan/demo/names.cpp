// Names of hosts and services, with threads that ask at the same time. What libc allocates and
// loads for a look-up, which a replay does not make, does not change any address.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play %t | %FileCheck %s
#include "heddle_test.h"
#include <arpa/inet.h>
#include <netdb.h>
#include <string>
#include <sys/mman.h>
#include <sys/socket.h>
#include <thread>

static std::string Look(const char *node, const char *service, int flags) {
  addrinfo hints = {}, *found = nullptr;
  hints.ai_flags = flags;
  hints.ai_socktype = SOCK_STREAM;
  if (const int error = getaddrinfo(node, service, &hints, &found))
    return std::string("error: ") + gai_strerror(error);
  std::string text;
  for (addrinfo *each = found; each; each = each->ai_next) {
    char host[64], port[16];
    EXPECT(!getnameinfo(each->ai_addr, each->ai_addrlen, host, sizeof(host), port, sizeof(port),
                        NI_NUMERICHOST | NI_NUMERICSERV));
    text += std::string(host) + " port " + port + (each->ai_canonname ? " canonical" : "") + "; ";
  }
  freeaddrinfo(found);
  return text;
}

static void PrintAddresses(const char *when) {
  printf("%s:", when);
  for (size_t size : {24, 120, 472, 600, 4096, 40000})
    printf(" %p", malloc(size));
  printf(" %p\n", mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

int main() {
  printf("%s\n", Look("localhost", "http", 0).c_str());
  PrintAddresses("after the first");
  std::string texts[3];
  std::thread first([&] { texts[0] = Look("localhost", "80", AI_CANONNAME); });
  std::thread second([&] { texts[1] = Look("127.0.0.1", "443", 0); });
  texts[2] = Look("127.0.0.1", "none-of-these", 0);
  first.join();
  second.join();
  for (const std::string &text : texts)
    printf("%s\n", text.c_str());
  hostent *host = gethostbyname("localhost");
  printf("gethostbyname: %s %p\n", host ? host->h_name : "none", static_cast<void *>(host));
  PrintAddresses("after all");
}
// CHECK: port 80 canonical
// CHECK: 127.0.0.1 port 443;
// CHECK: error:
// CHECK: gethostbyname:
// CHECK: after all:
