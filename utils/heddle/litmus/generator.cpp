#include "generator.h"

#include "generator_parts.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>

namespace heddle::litmus {
namespace {

constexpr int kMaxLocations = 6, kMaxThreads = 16, kMaxEvents = 64;

// The one fence that does what `first` and then `second` do, if there is one.
bool Combine(Order first, Order second, Order *combined) {
  bool releases = IsRelease(first) || IsRelease(second);
  bool acquires = IsAcquire(first) || IsAcquire(second);
  if (first == Order::kSeqCst || second == Order::kSeqCst)
    *combined = Order::kSeqCst;
  else if (!IsAcquire(first) && !IsRelease(second))
    return false;
  else
    *combined = !releases ? Order::kAcquire : !acquires ? Order::kRelease : Order::kAcqRel;
  return true;
}

} // namespace

GeneratorParameters LoadsAndStores() {
  GeneratorParameters parameters;
  parameters.loads = {Order::kRelaxed, Order::kAcquire, Order::kSeqCst};
  parameters.stores = {Order::kRelaxed, Order::kRelease, Order::kSeqCst};
  return parameters;
}

GeneratorParameters LoadsStoresExchangesAndFences() {
  GeneratorParameters parameters = LoadsAndStores();
  parameters.exchanges = {Order::kRelaxed, Order::kAcquire, Order::kRelease, Order::kAcqRel,
                          Order::kSeqCst};
  parameters.fences = {Order::kAcquire, Order::kRelease, Order::kAcqRel, Order::kSeqCst};
  return parameters;
}

Generator::Generator(GeneratorParameters parameters) : parameters_(std::move(parameters)) {
  // All permutations of the locations are tried on every program. The other two
  // bounds are far above what can be walked through.
  parameters_.max_locations = std::clamp(parameters_.max_locations, 1, kMaxLocations);
  parameters_.max_threads = std::min(parameters_.max_threads, kMaxThreads);
  parameters_.max_events = std::min(parameters_.max_events, kMaxEvents);
  parameters_.min_threads = std::max(parameters_.min_threads, 2);
  AddEvents(Event::Kind::kStore, parameters_.stores);
  AddEvents(Event::Kind::kLoad, parameters_.loads);
  AddEvents(Event::Kind::kExchange, parameters_.exchanges);
  AddEvents(Event::Kind::kFetchAdd, parameters_.fetch_adds);
  for (auto [order, failure_order] : parameters_.compare_exchanges)
    AddEvent(Event::Kind::kCompareExchange, order, failure_order);
  AddEvents(Event::Kind::kFence, parameters_.fences);

  permutations_.resize(parameters_.max_locations + 1);
  for (int n = 1; n <= parameters_.max_locations; n++) {
    std::vector<int> permutation(n);
    std::iota(permutation.begin(), permutation.end(), 0);
    while (std::next_permutation(permutation.begin(), permutation.end()))
      permutations_[n].push_back(permutation);
  }
  // Before the first shape. If there is nothing to put into one, there is none.
  done_ = events_.empty();
}

void Generator::AddEvents(Event::Kind kind, const std::vector<Order> &orders) {
  for (Order order : orders)
    // A relaxed fence does nothing, ever.
    if (kind != Event::Kind::kFence || order != Order::kRelaxed)
      AddEvent(kind, order, order);
}

void Generator::AddEvent(Event::Kind kind, Order order, Order failure_order) {
  Event event;
  event.kind = kind;
  event.order = order;
  event.failure_order = failure_order;
  event.has_location = kind != Event::Kind::kFence;
  event.reads = event.has_location && kind != Event::Kind::kStore;
  event.writes = event.has_location && kind != Event::Kind::kLoad;
  event.weak_read = event.reads && !IsAcquire(order);
  if (kind == Event::Kind::kCompareExchange)
    event.weak_read |= !IsAcquire(failure_order);
  event.weak_write = event.writes && !IsRelease(order);
  events_.push_back(event);
}

// Shapes come by number of events, then of threads, then with the longer threads
// longest first.
bool Generator::NextShape() {
  // Moves one event, from the last thread that can give one to the threads behind
  // it, and deals out what these have anew, as unevenly as may be.
  int behind = 0;
  for (size_t i = sizes_.size(); i-- > 0;) {
    int fewer = sizes_[i] - 1;
    int places = static_cast<int>(sizes_.size() - i - 1);
    if (fewer >= 1 && behind + 1 <= places * fewer && places > 0) {
      int rest = behind + 1;
      sizes_[i] = fewer;
      for (size_t j = i + 1; j < sizes_.size(); j++) {
        int later = static_cast<int>(sizes_.size() - j - 1);
        sizes_[j] = std::min(fewer, rest - later);
        rest -= sizes_[j];
      }
      return true;
    }
    behind += sizes_[i];
  }
  // Then one more thread, then one more event.
  int events = std::accumulate(sizes_.begin(), sizes_.end(), 0);
  int threads = static_cast<int>(sizes_.size()) + 1;
  for (;;) {
    if (threads > std::min(events, parameters_.max_threads)) {
      events++;
      threads = parameters_.min_threads;
    }
    if (events > parameters_.max_events || threads > parameters_.max_threads)
      return false;
    if (threads <= events && events <= threads * parameters_.max_events_per_thread)
      break;
    threads++;
  }
  sizes_.assign(threads, 1);
  int rest = events - threads;
  for (int &size : sizes_) {
    int more = std::min(rest, parameters_.max_events_per_thread - 1);
    size += more;
    rest -= more;
  }
  return true;
}

bool Generator::StartShape() {
  if (!NextShape())
    return false;
  slots_.clear();
  for (size_t thread = 0; thread < sizes_.size(); thread++)
    for (int i = 0; i < sizes_[thread]; i++) {
      bool as_long = thread > 0 && sizes_[thread - 1] == sizes_[thread];
      int position = static_cast<int>(slots_.size());
      slots_.push_back({static_cast<int>(thread), i == 0, i == sizes_[thread] - 1,
                        as_long ? position - sizes_[thread] : -1});
    }
  codes_.clear();
  locations_used_.assign(slots_.size() + 1, 0);
  tied_.assign(slots_.size() + 1, false);
  return true;
}

// What can be said of an event without knowing what follows.
bool Generator::FitsHere(size_t position, Code code) const {
  const Event &event = EventOf(code);
  const Slot &slot = slots_[position];
  if (event.has_location) {
    // A location that is used before a smaller one could be renamed to it.
    if (LocationOf(code) > locations_used_[position])
      return false;
  } else {
    if (LocationOf(code) != 0 || slot.first || slot.last)
      return false;
    const Event &before = EventOf(codes_[position - 1]);
    Order combined;
    if (!before.has_location && Combine(before.order, event.order, &combined) &&
        std::find(parameters_.fences.begin(), parameters_.fences.end(), combined) !=
            parameters_.fences.end())
      return false;
  }
  // Of two threads of the same length the smaller one comes first.
  bool tied = slot.twin >= 0 && (slot.first || tied_[position]);
  return !tied || code >= codes_[slot.twin];
}

void Generator::Put(size_t position, Code code) {
  const Slot &slot = slots_[position];
  codes_.resize(position);
  codes_.push_back(code);
  locations_used_[position + 1] = locations_used_[position];
  if (EventOf(code).has_location)
    locations_used_[position + 1] = std::max(locations_used_[position + 1], LocationOf(code) + 1);
  bool tied = slot.twin >= 0 && (slot.first || tied_[position]);
  tied_[position + 1] = tied && code == codes_[slot.twin];
}

bool Generator::FencesWork() const {
  bool weak_read = false;
  for (size_t i = 0; i < codes_.size(); i++) {
    if (slots_[i].first)
      weak_read = false;
    const Event &event = EventOf(codes_[i]);
    weak_read |= event.weak_read;
    if (event.has_location || event.order == Order::kSeqCst)
      continue;
    if (IsAcquire(event.order) && !weak_read)
      return false;
    if (!IsRelease(event.order))
      continue;
    bool weak_write = false;
    for (size_t j = i; !slots_[j].last;)
      weak_write |= EventOf(codes_[++j]).weak_write;
    if (!weak_write)
      return false;
  }
  return true;
}

bool Generator::IsUseful() const {
  int locations = locations_used_[codes_.size()];
  unsigned threads_of[kMaxLocations] = {};
  bool written[kMaxLocations] = {};
  for (size_t i = 0; i < codes_.size(); i++)
    if (EventOf(codes_[i]).has_location) {
      threads_of[LocationOf(codes_[i])] |= 1u << slots_[i].thread;
      written[LocationOf(codes_[i])] |= EventOf(codes_[i]).writes;
    }
  for (int i = 0; i < locations; i++)
    if (!written[i] || (threads_of[i] & (threads_of[i] - 1)) == 0)
      return false;
  // Threads that share a location are connected, from the first one on.
  unsigned connected = 1;
  for (int round = 0; round < locations; round++)
    for (int i = 0; i < locations; i++)
      if (threads_of[i] & connected)
        connected |= threads_of[i];
  return connected == (1u << sizes_.size()) - 1 && FencesWork();
}

bool Generator::IsCanonical() const {
  size_t length = codes_.size();
  std::pair<size_t, size_t> threads[kMaxThreads]; // where each begins and ends
  Code renamed[kMaxEvents];
  for (const std::vector<int> &permutation : permutations_[locations_used_[length]]) {
    for (size_t i = 0; i < length; i++)
      renamed[i] = EventOf(codes_[i]).has_location
                       ? codes_[i] - LocationOf(codes_[i]) + permutation[LocationOf(codes_[i])]
                       : codes_[i];
    size_t begin = 0;
    for (size_t t = 0; t < sizes_.size(); t++) {
      threads[t] = {begin, begin + sizes_[t]};
      begin += sizes_[t];
    }
    // Sizes are in order already; among equals, the smaller thread comes first.
    std::sort(threads, threads + sizes_.size(), [&](const auto &a, const auto &b) {
      size_t size_a = a.second - a.first, size_b = b.second - b.first;
      if (size_a != size_b)
        return size_a > size_b;
      return std::lexicographical_compare(renamed + a.first, renamed + a.second, renamed + b.first,
                                          renamed + b.second);
    });
    size_t at = 0;
    int comparison = 0;
    for (size_t t = 0; t < sizes_.size(); t++)
      for (size_t i = threads[t].first; i < threads[t].second && comparison == 0; i++, at++)
        comparison = renamed[i] - codes_[at];
    if (comparison < 0)
      return false;
  }
  return true;
}

bool Generator::Skip() {
  // A depth-first walk over all sequences, in their order.
  Code codes = static_cast<Code>(events_.size()) * parameters_.max_locations;
  while (!done_) {
    if (codes_.empty() && !StartShape()) {
      done_ = true;
      break;
    }
    // Either there is a whole program, to be changed at its end, or nothing yet.
    size_t position = codes_.empty() ? 0 : codes_.size() - 1;
    Code code = codes_.empty() ? 0 : codes_.back() + 1;
    for (;;) {
      while (code < codes && !FitsHere(position, code))
        code++;
      if (code < codes) {
        Put(position, code);
        if (++position == slots_.size())
          break;
        code = 0;
      } else {
        codes_.resize(position);
        if (position-- == 0)
          break;
        code = codes_[position] + 1;
      }
    }
    if (!codes_.empty() && IsUseful() && IsCanonical())
      return true;
  }
  return false;
}

bool Generator::Next(Program *program) {
  if (!Skip())
    return false;
  Build(program);
  return true;
}

uint64_t Generator::Count(const GeneratorParameters &parameters) {
  Generator generator(parameters);
  uint64_t count = 0;
  while (generator.Skip())
    count++;
  return count;
}

void Generator::Build(Program *program) const {
  *program = {};
  int locations = locations_used_[codes_.size()];
  for (int i = 0; i < locations; i++)
    program->locations.push_back({LocationName(i), 0});
  program->threads.resize(sizes_.size());
  Values values(locations);
  std::string &name = program->name;
  for (size_t i = 0; i < codes_.size(); i++) {
    const Event &event = EventOf(codes_[i]);
    int location = LocationOf(codes_[i]);
    Thread &thread = program->threads[slots_[i].thread];
    Statement &statement = thread.body.emplace_back();
    statement.order = event.order;
    if (event.has_location)
      statement.location = location;
    if (event.reads && event.kind != Event::Kind::kCompareExchange)
      statement.target = AddRegister(&thread);
    if (!slots_[i].first)
      name += '-';
    else if (i > 0)
      name += '+';
    switch (event.kind) {
    case Event::Kind::kLoad:
      statement.kind = Statement::Kind::kLoad;
      break;
    case Event::Kind::kStore:
      statement.kind = Statement::Kind::kStore;
      statement.value = Constant(values.Stored(location));
      break;
    case Event::Kind::kExchange:
      statement.kind = Statement::Kind::kRmw;
      statement.value = Constant(values.Stored(location));
      break;
    case Event::Kind::kFetchAdd:
      statement.kind = Statement::Kind::kRmw;
      statement.operation = RmwOperation::kAdd;
      statement.value = Constant(values.Added(location));
      break;
    case Event::Kind::kCompareExchange:
      // What it found is in the register of the expected value, which starts as
      // 0. Whether it succeeded follows.
      statement.kind = Statement::Kind::kCompareExchange;
      statement.failure_order = event.failure_order;
      statement.expected = AddRegister(&thread);
      statement.value = Constant(values.Stored(location));
      break;
    case Event::Kind::kFence:
      statement.kind = Statement::Kind::kFence;
      break;
    }
    name += EventName(statement, event.has_location ? program->locations[location].name : "");
  }
  ObserveAll(program);
}

namespace {

class RandomBuilder {
public:
  RandomBuilder(Random *random, const RandomParameters &parameters)
      : random_(random), parameters_(parameters), events_(parameters.events),
        locations_(std::max(1, parameters.events.max_locations)), values_(locations_) {
    // Loads and stores more often than the rest: without them nothing happens.
    auto add = [&](Kind kind, bool there, int weight) {
      if (there)
        kinds_.insert(kinds_.end(), weight, kind);
    };
    add(Kind::kLoad, !events_.loads.empty(), 3);
    add(Kind::kStore, !events_.stores.empty(), 3);
    add(Kind::kRmw, !events_.exchanges.empty() || !events_.fetch_adds.empty(), 1);
    add(Kind::kCompareExchange, !events_.compare_exchanges.empty(), 1);
    add(Kind::kFence, !events_.fences.empty(), 1);
  }

