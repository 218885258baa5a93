#include "outcome.h"

#include "deadly_signal.h"
#include "stack.h"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace heddle::hunt {
namespace {

constexpr std::string_view kWarning = "WARNING: ThreadSanitizer: ";
constexpr std::string_view kSummary = "SUMMARY: ThreadSanitizer: ";
constexpr std::string_view kLine = "==================";
constexpr std::string_view kRuntimeError = "ERROR: ThreadSanitizer: ";

struct KindName {
  Kind kind;
  const char *name;
};
constexpr KindName kKindNames[] = {
    {Kind::kDataRace, "race"},       {Kind::kReport, "report"},   {Kind::kDeadlock, "deadlock"},
    {Kind::kLivelock, "livelock"},   {Kind::kAbort, "abort"},     {Kind::kCrash, "crash"},
    {Kind::kAssertion, "assertion"}, {Kind::kTimeOut, "timeout"}, {Kind::kHang, "hang"},
    {Kind::kExit, "exit"},           {Kind::kRefused, "refused"}};

std::string WithoutProcess(std::string_view title) {
  const size_t process = title.rfind(" (pid=");
  return std::string(title.substr(0, process));
}

// Where things are and came from, not what was done: they differ between executions that show
// the same bug.
bool IsBackground(std::string_view heading) {
  for (const char *start : {"Location is", "Stale read", "Stored by", "As if synchronized"})
    if (StartsWith(heading, start))
      return true;
  return heading.find(" created by ") != heading.npos ||
         heading.find(" created at") != heading.npos;
}

bool IsAccess(std::string_view heading) {
  for (const char *start : {"Read of", "Write of", "Atomic", "Previous"})
    if (StartsWith(heading, start))
      return true;
  return false;
}

// Which of two racing accesses came second differs, and so does the order of threads.
std::string Sorted(std::vector<std::string> parts) {
  std::sort(parts.begin(), parts.end());
  std::string text;
  for (const std::string &part : parts)
    text += "\n" + part;
  return text;
}

// Of frames that name no function, the raw key is all there is.
void AddStacks(const std::vector<std::vector<Frame>> &stacks, Observation *observation) {
  std::vector<std::string> keys, raw_keys, tops, places;
  for (const auto &frames : stacks) {
    keys.push_back(KeyOf(frames));
    raw_keys.push_back(RawKeyOf(frames));
    tops.push_back(RawKeyOf({frames[0]}));
    for (const Frame &frame : frames)
      if (frame.IsUsers()) {
        places.push_back(frame.Place());
        break;
      }
  }
  if (observation->place.empty() && !places.empty())
    observation->place = *std::min_element(places.begin(), places.end());
  observation->key = observation->what + Sorted(keys);
  observation->raw_key = observation->what + Sorted(raw_keys);
  observation->tops = observation->what + Sorted(tops);
}

Observation ReadReport(std::string_view title, std::string_view text) {
  Observation report;
  report.what = WithoutProcess(title);
  report.text = text;
  report.kind = report.what == "data race"            ? Kind::kDataRace
                : report.what == "deadlock"           ? Kind::kDeadlock
                : StartsWith(report.what, "livelock") ? Kind::kLivelock
                                                      : Kind::kReport;
  std::vector<std::vector<Frame>> stacks;
  for (const Section &section : ReadSections(text))
    if (report.kind == Kind::kDataRace ? IsAccess(section.heading) : !IsBackground(section.heading))
      stacks.push_back(section.frames);
  AddStacks(stacks, &report);
  return report;
}

std::vector<Observation> ReadReports(std::string_view errors) {
  std::vector<Observation> reports;
  for (size_t at; (at = errors.find(kWarning)) != errors.npos;) {
    errors.remove_prefix(at);
    const std::string_view title = errors.substr(0, errors.find('\n'));
    // A report that the end of the process has cut off ends there.
    size_t end = errors.find(kSummary);
    const size_t line = errors.find(std::string("\n") + std::string(kLine));
    end = std::min(end == errors.npos ? end : errors.find('\n', end), line);
    end = std::min(end, errors.size());
    const Observation report = ReadReport(title.substr(kWarning.size()), errors.substr(0, end));
    if (title.rfind(" (pid=") != title.npos) // others are remarks about flags and the like
      reports.push_back(report);
    errors.remove_prefix(std::min(errors.size(), std::max(end, title.size())));
  }
  return reports;
}

// "queue: /src/queue.cpp:88: void Pop(): Assertion `value' failed."
bool ReadAssertion(std::string_view errors, Observation *observation) {
  bool found = false;
  ForEachLine(errors, [&](std::string_view line) {
    const size_t at = line.find(": Assertion `");
    if (found || at == line.npos || line.find("' failed.") == line.npos)
      return;
    found = true;
    std::string_view rest = line.substr(line.find(": ") + 2);
    const std::string_view place = rest.substr(0, rest.find(": "));
    observation->place = place.substr(place.rfind('/') == place.npos ? 0 : place.rfind('/') + 1);
    observation->what = "failed assertion";
    observation->key = observation->what + "\n" + observation->place + " " +
                       std::string(line.substr(at + 2, line.find("' failed.") - at - 1));
  });
  return found;
}

// "==7==ERROR: ThreadSanitizer: SEGV on unknown address", which the runtime says in a handler.
bool ReadCrash(std::string_view errors, Observation *observation) {
  const std::vector<DeadlySignal> signals = DeadlySignalsIn(errors);
  if (signals.empty())
    return false;
  const std::string_view text = signals[0].text, title = text.substr(0, text.find('\n'));
  observation->what = title.substr(0, title.find_first_of(" :"));
  std::vector<std::vector<Frame>> stacks;
  for (const Section &section : ReadSections(text.substr(0, text.find(kSummary)))) {
    stacks.push_back(section.frames);
    break;
  }
  AddStacks(stacks, observation);
  return true;
}

// What the C++ library says before it aborts: "terminate called after throwing ...".
std::string LastWords(std::string_view errors) {
  std::string words;
  ForEachLine(errors, [&](std::string_view line) {
    if (StartsWith(line, "terminate called"))
      words = line;
    else if (!words.empty() && StartsWith(line, "  what(): "))
      words += " " + std::string(line.substr(2));
  });
  return words;
}

// GoogleTest and Catch2: "queue_test.cpp:88: Failure", "queue_test.cpp:88: FAILED:".
std::string FailedCheck(std::string_view output) {
  std::string place;
  ForEachLine(output, [&](std::string_view line) {
    for (const char *mark : {": Failure", ": FAILED:"}) {
      const size_t at = line.find(mark);
      if (!place.empty() || at == line.npos)
        continue;
      const std::string_view path = line.substr(0, at);
      place = path.substr(path.rfind('/') == path.npos ? 0 : path.rfind('/') + 1);
    }
  });
  return place;
}

// What the runtime says when it cannot run: of itself, or of its flags. Of a value it says first
// what is wrong with it, and then that flags could not be read.
std::string RuntimeRefuses(std::string_view errors) {
  constexpr std::string_view kMarks[] = {kRuntimeError,
                                         "FATAL: ThreadSanitizer: ", "ThreadSanitizer: ERROR: "};
  constexpr std::string_view kWhole[] = {"ThreadSanitizer: failed to read suppressions file",
                                         "ThreadSanitizer: failed to parse suppressions",
                                         "ThreadSanitizer: incorrect value for io_sync"};
  // After the number of the process.
  constexpr std::string_view kLimit = "==ERROR: ThreadSanitizer setrlimit() failed",
                             kSymbolizer = "ERROR: External symbolizer path";
  std::string words, before;
  ForEachLine(errors, [&](std::string_view line) {
    if (!words.empty())
      return;
    for (std::string_view mark : kMarks)
      if (StartsWith(line, mark))
        words = line.substr(mark.size());
    for (std::string_view mark : kWhole)
      if (StartsWith(line, mark))
        words = line.substr(line.find(": ") + 2);
    if (StartsWith(line, "==") && line.find(kLimit) != line.npos)
      words = "the address space is limited: ulimit -v unlimited";
    if (const size_t at = line.find(kSymbolizer); StartsWith(line, "==") && at != line.npos)
      words = line.substr(at + strlen("ERROR: "));
    if (words == "Flag parsing failed." && !before.empty())
      words = before;
    before = line;
  });
  return words;
}

// Nothing if the end says nothing that the reports do not.
bool ReadEnd(const Ended &ended, int report_code, bool reports, Observation *end) {
  end->text = ended.errors;
  switch (ended.how) {
  case Ended::How::kInterrupted:
    return false;
  case Ended::How::kTimedOut:
    // It was at its end already, whatever it has waited for since.
    if (ReadCrash(ended.errors, end)) {
      end->kind = Kind::kCrash;
      return true;
    }
    if (EndsInDeadlySignal(ended.errors)) {
      end->kind = Kind::kCrash;
      end->what = "deadly signal";
      break;
    }
    end->kind = ended.waited ? Kind::kHang : Kind::kTimeOut;
    end->what = end->kind == Kind::kHang ? "hang" : "time-out";
    break;
  case Ended::How::kSignalled:
    // With abort_on_error=1 the runtime's own word about a crash comes first.
    if (ended.code == SIGABRT && ReadCrash(ended.errors, end)) {
      end->kind = Kind::kCrash;
      return true;
    }
    end->kind = ended.code == SIGABRT ? Kind::kAbort : Kind::kCrash;
    if (end->kind == Kind::kCrash) {
      end->what = sigabbrev_np(ended.code) ? std::string("SIG") + sigabbrev_np(ended.code)
                                           : "signal " + std::to_string(ended.code);
    } else if (ReadAssertion(ended.errors, end)) {
      end->kind = Kind::kAssertion;
    } else {
      end->what = "abort";
      end->key = "abort\n" + LastWords(ended.errors);
    }
    break;
  case Ended::How::kExited:
    if (ReadCrash(ended.errors, end)) {
      end->kind = Kind::kCrash;
      return true;
    }
    if (ended.code == report_code && reports)
      return false;
    // The runtime exits with the code of reports, which exitcode=0 makes that of success.
    if (ended.code || !report_code)
      end->what = RuntimeRefuses(ended.errors);
    if (!end->what.empty()) {
      end->kind = Kind::kRefused;
      break;
    }
    if (!ended.code)
      return false;
    end->kind = Kind::kExit;
    end->what = "exit code " + std::to_string(ended.code);
    end->place = FailedCheck(ended.output + "\n" + ended.errors);
    end->text = ended.output + ended.errors;
    break;
  }
  if (end->key.empty())
    end->key = end->what + "\n" + end->place;
  end->raw_key = end->tops = end->key;
  return true;
}

// FNV-1a: the same everywhere, and short.
uint32_t Hash(const std::string &text) {
  uint32_t hash = 2166136261;
  for (char c : text)
    hash = (hash ^ uint8_t(c)) * 16777619;
  return hash;
}

} // namespace

