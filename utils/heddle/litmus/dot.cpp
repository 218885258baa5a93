#include "dot.h"

#include "printer.h"

namespace heddle::litmus {
namespace {

using axiomatic::Each;
using axiomatic::EventSet;
using axiomatic::Relation;
using Event = axiomatic::Event;

const char *NameOf(Order order) {
  static const char *const names[] = {"rlx", "con", "acq", "rel", "acq_rel", "sc"};
  return names[static_cast<int>(order)];
}

std::string Label(const Program &program, const Event &event) {
  auto value = [](Value v) { return std::to_string(v); };
  std::string name = event.location >= 0 ? program.locations[event.location].name : "";
  std::string order = event.thread < 0 ? "" : std::string(" ") + NameOf(event.order);
  switch (event.kind) {
  case Event::Kind::kRead:
    return "R" + order + " " + name + "=" + value(event.read_value);
  case Event::Kind::kWrite:
    return "W" + order + " " + name + "=" + value(event.written_value);
  case Event::Kind::kRmw:
    return "RMW" + order + " " + name + ": " + value(event.read_value) + " to " +
           value(event.written_value);
  case Event::Kind::kFence:
    return "F" + order;
  }
  return "";
}

// The edges that do not follow from two others.
Relation Reduce(const Relation &closed, int size) {
  Relation reduced(size);
  for (int a = 0; a < size; a++)
    for (int b : Each(closed[a])) {
      bool follows = false;
      for (int via : Each(closed[a]))
        follows |= via != b && closed.Has(via, b);
      if (!follows)
        reduced.Add(a, b);
    }
  return reduced;
}

// From each read to the write that comes right after the one it reads.
Relation FromReads(const Execution &execution, const Relation &next_in_mo, int size) {
  Relation fr(size);
  for (int write = 0; write < size; write++)
    for (int read : Each(execution.rf[write]))
      for (int next : Each(next_in_mo[write]))
        if (next != read) // an RMW is next itself
          fr.Add(read, next);
  return fr;
}

class Drawing {
public:
  explicit Drawing(int size) : size_(size) {}
  void Edges(const Relation &relation, const char *name, const char *color, bool shapes) {
    for (int a = 0; a < size_; a++)
      for (int b : Each(relation[a]))
        text_ += "  e" + std::to_string(a) + " -> e" + std::to_string(b) + " [label=\"" + name +
                 "\", color=" + color + ", fontcolor=" + color +
                 (shapes ? "" : ", constraint=false") + "];\n";
  }
  void Line(const std::string &line) { text_ += line + "\n"; }
  const std::string &text() const { return text_; }

private:
  int size_;
  std::string text_;
};

} // namespace

std::string DrawExecution(const Program &program, const Execution &execution) {
  const int size = execution.events.size();
  Drawing drawing(size);
  drawing.Line("digraph \"" + program.name + "\" {");
  drawing.Line("  label=\"" + program.name + "\\n" + FormatState(program, execution.state) + "\";");
  drawing.Line("  node [shape=plaintext, fontname=\"sans-serif\"];");
  drawing.Line("  edge [fontname=\"sans-serif\", fontsize=10];");
  for (int thread = -1; thread < static_cast<int>(program.threads.size()); thread++) {
    drawing.Line("  subgraph cluster_" + std::to_string(thread + 1) + " {");
    drawing.Line("    label=\"" + (thread < 0 ? "initially" : "P" + std::to_string(thread)) +
                 "\"; color=gray;");
    for (int e = 0; e < size; e++)
      if (execution.events[e].thread == thread)
        drawing.Line("    e" + std::to_string(e) + " [label=\"" +
                     Label(program, execution.events[e]) + "\"];");
    drawing.Line("  }");
  }
  const Relation mo = Reduce(execution.mo, size);
  drawing.Edges(Reduce(execution.sb, size), "sb", "black", true);
  drawing.Edges(execution.rf, "rf", "red", false);
  drawing.Edges(mo, "mo", "blue", false);
  drawing.Edges(FromReads(execution, mo, size), "fr", "orange", false);
  drawing.Edges(Reduce(execution.sc, size), "sc", "purple", false);
  drawing.Edges(execution.sw, "hb", "darkgreen", false);
  drawing.Line("}");
  return drawing.text();
}

} // namespace heddle::litmus
