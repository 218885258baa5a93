#include "litmus_options.h"

#include <stdexcept>
#include <utility>

namespace heddle {
namespace {

using litmus::AxiomaticModel;

const std::pair<const char *, AxiomaticModel> kAxioms[] = {
    {"c11tester", AxiomaticModel::kC11Tester},
    {"tsan11", AxiomaticModel::kTsan11},
    {"cxx20", AxiomaticModel::kCxx20},
    {"sc", AxiomaticModel::kSc},
};

std::vector<std::string> AllNames() {
  std::vector<std::string> names;
  for (const auto &[name, axioms] : kAxioms)
    names.push_back(name);
  return names;
}

} // namespace

const std::vector<std::string> kAxiomsWords = AllNames();

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
                              "; there are c11tester, tsan11, cxx20 and sc, and with C++11's "
                              "release sequences tsan11/cxx11 and so on");
}

std::string NameOf(AxiomaticModel axioms) {
  for (const auto &[name, each] : kAxioms)
    if (each == axioms)
      return name;
  return "";
}

} // namespace heddle