  Program Build() {
    Program program;
    for (int i = 0; i < locations_; i++)
      program.locations.push_back({LocationName(i), 0});
    int most = std::clamp(events_.max_threads, 2, std::max(2, events_.max_events));
    int threads = random_->Between(std::clamp(events_.min_threads, 2, most), most);
    int rest = std::max(events_.max_events, threads);
    for (int i = 0; i < threads; i++) {
      // Each later thread needs one event, too.
      int bound = std::min(events_.max_events_per_thread, rest - (threads - i - 1));
      left_ = random_->Between(1, std::max(1, bound));
      rest -= left_;
      thread_ = &program.threads.emplace_back();
      sources_.clear();
      while (left_ > 0 && !kinds_.empty())
        AddStatement(&thread_->body, 0);
    }
    return program;
  }

private:
  using Kind = Statement::Kind;

  void AddStatement(std::vector<Statement> *body, int depth) {
    constexpr int kDeepest = 3;
    if (!sources_.empty() && depth < kDeepest && random_->Percent(parameters_.if_percent))
      AddIf(body, depth);
    else
      AddEvent(body);
  }

  void AddIf(std::vector<Statement> *body, int depth) {
    auto [index, location] = random_->Pick(sources_);
    Statement statement;
    statement.kind = Kind::kIf;
    Expression::Kind comparison =
        random_->Percent(50) ? Expression::Kind::kEqual : Expression::Kind::kNotEqual;
    statement.value =
        Binary(comparison, Register(index), Constant(values_.Possible(location, random_->Next())));
    // What a branch reads is there for later statements, too: 0 if it did not run.
    auto fill = [&](std::vector<Statement> *branch) {
      int events = random_->Between(1, std::min(3, left_));
      for (int target = left_ - events; left_ > target;)
        AddStatement(branch, depth + 1);
    };
    fill(&statement.then_body);
    if (left_ > 0 && random_->Percent(parameters_.else_percent))
      fill(&statement.else_body);
    body->push_back(std::move(statement));
  }

