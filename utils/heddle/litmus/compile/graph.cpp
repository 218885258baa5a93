#include "graph.h"

namespace heddle::litmus::compile {
namespace {

using axiomatic::Each;
using axiomatic::Relation;
using hardware::Event;
using hardware::HardwareExecution;
using hardware::HardwareProgram;

std::string Escape(const std::string &text) {
  std::string escaped;
  for (char c : text) {
    if (c == '"' || c == '\\')
      escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string Label(const HardwareProgram &program, const HardwareExecution::Event &event) {
  std::string label;
  if (event.kind != Event::Kind::kFence)
    label = (event.kind == Event::Kind::kRead ? "R " : "W ") +
            program.locations[event.location].name + "=" + std::to_string(event.value);
  if (event.text.empty())
    return label;
  // What a disassembler says besides is of no use here.
  std::string text = event.text.substr(0, event.text.find("  "));
  return Escape(label) + (label.empty() ? "" : "\\n") + Escape(text);
}

// The edges that do not follow from two others.
Relation Reduce(const Relation &relation, int size) {
  Relation reduced(size);
  for (int a = 0; a < size; a++)
    for (int b : Each(relation[a])) {
      bool follows = false;
      for (int via : Each(relation[a]))
        follows |= via != b && relation.Has(via, b);
      if (!follows)
        reduced.Add(a, b);
    }
  return reduced;
}

std::string Edges(const Relation &relation, int size, const char *name, const char *color,
                  bool shapes) {
  std::string text;
  for (int a = 0; a < size; a++)
    for (int b : Each(relation[a]))
      text += "  e" + std::to_string(a) + " -> e" + std::to_string(b) + " [label=\"" + name +
              "\", color=" + color + ", fontcolor=" + color + (shapes ? "" : ", constraint=false") +
              "];\n";
  return text;
}

} // namespace

std::string DrawHardware(const HardwareProgram &program, const HardwareExecution &execution) {
  const int size = int(execution.events.size());
  std::string text = "digraph \"" + Escape(program.name) + "\" {\n  node [shape=plaintext];\n";
  for (int thread = -1; thread < int(program.threads.size()); thread++) {
    std::string nodes;
    for (int e = 0; e < size; e++)
      if (execution.events[e].thread == thread)
        nodes += "    e" + std::to_string(e) + " [label=\"" + Label(program, execution.events[e]) +
                 "\"];\n";
    if (thread >= 0)
      text += "  subgraph cluster_" + std::to_string(thread) + " {\n    label=\"P" +
              std::to_string(thread) + "\";\n" + nodes + "  }\n";
    else
      text += nodes;
  }
  text += Edges(Reduce(execution.po, size), size, "po", "black", true);
  text += Edges(execution.addr, size, "addr", "purple", false);
  text += Edges(execution.data, size, "data", "purple", false);
  text += Edges(Reduce(execution.ctrl, size), size, "ctrl", "purple", false);
  text += Edges(execution.rmw, size, "rmw", "gray", false);
  text += Edges(execution.rf, size, "rf", "red", false);
  text += Edges(Reduce(execution.co, size), size, "co", "blue", false);
  text += Edges(execution.fr, size, "fr", "orange", false);
  return text + "}\n";
}

} // namespace heddle::litmus::compile
