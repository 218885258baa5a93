//===-- enumerator.h - All runs of a program, one after the other ---------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks the tree of choices depth first. The program must be deterministic but
// for its choices:
//
//   do {
//     ChoiceStream stream(enumerator);
//     Run(stream);
//   } while (enumerator.Next());
//
// Every sequence of answers comes up exactly once, in lexicographic order. What
// is kept is the path of the current run and nothing else, so the memory grows
// with the depth of the tree, not with its size. The prefix that a run shares
// with the one before must be asked for again as it was; if it is not, the walk
// ends and Nondeterminism() says where.
//
// Bound. At most `limit` answers other than the default in a run, counting the
// kinds of a set: with thread choices, that is bounding the preemptions (Musuvathi
// and Qadeer, PLDI 2007), or the delays from a deterministic schedule where the
// options are ordered that way (Emmi, Qadeer and Rakamaric, POPL 2011).
//
// Parts. The tree can be split for several workers, which know neither it nor
// each other. Each node owns an interval of a line of 2^32 points, which its
// options divide evenly; a leaf belongs to the part in which its interval begins,
// a part being the i-th of n equal pieces of the line. A worker skips every
// subtree that lies outside its part without visiting it. Only by running a leaf
// is it found out that there is nothing below, so the first run of a worker, but
// no other, can be a leaf of an earlier part: OwnsLeaf() is then false. Uneven
// trees make uneven parts. Take many more parts than workers.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_CHOICE_ENUMERATOR_H
#define HEDDLE_CHOICE_ENUMERATOR_H

#include "heddle/choice/check.h"
#include "heddle/choice/choice_stream.h"
#include "heddle/choice/divergence.h"
#include "heddle/choice/growable.h"

namespace __heddle {

constexpr u32 KindBit(ChoiceKind kind) { return u32(1) << u32(kind); }

struct EnumerationBound {
  static constexpr u32 kNone = ~u32(0);

  u32 limit = kNone;
  u32 kinds = ~u32(0); // the KindBits of those that count
};

struct EnumerationPart {
  u32 index = 0;
  u32 count = 1;
};

template <class Memory> class Enumerator final : public Chooser {
public:
  using Bound = EnumerationBound;
  using Part = EnumerationPart;

  constexpr Enumerator() : Enumerator(Bound()) {}
  constexpr explicit Enumerator(Bound bound, Part part = Part()) : bound_(bound) {
    Require(part.index < part.count);
    part_begin_ = kLine * part.index / part.count;
    part_end_ = kLine * (u64(part.index) + 1) / part.count;
  }

  u32 Choose(ChoiceKind kind, u32 options) override {
    Question asked = {kind, options};
    if (nondeterministic_)
      return kDefaultAnswer;
    if (depth_ == path_.Size())
      Descend(asked);
    const Node &node = path_[depth_];
    if (node.question != asked) {
      Complain(node.question, asked);
      return kDefaultAnswer;
    }
    depth_++;
    return node.answer;
  }

  // The run has ended. Prepares the next one; false if there is none, or none
  // that makes sense.
  bool Next() {
    if (depth_ < path_.Size() && !nondeterministic_)
      Complain(path_[depth_].question, kTheEnd);
    if (nondeterministic_ || finished_)
      return false;
    if (OwnsLeaf())
      leaves_++;
    depth_ = 0;
    for (; !path_.Empty(); path_.Pop())
      if (Advance(path_.Back()))
        return true;
    finished_ = true;
    return false;
  }

  // After a run, before Next(): whether the run counts as one of this part.
  bool OwnsLeaf() const { return LeafBegin() >= part_begin_; }

  // How many runs of this part there were, the one going on not included.
  u64 Leaves() const { return leaves_; }

  // Where the program asked for something else than before; null if it never did.
  const Divergence *Nondeterminism() const { return nondeterministic_ ? &divergence_ : nullptr; }

private:
  static constexpr u64 kLine = u64(1) << 32;

  struct Node {
    Question question;
    u32 allowed; // options, or 1 where the bound is reached
    u32 answer;
    u64 begin, width; // its interval

    // The interval of an option ends where the next one's begins. No overflow:
    // the width is at most 2^32, the option below it.
    u64 OptionBegin(u64 option) const { return begin + width * option / allowed; }
    u64 OptionWidth() const { return OptionBegin(u64(answer) + 1) - OptionBegin(answer); }
  };

  // Adds the node that the run has come to.
  void Descend(const Question &question) {
    Node node = {question, question.options, 0, LeafBegin(), LeafWidth()};
    if (Counts(question) && deviations_ == bound_.limit)
      node.allowed = 1;
    node.answer = FirstOption(node);
    if (node.answer != kDefaultAnswer && Counts(question))
      deviations_++;
    path_.Push(node);
  }

  // The first option below which there may be a leaf of this part: its interval
  // begins in the part or reaches into it. The node itself is such a one.
  u32 FirstOption(const Node &node) const {
    u64 low = 0, high = node.allowed - 1;
    while (low < high) {
      u64 middle = (low + high) / 2;
      if (node.OptionBegin(middle) >= part_begin_ || node.OptionBegin(middle + 1) > part_begin_)
        high = middle;
      else
        low = middle + 1;
    }
    return u32(low);
  }

  // Goes to the next option of a node, if there is one in this part.
  bool Advance(Node &node) {
    u64 next = u64(node.answer) + 1;
    bool more = next < node.allowed && node.OptionBegin(next) < part_end_;
    if (Counts(node.question)) {
      if (more && node.answer == kDefaultAnswer)
        deviations_++;
      else if (!more && node.answer != kDefaultAnswer)
        deviations_--;
    }
    if (more)
      node.answer = u32(next);
    return more;
  }

  // The interval of the option taken last.
  u64 LeafBegin() const {
    return path_.Empty() ? 0 : path_.Back().OptionBegin(path_.Back().answer);
  }
  u64 LeafWidth() const { return path_.Empty() ? kLine : path_.Back().OptionWidth(); }

  bool Counts(const Question &question) const { return bound_.kinds & KindBit(question.kind); }

  void Complain(const Question &expected, const Question &asked) {
    nondeterministic_ = true;
    divergence_ = {depth_, expected, asked};
  }

  Bound bound_;
  u64 part_begin_ = 0;
  u64 part_end_ = 0;
  Growable<Node, Memory> path_;
  uptr depth_ = 0;     // how far the current run has come
  u32 deviations_ = 0; // answers on the path that count against the bound
  u64 leaves_ = 0;
  bool finished_ = false;
  bool nondeterministic_ = false;
  Divergence divergence_ = {};
};

} // namespace __heddle

#endif // HEDDLE_CHOICE_ENUMERATOR_H
