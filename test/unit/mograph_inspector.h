// Checks the inner state of the mograph engine against its definition.
#ifndef HEDDLE_TEST_MOGRAPH_INSPECTOR_H
#define HEDDLE_TEST_MOGRAPH_INSPECTOR_H

#include "heddle/model/mograph.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace __heddle {

struct MographInspector {
  // Empty, or what is wrong with the location.
  template <class Location> static std::string Check(const Location &x) {
    const auto &history = x.history_;
    for (u32 i = 0; i < history.stores.size(); i++) {
      const auto *node = history.stores[i];
      if (node->position != history.First() + i)
        return "positions have gaps";
      if (history.At(node->position) != node)
        return "a store is not at its position";
    }
    for (u32 w = 0; w < history.writers.size(); w++) {
      const auto &ref = history.writers[w];
      const auto &accesses = ref->accesses;
      if (accesses.empty())
        return "an idle writer is listed";
      if (ref.first_epoch != accesses[0].epoch || ref.last_epoch != accesses.Back().epoch ||
          ref.last != accesses.Back().node)
        return "what is known of a writer is not true of its accesses";
      for (u32 i = 0; i < accesses.size(); i++) {
        if (!Has(history, accesses[i].node) || accesses[i].node == history.stores[0])
          return "an access refers to a store that need not be remembered";
        if (i && (accesses[i].epoch <= accesses[i - 1].epoch ||
                  accesses[i].node->position <= accesses[i - 1].node->position))
          return "accesses are out of order";
      }
      for (u32 i = 0; i < ref->seq_cst.size(); i++) {
        if (!Has(history, ref->seq_cst[i].node))
          return "a seq_cst access refers to a store that is gone";
        if (i && (ref->seq_cst[i].ordinal <= ref->seq_cst[i - 1].ordinal ||
                  ref->seq_cst[i].node->position <= ref->seq_cst[i - 1].node->position))
          return "seq_cst accesses are out of order";
      }
    }
    return CheckGraph(x.engine_->graph_);
  }

  template <class Engine> static u32 SeqCstOperations(const Engine &engine) {
    return engine.graph_.live();
  }

private:
  template <class History, class Node> static bool Has(const History &x, const Node *node) {
    return node->position >= x.First() && node->position <= x.Last() &&
           x.At(node->position) == node;
  }

  // S exists, and reachability is what the clock vectors say.
  template <class Graph> static std::string CheckGraph(const Graph &graph) {
    using Node = typename Graph::Node;
    std::vector<const Node *> nodes;
    for (u32 c = 0; c < graph.chains_.size(); c++) {
      const auto &chain = *graph.chains_[c];
      for (u32 i = 0; i < chain.nodes.size(); i++) {
        if (graph.Find(c, chain.nodes[i]->ordinal) != chain.nodes[i] || chain.nodes[i]->chain != c)
          return "an operation is not found under its ordinal";
        nodes.push_back(chain.nodes[i]);
      }
      for (u32 i = 1; i < chain.waiting.size(); i++)
        if (chain.waiting[i]->epoch <= chain.waiting[i - 1]->epoch ||
            !chain.waiting[i]->sources.Covers(chain.waiting[i - 1]->sources))
          return "what waits for fences is out of order";
    }
    if (nodes.size() != graph.live())
      return "the number of seq_cst operations is wrong";
    for (const Node *from : nodes) {
      std::set<const Node *> reachable;
      Reach(graph, from, &reachable);
      if (reachable.count(from))
        return "there is no S: the graph has a cycle";
      for (const Node *to : nodes) {
        if (to == from)
          continue;
        const bool path = reachable.count(to);
        const bool clock = to->past.Get(from->chain) >= from->ordinal;
        if (path != clock)
          return path ? "a path is missing from a clock vector"
                      : "a clock vector has what no path leads to";
      }
    }
    return "";
  }
  template <class Graph, class Node>
  static void Reach(const Graph &graph, const Node *from, std::set<const Node *> *reachable) {
    auto go = [&](const Node *to) {
      if (reachable->insert(to).second)
        Reach(graph, to, reachable);
    };
    if (const Node *next = graph.Find(from->chain, from->ordinal + 1))
      go(next);
    for (u32 i = 0; i < from->after.size(); i++)
      go(from->after[i]);
  }
};

} // namespace __heddle

#endif // HEDDLE_TEST_MOGRAPH_INSPECTOR_H
