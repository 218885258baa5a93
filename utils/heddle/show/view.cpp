#include "view.h"

#include <algorithm>
#include <cstdio>
#include <unordered_map>

namespace heddle::show {
namespace {

const char *OrderName(unsigned order) {
  constexpr const char *kNames[] = {"relaxed", "consume", "acquire",
                                    "release", "acq_rel", "seq_cst"};
  return order < sizeof(kNames) / sizeof(*kNames) ? kNames[order] : "?";
}

// Numbers as numbers, pointers as pointers.
std::string Value(uint64_t value, unsigned size) {
  const unsigned bits = size && size < 8 ? size * 8 : 64;
  const int64_t with_sign = int64_t(value << (64 - bits)) >> (64 - bits);
  if (with_sign < 0 && with_sign >= -1024)
    return std::to_string(with_sign);
  if (value < 1'000'000)
    return std::to_string(value);
  char text[32];
  snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

class Maker {
public:
  Maker(const Execution &execution, const Symbols &symbols, View *view)
      : execution_(execution), symbols_(symbols), view_(*view) {}

  void Make() {
    for (unsigned thread = 0; thread < execution_.Threads(); thread++)
      view_.threads.push_back(execution_.NameOf(thread));
    view_.rows.reserve(execution_.events.size());
    for (const Event &event : execution_.events)
      view_.rows.push_back(event.IsReport() ? MakeReport(event) : MakeOperation(event));
  }

private:
  // Variables have names; others get one when they are first seen.
  std::string_view NameOf(const Event &event, const std::string &where) {
    const uint64_t address = *event.object;
    const auto found = names_.find(address);
    if (found != names_.end())
      return found->second;
    std::string name = symbols_.Variable(execution_, address);
    if (name.empty()) {
      name = (event.order ? "a" : "o") + std::to_string(++unnamed_[event.order.has_value()]);
      char text[32];
      snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(address));
      view_.legend.push_back(name + " = " + text +
                             (where.empty() ? "" : ", first used at " + where));
    }
    view_.locations.push_back(name);
    return names_[address] = view_.locations.back();
  }

  const Site *MakeSite(std::vector<Frame> stack) {
    Site &site = view_.sites.emplace_back();
    site.stack = std::move(stack);
    if (const Frame *frame = UsersFrame(site.stack)) {
      site.where = frame->Where();
      site.source = sources_.Line(frame->file, frame->line);
    }
    return &site;
  }

  const Site *SiteOf(unsigned stack) {
    const Site *&site = sites_[stack];
    if (!site)
      site = MakeSite(symbols_.Stack(execution_, stack));
    return site;
  }

  std::string Label(const Event &event, std::string_view location) {
    std::string label(event.kind);
    if (event.kind == "thread-create" || event.kind == "thread-join") {
      label = event.kind.substr(7);
      if (event.of)
        label += " " + execution_.NameOf(*event.of);
    } else if (event.kind == "thread-start" || event.kind == "thread-exit") {
      label = event.kind.substr(7);
    } else if (event.kind == "rmw" && !event.written && event.read) {
      label = "failed cas";
    }
    if (!location.empty()) {
      label += ' ';
      label += location;
    }
    if (event.read)
      label += " = " + Value(*event.read, event.size);
    if (event.written)
      label += " := " + Value(*event.written, event.size);
    if (event.order)
      label += std::string(" ") + OrderName(*event.order);
    if (event.waits)
      label += " (waits)";
    else if (event.failed && !event.order)
      label += " (fails)";
    return label;
  }

  Row MakeOperation(const Event &event) {
    Row row;
    row.thread = event.thread;
    row.tick = event.tick;
    row.site = SiteOf(event.stack);
    if (event.object)
      row.location = NameOf(event, row.site->where);
    row.label = Label(event, row.location);
    SetReadsFrom(event, &row);
    if (event.object && event.written)
      newest_[*event.object] = unsigned(view_.rows.size());
    return row;
  }

  void SetReadsFrom(const Event &event, Row *row) {
    if (!event.read || !event.object)
      return;
    row->stale = event.IsStale();
    if (!event.newer) {
      // There is no engine: it reads what was stored last.
      const auto newest = newest_.find(*event.object);
      if (newest != newest_.end())
        row->reads_from = newest->second;
      return;
    }
    if (event.from)
      row->reads_from = OperationAt(*event.from);
    if (row->stale)
      row->note = "stale: reads " +
                  (event.from ? "the store of tick " + std::to_string(*event.from)
                              : std::string("the initial value")) +
                  ", " + Counted(*event.newer, "newer store");
  }

  // The row of a tick; there is none if it was left out.
  std::optional<unsigned> OperationAt(uint64_t tick) const {
    auto row = std::lower_bound(view_.rows.begin(), view_.rows.end(), tick,
                                [](const Row &one, uint64_t wanted) { return one.tick < wanted; });
    while (row != view_.rows.end() && row->report)
      ++row;
    if (row == view_.rows.end() || row->tick != tick)
      return std::nullopt;
    return unsigned(row - view_.rows.begin());
  }

  Row MakeReport(const Event &event) {
    Row row;
    row.report = true;
    row.thread = event.thread;
    row.tick = event.tick;
    row.label = event.report->what;
    const std::vector<RacingAccess> &racing = event.report->accesses;
    row.site =
        racing.empty() ? SiteOf(event.stack) : MakeSite(symbols_.Stack(execution_, racing[0].pcs));
    std::vector<Access> &accesses = view_.accesses.emplace_back();
    row.accesses = &accesses;
    for (const RacingAccess &access : racing) {
      const std::vector<Frame> stack = symbols_.Stack(execution_, access.pcs);
      const Frame *frame = UsersFrame(stack);
      const std::optional<unsigned> thread = execution_.ThreadOf(access.tid);
      const std::string text =
          std::string(access.atomic ? "atomic " : "") + (access.write ? "write" : "read") + " of " +
          Counted(access.size, "byte") + " by " +
          (thread ? execution_.NameOf(*thread) : "T" + std::to_string(access.tid)) +
          (frame ? " at " + frame->Where() : "");
      row.note += (row.note.empty() ? "" : "; ") + text;
      accesses.push_back({text, stack});
    }
    return row;
  }

  const Execution &execution_;
  const Symbols &symbols_;
  View &view_;
  Sources sources_;
  std::unordered_map<uint64_t, std::string_view> names_;
  std::unordered_map<unsigned, const Site *> sites_; // of stacks
  std::unordered_map<uint64_t, unsigned> newest_;    // the rows of objects' last stores
  unsigned unnamed_[2] = {};
};

} // namespace

const Site Row::kNowhere;

size_t View::StaleReads() const {
  size_t count = 0;
  for (const Row &row : rows)
    count += row.stale;
  return count;
}

size_t View::Reports() const {
  size_t count = 0;
  for (const Row &row : rows)
    count += row.report;
  return count;
}

std::string View::Summary() const {
  std::string text = Counted(threads.size(), "thread") + ", " + Counted(Operations(), "operation") +
                     ", " + Counted(StaleReads(), "stale read") + ", " +
                     Counted(Reports(), "report");
  if (left_out)
    text += "; " + Counted(left_out, "earlier operation") + " left out";
  return text;
}

std::string Counted(uint64_t number, const std::string &one) {
  return std::to_string(number) + " " + one + (number == 1 ? "" : "s");
}

View MakeView(const Execution &execution, const Symbols &symbols, const std::string &title) {
  View view;
  view.title = title;
  view.left_out = execution.left_out;
  Maker(execution, symbols, &view).Make();
  return view;
}

} // namespace heddle::show
