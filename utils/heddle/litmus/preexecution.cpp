#include "preexecution.h"

#include <algorithm>
#include <stdexcept>

namespace heddle::litmus::axiomatic {

namespace {

// The events on the longest way through.
size_t MostEvents(const std::vector<Statement> &body, size_t threads) {
  size_t most = 0;
  for (const Statement &statement : body) {
    if (statement.kind == Statement::Kind::kIf)
      most += std::max(MostEvents(statement.then_body, threads),
                       MostEvents(statement.else_body, threads));
    else if (statement.kind == Statement::Kind::kMembarrier)
      most += threads + 1;
    else if (statement.kind != Statement::Kind::kAssign)
      most++;
  }
  return most;
}

bool Reads(const Statement &statement) {
  using Kind = Statement::Kind;
  return statement.kind == Kind::kLoad || statement.kind == Kind::kRmw ||
         statement.kind == Kind::kCompareExchange;
}

bool MayWrite(const Statement &statement) {
  using Kind = Statement::Kind;
  return statement.kind == Kind::kStore || statement.kind == Kind::kRmw ||
         statement.kind == Kind::kCompareExchange;
}

} // namespace

EventSet PreExecution::Cxx20Heads(int write) const {
  // [intro.races]p5: the head, and the read-modify-writes that follow it in mo.
  // RMW atomicity makes "follow" and "read from" the same.
  EventSet heads = Singleton(write);
  while (Contains(rmws, write)) {
    write = rf[write];
    heads |= Singleton(write);
  }
  return heads;
}

PreExecutions::PreExecutions(const Program &program, PreExecution *result, uint64_t *budget,
                             std::function<bool()> use)
    : x_(*result), budget_(*budget), use_(std::move(use)),
      has_membarriers_(HasMembarrier(program)) {
  size_t most_events = program.locations.size();
  for (const auto &source : program.threads) {
    most_events += MostEvents(source.body, program.threads.size());
    Thread thread;
    Flatten(source.body, &thread.code);
    std::vector<bool> may_write(program.locations.size());
    bool membarrier = false;
    for (size_t i = thread.code.size(); i-- > 0;) {
      Instruction &instruction = thread.code[i];
      if (instruction.statement && MayWrite(*instruction.statement))
        may_write[instruction.statement->location] = true;
      instruction.may_write_after = may_write;
      membarrier |=
          instruction.statement && instruction.statement->kind == Statement::Kind::kMembarrier;
      instruction.membarrier_after = membarrier;
    }
    thread.registers.resize(source.registers.size());
    SkipToEvent(&thread);
    threads_.push_back(std::move(thread));
  }
  if (most_events > kMaxEvents)
    throw std::length_error("a litmus test of more than 64 events");
  for (size_t l = 0; l < program.locations.size(); l++) {
    Event event;
    event.kind = Event::Kind::kWrite;
    event.location = static_cast<int>(l);
    event.written_value = program.locations[l].initial;
    Append(event, -1, 0);
  }
  x_.initial = x_.writes;
}

void PreExecutions::Flatten(const std::vector<Statement> &body, std::vector<Instruction> *code) {
  for (const Statement &statement : body) {
    size_t at = code->size();
    code->push_back({&statement, 0, {}});
    if (statement.kind != Statement::Kind::kIf)
      continue;
    Flatten(statement.then_body, code);
    size_t jump = code->size();
    code->push_back({nullptr, 0, {}});
    (*code)[at].target = code->size();
    Flatten(statement.else_body, code);
    (*code)[jump].target = code->size();
  }
}

// Executes what is not an event.
void PreExecutions::SkipToEvent(Thread *thread) {
  while (thread->at < thread->code.size()) {
    const Instruction &instruction = thread->code[thread->at];
    if (!instruction.statement) {
      thread->at = instruction.target;
      continue;
    }
    const Statement &statement = *instruction.statement;
    if (statement.kind == Statement::Kind::kAssign) {
      if (statement.target >= 0)
        thread->registers[statement.target] = Evaluate(statement.value, thread->registers);
      thread->at++;
    } else if (statement.kind == Statement::Kind::kIf) {
      thread->at =
          Evaluate(statement.value, thread->registers) ? thread->at + 1 : instruction.target;
    } else {
      break;
    }
  }
}

// Goes on with the first thread whose next event is no read. If there is none, a
// thread at a read chooses among the writes that are there, or declines them for
// one that will come, and is not asked again until one comes. So what is chosen
// first follows from what was chosen before, and the same pre-execution is not
// built twice. If all wait for writes of each other, no future has them all: sb
// and rf would be cyclic.
bool PreExecutions::Extend() {
  if (MembarrierMayCome())
    return ExtendByAny();
  int reader = -1;
  bool complete = true;
  for (size_t t = 0; t < threads_.size(); t++) {
    const Thread &thread = threads_[t];
    if (thread.at == thread.code.size())
      continue;
    complete = false;
    const Statement &statement = *thread.code[thread.at].statement;
    if (Reads(statement)) {
      if (reader < 0 && x_.writes_of[statement.location] & ~thread.declined)
        reader = static_cast<int>(t);
      continue;
    }
    return ExtendByPlain(static_cast<int>(t));
  }
  if (reader >= 0)
    return ExtendByRead(reader);
  return SpendOne(&budget_) && (!complete || !IsNew() || use_());
}

bool PreExecutions::ExtendByPlain(int t) {
  const Thread &thread = threads_[t];
  const Statement &statement = *thread.code[thread.at].statement;
  Event event;
  event.thread = t;
  event.order = statement.order;
  event.statement = &statement;
  if (statement.kind == Statement::Kind::kStore) {
    event.kind = Event::Kind::kWrite;
    event.location = statement.location;
    event.written_value = Evaluate(statement.value, thread.registers);
  }
  return ExtendBy(event, -1);
}

bool PreExecutions::MembarrierMayCome() const {
  if (!has_membarriers_)
    return false;
  for (const Thread &thread : threads_)
    if (thread.at < thread.code.size() && thread.code[thread.at].membarrier_after)
      return true;
  return false;
}

bool PreExecutions::ExtendByAny() {
  for (size_t i = 0; i < threads_.size(); i++) {
    const int t = static_cast<int>(i);
    const Thread &thread = threads_[t];
    if (thread.at == thread.code.size())
      continue;
    const Statement &statement = *thread.code[thread.at].statement;
    if (!(statement.kind == Statement::Kind::kMembarrier ? ExtendByMembarrier(t)
          : Reads(statement)                             ? ExtendByRead(t)
                                                         : ExtendByPlain(t)))
      return false;
  }
  return true;
}

bool PreExecutions::ExtendByMembarrier(int t) {
  const std::vector<Thread> threads = threads_;
  const EventSet cut = cut_;
  const int size = x_.size;
  Event fence;
  fence.kind = Event::Kind::kFence;
  fence.order = Order::kSeqCst;
  fence.statement = threads_[t].code[threads_[t].at].statement;
  auto append = [&](int thread, EventSet sw_before) {
    fence.thread = thread;
    Append(fence, -1, threads_[thread].events, sw_before);
    threads_[thread].events |= Singleton(x_.size - 1);
    return Singleton(x_.size - 1);
  };
  const EventSet begin = append(t, 0);
  EventSet others = 0;
  for (size_t other = 0; other < threads_.size(); other++)
    if (static_cast<int>(other) != t)
      others |= append(static_cast<int>(other), begin);
  append(t, others);
  // All that is there is before what comes, and what was there before was before the fences.
  cut_ = Singleton(x_.size) - 1;
  for (int e = size; e < x_.size; e++)
    x_.sb_rf_before[e] |= (Singleton(size) - 1) | (Singleton(e) - Singleton(size));
  threads_[t].at++;
  SkipToEvent(&threads_[t]);
  const bool go_on = Extend();
  while (x_.size > size)
    RemoveLast();
  cut_ = cut;
  threads_ = threads;
  return go_on;
}

// Whether no other order of the same events was used. Two are the same if each thread has the
// same events, fences of membarriers among them, and its reads read from the same writes.
bool PreExecutions::IsNew() {
  if (!has_membarriers_)
    return true;
  PerEvent<int> number; // in its thread
  std::vector<int> seen(threads_.size() + 1), key;
  for (int e = 0; e < x_.size; e++)
    number[e] = seen[x_.events[e].thread + 1]++;
  for (size_t t = 0; t < threads_.size(); t++) {
    key.push_back(-1);
    for (int e : Each(threads_[t].events)) {
      const Event &event = x_.events[e];
      key.push_back(static_cast<int>(event.kind));
      if (event.Reads()) {
        key.push_back(x_.events[x_.rf[e]].thread);
        key.push_back(number[x_.rf[e]]);
      } else if (event.kind == Event::Kind::kFence &&
                 event.statement->kind == Statement::Kind::kMembarrier) {
        for (int source : Each(x_.sw_before[e]))
          if (x_.events[source].statement == event.statement)
            key.push_back(x_.events[source].thread);
      }
    }
  }
  return used_.insert(std::move(key)).second;
}

bool PreExecutions::ExtendByRead(int t) {
  Thread &thread = threads_[t];
  const Statement &statement = *thread.code[thread.at].statement;
  const EventSet offered = x_.writes_of[statement.location] & ~thread.declined;
  Event event;
  event.thread = t;
  event.location = statement.location;
  event.statement = &statement;
  Value operand = Evaluate(statement.value, thread.registers);
  for (int w : Each(offered)) {
    if (!MayRead(t, statement, w))
      continue;
    // Well-formed rf: the value read is the value written.
    Value value = x_.events[w].written_value;
    event.read_value = value;
    bool succeeds = true, fails = false;
    if (statement.kind == Statement::Kind::kCompareExchange) {
      succeeds = value == (statement.expected < 0 ? 0 : thread.registers[statement.expected]);
      fails = !succeeds || statement.weak;
    }
    bool writes = statement.kind != Statement::Kind::kLoad;
    // RMW atomicity: only one write can follow w immediately.
    if (succeeds && !(writes && x_.readers[w] & x_.rmws)) {
      event.kind = writes ? Event::Kind::kRmw : Event::Kind::kRead;
      event.order = statement.order;
      event.written_value = 0;
      Value result = value;
      if (statement.kind == Statement::Kind::kRmw) {
        event.written_value = Apply(statement.operation, value, operand);
      } else if (statement.kind == Statement::Kind::kCompareExchange) {
        event.written_value = operand;
        result = 1;
      }
      if (!ExtendBy(event, w, statement.target, result))
        return false;
    }
    if (fails) {
      event.kind = Event::Kind::kRead;
      event.order = statement.failure_order;
      event.written_value = 0;
      if (!ExtendBy(event, w, statement.expected, value, statement.target, 0))
        return false;
    }
  }
  if (!MayBeWrittenByOthers(t, statement.location) || MembarrierMayCome())
    return true;
  thread.declined |= offered;
  bool go_on = Extend();
  thread.declined &= ~offered;
  return go_on;
}

// Adds an event to its thread and the results to the registers, and takes all
// back when everything that follows was enumerated.
bool PreExecutions::ExtendBy(const Event &event, int rf, int first_register, Value first_value,
                             int second_register, Value second_value) {
  Thread &thread = threads_[event.thread];
  const size_t at = thread.at;
  const EventSet events = thread.events, declined = thread.declined;
  const std::vector<Value> registers = thread.registers;
  thread.events |= Singleton(x_.size);
  thread.declined = 0;
  thread.at++;
  if (first_register >= 0)
    thread.registers[first_register] = first_value;
  if (second_register >= 0)
    thread.registers[second_register] = second_value;
  SkipToEvent(&thread);
  Append(event, rf, events);
  bool go_on = Extend();
  RemoveLast();
  thread.registers = registers;
  thread.declined = declined;
  thread.events = events;
  thread.at = at;
  return go_on;
}

// CoWR and CoRR, as far as they show: not a write that precedes, in mo, what the
// thread has already seen or written there.
bool PreExecutions::MayRead(int t, const Statement &statement, int write) const {
  EventSet events = threads_[t].events;
  if (!events)
    return true;
  // hb_before has what the events before the thread's last one have.
  int last = kMaxEvents - 1 - __builtin_clzll(events);
  EventSet before = x_.hb_before[last] | Singleton(last);
  for (int access : Each(before & x_.accesses_of[statement.location]))
    if (Contains(known_mo_before_[x_.Shows(access)], write))
      return false;
  return true;
}

bool PreExecutions::MayBeWrittenByOthers(int t, int location) const {
  for (size_t other = 0; other < threads_.size(); other++) {
    const Thread &thread = threads_[other];
    if (static_cast<int>(other) != t && thread.at < thread.code.size() &&
        thread.code[thread.at].may_write_after[location])
      return true;
  }
  return false;
}

void PreExecutions::Append(const Event &event, int rf, EventSet sb_before, EventSet sw_before) {
  const int e = x_.size++;
  const EventSet self = Singleton(e);
  x_.events[e] = event;
  x_.sb_before[e] = sb_before;
  x_.sw_before[e] = sw_before;
  // asw: an initial write happens before all that is not initial.
  x_.hb_before[e] = x_.initial | sb_before;
  x_.sb_rf_before[e] = x_.hb_before[e] | cut_;
  if (sb_before) {
    int previous = kMaxEvents - 1 - __builtin_clzll(sb_before);
    x_.hb_before[e] |= x_.hb_before[previous];
    x_.sb_rf_before[e] |= x_.sb_rf_before[previous];
  }
  if (event.order == Order::kSeqCst)
    x_.sc_events |= self;
  if (event.kind == Event::Kind::kFence)
    x_.fences |= self;
  else
    x_.accesses_of[event.location] |= self;
  x_.sc_fences = x_.sc_events & x_.fences;
  if (event.Reads()) {
    x_.reads |= self;
    x_.rf[e] = rf;
    x_.readers[rf] |= self;
    x_.sb_rf_before[e] |= x_.sb_rf_before[rf] | Singleton(rf);
  }

  // sw: from a release write to an acquire read that takes its value from the
  // release sequence ([atomics.order]p2), or with a release fence before the
  // write, an acquire fence after the read, or both ([atomics.fences]p2 to p4).
  x_.acquired_reads[e] = 0;
  if (IsAcquire(event.order))
    x_.acquired_reads[e] =
        event.kind == Event::Kind::kFence ? sb_before & x_.reads : self & x_.reads;
  for (int r : Each(x_.acquired_reads[e]))
    for (int head : Each(x_.Cxx20Heads(x_.rf[r])))
      x_.sw_before[e] |= x_.release_sources[head];
  x_.sw_before[e] &= ~sb_before; // nothing new
  for (int source : Each(x_.sw_before[e]))
    x_.hb_before[e] |= x_.hb_before[source] | Singleton(source);

  if (!event.Writes())
    return;
  x_.writes |= self;
  x_.writes_of[event.location] |= self;
  if (event.kind == Event::Kind::kRmw)
    x_.rmws |= self;
  EventSet sources = (IsRelease(event.order) ? self : 0) | (sb_before & x_.fences);
  x_.release_sources[e] = 0;
  for (int source : Each(sources))
    if (IsRelease(x_.events[source].order))
      x_.release_sources[e] |= Singleton(source);
  // CoWW and CoRW, RMW atomicity.
  known_mo_before_[e] = 0;
  for (int access : Each(x_.hb_before[e] & x_.accesses_of[event.location])) {
    int write = x_.Shows(access);
    known_mo_before_[e] |= known_mo_before_[write] | Singleton(write);
  }
  if (event.kind == Event::Kind::kRmw)
    known_mo_before_[e] |= known_mo_before_[rf] | Singleton(rf);
}

void PreExecutions::RemoveLast() {
  const int e = --x_.size;
  const EventSet others = ~Singleton(e);
  const Event &event = x_.events[e];
  if (event.kind != Event::Kind::kFence) {
    x_.accesses_of[event.location] &= others;
    x_.writes_of[event.location] &= others;
  }
  if (event.Reads())
    x_.readers[x_.rf[e]] &= others;
  for (EventSet *set : {&x_.reads, &x_.writes, &x_.rmws, &x_.fences, &x_.sc_events, &x_.sc_fences})
    *set &= others;
}

} // namespace heddle::litmus::axiomatic
