#include "reports.h"

#include "files.h"
#include "printable.h"
#include "progress.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace heddle::hunt {
namespace {

using Json = nlohmann::ordered_json;

std::string Seconds(double seconds) {
  char text[32];
  snprintf(text, sizeof(text), "%.3f", seconds);
  return text;
}

std::string CostText(const Cost &cost) {
  return Counted(cost.preemptions, "preemption", "preemptions") + " and " +
         Counted(cost.stale_reads, "stale read", "stale reads");
}

// Text of XML: what has a meaning is written out, what XML cannot have is replaced.
std::string Escape(const std::string &text) {
  std::string escaped;
  for (size_t at = 0; at < text.size();) {
    const size_t size = CharacterAt(text, at);
    const char c = text[at];
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '"')
      escaped += "&quot;";
    else if (size == 0 ||
             (size == 1 && static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t'))
      escaped += '?';
    else
      escaped += text.substr(at, size);
    at += size ? size : 1;
  }
  return escaped;
}

std::string Title(const Finding &finding) {
  return finding.what + (finding.place.empty() ? "" : " at " + finding.place);
}

} // namespace

std::string FindingText(const Finding &finding, uint64_t executions) {
  std::string text =
      Title(finding) + ": seen in " + Counted(finding.executions, "execution", "executions");
  if (executions)
    text += " of " + std::to_string(executions);
  if (finding.of_all_hunts > finding.executions)
    text +=
        ", in " + std::to_string(finding.of_all_hunts - finding.executions) + " of earlier hunts";
  if (finding.replays)
    text += "; replayed " + std::to_string(finding.replays_same) + " of " +
            Counted(finding.replays, "time", "times");
  else
    text += finding.repeated     ? "; seen again with the same seed"
            : finding.recordings ? "; not seen again"
                                 : "; not recorded, as the hunt ended";
  if (finding.shrunk.known && finding.found.known && finding.shrunk.Total() < finding.found.Total())
    text += "; " + CostText(finding.found) + " shrunk to " + CostText(finding.shrunk);
  else if (finding.shrunk.known)
    text += "; " + CostText(finding.shrunk);
  return text;
}

std::string SummaryText(const HuntResult &result, const std::string &findings) {
  char head[128];
  snprintf(head, sizeof(head), " in %.1f s, %.1f a second: ", result.seconds,
           result.seconds > 0 ? double(result.executions) / result.seconds : 0);
  std::string text =
      Counted(result.executions, "execution", "executions") + head +
      (!result.executions        ? "nothing tested"
       : result.findings.empty() ? "nothing found"
                                 : Counted(result.findings.size(), "finding", "findings")) +
      ".\n";
  for (const Finding &finding : result.findings)
    text += "  " + finding.name + "\n    " + Printable(FindingText(finding, result.executions)) +
            "\n    heddle replay " + ShellPath(findings + "/" + finding.name) + "\n";
  return text;
}

std::string SummaryJson(const HuntResult &result, const HuntSettings &settings,
                        const Program &program) {
  Json json = {{"format", 1},
               {"program", program.path},
               {"arguments", program.arguments},
               {"directory", program.directory},
               {"executions", result.executions},
               {"seconds", result.seconds},
               {"stopped_by", NameOf(result.reason)},
               {"signal", result.signal},
               {"failure", result.failure},
               {"seed", settings.seed},
               {"shard", {{"index", settings.shard.index}, {"count", settings.shard.count}}}};
  json["strategies"] = Json::array();
  for (const ArmFigures &arm : result.arms)
    json["strategies"].push_back({{"name", arm.name},
                                  {"executions", arm.figures.turns},
                                  {"findings", arm.figures.findings},
                                  {"new_reads_from", arm.figures.reads_from},
                                  {"new_schedules", arm.figures.schedules}});
  json["findings"] = Json::array();
  for (const Finding &finding : result.findings) {
    json["findings"].push_back(Json::parse(ToJson(finding)));
    json["findings"].back()["executions_of_all_hunts"] =
        std::max(finding.executions, finding.of_all_hunts);
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string SummaryJunit(const HuntResult &result, const Program &program) {
  const std::string suite = Escape("heddle." + BaseName(program.path));
  const size_t failures = result.findings.size(), errors = result.failure.empty() ? 0 : 1;
  std::string xml =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"" + suite +
      "\" tests=\"" + std::to_string(failures + 1) + "\" failures=\"" + std::to_string(failures) +
      "\" errors=\"" + std::to_string(errors) + "\" skipped=\"0\" time=\"" +
      Seconds(result.seconds) + "\">\n";
  // The hunt itself: that it took place is a test, too.
  xml += "    <testcase classname=\"" + suite + "\" name=\"hunt\" time=\"" +
         Seconds(result.seconds) + "\">\n";
  if (errors)
    xml += "      <error message=\"" + Escape(result.failure) + "\"/>\n";
  xml += "      <system-out>" + Escape(Counted(result.executions, "execution", "executions")) +
         "</system-out>\n    </testcase>\n";
  for (const Finding &finding : result.findings)
    xml += "    <testcase classname=\"" + suite + "\" name=\"" + Escape(finding.name) +
           "\" time=\"0\">\n      <failure type=\"" + NameOf(finding.kind) + "\" message=\"" +
           Escape(FindingText(finding, result.executions)) + "\">" +
           Escape(RepeatLine(finding) + "\n\n" + finding.report) + "</failure>\n    </testcase>\n";
  return xml + "  </testsuite>\n</testsuites>\n";
}

} // namespace heddle::hunt
