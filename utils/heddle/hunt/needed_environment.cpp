#include "needed_environment.h"

#include "demo_parts.h"

#include "heddle/demo/demo_environment.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace heddle::hunt {
namespace {

// One is enough for a program that needs nothing; to find one variable among thirty takes ten.
constexpr unsigned kMostPlays = 24;

constexpr char kName = '_', kValue = 'x';

// A star stands for anything. What a program prints depends on these, which libraries it loads, and
// the names in its reports; a demo that is not in a finding is played where PWD says.
constexpr const char *kAlwaysKept[] = {
    "LANG=", "LANGUAGE=", "LC_*", "TZ=", "LD_*", "PWD=", "TSAN_SYMBOLIZER_PATH="};

bool IsAlwaysKept(const std::string &variable) {
  return std::any_of(std::begin(kAlwaysKept), std::end(kAlwaysKept), [&](const char *pattern) {
    const size_t length = strcspn(pattern, "*");
    return variable.compare(0, length, pattern, length) == 0;
  });
}

std::string Blanked(const std::string &variable) {
  std::string text(variable.size(), kValue);
  const size_t name = __heddle::NameLength(variable.c_str());
  text.replace(0, name, name, kName);
  if (name < text.size())
    text[name] = '=';
  return text;
}

// Goes from all to ever smaller parts.
class Search {
public:
  Search(const std::string &demo, const std::function<bool()> &plays)
      : demo_(demo), plays_(plays), best_(ReadMetaFiles(demo)) {
    for (const auto &[part, meta] : best_)
      for (size_t i = 0; i < meta.lines.size(); i++)
        if (meta.lines[i].key == kMetaEnvironment && !IsAlwaysKept(meta.lines[i].value))
          candidates_.push_back({part, i});
  }

  void Run() {
    if (candidates_.empty())
      return;
    Try(0, candidates_.size());
    WriteMetaFiles(demo_, best_);
  }

private:
  struct Candidate {
    std::string part;
    size_t line;
  };

  void Try(size_t begin, size_t end) {
    if (plays_left_ == 0)
      return;
    plays_left_--;
    MetaFiles next = best_;
    for (size_t i = begin; i < end; i++) {
      std::string &variable = next[candidates_[i].part].lines[candidates_[i].line].value;
      variable = Blanked(variable);
    }
    WriteMetaFiles(demo_, next);
    if (plays_()) {
      best_ = next;
      return;
    }
    if (end - begin == 1)
      return;
    const size_t middle = begin + (end - begin) / 2;
    Try(begin, middle);
    Try(middle, end);
  }

  const std::string &demo_;
  const std::function<bool()> &plays_;
  MetaFiles best_; // with all that is known not to be needed blanked
  std::vector<Candidate> candidates_;
  unsigned plays_left_ = kMostPlays;
};

} // namespace

void KeepNeededEnvironment(const std::string &demo, const std::function<bool()> &plays) {
  Search(demo, plays).Run();
}

bool IsBlanked(const std::string &variable) { return variable == Blanked(variable); }

} // namespace heddle::hunt
