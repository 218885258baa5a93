// A finding as JSON. What a later version adds is left alone by an earlier one.

#include "failure.h"
#include "findings.h"

#include <nlohmann/json.hpp>

namespace heddle::hunt {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1; // changes when an older reader would misread it

Json CostJson(const Cost &cost) {
  if (!cost.known)
    return nullptr;
  return {{"preemptions", cost.preemptions},
          {"stale_reads", cost.stale_reads},
          {"operations", cost.operations}};
}

Cost CostFrom(const Json &json) {
  Cost cost;
  if (json.is_null())
    return cost;
  cost.preemptions = json.at("preemptions");
  cost.stale_reads = json.at("stale_reads");
  cost.operations = json.at("operations");
  cost.known = true;
  return cost;
}

} // namespace

std::string ToJson(const Finding &finding) {
  const Json json = {{"format", kFormat},
                     {"name", finding.name},
                     {"kind", NameOf(finding.kind)},
                     {"what", finding.what},
                     {"place", finding.place},
                     {"key", finding.key},
                     {"raw_key", finding.raw_key},
                     {"program", finding.program.path},
                     {"arguments", finding.program.arguments},
                     {"directory", finding.program.directory},
                     {"environment", finding.environment},
                     {"options", finding.options.Text()},
                     {"seed", finding.seed},
                     {"first_execution", finding.first},
                     {"executions", finding.executions},
                     {"confirmed", finding.Confirmed()},
                     {"recordings", finding.recordings},
                     {"repeated", finding.repeated},
                     {"replays", finding.replays},
                     {"replays_same", finding.replays_same},
                     {"found", CostJson(finding.found)},
                     {"shrunk", CostJson(finding.shrunk)},
                     {"shrink_runs", finding.shrink_runs},
                     {"repeat", RepeatLine(finding)}};
  // What programs print need not be UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Finding FromJson(const std::string &text, const std::string &where) {
  Finding finding;
  try {
    const Json json = Json::parse(text);
    if (json.at("format") != kFormat)
      throw Failure(where + " has format " + json.at("format").dump() + ", and this heddle reads " +
                    std::to_string(kFormat) + ". Use the heddle that wrote it.");
    const std::string kind = json.at("kind");
    if (!KindOf(kind, &finding.kind))
      throw Failure(where + ": there is no kind of finding '" + kind + "'.");
    finding.name = json.at("name");
    finding.what = json.at("what");
    finding.place = json.at("place");
    finding.key = json.at("key");
    finding.raw_key = json.at("raw_key");
    finding.program.path = json.at("program");
    finding.program.arguments = json.at("arguments").get<std::vector<std::string>>();
    finding.program.directory = json.at("directory");
    finding.environment = json.at("environment").get<std::map<std::string, std::string>>();
    finding.options = Options(json.at("options").get<std::string>());
    finding.seed = json.at("seed");
    finding.first = json.at("first_execution");
    finding.executions = json.at("executions");
    finding.recordings = json.value("recordings", 1u); // earlier versions had none
    finding.repeated = json.at("repeated");
    finding.replays = json.at("replays");
    finding.replays_same = json.at("replays_same");
    finding.found = CostFrom(json.at("found"));
    finding.shrunk = CostFrom(json.at("shrunk"));
    finding.shrink_runs = json.at("shrink_runs");
  } catch (const Json::exception &error) {
    throw Failure(where + " is damaged: " + error.what() +
                  ". Hunt again, or restore it from a copy.");
  }
  if (finding.program.arguments.empty() || finding.program.path.empty())
    throw Failure(where +
                  " is damaged: it names no program. Hunt again, or restore it from a copy.");
  // It becomes the name of a directory, and one with a dot is a draft.
  if (finding.name.empty() || finding.name[0] == '.' ||
      finding.name.find_first_of(std::string("/\0", 2)) != std::string::npos)
    throw Failure(where + " is damaged: '" + finding.name +
                  "' is no name of a finding. Hunt again, or restore it from a copy.");
  return finding;
}

} // namespace heddle::hunt
