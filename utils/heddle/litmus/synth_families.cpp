#include "synth_families.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <sstream>

namespace heddle::litmus {
namespace {

using Kind = WholeExecution::Kind;

struct Family {
  const char *name;
  // The forbidden execution. Values are places in the modification order of the
  // location, 0 being the initial value.
  const char *execution;
};

constexpr Family kFamilies[] = {
    {"CoRR", "Wx1 | Rx1 Rx0"},
    {"CoRW", "Rx2 Wx1 | Wx2"},
    {"CoWR", "Wx2 Rx1 | Wx1"},
    {"MP", "Wx1 Wy1 | Ry1 Rx0"},
    {"S", "Wx2 Wy1 | Ry1 Wx1"},
    {"SB", "Wx1 Ry0 | Wy1 Rx0"},
    {"R", "Wx1 Wy1 | Wy2 Rx0"},
    {"2+2W", "Wx2 Wy1 | Wy2 Wx1"},
    {"LB", "Rx1 Wy1 | Ry1 Wx1"},
    {"WRC", "Wx1 | Rx1 Wy1 | Ry1 Rx0"},
    {"WWC", "Wx2 | Rx2 Wy1 | Ry1 Wx1"},
    {"RWC", "Wx1 | Rx1 Ry0 | Wy1 Rx0"},
    {"WRW+WR", "Wx1 | Rx1 Wy1 | Wy2 Rx0"},
    {"WRR+2W", "Wx2 | Rx2 Ry0 | Wy1 Wx1"},
    {"WRW+2W", "Wx2 | Rx2 Wy1 | Wy2 Wx1"},
    {"IRIW", "Wx1 | Rx1 Ry0 | Wy1 | Ry1 Rx0"},
    {"IRWIW", "Wx2 | Rx2 Wy1 | Wy2 | Ry2 Wx1"},
    {"IRRWIW", "Wx2 | Rx2 Ry0 | Wy1 | Ry1 Wx1"},
    {"ISA2", "Wx1 Wy1 | Ry1 Wz1 | Rz1 Rx0"},
    {"W+RWC", "Wx1 Wy1 | Ry1 Rz0 | Wz1 Rx0"},
    {"3.SB", "Wx1 Ry0 | Wy1 Rz0 | Wz1 Rx0"},
    {"3.LB", "Rx1 Wy1 | Ry1 Wz1 | Rz1 Wx1"},
    {"3.2W", "Wx2 Wy1 | Wy2 Wz1 | Wz2 Wx1"},
    {"Z6.0", "Wx1 Wy1 | Ry1 Wz1 | Wz2 Rx0"},
    {"Z6.1", "Wx2 Wy1 | Wy2 Wz1 | Rz1 Wx1"},
    {"Z6.2", "Wx2 Wy1 | Ry1 Wz1 | Rz1 Wx1"},
    {"Z6.3", "Wx1 Wy1 | Wy2 Wz1 | Rz1 Rx0"},
    {"Z6.4", "Wx1 Wy1 | Wy2 Rz0 | Wz1 Rx0"},
    {"Z6.5", "Wx1 Wy1 | Wy2 Wz1 | Wz2 Rx0"},
};

// An access as in kFamilies.
struct Access {
  char kind; // 'W' or 'R'
  int location;
  int value;
};
using Threads = std::vector<std::vector<Access>>;

Threads Parse(const char *execution) {
  Threads threads(1);
  std::istringstream words(execution);
  for (std::string word; words >> word;) {
    if (word == "|")
      threads.emplace_back();
    else
      threads.back().push_back({word[0], word[1], word[2] - '0'});
  }
  return threads;
}

// The same for two executions if they differ only in the names of threads and
// locations: the least text of all orders of the threads.
std::string Canonical(const Threads &threads) {
  std::vector<int> order(threads.size());
  std::iota(order.begin(), order.end(), 0);
  std::string least;
  do {
    std::string text;
    std::map<int, char> names;
    for (int t : order) {
      for (const Access &access : threads[t]) {
        char name = static_cast<char>('a' + names.size());
        text += access.kind;
        text += names.try_emplace(access.location, name).first->second;
        text += static_cast<char>('0' + access.value);
      }
      text += '|';
    }
    if (least.empty() || text < least)
      least = text;
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

// The accesses of a forbidden execution, with a read-modify-write as `rmw`.
Threads Accesses(const SynthesisedTest &test, const SynthesisedTest::Forbidden &forbidden,
                 char rmw) {
  std::vector<const SynthesisedTest::Event *> events;
  for (const auto &thread : test.threads)
    for (const SynthesisedTest::Event &event : thread)
      events.push_back(&event);
  auto is_write = [&](int e) {
    return events[e]->kind == Kind::kWrite || (events[e]->kind == Kind::kRmw && rmw == 'W');
  };
  // As far as the place of a write in mo, or the one before if it is none.
  auto place = [&](int write) {
    int value = 0;
    if (write < 0)
      return value;
    for (int w : forbidden.mo[events[write]->location]) {
      value += is_write(w);
      if (w == write)
        break;
    }
    return value;
  };
  Threads threads;
  int e = 0;
  for (const auto &thread : test.threads) {
    threads.emplace_back();
    for (size_t i = 0; i < thread.size(); i++, e++) {
      if (events[e]->kind == Kind::kFence)
        continue;
      bool writes = is_write(e);
      threads.back().push_back(
          {writes ? 'W' : 'R', events[e]->location, place(writes ? e : forbidden.rf[e])});
    }
  }
  return threads;
}

// Whether the execution is forbidden with the read-modify-writes as `rmw` alone.
bool IsForbiddenAs(char rmw, const SynthesisedTest &test,
                   const SynthesisedTest::Forbidden &forbidden, const C11Axioms &axioms) {
  WholeExecution x = ExecutionOf(test, forbidden);
  for (int e = 0; e < x.size; e++) {
    if (x.kind[e] != Kind::kRmw)
      continue;
    if (rmw == 'W') {
      x.kind[e] = Kind::kWrite;
      x.rf[e] = WholeExecution::kInitial;
      x.fr[e] = 0;
      continue;
    }
    x.kind[e] = Kind::kRead;
    x.mo[e] = 0;
    for (int other = 0; other < x.size; other++) {
      x.mo[other] &= ~(WholeExecution::Set{1} << e);
      x.fr[other] &= ~(WholeExecution::Set{1} << e);
      if (x.Reads(other) && x.rf[other] == e)
        x.rf[other] = WholeExecution::kRemoved;
    }
  }
  return !IsAllowed(x, axioms);
}

} // namespace

std::string FamilyOf(const SynthesisedTest &test, const C11Axioms &axioms) {
  static const std::map<std::string, std::string> kByExecution = [] {
    std::map<std::string, std::string> map;
    for (const Family &family : kFamilies)
      map[Canonical(Parse(family.execution))] = family.name;
    return map;
  }();
  for (char rmw : {'W', 'R'})
    for (const SynthesisedTest::Forbidden &forbidden : test.forbidden) {
      auto found = kByExecution.find(Canonical(Accesses(test, forbidden, rmw)));
      if (found != kByExecution.end() &&
          (test.Rmws() == 0 || IsForbiddenAs(rmw, test, forbidden, axioms)))
        return found->second;
    }
  return "";
}

std::vector<std::string> Families() {
  std::vector<std::string> names;
  for (const Family &family : kFamilies)
    names.push_back(family.name);
  return names;
}

} // namespace heddle::litmus
