#include "test_options.h"

#include <map>
#include <string>

namespace heddle {

void AddTestOptions(CLI::App *command, litmus::compile::TestSelection *selection) {
  using litmus::C11Model;
  static const std::map<std::string, C11Model> kModels = {
      {"cxx20", C11Model::kCxx20}, {"c11", C11Model::kC11}, {"partial-sc", C11Model::kPartialSc}};
  command->add_option("files", selection->files, "Litmus tests")->type_name("FILE");
  command
      ->add_option("--events", selection->max_events,
                   "All minimal tests of up to so many events, besides files")
      ->check(CLI::Range(2, 8));
  command
      ->add_option("--min-events", selection->min_events, "With --events, the size of the smallest")
      ->check(CLI::Range(2, 8))
      ->capture_default_str();
  command->add_flag("--unused-results", selection->unused_results,
                    "Only tests with read-modify-writes, of which the results are not used");
  command->add_flag("--stronger", selection->stronger,
                    "Besides, each test with one of its memory orders made seq_cst");
  command
      ->add_option_function<std::string>(
          "--axioms",
          [selection](const std::string &name) { selection->axioms.model = kModels.at(name); },
          "The standard that forbids")
      ->check(CLI::IsMember({"cxx20", "c11", "partial-sc"}))
      ->default_str("partial-sc");
}

} // namespace heddle
