#include "html.h"

#include <nlohmann/json.hpp>

namespace heddle::show {
namespace {

using Json = nlohmann::ordered_json;

// Stacks are many times the same.
class StackTable {
public:
  size_t IndexOf(const std::vector<Frame> &stack) {
    Json lines = Json::array();
    for (const Frame &frame : stack)
      lines.push_back(frame.file.empty()
                          ? frame.function
                          : frame.function + " " + frame.file + ":" + std::to_string(frame.line));
    const auto [found, is_new] = indices_.try_emplace(Dump(lines), stacks_.size());
    if (is_new)
      stacks_.push_back(std::move(lines));
    return found->second;
  }
  const Json &All() const { return stacks_; }

  static std::string Dump(const Json &json) {
    return json.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
  }

private:
  std::map<std::string, size_t> indices_;
  Json stacks_ = Json::array();
};

Json RowOf(const View &view, const HappensBefore &order, size_t number, StackTable *stacks) {
  const Row &row = view.rows[number];
  Json json = {{"thread", row.thread}, {"tick", row.tick},
               {"label", row.label},   {"where", row.where},
               {"source", row.source}, {"stack", stacks->IndexOf(row.stack)}};
  if (!row.location.empty())
    json["location"] = row.location;
  if (row.report)
    json["report"] = true;
  if (row.stale)
    json["stale"] = true;
  if (!row.note.empty())
    json["note"] = row.note;
  if (row.reads_from)
    json["from"] = *row.reads_from;
  json["past"] = Json::array();
  for (unsigned thread = 0; thread < view.threads.size(); thread++)
    json["past"].push_back(order.Last(number, thread));
  return json;
}

} // namespace

std::string ToHtml(const View &view, const HappensBefore &order) {
  StackTable stacks;
  Json json = {{"title", view.title},
               {"summary", view.Summary()},
               {"threads", view.threads},
               {"legend", view.legend}};
  json["rows"] = Json::array();
  for (size_t i = 0; i < view.rows.size(); i++)
    json["rows"].push_back(RowOf(view, order, i, &stacks));
  json["stacks"] = stacks.All();
  json["edges"] = Json::array();
  for (const HappensBefore::Edge &edge : order.Edges())
    json["edges"].push_back({edge.from, edge.to});
  // Nothing in it may end the element that it is in.
  std::string data;
  for (char c : StackTable::Dump(json))
    data += c == '<' ? std::string("\\u003c") : std::string(1, c);
  const std::string mark = "/*HEDDLE_EXECUTION*/";
  std::string page = kPage;
  return page.replace(page.find(mark), mark.size(), data);
}

} // namespace heddle::show
