#include "execution.h"

#include "../hunt/failure.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace heddle::show {
namespace {

using Json = nlohmann::json;
using hunt::Failure;

constexpr unsigned kVersion = 1;

template <class T> std::optional<T> Optional(const Json &json, const char *name) {
  const auto found = json.find(name);
  return found == json.end() ? std::nullopt : std::optional<T>(found->get<T>());
}

class Reader {
public:
  explicit Reader(Execution *execution) : execution_(*execution) {}

  void Read(const Json &line) {
    if (line.contains("report"))
      ReadReport(line);
    else if (line.contains("tick"))
      ReadOperation(line);
    else if (line.contains("clock"))
      ReadClock(line);
    else if (line.contains("access"))
      ReadAccess(line);
    else if (line.contains("stack"))
      execution_.stacks[line["stack"]] = line["pcs"].get<std::vector<uint64_t>>();
    else if (line.contains("pc"))
      execution_.code[line["pc"]] = {line["module"], line["offset"]};
    else if (line.contains("object"))
      execution_.objects[line["object"]] = {line["module"], line["offset"]};
    else if (line.contains("tid"))
      execution_.tids[line["thread"]] = line["tid"];
    // Others are of a later version, and nothing that this one shows.
  }

private:
  void Add(Event &&event) {
    event.clock = std::move(pending_[event.thread]);
    pending_[event.thread].clear();
    execution_.events.push_back(std::move(event));
  }

  void ReadOperation(const Json &line) {
    Event event;
    event.tick = line.at("tick");
    event.thread = line.at("thread");
    event.kind = line.at("kind");
    event.stack = line.at("stack");
    event.slot = line.at("slot");
    event.epoch = line.at("epoch");
    event.object = Optional<uint64_t>(line, "object");
    event.of = Optional<unsigned>(line, "of");
    event.failed = line.value("failed", false);
    event.waits = line.value("waits", false);
    event.size = line.value("size", 0u);
    event.order = Optional<unsigned>(line, "order");
    event.read = Optional<uint64_t>(line, "read");
    event.written = Optional<uint64_t>(line, "written");
    event.newer = Optional<uint64_t>(line, "newer");
    event.from = Optional<uint64_t>(line, "from");
    Add(std::move(event));
  }

  void ReadReport(const Json &line) {
    Event event;
    event.kind = "report";
    event.what = line.at("report");
    event.tick = line.at("tick");
    event.thread = execution_.ThreadOf(line.at("tid")).value_or(0);
    event.stack = line.at("stack");
    Add(std::move(event));
  }

  void ReadAccess(const Json &line) {
    if (execution_.events.empty() || !execution_.events.back().IsReport())
      return;
    RacingAccess access;
    access.address = line.at("access");
    access.tid = line.at("tid");
    access.size = line.at("size");
    access.write = line.at("write");
    access.atomic = line.at("atomic");
    access.pcs = line.at("pcs").get<std::vector<uint64_t>>();
    execution_.events.back().accesses.push_back(std::move(access));
  }

  void ReadClock(const Json &line) {
    const auto changes = line.at("changes").get<std::vector<unsigned>>();
    auto &pending = pending_[line.at("clock")];
    for (size_t i = 0; i + 1 < changes.size(); i += 2)
      pending.emplace_back(changes[i], changes[i + 1]);
  }

  Execution &execution_;
  std::map<unsigned, std::vector<std::pair<unsigned, unsigned>>> pending_;
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

void Execution::KeepLast(size_t count) {
  if (events.size() <= count)
    return;
  const size_t cut = events.size() - count;
  // What the threads knew by then, they know.
  std::map<unsigned, std::map<unsigned, unsigned>> clocks;
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
}

Execution ReadExecution(const std::string &text) {
  Execution execution;
  Reader reader(&execution);
  size_t number = 0;
  for (size_t at = 0; at < text.size(); number++) {
    const size_t end = text.find('\n', at);
    if (end == text.npos)
      break; // the process was killed here
    try {
      const Json line = Json::parse(text.begin() + ptrdiff_t(at), text.begin() + ptrdiff_t(end));
      if (number == 0 && line.value("heddle_execution", 0u) != kVersion)
        throw Failure("the program's runtime writes executions in another format than this command "
                      "reads: build the program with the Heddle that the command is of.");
      if (number)
        reader.Read(line);
    } catch (const Json::exception &error) {
      throw Failure("line " + std::to_string(number + 1) +
                    " of the execution is damaged: " + error.what());
    }
    at = end + 1;
  }
  if (number == 0)
    throw Failure("the program wrote nothing about its execution. It was built with an older "
                  "Heddle, or ended before it began: `heddle replay` shows what it says.");
  return execution;
}

} // namespace heddle::show
