#include "flags.h"

#include "../edit_distance.h"
#include "failure.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace heddle::hunt {
namespace {

// The runtime's own tables, so that no flag is missing here.
constexpr std::string_view kFlags[] = {
#define TSAN_FLAG(type, name, value, description) #name,
#include "tsan/rtl/tsan_flags.inc"
#undef TSAN_FLAG
#define COMMON_FLAG(type, name, value, description) #name,
#include "upstream/sanitizer_common/sanitizer_flags.inc"
#undef COMMON_FLAG
    // Registered by hand.
    "second_deadlock_stack", "include", "include_if_exists"};

// A hunt sets these, differently for each execution.
constexpr std::string_view kHunts[] = {"fork_server", "statistics_file", "statistics_slot",
                                       "record_demo", "play_demo",       "execution_file"};

template <size_t kSize>
bool Contains(const std::string_view (&names)[kSize], const std::string &name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::string_view Nearest(const std::string &name) {
  constexpr size_t kLongest = 64; // nothing is near to what is longer
  if (name.size() > kLongest)
    return "";
  std::string_view nearest;
  size_t least = 1 + name.size() / 3;
  for (std::string_view flag : kFlags)
    if (const size_t distance = EditDistance(name, flag); distance <= least) {
      least = distance - 1;
      nearest = flag;
    }
  return nearest;
}

} // namespace

void CheckFlags(const Options &options, const std::string &where) {
  for (const std::string &name : options.Names()) {
    if (Contains(kFlags, name))
      continue;
    const std::string nearest(Nearest(name));
    throw Failure("the runtime has no flag " + name + ", which " + where + " names. " +
                  (nearest.empty() ? "TSAN_OPTIONS=help=1 and the program list all."
                                   : "Is it " + nearest + "?"));
  }
}

// Of a larger number the system keeps a byte.
int ReportCode(const Options &options) {
  return options.Has("exitcode") ? atoi(options.Get("exitcode").c_str()) & 0xff : 66;
}

Options ReportFlags() {
  Options flags;
  flags.Set("log_path", "stderr").Set("log_to_syslog", "0").Set("abort_on_error", "0");
  return flags.Set("color", "never").Set("stack_trace_format", "    #%n %f %S %M");
}

Options FlagsForHunt(const Options &options, const std::string &where,
                     std::vector<std::string> *left_out) {
  CheckFlags(options, where);
  Options flags = options;
  for (const std::string &name : options.Names())
    if (Contains(kHunts, name))
      throw Failure("a hunt sets " + name + " itself: take it out of " + where + ".");
  for (const std::string &name : ReportFlags().Names())
    if (flags.Has(name)) {
      flags.Remove(name);
      left_out->push_back(name);
    }
  return flags;
}

} // namespace heddle::hunt