  void AddEvent(std::vector<Statement> *body) {
    left_--;
    Statement statement;
    statement.kind = random_->Pick(kinds_);
    int location = random_->Below(locations_);
    if (statement.kind != Kind::kFence)
      statement.location = location;
    switch (statement.kind) {
    case Kind::kLoad:
      statement.order = random_->Pick(events_.loads);
      statement.target = AddSource(location);
      break;
    case Kind::kStore:
      statement.order = random_->Pick(events_.stores);
      statement.value = StoredValue(location);
      break;
    case Kind::kRmw: {
      int exchanges = static_cast<int>(events_.exchanges.size());
      int fetch_adds = static_cast<int>(events_.fetch_adds.size());
      int choice = random_->Below(exchanges + fetch_adds);
      if (choice < exchanges) {
        statement.order = events_.exchanges[choice];
        statement.value = StoredValue(location);
      } else {
        statement.order = events_.fetch_adds[choice - exchanges];
        statement.operation = RmwOperation::kAdd;
        statement.value = Constant(values_.Added(location));
      }
      statement.target = AddSource(location);
      break;
    }
    case Kind::kCompareExchange: {
      std::tie(statement.order, statement.failure_order) = random_->Pick(events_.compare_exchanges);
      statement.expected = AddSource(location);
      Statement assign;
      assign.kind = Kind::kAssign;
      assign.target = statement.expected;
      assign.value = Constant(values_.Possible(location, random_->Next()));
      if (assign.value.constant != 0)
        body->push_back(std::move(assign));
      statement.value = StoredValue(location);
      statement.target = AddRegister(thread_);
      break;
    }
    case Kind::kFence:
      statement.order = random_->Pick(events_.fences);
      break;
    case Kind::kMembarrier:
    case Kind::kAssign:
    case Kind::kIf:
      break;
    }
    body->push_back(std::move(statement));
  }

