// A second implementation of the axioms of heddle/litmus/axiomatic.h, which avoids
// every cleverness of the first and shares nothing with it but the program: all
// values for all reads, all writes for all reads, all permutations of the writes,
// all permutations of the seq_cst events, and each axiom, on its own, on what comes
// out.
#ifndef HEDDLE_TEST_AXIOMATIC_NAIVE_H
#define HEDDLE_TEST_AXIOMATIC_NAIVE_H

#include "heddle/litmus/axiomatic.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <vector>

namespace heddle::litmus::naive {

struct NaiveEvent {
  int thread = -1, location = -1;
  bool reads = false, writes = false, fence = false;
  Value value_read = 0, value_written = 0;
  Order order = Order::kRelaxed;
  bool Sc() const { return order == Order::kSeqCst; }
  bool Rmw() const { return reads && writes; }
};

constexpr size_t kMost = 16; // events

struct Matrix {
  explicit Matrix(size_t of = 0) : size(of) {}
  bool *operator[](size_t i) { return rows[i]; }
  const bool *operator[](size_t i) const { return rows[i]; }
  size_t size;
  bool rows[kMost][kMost] = {};
};

inline Matrix Union(Matrix a, const Matrix &b) {
  for (size_t i = 0; i < a.size; i++)
    for (size_t j = 0; j < a.size; j++)
      a[i][j] |= b[i][j];
  return a;
}

inline Matrix Compose(const Matrix &a, const Matrix &b) {
  Matrix result = Matrix(a.size);
  for (size_t i = 0; i < a.size; i++)
    for (size_t j = 0; j < a.size; j++)
      for (size_t k = 0; k < a.size; k++)
        result[i][k] |= a[i][j] && b[j][k];
  return result;
}

inline Matrix Closure(Matrix a) {
  for (size_t via = 0; via < a.size; via++)
    for (size_t i = 0; i < a.size; i++)
      for (size_t j = 0; j < a.size; j++)
        a[i][j] |= a[i][via] && a[via][j];
  return a;
}

inline bool HasCycle(const Matrix &a) {
  Matrix closed = Closure(a);
  for (size_t i = 0; i < a.size; i++)
    if (closed[i][i])
      return true;
  return false;
}

class Naive {
public:
  Naive(const Program &program, const AxiomaticOptions &options)
      : program_(program), options_(options) {}

  // False if the program is beyond this implementation: each round of the domains
  // can square the number of values, and then nearly all of them are impossible.
  bool Run(Outcome *outcome);

private:
  struct Path {
    std::vector<NaiveEvent> events;
    std::vector<Value> registers;
  };

  void Walk(int thread, std::vector<const Statement *> todo, Path path, std::vector<Path> *paths);
  void ChoosePaths(size_t thread);
  void ChooseRf(size_t event);
  void ChooseMo(size_t location);
  void Check();
  void SetHappensBefore();
  bool InReleaseSequence(int head, int write);
  bool Coherent();
  bool SomeSc();
  bool ScIsCxx11();
  bool ScIsCxx20();
  bool Mo(int a, int b) { return mo_[a][b]; }
  // "r reads from w or a write after it".
  bool ReadsFromOrAfter(int r, int w) { return rf_[r] == w || Mo(w, rf_[r]); }
  bool SameLocation(int a, int b) { return e_[a].location == e_[b].location; }

