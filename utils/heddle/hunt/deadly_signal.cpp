#include "deadly_signal.h"

#include <charconv>

namespace heddle::hunt {
namespace {

constexpr std::string_view kReport = "==ERROR: ThreadSanitizer: ";
constexpr std::string_view kAnnouncement = "ThreadSanitizer:DEADLYSIGNAL\n";

// The number that ends at `end`, or 0.
pid_t NumberBefore(std::string_view errors, size_t end) {
  const size_t begin = errors.substr(0, end).find_last_not_of("0123456789") + 1;
  pid_t process = 0;
  std::from_chars(errors.data() + begin, errors.data() + end, process);
  return process;
}

} // namespace

std::vector<DeadlySignal> DeadlySignalsIn(std::string_view errors) {
  std::vector<DeadlySignal> signals;
  for (size_t at = 0; (at = errors.find(kReport, at)) != errors.npos; at += kReport.size())
    signals.push_back({NumberBefore(errors, at), errors.substr(at + kReport.size())});
  return signals;
}

bool EndsInDeadlySignal(std::string_view errors) {
  return errors.size() >= kAnnouncement.size() &&
         errors.substr(errors.size() - kAnnouncement.size()) == kAnnouncement;
}

} // namespace heddle::hunt