  // A register for a value of `location`, which later statements may use.
  int AddSource(int location) {
    int index = AddRegister(thread_);
    sources_.push_back({index, location});
    return index;
  }

  Expression StoredValue(int location) {
    Value value = values_.Stored(location);
    if (sources_.empty() || !random_->Percent(parameters_.dependency_percent))
      return Constant(value);
    return Binary(Expression::Kind::kAdd, Register(random_->Pick(sources_).first), Constant(value));
  }

  Random *random_;
  const RandomParameters &parameters_;
  const GeneratorParameters &events_;
  int locations_;
  Values values_;
  std::vector<Kind> kinds_; // each as often as its weight
  Thread *thread_ = nullptr;
  int left_ = 0;                             // events that the thread still gets
  std::vector<std::pair<int, int>> sources_; // register, and the location it was read from
};

void VisitAccesses(const std::vector<Statement> &body, unsigned thread,
                   std::vector<unsigned> *threads_of, std::vector<bool> *written) {
  for (const Statement &statement : body) {
    if (statement.location >= 0) {
      (*threads_of)[statement.location] |= 1u << thread;
      if (statement.kind != Statement::Kind::kLoad)
        (*written)[statement.location] = true;
    }
    VisitAccesses(statement.then_body, thread, threads_of, written);
    VisitAccesses(statement.else_body, thread, threads_of, written);
  }
}

void Renumber(std::vector<Statement> *body, const std::vector<int> &numbers) {
  for (Statement &statement : *body) {
    if (statement.location >= 0)
      statement.location = numbers[statement.location];
    Renumber(&statement.then_body, numbers);
    Renumber(&statement.else_body, numbers);
  }
}

// Takes away what is of no use: unused locations, fences at the ends. Returns
// whether the rest is of use.
bool Tidy(Program *program) {
  std::vector<unsigned> threads_of(program->locations.size());
  std::vector<bool> written(program->locations.size());
  for (size_t t = 0; t < program->threads.size(); t++) {
    std::vector<Statement> &body = program->threads[t].body;
    auto is_no_fence = [](const Statement &statement) {
      return statement.kind != Statement::Kind::kFence;
    };
    body.erase(body.begin(), std::find_if(body.begin(), body.end(), is_no_fence));
    body.erase(std::find_if(body.rbegin(), body.rend(), is_no_fence).base(), body.end());
    VisitAccesses(body, static_cast<unsigned>(t), &threads_of, &written);
    if (body.empty())
      return false;
  }
  std::vector<int> numbers(program->locations.size());
  std::vector<Location> used;
  bool useful = true;
  for (size_t i = 0; i < numbers.size(); i++) {
    if (threads_of[i] == 0)
      continue;
    useful &= written[i] && (threads_of[i] & (threads_of[i] - 1)) != 0;
    numbers[i] = static_cast<int>(used.size());
    used.push_back({LocationName(numbers[i]), 0});
  }
  program->locations = std::move(used);
  for (Thread &thread : program->threads)
    Renumber(&thread.body, numbers);
  return useful;
}

} // namespace

RandomParameters::RandomParameters() : events(LoadsStoresExchangesAndFences()) {
  events.max_threads = 4;
  events.max_events_per_thread = 6;
  events.max_events = 12;
  events.max_locations = 3;
  events.fetch_adds = events.exchanges;
  events.compare_exchanges = {
      {Order::kRelaxed, Order::kRelaxed}, {Order::kAcquire, Order::kRelaxed},
      {Order::kRelease, Order::kRelaxed}, {Order::kAcqRel, Order::kAcquire},
      {Order::kRelaxed, Order::kAcquire}, {Order::kSeqCst, Order::kSeqCst},
      {Order::kSeqCst, Order::kRelaxed},  {Order::kRelaxed, Order::kSeqCst}};
}

Program RandomProgram(uint64_t seed, const RandomParameters &parameters) {
  Random random(seed);
  Program program;
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; i++) {
    program = RandomBuilder(&random, parameters).Build();
    if (Tidy(&program))
      break;
  }
  program.name = "random-" + std::to_string(seed);
  ObserveAll(&program);
  return program;
}

} // namespace heddle::litmus
