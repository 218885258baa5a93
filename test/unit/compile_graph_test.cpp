// An execution of two instructions as a graph.

#include "heddle/litmus/compile/graph.h"

#include <gtest/gtest.h>

namespace {
using namespace heddle::litmus;
using namespace heddle::litmus::hardware;

TEST(CompileGraph, Draw) {
  HardwareProgram program;
  program.name = "a \"test\"";
  program.locations = {{"x", 0}};
  program.threads.resize(1);
  HardwareExecution execution;
  execution.events.resize(3);
  execution.events[0].kind = Event::Kind::kWrite;
  execution.events[0].location = 0;
  execution.events[1].kind = Event::Kind::kRead;
  execution.events[1].location = 0;
  execution.events[1].thread = 0;
  execution.events[1].text = "ldr w0, [x1]            // a comment";
  execution.events[2].kind = Event::Kind::kFence;
  execution.events[2].thread = 0;
  execution.events[2].text = "dmb ish";
  for (auto *relation : {&execution.po, &execution.addr, &execution.data, &execution.ctrl,
                         &execution.rmw, &execution.rf, &execution.co, &execution.fr})
    *relation = axiomatic::Relation(3);
  execution.po.Add(1, 2);
  execution.rf.Add(0, 1);
  const std::string graph = compile::DrawHardware(program, execution);
  for (const char *part : {"digraph \"a \\\"test\\\"\" {", "e0 [label=\"W x=0\"];", "label=\"P0\"",
                           "e1 [label=\"R x=0\\nldr w0, [x1]\"];", "e2 [label=\"dmb ish\"];",
                           "e1 -> e2 [label=\"po\", color=black, fontcolor=black];",
                           "e0 -> e1 [label=\"rf\", color=red, fontcolor=red, constraint=false];"})
    EXPECT_NE(graph.find(part), std::string::npos) << part << " is not in\n" << graph;
}

} // namespace
