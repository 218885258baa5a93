#include "dot.h"

namespace heddle::show {
namespace {

std::string Quote(const std::string &text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

std::string Name(size_t row) { return "r" + std::to_string(row); }

// The line break is dot's own.
std::string LabelOf(const Row &row) {
  std::string label = Quote(std::to_string(row.tick) + ": " + row.label);
  if (row.site->where.empty())
    return label;
  label.pop_back();
  return label + "\\n" + Quote(row.site->where).substr(1);
}

} // namespace

std::string ToDot(const View &view, const HappensBefore &order) {
  std::string dot = "digraph execution {\n  label=" + Quote(view.title) +
                    ";\n  node [shape=box, fontname=monospace];\n";
  for (unsigned thread = 0; thread < view.threads.size(); thread++) {
    dot += "  subgraph cluster_" + std::to_string(thread) +
           " {\n    label=" + Quote(view.threads[thread]) + ";\n";
    std::string program_order;
    for (size_t i = 0; i < view.rows.size(); i++) {
      const Row &row = view.rows[i];
      if (row.thread != thread)
        continue;
      dot += "    " + Name(i) + " [label=" + LabelOf(row);
      if (row.report)
        dot += ", style=filled, fillcolor=red, fontcolor=white";
      else if (row.stale)
        dot += ", color=orange, penwidth=2";
      dot += "];\n";
      program_order += (program_order.empty() ? "" : " -> ") + Name(i);
    }
    if (program_order.find("->") != program_order.npos)
      dot += "    " + program_order + " [weight=10];\n";
    dot += "  }\n";
  }
  for (const HappensBefore::Edge &edge : order.Edges())
    dot += "  " + Name(edge.from) + " -> " + Name(edge.to) + " [color=blue, style=dashed];\n";
  for (size_t i = 0; i < view.rows.size(); i++) {
    const Row &row = view.rows[i];
    if (!row.reads_from)
      continue;
    // From the store, as memory models draw it.
    dot +=
        "  " + Name(*row.reads_from) + " -> " + Name(i) +
        (row.stale ? " [color=orange, penwidth=2, label=\"stale rf\"" : " [color=gray, label=rf") +
        ", constraint=false];\n";
  }
  return dot + "}\n";
}

} // namespace heddle::show
