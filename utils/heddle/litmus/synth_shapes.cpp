#include "synth_shapes.h"

#include <algorithm>
#include <numeric>

namespace heddle::litmus {
namespace {

using Kind = WholeExecution::Kind;

// Stores first: the threads of a test are then in the order in which one tells what
// they do, "writes the message and the flag; reads the flag and the message".
constexpr Kind kKinds[] = {Kind::kWrite, Kind::kRead, Kind::kRmw, Kind::kFence};

int Rank(Kind kind) {
  return static_cast<int>(std::find(std::begin(kKinds), std::end(kKinds), kind) - kKinds);
}

int Compare(const Shape::Event &a, const Shape::Event &b) {
  return a.kind != b.kind ? Rank(a.kind) - Rank(b.kind) : a.location - b.location;
}

class Enumerator {
public:
  explicit Enumerator(const ShapeLimits &limits) : limits_(limits) {}

  std::vector<Shape> Run() {
    ChooseSizes(limits_.events, limits_.events);
    return std::move(found_);
  }

private:
  void ChooseSizes(int rest, int longest) {
    if (rest == 0) {
      if (static_cast<int>(shape_.sizes.size()) >= limits_.min_threads) {
        thread_of_.clear();
        for (size_t t = 0; t < shape_.sizes.size(); t++)
          thread_of_.insert(thread_of_.end(), shape_.sizes[t], static_cast<int>(t));
        ChooseEvent(0, 0);
      }
      return;
    }
    for (int size = std::min(rest, longest); size > 0; size--) {
      shape_.sizes.push_back(size);
      ChooseSizes(rest - size, size);
      shape_.sizes.pop_back();
    }
  }

  void ChooseEvent(int rmws, int locations) {
    size_t at = shape_.events.size();
    if (at == thread_of_.size()) {
      shape_.locations = locations;
      if (locations >= limits_.min_locations && IsUseful() && IsCanonical())
        found_.push_back(shape_);
      return;
    }
    bool first = at == 0 || thread_of_[at - 1] != thread_of_[at];
    bool last = at + 1 == thread_of_.size() || thread_of_[at + 1] != thread_of_[at];
    for (Kind kind : kKinds) {
      if (kind == Kind::kFence) {
        if (limits_.fences && !first && !last)
          Choose({kind, -1}, rmws, locations);
        continue;
      }
      bool is_rmw = kind == Kind::kRmw;
      if (is_rmw && rmws == limits_.max_rmws)
        continue;
      for (int location = 0; location <= locations; location++)
        Choose({kind, location}, rmws + is_rmw, std::max(locations, location + 1));
    }
  }
  void Choose(const Shape::Event &event, int rmws, int locations) {
    // Every location needs two events.
    if (locations * 2 > limits_.events)
      return;
    shape_.events.push_back(event);
    ChooseEvent(rmws, locations);
    shape_.events.pop_back();
  }

  bool IsUseful() const {
    for (int location = 0; location < shape_.locations; location++) {
      bool written = false, shared = shape_.sizes.size() == 1;
      int thread = -1;
      for (size_t e = 0; e < shape_.events.size(); e++) {
        const Shape::Event &event = shape_.events[e];
        if (event.location != location)
          continue;
        written |= event.kind != Kind::kRead;
        shared |= thread >= 0 && thread != thread_of_[e];
        thread = thread_of_[e];
      }
      if (!written || !shared)
        return false;
    }
    return true;
  }

  // Whether no order of the threads, with the locations named as they appear, makes
  // the shape less. Keeps those that make it the same.
  bool IsCanonical() {
    shape_.symmetries.clear();
    std::vector<int> starts, threads(shape_.sizes.size());
    std::exclusive_scan(shape_.sizes.begin(), shape_.sizes.end(), std::back_inserter(starts), 0);
    std::iota(threads.begin(), threads.end(), 0);
    while (std::next_permutation(threads.begin(), threads.end())) {
      bool fits = true;
      for (size_t t = 0; t < threads.size(); t++)
        fits &= shape_.sizes[threads[t]] == shape_.sizes[t];
      if (!fits)
        continue;
      int difference = 0;
      std::vector<int> from, names(shape_.locations, -1);
      int named = 0;
      for (size_t t = 0; t < threads.size() && difference == 0; t++)
        for (int i = 0; i < shape_.sizes[t] && difference == 0; i++) {
          Shape::Event event = shape_.events[starts[threads[t]] + i];
          if (event.location >= 0) {
            int &name = names[event.location];
            if (name < 0)
              name = named++;
            event.location = name;
          }
          difference = Compare(event, shape_.events[from.size()]);
          from.push_back(starts[threads[t]] + i);
        }
      if (difference < 0)
        return false;
      if (difference == 0)
        shape_.symmetries.push_back(from);
    }
    return true;
  }

  const ShapeLimits limits_;
  Shape shape_;
  std::vector<int> thread_of_;
  std::vector<Shape> found_;
};

} // namespace

std::vector<Shape> Shapes(const ShapeLimits &limits) { return Enumerator(limits).Run(); }

} // namespace heddle::litmus
