#include "html.h"

#include "folding.h"

#include <filesystem>
#include <map>

#include <nlohmann/json.hpp>

namespace heddle::show {
namespace {

using Json = nlohmann::ordered_json;

// Nothing in it may end the element of the page that it is in.
std::string Dump(const Json &json) {
  std::string text = json.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
  for (size_t at = 0; (at = text.find('<', at)) != text.npos;)
    text.replace(at, 1, "\\u003c");
  return text;
}

// The C++ library's files are known by ways through half of the file system. Those of the C library
// are relative to where it was built, and stay as they are: that tells them apart.
std::string Readable(const std::string &file) {
  return file[0] == '/' ? std::filesystem::path(file).lexically_normal().string() : file;
}

// Stacks and lines of source are many times the same.
class Table {
public:
  size_t IndexOf(Json entry) {
    const auto [found, is_new] = indices_.try_emplace(Dump(entry), entries_.size());
    if (is_new)
      entries_.push_back(std::move(entry));
    return found->second;
  }
  const Json &All() const { return entries_; }

private:
  std::map<std::string, size_t> indices_;
  Json entries_ = Json::array();
};

using Write = std::function<void(std::string_view)>;

// `count` elements of a list as they are written, one after the other.
template <class Element> void WriteList(size_t count, const Write &write, Element element) {
  write("[");
  for (size_t i = 0; i < count; i++) {
    if (i)
      write(",");
    write(Dump(element(i)));
  }
  write("]");
}

class Writer {
public:
  Writer(const View &view, const HappensBefore &order)
      : view_(view), order_(order), folding_(FoldRows(view.rows)) {}

  // Row by row: all of a long execution as JSON in memory would take gigabytes.
  void WriteAll(const Write &write) {
    std::string head = Dump({{"title", view_.title},
                             {"summary", view_.Summary()},
                             {"threads", view_.threads},
                             {"legend", view_.legend}});
    head.back() = ','; // instead of the end
    write(head + "\"rows\":");
    WriteList(view_.rows.size(), write, [&](size_t i) { return RowOf(i); });
    write(",\"folds\":");
    WriteList(folding_.folds.size(), write, [&](size_t i) { return folding_.folds[i].Text(); });
    write(",\"edges\":");
    WriteList(order_.Edges().size(), write, [&](size_t i) {
      const HappensBefore::Edge &edge = order_.Edges()[i];
      return Json{edge.from, edge.to};
    });
    write(",\"places\":" + Dump(places_.All()) + ",\"stacks\":" + Dump(stacks_.All()) + "}");
  }

private:
  struct SiteIndices {
    size_t place, stack;
  };
  SiteIndices IndicesOf(const Site &site) {
    const auto [found, is_new] = sites_.try_emplace(&site);
    if (is_new)
      found->second = {places_.IndexOf({site.where, site.source}), StackOf(site.stack)};
    return found->second;
  }

  // A frame is the function, and where it is if that is known.
  size_t StackOf(const std::vector<Frame> &stack) {
    Json lines = Json::array();
    for (const Frame &frame : stack) {
      lines.push_back({frame.function});
      if (!frame.file.empty())
        lines.back().push_back(Readable(frame.file) + ":" + std::to_string(frame.line));
    }
    return stacks_.IndexOf(std::move(lines));
  }

  // `place` is a line of source and where it is, `past` the last row of each thread that happens
  // before it, `fold` the number of the fold that the row is in.
  Json RowOf(size_t number) {
    const Row &row = view_.rows[number];
    const SiteIndices site = IndicesOf(*row.site);
    Json json = {{"thread", row.thread},
                 {"tick", row.tick},
                 {"label", row.label},
                 {"place", site.place},
                 {"stack", site.stack}};
    if (!row.location.empty())
      json["location"] = row.location;
    if (row.report)
      json["report"] = true;
    if (row.stale)
      json["stale"] = true;
    if (!row.note.empty())
      json["note"] = row.note;
    if (row.accesses)
      for (const Access &access : *row.accesses)
        json["accesses"].push_back({access.text, StackOf(access.stack)});
    if (row.reads_from)
      json["from"] = *row.reads_from;
    if (folding_.hidden_by[number])
      json["fold"] = *folding_.hidden_by[number];
    json["past"] = Json::array();
    for (unsigned thread = 0; thread < view_.threads.size(); thread++)
      json["past"].push_back(order_.Last(number, thread));
    return json;
  }

  const View &view_;
  const HappensBefore &order_;
  const Folding folding_;
  Table stacks_, places_;
  std::map<const Site *, SiteIndices> sites_;
};

} // namespace

void WriteHtml(const View &view, const HappensBefore &order, const Write &write) {
  const std::string_view mark = "/*HEDDLE_EXECUTION*/", page = kPage;
  const size_t at = page.find(mark);
  write(page.substr(0, at));
  Writer(view, order).WriteAll(write);
  write(page.substr(at + mark.size()));
}

std::string ToHtml(const View &view, const HappensBefore &order) {
  std::string text;
  WriteHtml(view, order, [&](std::string_view part) { text += part; });
  return text;
}

} // namespace heddle::show