  const Program &program_;
  AxiomaticOptions options_;
  std::vector<std::set<Value>> domains_;
  std::vector<std::vector<Path>> paths_;
  std::vector<const Path *> chosen_;
  std::vector<NaiveEvent> e_;
  std::vector<int> rf_;
  std::vector<std::vector<int>> order_; // mo by location
  Matrix sb_, asw_, mo_, rf_matrix_, sw_, hb_;
  std::vector<int> sc_sequence_;
  Matrix sc_;
  Outcome outcome_;
};

inline void Naive::Walk(int thread, std::vector<const Statement *> todo, Path path,
                        std::vector<Path> *paths) {
  if (todo.empty()) {
    paths->push_back(path);
    return;
  }
  const Statement &statement = *todo[0];
  todo.erase(todo.begin());
  Value value = Evaluate(statement.value, path.registers);
  NaiveEvent event;
  event.thread = thread;
  event.location = statement.location;
  event.order = statement.order;
  auto set = [](Path *changed, int index, Value to) {
    if (index >= 0)
      changed->registers[index] = to;
  };
  switch (statement.kind) {
  case Statement::Kind::kIf: {
    const auto &body = value ? statement.then_body : statement.else_body;
    for (size_t i = body.size(); i-- > 0;)
      todo.insert(todo.begin(), &body[i]);
    Walk(thread, todo, path, paths);
    break;
  }
  case Statement::Kind::kAssign:
    set(&path, statement.target, value);
    Walk(thread, todo, path, paths);
    break;
  case Statement::Kind::kMembarrier:
    throw std::logic_error("the naive oracle knows no membarriers");
  case Statement::Kind::kFence:
    event.fence = true;
    path.events.push_back(event);
    Walk(thread, todo, path, paths);
    break;
  case Statement::Kind::kStore:
    event.writes = true;
    event.value_written = value;
    path.events.push_back(event);
    Walk(thread, todo, path, paths);
    break;
  case Statement::Kind::kLoad:
  case Statement::Kind::kRmw:
    for (Value read : domains_[statement.location]) {
      event.reads = true;
      event.value_read = read;
      if (statement.kind == Statement::Kind::kRmw) {
        event.writes = true;
        event.value_written = Apply(statement.operation, read, value);
      }
      Path next = path;
      next.events.push_back(event);
      set(&next, statement.target, read);
      Walk(thread, todo, next, paths);
    }
    break;
  case Statement::Kind::kCompareExchange:
    for (Value read : domains_[statement.location]) {
      for (bool success : {true, false}) {
        bool equal = read == path.registers[statement.expected];
        if (success ? !equal : equal && !statement.weak)
          continue;
        event.reads = true;
        event.writes = success;
        event.value_read = read;
        event.value_written = success ? value : 0;
        event.order = success ? statement.order : statement.failure_order;
        Path next = path;
        next.events.push_back(event);
        if (!success)
          set(&next, statement.expected, read);
        set(&next, statement.target, success);
        Walk(thread, todo, next, paths);
      }
    }
    break;
  }
}

inline size_t CountStatements(const std::vector<Statement> &body) {
  size_t count = body.size();
  for (const Statement &statement : body)
    count += CountStatements(statement.then_body) + CountStatements(statement.else_body);
  return count;
}

inline bool Naive::Run(Outcome *outcome) {
  size_t rounds = 1;
  for (const Thread &thread : program_.threads)
    rounds += CountStatements(thread.body);
  for (const Location &location : program_.locations)
    domains_.push_back({location.initial});
  while (rounds-- > 0) {
    paths_.clear();
    for (size_t t = 0; t < program_.threads.size(); t++) {
      std::vector<const Statement *> todo;
      for (const Statement &statement : program_.threads[t].body)
        todo.push_back(&statement);
      Path path;
      path.registers.resize(program_.threads[t].registers.size());
      paths_.emplace_back();
      Walk(t, todo, path, &paths_.back());
    }
    double combinations = 1;
    for (const auto &paths : paths_)
      combinations *= static_cast<double>(paths.size());
    if (combinations > 5000)
      return false;
    auto before = domains_;
    for (const auto &paths : paths_)
      for (const Path &path : paths)
        for (const NaiveEvent &event : path.events)
          if (event.writes)
            domains_[event.location].insert(event.value_written);
    if (before == domains_)
      break;
  }
  for (size_t l = 0; l < program_.locations.size(); l++) {
    NaiveEvent event;
    event.writes = true;
    event.location = l;
    event.value_written = program_.locations[l].initial;
    e_.push_back(event);
  }
  ChoosePaths(0);
  *outcome = outcome_;
  return true;
}

inline void Naive::ChoosePaths(size_t thread) {
  if (thread == paths_.size()) {
    size_t size = e_.size();
    if (size > kMost)
      throw std::length_error("too many events");
    sb_ = asw_ = Matrix(size);
    for (size_t i = 0; i < size; i++) {
      for (size_t j = 0; j < size; j++) {
        sb_[i][j] = i < j && e_[i].thread >= 0 && e_[i].thread == e_[j].thread;
        asw_[i][j] = e_[i].thread < 0 && e_[j].thread >= 0;
      }
    }
    rf_.assign(size, -1);
    ChooseRf(0);
    return;
  }
  for (const Path &path : paths_[thread]) {
    chosen_.push_back(&path);
    e_.insert(e_.end(), path.events.begin(), path.events.end());
    ChoosePaths(thread + 1);
    e_.resize(e_.size() - path.events.size());
    chosen_.pop_back();
  }
}

inline void Naive::ChooseRf(size_t event) {
  if (event == e_.size()) {
    order_.assign(program_.locations.size(), {});
    for (size_t i = 0; i < e_.size(); i++)
      if (e_[i].writes)
        order_[e_[i].location].push_back(i);
    ChooseMo(0);
    return;
  }
  if (!e_[event].reads) {
    ChooseRf(event + 1);
    return;
  }
  for (size_t w = 0; w < e_.size(); w++) {
    if (w == event || !e_[w].writes || !SameLocation(w, event) ||
        e_[w].value_written != e_[event].value_read)
      continue;
    rf_[event] = w;
    ChooseRf(event + 1);
  }
}

inline void Naive::ChooseMo(size_t location) {
  if (location == order_.size()) {
    Check();
    return;
  }
  std::sort(order_[location].begin(), order_[location].end());
  do {
    ChooseMo(location + 1);
  } while (std::next_permutation(order_[location].begin(), order_[location].end()));
}

inline bool Naive::InReleaseSequence(int head, int write) {
  if (options_.release_sequence == ReleaseSequence::kCxx20) {
    if (head == write)
      return true;
    return e_[write].Rmw() && InReleaseSequence(head, rf_[write]);
  }
  if (!SameLocation(head, write) || (head != write && !Mo(head, write)))
    return false;
  for (size_t v = 0; v < e_.size(); v++)
    if (Mo(head, v) && (v == size_t(write) || Mo(v, write)) && e_[v].thread != e_[head].thread &&
        !e_[v].Rmw())
      return false;
  return true;
}

inline void Naive::SetHappensBefore() {
  int size = e_.size();
  sw_ = Matrix(size);
  auto release = [&](int i) { return e_[i].thread >= 0 && IsRelease(e_[i].order); };
  auto acquire = [&](int i) { return IsAcquire(e_[i].order); };
  for (int w = 0; w < size; w++) {
    for (int r = 0; r < size; r++) {
      if (!e_[w].writes || !e_[r].reads || !InReleaseSequence(w, rf_[r]))
        continue;
      for (int a = 0; a < size; a++) {
        for (int b = 0; b < size; b++) {
          bool from = a == w || (e_[a].fence && sb_[a][w]);
          bool to = b == r || (e_[b].fence && sb_[r][b]);
          if (from && release(a) && to && acquire(b))
            sw_[a][b] = true;
        }
      }
    }
  }
  hb_ = Closure(Union(Union(sb_, asw_), sw_));
}

inline bool Naive::Coherent() {
  int size = e_.size();
  for (int a = 0; a < size; a++) {
    if (e_[a].reads && hb_[a][rf_[a]])
      return false;
    for (int b = 0; b < size; b++) {
      if (!hb_[a][b] || e_[a].fence || e_[b].fence || !SameLocation(a, b))
        continue;
      if (e_[a].writes && e_[b].writes && !Mo(a, b)) // CoWW
        return false;
      if (e_[a].reads && e_[b].reads && Mo(rf_[b], rf_[a])) // CoRR
        return false;
      if (e_[a].writes && e_[b].reads && Mo(rf_[b], a)) // CoWR
        return false;
      if (e_[a].reads && e_[b].writes && (Mo(b, rf_[a]) || rf_[a] == b)) // CoRW
        return false;
    }
  }
  return true;
}

inline void Naive::Check() {
  int size = e_.size();
  mo_ = rf_matrix_ = Matrix(size);
  for (const auto &order : order_) {
    if (e_[order[0]].thread >= 0)
      return;
    for (size_t i = 0; i < order.size(); i++) {
      for (size_t j = i + 1; j < order.size(); j++)
        mo_[order[i]][order[j]] = true;
      if (e_[order[i]].Rmw() && rf_[order[i]] != order[i - 1])
        return;
    }
  }
  Matrix fr = Matrix(size);
  for (int r = 0; r < size; r++) {
    if (!e_[r].reads)
      continue;
    rf_matrix_[rf_[r]][r] = true;
    for (int w = 0; w < size; w++)
      fr[r][w] = w != r && Mo(rf_[r], w);
  }
  bool consistent;
  if (options_.model == AxiomaticModel::kSc) {
    consistent = !HasCycle(Union(Union(Union(sb_, asw_), rf_matrix_), Union(mo_, fr)));
  } else {
    SetHappensBefore();
    consistent = !HasCycle(hb_) && Coherent() && SomeSc();
  }
  if (!consistent)
    return;
  State state;
  for (const Observable &observable : program_.observed)
    state.push_back(observable.thread < 0
                        ? e_[order_[observable.index].back()].value_written
                        : chosen_[observable.thread]->registers[observable.index]);
  outcome_.states[state]++;
  outcome_.executions++;
}

inline bool Naive::SomeSc() {
  sc_sequence_.clear();
  for (size_t i = 0; i < e_.size(); i++)
    if (e_[i].thread >= 0 && e_[i].Sc())
      sc_sequence_.push_back(i);
  do {
    sc_ = Matrix(e_.size());
    for (size_t i = 0; i < sc_sequence_.size(); i++)
      for (size_t j = i + 1; j < sc_sequence_.size(); j++)
        sc_[sc_sequence_[i]][sc_sequence_[j]] = true;
    if (options_.model == AxiomaticModel::kCxx20 || options_.model == AxiomaticModel::kTsan20
            ? ScIsCxx20()
            : ScIsCxx11())
      return true;
  } while (std::next_permutation(sc_sequence_.begin(), sc_sequence_.end()));
  return false;
}

inline bool Naive::ScIsCxx11() {
  int size = e_.size();
  for (int a : sc_sequence_) {
    for (int b : sc_sequence_) {
      if (hb_[a][b] && !sc_[a][b])
        return false;
      if (Mo(a, b) && !sc_[a][b])
        return false;
    }
  }
  // p3
  for (int r : sc_sequence_) {
    if (!e_[r].reads)
      continue;
    int last = -1;
    for (int w : sc_sequence_) // in the order of sc
      if (e_[w].writes && SameLocation(w, r) && sc_[w][r])
        last = w;
    int from = rf_[r];
    bool from_sc = e_[from].thread >= 0 && e_[from].Sc();
    if (last < 0 ? from_sc : from != last && (from_sc || hb_[from][last]))
      return false;
  }
  // p4 to p7
  for (int f = 0; f < size; f++) {
    if (!e_[f].fence || !e_[f].Sc())
      continue;
    for (int a = 0; a < size; a++) {
      for (int b = 0; b < size; b++) {
        if (a == b || !e_[a].writes || e_[b].fence || !SameLocation(a, b))
          continue;
        bool first = false;
        // a sc f sb b; a sb f sc b; a sb f sc g sb b
        first |= sc_[a][f] && sb_[f][b];
        first |= sb_[a][f] && sc_[f][b];
        for (int g = 0; g < size; g++)
          first |= e_[g].fence && e_[g].Sc() && sb_[a][f] && sc_[f][g] && sb_[g][b];
        if (first && e_[b].reads && !ReadsFromOrAfter(b, a))
          return false;
        if (first && e_[b].writes && !Mo(a, b))
          return false;
      }
    }
  }
  if (options_.model == AxiomaticModel::kTsan11)
    return !HasCycle(Union(Union(Union(sb_, asw_), rf_matrix_), Union(mo_, sc_)));
  return !HasCycle(Union(Union(hb_, sc_), rf_matrix_));
}

inline bool Naive::ScIsCxx20() {
  int size = e_.size();
  if (HasCycle(Union(sb_, rf_matrix_)))
    return false;
  if (options_.model == AxiomaticModel::kTsan20 &&
      HasCycle(Union(Union(Union(sb_, asw_), rf_matrix_), Union(mo_, sc_))))
    return false;
  Matrix strongly = Union(sb_, Compose(Compose(sb_, hb_), sb_));
  for (int a : sc_sequence_)
    for (int b : sc_sequence_)
      strongly[a][b] |= sw_[a][b];
  strongly = Closure(strongly);
  Matrix coherence = Matrix(size);
  for (int a = 0; a < size; a++) {
    for (int b = 0; b < size; b++) {
      if (e_[a].fence || e_[b].fence || !SameLocation(a, b) || a == b)
        continue;
      coherence[a][b] =
          rf_matrix_[a][b] || Mo(a, b) || (e_[a].reads && e_[b].writes && Mo(rf_[a], b));
    }
  }
  coherence = Closure(coherence);
  auto fence = [&](int i) { return e_[i].fence && e_[i].Sc(); };
  auto sc = [&](int i) { return e_[i].thread >= 0 && e_[i].Sc(); };
  for (int a = 0; a < size; a++) {
    for (int b = 0; b < size; b++) {
      if (sc(a) && sc(b) && strongly[a][b] && !sc_[a][b])
        return false;
      if (!coherence[a][b])
        continue;
      if (sc(a) && sc(b) && !sc_[a][b])
        return false;
      for (int f = 0; f < size; f++) {
        if (!fence(f))
          continue;
        if (sc(a) && hb_[b][f] && !sc_[a][f])
          return false;
        if (hb_[f][a] && sc(b) && !sc_[f][b])
          return false;
        for (int g = 0; g < size; g++)
          if (fence(g) && hb_[f][a] && hb_[b][g] && !sc_[f][g])
            return false;
      }
    }
  }
  return true;
}

} // namespace heddle::litmus::naive

#endif // HEDDLE_TEST_AXIOMATIC_NAIVE_H
