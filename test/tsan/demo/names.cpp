// Names of hosts and services, with threads that ask at the same time.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play %t | %FileCheck %s
#include "heddle_test.h"
#include <arpa/inet.h>
#include <netdb.h>
#include <string>
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

int main() {
  std::string texts[3];
  std::thread first([&] { texts[0] = Look("localhost", "80", AI_CANONNAME); });
  std::thread second([&] { texts[1] = Look("127.0.0.1", "443", 0); });
  texts[2] = Look("127.0.0.1", "none-of-these", 0);
  first.join();
  second.join();
  for (const std::string &text : texts)
    printf("%s\n", text.c_str());
  hostent *host = gethostbyname("localhost");
  printf("gethostbyname: %s\n", host ? host->h_name : "none");
}
// CHECK: port 80 canonical
// CHECK: 127.0.0.1 port 443;
// CHECK: error:
// CHECK: gethostbyname:
