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

// The elements of a list as they are written, one after the other.
class List {
public:
  explicit List(std::string *text) : text_(*text) { text_ += '['; }
  ~List() { text_ += ']'; }

  void Add(const Json &element) {
    text_ += between_;
    text_ += Dump(element);
    between_ = ",";
  }

private:
  std::string &text_;
  const char *between_ = "";
};

class Writer {
public:
  Writer(const View &view, const HappensBefore &order)
      : view_(view), order_(order), folding_(FoldRows(view.rows)) {}

  // Adds it to `page` row by row: all of a long execution as JSON in memory would take gigabytes.
  void Write(std::string *page) {
    std::string &text = *page;
    text += Dump({{"title", view_.title},
                  {"summary", view_.Summary()},
                  {"threads", view_.threads},
                  {"legend", view_.legend}});
    text.back() = ','; // instead of the end
    text += "\"rows\":";
    {
      List rows(&text);
      for (size_t i = 0; i < view_.rows.size(); i++)
        rows.Add(RowOf(i));
    }
    text += ",\"folds\":";
    {
      List folds(&text);
      for (const Fold &fold : folding_.folds)
        folds.Add(fold.Text());
    }
    text += ",\"edges\":";
    {
      List edges(&text);
      for (const HappensBefore::Edge &edge : order_.Edges())
        edges.Add({edge.from, edge.to});
    }
    text += ",\"places\":" + Dump(places_.All()) + ",\"stacks\":" + Dump(stacks_.All()) + "}";
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

std::string ToHtml(const View &view, const HappensBefore &order) {
  const std::string mark = "/*HEDDLE_EXECUTION*/", page = kPage;
  const size_t at = page.find(mark);
  std::string text = page.substr(0, at);
  Writer(view, order).Write(&text);
  return text.append(page, at + mark.size());
}

} // namespace heddle::show
