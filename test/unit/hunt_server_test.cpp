// utils/heddle/hunt/server_executor.h: the client's half of the protocol, with a server that is a
// thread. test/heddle has real ones.

#include "heddle/hunt/files.h"
#include "heddle/hunt/server_executor.h"
#include "heddle/hunt/stop_switch.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <thread>

#include <sys/socket.h>
#include <unistd.h>

namespace {
using namespace heddle::hunt;
using __heddle::Answer;
using __heddle::AnswerKind;
using Got = ServerConnection::Got;

Answer AnswerOf(AnswerKind kind, int process = 0, int status = 0) {
  return {__heddle::kServerMagic, __heddle::kServerVersion, kind, process, status, 0, 0, 0};
}

struct Pair {
  Pair() {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    client = std::make_unique<ServerConnection>(Descriptor(ends[0]));
    server = Descriptor(ends[1]);
  }
  void Say(const Answer &answer) {
    EXPECT_EQ(send(server.Get(), &answer, sizeof(answer), 0), ssize_t(sizeof(answer)));
  }

  std::unique_ptr<ServerConnection> client;
  Descriptor server;
};

// Takes a request as the runtime does; the two descriptors it came with are written to.
std::string Receive(int socket) {
  char text[__heddle::kMaxRequest + 1];
  iovec part = {text, __heddle::kMaxRequest};
  alignas(cmsghdr) char control[CMSG_SPACE(2 * sizeof(int))];
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  const ssize_t size = recvmsg(socket, &message, 0);
  if (size <= 0)
    return "";
  const cmsghdr *header = CMSG_FIRSTHDR(&message);
  EXPECT_TRUE(header && header->cmsg_type == SCM_RIGHTS &&
              header->cmsg_len == CMSG_LEN(2 * sizeof(int)));
  int files[2];
  memcpy(files, CMSG_DATA(header), sizeof(files));
  EXPECT_EQ(write(files[0], "out", 3), 3);
  EXPECT_EQ(write(files[1], "err", 3), 3);
  close(files[0]);
  close(files[1]);
  return std::string(text, size_t(size));
}

TEST(HuntServer, RequestComesWithOutputAndIsAnswered) {
  Pair pair;
  std::thread server([&] {
    pair.Say(AnswerOf(AnswerKind::kReady));
    EXPECT_EQ(Receive(pair.server.Get()), "schedule=pct seed=7");
    pair.Say(AnswerOf(AnswerKind::kStarted, 77));
    pair.Say(AnswerOf(AnswerKind::kEnded, 77, 66 << 8));
  });
  Answer answer;
  ASSERT_EQ(pair.client->Receive(60, -1, &answer), Got::kAnswer);
  EXPECT_EQ(answer.kind, AnswerKind::kReady);
  Descriptor output = MemoryFile("o"), errors = MemoryFile("e");
  ASSERT_TRUE(pair.client->Ask("schedule=pct seed=7", output.Get(), errors.Get()));
  ASSERT_EQ(pair.client->Receive(60, -1, &answer), Got::kAnswer);
  EXPECT_EQ(answer.kind, AnswerKind::kStarted);
  EXPECT_EQ(answer.process, 77);
  ASSERT_EQ(pair.client->Receive(60, -1, &answer), Got::kAnswer);
  EXPECT_EQ(answer.kind, AnswerKind::kEnded);
  EXPECT_EQ(answer.status, 66 << 8);
  server.join();
  EXPECT_EQ(ReadAll(output.Get()), "out");
  EXPECT_EQ(ReadAll(errors.Get()), "err");
}

TEST(HuntServer, ServerThatHasGone) {
  Pair pair;
  pair.server.Close();
  Answer answer;
  EXPECT_EQ(pair.client->Receive(60, -1, &answer), Got::kGone);
  Descriptor output = MemoryFile("o");
  EXPECT_FALSE(pair.client->Ask("seed=1", output.Get(), output.Get()));
}

TEST(HuntServer, TimeAndStop) {
  Pair pair;
  Answer answer;
  EXPECT_EQ(pair.client->Receive(0.01, -1, &answer), Got::kTimeOut);
  StopSwitch stop;
  EXPECT_FALSE(stop.Stopped());
  stop.Stop();
  EXPECT_TRUE(stop.Stopped());
  EXPECT_EQ(pair.client->Receive(60, stop.Number(), &answer), Got::kStopped);
  // An answer that is there comes first.
  pair.Say(AnswerOf(AnswerKind::kReady));
  EXPECT_EQ(pair.client->Receive(60, stop.Number(), &answer), Got::kAnswer);
}

TEST(HuntServer, WhileAnExecutionRuns) {
  Pair pair;
  Answer answer;
  int looks = 0;
  const auto meanwhile = [&] {
    looks++;
    return false;
  };
  EXPECT_EQ(pair.client->Receive(1, -1, &answer, meanwhile), Got::kTimeOut);
  EXPECT_GT(looks, 0);
  EXPECT_EQ(pair.client->Receive(3600, -1, &answer, [] { return true; }), Got::kTimeOut);
}

TEST(HuntServer, TooMuchOutput) {
  Descriptor output = MemoryFile("o");
  ASSERT_EQ(ftruncate(output.Get(), kMaxOutput), 0);
  ASSERT_EQ(write(output.Get(), "the end", 7), 7);
  const std::string end = ReadOutput(output.Get());
  EXPECT_EQ(end.size(), size_t(kMaxOutput));
  EXPECT_EQ(end.substr(end.size() - 7), "the end");
  DropTooMuch(output.Get());
  EXPECT_EQ(ReadOutput(output.Get()), "");
}

TEST(HuntServer, AnotherVersionIsStrange) {
  Pair pair;
  Answer answer = AnswerOf(AnswerKind::kReady);
  answer.version++;
  pair.Say(answer);
  EXPECT_EQ(pair.client->Receive(60, -1, &answer), Got::kStrange);
  EXPECT_EQ(send(pair.server.Get(), "x", 1, 0), 1);
  EXPECT_EQ(pair.client->Receive(60, -1, &answer), Got::kStrange);
}

TEST(HuntServer, TooLongARequest) {
  Pair pair;
  Descriptor output = MemoryFile("o");
  EXPECT_FALSE(
      pair.client->Ask(std::string(__heddle::kMaxRequest + 1, 'x'), output.Get(), output.Get()));
  EXPECT_FALSE(pair.client->Ask("", output.Get(), output.Get()));
  EXPECT_TRUE(
      pair.client->Ask(std::string(__heddle::kMaxRequest, 'x'), output.Get(), output.Get()));
}

} // namespace