const char *NameOf(Kind kind) {
  for (const KindName &entry : kKindNames)
    if (entry.kind == kind)
      return entry.name;
  return "";
}

bool KindOf(const std::string &name, Kind *kind) {
  for (const KindName &entry : kKindNames)
    if (name == entry.name) {
      *kind = entry.kind;
      return true;
    }
  return false;
}

std::vector<Observation> ReadOutcome(const Ended &ended, int report_code) {
  std::vector<Observation> all = ReadReports(ended.errors);
  Observation end;
  if (ReadEnd(ended, report_code, !all.empty(), &end))
    all.push_back(end);
  return all;
}

const Observation *FindSame(const std::vector<Observation> &all, const Observation &one) {
  for (const Observation &other : all)
    if (other.kind == one.kind && (other.raw_key == one.raw_key || other.key == one.key))
      return &other;
  for (const Observation &other : all)
    if (other.kind == one.kind && other.tops == one.tops)
      return &other;
  return nullptr;
}

std::string FindingName(const Observation &observation) {
  std::string name = NameOf(observation.kind);
  if (!observation.place.empty())
    name += "-" + observation.place;
  for (char &c : name)
    if (!isalnum(static_cast<unsigned char>(c)) && !strchr("._-+", c))
      c = '-';
  char hash[16];
  snprintf(hash, sizeof(hash), "-%06x", Hash(observation.key) & 0xffffff);
  return name.substr(0, 200) + hash;
}

} // namespace heddle::hunt
