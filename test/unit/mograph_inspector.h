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
    using Node = std::remove_pointer_t<decltype(x.newest_)>;
    using Block = std::remove_pointer_t<decltype(x.newest_->block)>;
    std::vector<Node *> nodes;
    std::set<Block *> blocks;
    for (u32 w = 0; w < x.writers_.size(); w++) {
      const auto &writer = *x.writers_[w].writer;
      for (u32 i = 0; i < writer.stores.size(); i++) {
        Node *node = writer.stores[i];
        if (node->removed)
          return "a removed store is listed";
        if (i && node->ordinal != writer.stores[i - 1]->ordinal + 1)
          return "ordinals have gaps";
        if (i && node->epoch < writer.stores[i - 1]->epoch)
          return "epochs go backwards";
        nodes.push_back(node);
        blocks.insert(node->block);
      }
      for (u32 i = 0; i < writer.accesses.size(); i++) {
        if (writer.accesses[i].node->removed)
          return "an access refers to a removed store";
        if (i && writer.accesses[i].epoch < writer.accesses[i - 1].epoch)
          return "accesses are not in the order of their epochs";
      }
    }
    if (nodes.size() != x.store_count_)
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
        if (from->block != block)
          continue;
        for (Node *to : nodes) {
          if (to->block == block)
            continue;
          bool path = reachable.count(to->block);
          bool clock = to->block->before.Get(from->thread) >= from->ordinal;
          if (path != clock)
            return path ? "a path is missing from a clock vector"
                        : "a clock vector has what no path leads to";
        }
      }
      // A block is a chain of RMWs.
      Node *last = block->first;
      for (Node *node = block->first; node; node = node->next) {
        if (node->block != block)
          return "a chain leaves its block";
        if (node->next && node->next->chain.Get(node->thread) < node->ordinal)
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
