// Checks the inner state of the mograph engine against its definition.
#ifndef HEDDLE_TEST_MOGRAPH_INSPECTOR_H
#define HEDDLE_TEST_MOGRAPH_INSPECTOR_H

#include "heddle/model/mograph.h"

#include <set>
#include <string>
#include <vector>

namespace __heddle {

struct MographInspector {
  // Empty, or what is wrong with the location.
  template <class Location> static std::string Check(const Location &x) {
    const auto &history = x.history_;
    using Node = std::remove_pointer_t<decltype(history.newest)>;
    using Block = Node;
    std::vector<Node *> nodes;
    std::set<Block *> blocks;
    for (u32 w = 0; w < history.writers.size(); w++) {
      const auto &ref = history.writers[w];
      if (!ref.writer) {
        if (ref.stores() || ref.first_epoch != history.kNever)
          return "an idle writer has something";
        continue;
      }
      const auto &writer = *ref.writer;
      if (ref.stores() != writer.stores.size() ||
          (ref.stores() && writer.stores[0]->ordinal != ref.first_ordinal))
        return "a writer's ordinals are not those of its stores";
      if (ref.first_epoch != (writer.accesses.empty() ? history.kNever : writer.accesses[0].epoch))
        return "a writer's first epoch is not that of its accesses";
      for (u32 i = 0; i < writer.stores.size(); i++) {
        Node *node = writer.stores[i];
        if (node->removed)
          return "a removed store is listed";
        if (i && node->ordinal != writer.stores[i - 1]->ordinal + 1)
          return "ordinals have gaps";
        if (i && node->epoch < writer.stores[i - 1]->epoch)
          return "epochs go backwards";
        nodes.push_back(node);
        blocks.insert(node->head);
      }
      for (u32 i = 0; i < writer.accesses.size(); i++) {
        if (writer.accesses[i].node->removed)
          return "an access refers to a removed store";
        if (i && writer.accesses[i].epoch < writer.accesses[i - 1].epoch)
          return "accesses are not in the order of their epochs";
      }
    }
    for (u32 i = 0; i < history.base_size; i++)
      if (history.base[i]->removed)
        return "the base has a removed store";
    if (nodes.size() != history.store_count)
      return "the number of stores is wrong";

    for (Block *block : blocks) {
      std::set<Block *> reachable;
      Reach(block, &reachable);
      if (reachable.count(block))
        return "the graph has a cycle";
      for (Block *after : reachable)
        if (!blocks.count(after))
          return "an edge leads to a block that is gone";
      // Reachability is what the clock vectors say.
      for (Node *from : nodes) {
        if (from->head != block)
          continue;
        for (Node *to : nodes) {
          if (to->head == block)
            continue;
          bool path = reachable.count(to->head);
          bool clock = to->head->past.Get(from->thread) >= from->ordinal;
          if (path != clock)
            return path ? "a path is missing from a clock vector"
                        : "a clock vector has what no path leads to";
        }
      }
      // A block is a chain of RMWs.
      Node *last = block->first;
      for (Node *node = block->first; node; node = node->next) {
        if (node->head != block)
          return "a chain leaves its block";
        if (node->next && node->next->past.Get(node->thread) < node->ordinal)
          return "an RMW does not know the store it read";
        last = node;
      }
      if (last != block->last)
        return "a block's last store is not the end of its chain";
    }
    return "";
  }

private:
  template <class Block> static void Reach(Block *from, std::set<Block *> *reachable) {
    for (u32 i = 0; i < from->after.size(); i++)
      if (reachable->insert(from->after[i]).second)
        Reach(from->after[i], reachable);
  }
};

} // namespace __heddle

#endif // HEDDLE_TEST_MOGRAPH_INSPECTOR_H
