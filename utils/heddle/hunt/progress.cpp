#include "progress.h"

#include "printable.h"

#include <algorithm>

namespace heddle::hunt {
namespace {

std::string WithCommas(uint64_t number) {
  std::string text = std::to_string(number);
  for (int at = int(text.size()) - 3; at > 0; at -= 3)
    text.insert(size_t(at), ",");
  return text;
}

std::string MinutesText(double seconds) {
  char text[32];
  const long whole = long(seconds + 0.5);
  if (whole >= 3600)
    snprintf(text, sizeof(text), "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
  else
    snprintf(text, sizeof(text), "%ld:%02ld", whole / 60, whole % 60);
  return text;
}

// The sooner of what is left of the time and of the executions; below 0 if neither is limited.
double SecondsLeft(const HuntSettings &settings, uint64_t executions, double seconds) {
  double left = -1;
  if (settings.seconds)
    left = std::max(0.0, settings.seconds - seconds);
  if (settings.runs && executions) {
    const double runs = double(settings.runs - std::min(settings.runs, executions));
    const double runs_left = runs * seconds / double(executions);
    left = left < 0 ? runs_left : std::min(left, runs_left);
  }
  return left;
}

} // namespace

std::string Counted(uint64_t number, const std::string &one, const std::string &many) {
  return WithCommas(number) + " " + (number == 1 ? one : many);
}

std::string ProgressText(const HuntSettings &settings, uint64_t executions, size_t findings,
                         double seconds) {
  char rate[32];
  const double each = seconds > 0 ? double(executions) / seconds : 0;
  snprintf(rate, sizeof(rate), each < 10 ? "%.1f" : "%.0f", each);
  std::string text = Counted(executions, "execution", "executions") + ", " + rate + " a second, " +
                     Counted(findings, "finding", "findings");
  const double left = SecondsLeft(settings, executions, seconds);
  if (left >= 0)
    text += ", " + MinutesText(left) + " left";
  return text;
}

void ConsoleProgress::Clear() {
  if (!shown_.empty())
    fprintf(out_, "\r%*s\r", int(shown_.size()), "");
  shown_.clear();
}

void ConsoleProgress::Line(const std::string &text) {
  std::lock_guard lock(mutex_);
  Clear();
  if (!quiet_)
    fprintf(out_, "%s\n", PrintableLines(text).c_str());
  fflush(out_);
}

void ConsoleProgress::Found(const Finding &finding, const std::string &how) {
  Line("found " + finding.name + ": " +
       Printable(finding.what + (finding.place.empty() ? "" : " at " + finding.place)) + " (" +
       how + ")");
}

void ConsoleProgress::Remark(const std::string &remark) { Line("note: " + remark); }

void ConsoleProgress::Progress(uint64_t executions, size_t findings, double seconds) {
  if (quiet_)
    return;
  const std::string text = ProgressText(settings_, executions, findings, seconds);
  if (!terminal_) {
    if (seconds - last_ >= kLogSeconds) {
      last_ = seconds;
      Line(text);
    }
    return;
  }
  std::lock_guard lock(mutex_);
  Clear();
  shown_ = text;
  fprintf(out_, "%s", text.c_str());
  fflush(out_);
}

void ConsoleProgress::End() {
  std::lock_guard lock(mutex_);
  Clear();
  fflush(out_);
}

} // namespace heddle::hunt
