#include "litmus_options.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace heddle {
namespace {

using litmus::AxiomaticModel;

const std::pair<const char *, AxiomaticModel> kAxioms[] = {
    {"c11tester", AxiomaticModel::kC11Tester},
    {"tsan11", AxiomaticModel::kTsan11},
    {"cxx20", AxiomaticModel::kCxx20},
    {"tsan20", AxiomaticModel::kTsan20},
    {"sc", AxiomaticModel::kSc},
};

using litmus::GeneratorParameters;

struct EventKind {
  const char *name;
  void (*remove)(GeneratorParameters *from);
};
const EventKind kEventKinds[] = {
    {"loads", [](GeneratorParameters *from) { from->loads.clear(); }},
    {"stores", [](GeneratorParameters *from) { from->stores.clear(); }},
    {"exchanges", [](GeneratorParameters *from) { from->exchanges.clear(); }},
    {"fetch_adds", [](GeneratorParameters *from) { from->fetch_adds.clear(); }},
    {"compare_exchanges", [](GeneratorParameters *from) { from->compare_exchanges.clear(); }},
    {"fences", [](GeneratorParameters *from) { from->fences.clear(); }},
};

template <class Rows> std::vector<std::string> NamesOf(const Rows &rows) {
  std::vector<std::string> names;
  for (const auto &[name, meaning] : rows)
    names.push_back(name);
  return names;
}

} // namespace

const std::vector<std::string> kAxiomsWords = NamesOf(kAxioms);
const std::vector<std::string> kEngineWords = {"mograph", "pruned", "cxx11", "shipped", "buffer"};
const std::vector<std::string> kEventKindWords = NamesOf(kEventKinds);

litmus::AxiomaticOptions AxiomsNamed(const std::string &name) {
  const size_t slash = name.find('/');
  const std::string release_sequence =
      slash == std::string::npos ? "cxx20" : name.substr(slash + 1);
  for (const auto &[word, axioms] : kAxioms)
    if (name.substr(0, slash) == word &&
        (release_sequence == "cxx20" || release_sequence == "cxx11")) {
      litmus::AxiomaticOptions options;
      options.model = axioms;
      if (release_sequence == "cxx11")
        options.release_sequence = litmus::ReleaseSequence::kCxx11;
      return options;
    }
  throw std::invalid_argument("no axioms are called " + name +
                              "; there are c11tester, tsan11, cxx20, tsan20 and sc, and with "
                              "C++11's release sequences tsan11/cxx11 and so on");
}

void KeepKinds(const std::vector<std::string> &kinds, GeneratorParameters *parameters) {
  for (const EventKind &kind : kEventKinds)
    if (std::find(kinds.begin(), kinds.end(), kind.name) == kinds.end())
      kind.remove(parameters);
}

std::string NameOf(AxiomaticModel axioms) {
  for (const auto &[name, each] : kAxioms)
    if (each == axioms)
      return name;
  return "";
}

} // namespace heddle
