// A campaign's rows as a table, as CSV and as a page.
#include "summary.h"

#include <algorithm>
#include <cstdio>

namespace heddle::litmus::compile {
namespace {

std::string Decimal(double value, int digits) {
  char text[64];
  snprintf(text, sizeof(text), "%.*f", digits, value);
  return text;
}

constexpr size_t kFirstNumber = 3; // the columns from here on are numbers

const std::vector<std::string> &Heads() {
  static const std::vector<std::string> heads = {
      "compiler", "target",  "level",      "tests",           "failed",
      "not run",  "allowed", "observable", "unobservable, %", "seconds"};
  return heads;
}

std::vector<std::string> Cells(const Row &row) {
  return {row.compiler,
          row.target,
          row.level,
          std::to_string(row.tests),
          std::to_string(row.failed),
          std::to_string(row.not_run),
          std::to_string(row.allowed),
          std::to_string(row.seen),
          Decimal(Unobservable(row), 1),
          Decimal(row.seconds, 1)};
}

std::string CsvCell(const std::string &text) {
  if (text.find_first_of("\",\n") == text.npos)
    return text;
  std::string quoted = "\"";
  for (char c : text)
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string HtmlLine(const std::vector<std::string> &cells, const std::string &tag,
                     const std::string &style) {
  std::string line = "<tr" + style + ">";
  for (size_t i = 0; i < cells.size(); i++)
    line += "<" + tag + (i < kFirstNumber ? ">" : " class=\"number\">") + EscapeHtml(cells[i]) +
            "</" + tag + ">";
  return line + "</tr>\n";
}

constexpr const char *kPageHead = R"(<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>heddle litmus compile</title>
<style>
body { font: 15px/1.5 sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; }
table { border-collapse: collapse; }
th, td { border-bottom: 1px solid #ccc; padding: .2em .8em; text-align: left; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.bad { background: #fdd; }
.part { background: #ffd; }
pre { background: #f4f4f4; overflow-x: auto; padding: .6em; }
</style>
<h1>C11 atomics, from compiler to verdict</h1>
<p>A test has failed if the hardware's memory model has a final state of the compiled test that C11
forbids for its source. Unobservable is the share of the states that C11 allows and the
hardware's model does not have.</p>
)";

} // namespace

std::string CsvLine(const std::vector<std::string> &cells) {
  std::string line;
  for (const std::string &cell : cells)
    line += (line.empty() ? "" : ",") + CsvCell(cell);
  return line + "\n";
}

std::string EscapeHtml(const std::string &text) {
  std::string escaped;
  for (char c : text) {
    if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '&')
      escaped += "&amp;";
    else if (c == '"')
      escaped += "&quot;";
    else
      escaped += c;
  }
  return escaped;
}

std::string PrintTable(const std::vector<Row> &rows) {
  std::vector<std::vector<std::string>> lines = {Heads()};
  for (const Row &row : rows)
    lines.push_back(Cells(row));
  std::vector<size_t> widths(Heads().size());
  for (const auto &line : lines)
    for (size_t i = 0; i < line.size(); i++)
      widths[i] = std::max(widths[i], line[i].size());
  std::string text;
  for (const auto &line : lines) {
    std::string printed;
    for (size_t i = 0; i < line.size(); i++) {
      const std::string space(widths[i] - line[i].size(), ' ');
      printed += (i ? "  " : "") + (i < kFirstNumber ? line[i] + space : space + line[i]);
    }
    text += printed.substr(0, printed.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string PrintCsv(const std::vector<Row> &rows) {
  std::string text = CsvLine({"compiler", "target", "level", "tests", "failed", "not_run",
                              "allowed", "observable", "unobservable_percent", "seconds"});
  for (const Row &row : rows)
    text += CsvLine(Cells(row));
  return text;
}

std::string PrintHtml(const std::vector<Row> &rows, const std::string &details) {
  std::string text = kPageHead;
  text += "<table>\n" + HtmlLine(Heads(), "th", "");
  for (const Row &row : rows)
    text += HtmlLine(Cells(row), "td",
                     row.failed    ? " class=\"bad\""
                     : row.not_run ? " class=\"part\""
                                   : "");
  return text + "</table>\n" + details + "</html>\n";
}

} // namespace heddle::litmus::compile
