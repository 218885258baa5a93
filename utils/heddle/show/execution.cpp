#include "execution.h"

#include "../hunt/failure.h"
#include "../hunt/printable.h"

#include "line.h"

#include <algorithm>

namespace heddle::show {
namespace {

using hunt::Failure;

constexpr unsigned kVersion = 1;

// Each has a lane, so a number that no program has would take all memory.
unsigned ThreadIn(const Line &line, const char *name) {
  constexpr unsigned kMostThreads = 1 << 14;
  const uint64_t thread = line.Number(name);
  if (thread >= kMostThreads)
    throw Failure("the execution has a thread " + std::to_string(thread) + ", and " +
                  std::to_string(kMostThreads) + " can be shown.");
  return unsigned(thread);
}

class Reader {
public:
  explicit Reader(Execution *execution) : execution_(*execution) {}

  void Read(const Line &line) {
    if (line.Has("report"))
      ReadReport(line);
    else if (line.Has("tick"))
      ReadOperation(line);
    else if (line.Has("clock"))
      ReadClock(line);
    else if (line.Has("access"))
      ReadAccess(line);
    else if (line.Has("stack"))
      execution_.stacks[line.Small("stack")] = line.Numbers("pcs");
    else if (line.Has("pc"))
      execution_.code[line.Number("pc")] = {line.Text("module"), line.Number("offset")};
    else if (line.Has("object"))
      execution_.objects[line.Number("object")] = {line.Text("module"), line.Number("offset")};
    else if (line.Has("tid"))
      execution_.tids[ThreadIn(line, "thread")] = line.Small("tid");
    // Others are of a later version, and nothing that this one shows.
  }

  void Remember(const std::map<unsigned, Execution::Clock> &clocks) {
    for (const auto &[thread, clock] : clocks)
      pending_[thread].insert(pending_[thread].begin(), clock.begin(), clock.end());
  }

private:
  void Add(Event &&event) {
    event.clock = std::move(pending_[event.thread]);
    pending_[event.thread].clear();
    execution_.events.push_back(std::move(event));
  }

  std::string_view Kind(const std::string &kind) {
    if (kind != last_kind_)
      last_kind_ = *execution_.kinds.insert(hunt::Printable(kind)).first;
    return last_kind_;
  }

  void ReadOperation(const Line &line) {
    Event event;
    event.tick = line.Number("tick");
    event.thread = ThreadIn(line, "thread");
    event.kind = Kind(line.Text("kind"));
    event.stack = line.Small("stack");
    event.slot = line.Small("slot");
    event.epoch = line.Small("epoch");
    event.object = line.NumberIf("object");
    event.of = line.SmallIf("of");
    event.failed = line.Has("failed") && line.Truth("failed");
    event.waits = line.Has("waits") && line.Truth("waits");
    event.size = line.SmallIf("size").value_or(0);
    event.order = line.SmallIf("order");
    event.read = line.NumberIf("read");
    event.written = line.NumberIf("written");
    event.newer = line.SmallIf("newer");
    event.from = line.NumberIf("from");
    Add(std::move(event));
  }

  void ReadReport(const Line &line) {
    Event event;
    event.report = std::make_unique<Report>();
    event.report->what = hunt::Printable(line.Text("report"));
    event.tick = line.Number("tick");
    event.thread = execution_.ThreadOf(line.Small("tid")).value_or(0);
    event.stack = line.Small("stack");
    Add(std::move(event));
  }

  void ReadAccess(const Line &line) {
    if (execution_.events.empty() || !execution_.events.back().IsReport())
      return;
    RacingAccess access;
    access.address = line.Number("access");
    access.tid = line.Small("tid");
    access.size = line.Small("size");
    access.write = line.Truth("write");
    access.atomic = line.Truth("atomic");
    access.pcs = line.Numbers("pcs");
    execution_.events.back().report->accesses.push_back(std::move(access));
  }

  void ReadClock(const Line &line) {
    const std::vector<uint64_t> changes = line.Numbers("changes");
    auto &pending = pending_[ThreadIn(line, "clock")];
    for (size_t i = 0; i + 1 < changes.size(); i += 2)
      pending.emplace_back(unsigned(changes[i]), unsigned(changes[i + 1]));
  }

  Execution &execution_;
  std::map<unsigned, std::vector<std::pair<unsigned, unsigned>>> pending_;
  std::string_view last_kind_;
};

} // namespace

unsigned Execution::Threads() const {
  unsigned threads = 0;
  for (const Event &event : events)
    threads = std::max(threads, event.thread + 1);
  return threads;
}

std::string Execution::NameOf(unsigned thread) const {
  if (thread == 0)
    return "main";
  const auto tid = tids.find(thread);
  return "T" + std::to_string(tid == tids.end() ? thread : tid->second);
}

std::optional<unsigned> Execution::ThreadOf(unsigned tid) const {
  for (const auto &[thread, its] : tids)
    if (its == tid)
      return thread;
  return std::nullopt;
}

std::map<unsigned, Execution::Clock> Execution::KeepLast(size_t count) {
  std::map<unsigned, Clock> clocks;
  if (events.size() <= count)
    return clocks;
  const size_t cut = events.size() - count;
  // What the threads knew by then, they know.
  for (size_t i = 0; i < cut; i++) {
    left_out += !events[i].IsReport();
    for (const auto &[slot, epoch] : events[i].clock)
      clocks[events[i].thread][slot] = epoch;
  }
  events.erase(events.begin(), events.begin() + ptrdiff_t(cut));
  for (Event &event : events) {
    const auto found = clocks.find(event.thread);
    if (found == clocks.end())
      continue;
    event.clock.insert(event.clock.begin(), found->second.begin(), found->second.end());
    clocks.erase(found);
  }
  return clocks;
}

Execution ReadExecution(std::string_view text, size_t last) {
  Execution execution;
  Reader reader(&execution);
  Line line;
  size_t number = 0;
  // A process that was killed leaves room behind its last line, and perhaps a part of one.
  for (size_t at = 0; at < text.size() && text[at]; number++) {
    const size_t end = text.find('\n', at);
    if (end == text.npos)
      break;
    try {
      line.Read(text.substr(at, end - at));
      if (number == 0 && line.NumberIf("heddle_execution") != kVersion)
        throw Failure("the program's runtime writes executions in another format than this command "
                      "reads: build the program with the Heddle that the command is of.");
      if (number)
        reader.Read(line);
    } catch (const DamagedLine &error) {
      throw Failure("line " + std::to_string(number + 1) +
                    " of the execution is damaged: " + error.what() + ".");
    }
    // Seldom, since it moves all that is kept.
    if (last && execution.events.size() >= 2 * last)
      reader.Remember(execution.KeepLast(last));
    at = end + 1;
  }
  if (number == 0)
    throw Failure("the program wrote nothing about its execution. It was built with an older "
                  "Heddle, or ended before it began: `heddle replay` shows what it says.");
  if (last)
    execution.KeepLast(last);
  return execution;
}

} // namespace heddle::show
