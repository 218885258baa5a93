// A finding as JSON. What a later version adds is left alone by an earlier one.

#include "failure.h"
#include "findings.h"
#include "printable.h"
#include "stored_file.h"

#include <nlohmann/json.hpp>

#include <cstdio>

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

// Names of files, arguments and values of variables are bytes. What is no UTF-8 is percent-encoded,
// in an object of its own so that nobody takes it for text.
constexpr char kEncoded[] = "percent_encoded";

bool IsText(const std::string &bytes) {
  try {
    (void)Json(bytes).dump();
    return true;
  } catch (const Json::exception &) {
    return false;
  }
}

Json BytesJson(const std::string &bytes) {
  if (IsText(bytes))
    return bytes;
  std::string encoded;
  for (char c : bytes) {
    char code[4] = {c};
    if (c == '%' || c < ' ' || c > '~')
      snprintf(code, sizeof(code), "%%%02X", static_cast<unsigned char>(c));
    encoded += code;
  }
  return {{kEncoded, encoded}};
}

std::string BytesFrom(const Json &json) {
  if (!json.is_object())
    return json;
  const std::string encoded = json.at(kEncoded);
  std::string bytes;
  for (size_t at = 0; at < encoded.size(); at++) {
    unsigned code;
    if (encoded[at] == '%' && sscanf(encoded.c_str() + at, "%%%2x", &code) == 1) {
      bytes += char(code);
      at += 2;
    } else {
      bytes += encoded[at];
    }
  }
  return bytes;
}

bool IsVariable(const std::string &name) {
  constexpr char kBytes[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  return !name.empty() && name.find_first_not_of(kBytes) == name.npos &&
         !(name[0] >= '0' && name[0] <= '9');
}

// The finding's name becomes that of a directory; the others become words of a command, where a
// zero would end them, and names of variables in a script.
void Check(const Finding &finding, const std::string &where) {
  const auto damaged = [&](const std::string &what) {
    throw Failure(where + " is damaged: " + what + ". Hunt again, or restore it from a copy.");
  };
  const auto check = [&](const std::string &text) {
    if (text.find('\0') != text.npos)
      damaged("there is a zero in '" + Printable(text) + "'");
  };
  if (finding.program.arguments.empty() || finding.program.path.empty())
    damaged("it names no program");
  if (!IsGoodName(finding.name))
    damaged("'" + Printable(finding.name) + "' is no name of a finding");
  check(finding.program.path);
  check(finding.program.directory);
  for (const std::string &argument : finding.program.arguments)
    check(argument);
  for (const auto &[name, value] : finding.environment) {
    check(value);
    if (!IsVariable(name))
      damaged("'" + Printable(name) + "' is no name of a variable");
  }
}

} // namespace

std::string ToJson(const Finding &finding) {
  Json arguments = Json::array(), environment = Json::object();
  for (const std::string &argument : finding.program.arguments)
    arguments.push_back(BytesJson(argument));
  for (const auto &[name, value] : finding.environment)
    environment[name] = BytesJson(value);
  const Json json = {{"format", kFormat},
                     {"name", finding.name},
                     {"kind", NameOf(finding.kind)},
                     {"what", finding.what},
                     {"place", finding.place},
                     {"key", finding.key},
                     {"raw_key", finding.raw_key},
                     {"program", BytesJson(finding.program.path)},
                     {"arguments", arguments},
                     {"directory", BytesJson(finding.program.directory)},
                     {"environment", environment},
                     {"options", BytesJson(finding.options.Text())},
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
                     {"repeat", BytesJson(RepeatLine(finding))}};
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
      throw Failure(where + ": there is no kind of finding '" + Printable(kind) + "'.");
    finding.name = json.at("name");
    finding.what = json.at("what");
    finding.place = json.at("place");
    finding.key = json.at("key");
    finding.raw_key = json.at("raw_key");
    finding.program.path = BytesFrom(json.at("program"));
    for (const Json &argument : json.at("arguments"))
      finding.program.arguments.push_back(BytesFrom(argument));
    finding.program.directory = BytesFrom(json.at("directory"));
    for (const auto &[name, value] : json.at("environment").items())
      finding.environment[name] = BytesFrom(value);
    finding.options = Options(BytesFrom(json.at("options")));
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
  Check(finding, where);
  return finding;
}

} // namespace heddle::hunt
