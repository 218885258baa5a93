#include "terminal.h"

#include "folding.h"

#include <algorithm>
#include <map>

namespace heddle::show {
namespace {

constexpr size_t kNarrowestLane = 10, kWidestLane = 36, kMostArrows = 8;

// Columns that it takes: characters, in UTF-8.
size_t Width(const std::string &text) {
  return size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string Cut(const std::string &text, size_t width) {
  if (Width(text) <= width)
    return text;
  size_t at = 0, columns = 0;
  while (at < text.size() && columns + 1 < width) {
    do
      at++;
    while (at < text.size() && (text[at] & 0xc0) == 0x80);
    columns++;
  }
  return text.substr(0, at) + "…";
}

std::string Padded(const std::string &text, size_t width) {
  const size_t has = Width(text);
  return has < width ? text + std::string(width - has, ' ') : text;
}

class Painter {
public:
  explicit Painter(bool colour) : colour_(colour) {}

  std::string Thread(unsigned thread, const std::string &text) const {
    constexpr const char *kColours[] = {"36", "33", "35", "32", "34", "96", "93", "95"};
    return Paint(kColours[thread % 8], text);
  }
  std::string Alarm(const std::string &text) const { return Paint("1;31", text); }
  std::string Stale(const std::string &text) const { return Paint("1;33", text); }
  std::string Faint(const std::string &text) const { return Paint("2", text); }

private:
  std::string Paint(const char *how, const std::string &text) const {
    return colour_ && !text.empty() ? std::string("\033[") + how + "m" + text + "\033[0m" : text;
  }

  bool colour_;
};

// The lines to the left of the lanes: an arrow from each stale read up to its store.
class Arrows {
public:
  Arrows(const View &view, const std::vector<Fold> &folds) {
    for (size_t line = 0; line < folds.size(); line++)
      for (size_t row = folds[line].first; row < folds[line].End(); row++)
        line_of_[row] = {line, std::min(row - folds[line].first, folds[line].length - 1)};
    std::vector<Position> ends; // of the columns' last arrows
    for (const Fold &fold : folds)
      for (size_t row = fold.first; row < fold.first + fold.length; row++)
        if (view.rows[row].stale && view.rows[row].reads_from)
          Add(line_of_[*view.rows[row].reads_from], line_of_[row], &ends);
  }

  // Of the `index`th row of a line.
  std::string Draw(size_t line, size_t index) const {
    const Position here{line, index};
    std::vector<const char *> cells(columns_ * 2, " ");
    bool stretches = false, arrives = false; // to the right
    for (size_t column = 0; column < columns_; column++) {
      const char *cell = stretches ? "─" : " ";
      for (const Arrow &arrow : arrows_) {
        if (arrow.column != column || here < arrow.store || arrow.load < here)
          continue;
        const bool store = !(arrow.store < here), load = !(here < arrow.load);
        cell = store && load ? "├" : store ? "┌" : load ? "└" : stretches ? "┼" : "│";
        if (store || load)
          stretches = true;
        arrives |= store;
      }
      cells[column * 2] = cell;
      cells[column * 2 + 1] = stretches ? "─" : " ";
    }
    if (arrives)
      cells.back() = "▶";
    std::string text;
    for (const char *cell : cells)
      text += cell;
    return text;
  }

private:
  using Position = std::pair<size_t, size_t>;
  struct Arrow {
    Position store, load;
    size_t column;
  };

  void Add(Position store, Position load, std::vector<Position> *ends) {
    // The columns to the right are for arrows that begin later: those are crossed less.
    size_t column = 0;
    while (column < ends->size() && !((*ends)[column] < store))
      column++;
    if (column == kMostArrows)
      return; // the note says it, too
    if (column == ends->size())
      ends->push_back(load);
    (*ends)[column] = load;
    arrows_.push_back({store, load, column});
    columns_ = std::max(columns_, column + 1);
  }

  std::map<size_t, Position> line_of_;
  std::vector<Arrow> arrows_;
  size_t columns_ = 0;
};

class Printer {
public:
  Printer(const View &view, const TerminalOptions &options)
      : view_(view), options_(options), painter_(options.colour),
        folds_(FoldRows(view.rows, options.fold)), arrows_(view, folds_) {
    for (unsigned thread = 0; thread < view.threads.size(); thread++) {
      lanes_.push_back(std::max(kNarrowestLane, view.threads[thread].size()));
      lives_.emplace_back(view.rows.size(), 0);
    }
    for (size_t i = 0; i < view.rows.size(); i++) {
      const Row &row = view.rows[i];
      lanes_[row.thread] =
          std::max(lanes_[row.thread], std::min(kWidestLane, Width(row.label) + 2 * row.report));
      lives_[row.thread].first = std::min(lives_[row.thread].first, i);
      lives_[row.thread].second = i;
      ticks_ = std::max(ticks_, std::to_string(row.tick).size());
    }
    Narrow();
  }

  std::string Print() {
    PrintHead();
    for (size_t line = 0; line < folds_.size(); line++)
      PrintFold(line);
    PrintEnd();
    return text_;
  }

private:
  // Lanes give way until the lines, without the source, fit; as far as that goes.
  void Narrow() {
    constexpr size_t kPlace = 24;
    if (!options_.width)
      return;
    auto total = [&] {
      size_t sum = ticks_ + arrows_.Draw(0, 0).size() + kPlace;
      for (size_t lane : lanes_)
        sum += lane + 2;
      return sum;
    };
    while (total() > options_.width) {
      auto widest = std::max_element(lanes_.begin(), lanes_.end());
      if (*widest <= kNarrowestLane)
        return;
      --*widest;
    }
  }

  void PrintHead() {
    if (!view_.title.empty())
      text_ += view_.title + "\n";
    std::string line = std::string(ticks_ - std::min(ticks_, size_t(4)), ' ') + "tick " +
                       std::string(Width(arrows_.Draw(0, 0)), ' ');
    for (unsigned thread = 0; thread < view_.threads.size(); thread++)
      line += "  " + painter_.Thread(thread, Padded(view_.threads[thread], lanes_[thread]));
    text_ += line + "  where\n";
  }

  void PrintFold(size_t line) {
    const Fold &fold = folds_[line];
    for (size_t i = 0; i < fold.length; i++)
      PrintRow(fold.first + i, arrows_.Draw(line, i));
    if (fold.times == 1)
      return;
    const std::string what = fold.length == 1 ? "the same" : "these " + std::to_string(fold.length);
    text_ += painter_.Faint(std::string(std::max(ticks_, size_t(4)), ' ') + " ↻ " + what + " " +
                            Counted(fold.times - 1, "time") + " more, to tick " +
                            std::to_string(view_.rows[fold.End() - 1].tick)) +
             "\n";
  }

  void PrintRow(size_t number, const std::string &arrows) {
    const Row &row = view_.rows[number];
    const std::string tick = std::to_string(row.tick);
    std::string line = std::string(std::max(ticks_, size_t(4)) - tick.size(), ' ') + tick + " " +
                       painter_.Stale(arrows);
    for (unsigned thread = 0; thread < view_.threads.size(); thread++) {
      line += "  ";
      const size_t width = lanes_[thread];
      if (thread == row.thread) {
        const std::string label = Padded(Cut((row.report ? "✗ " : "") + row.label, width), width);
        line += row.report  ? painter_.Alarm(label)
                : row.stale ? painter_.Stale(label)
                            : painter_.Thread(thread, label);
      } else {
        const bool lives = lives_[thread].first < number && number < lives_[thread].second;
        line += painter_.Faint(Padded(lives ? "│" : "", width));
      }
    }
    line += "  " + row.where;
    if (!row.note.empty())
      line += "  " + (row.report ? painter_.Alarm(row.note) : painter_.Stale(row.note));
    else if (!row.source.empty())
      line += "  " + painter_.Faint(row.source);
    text_ += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }

  void PrintEnd() {
    for (const std::string &entry : view_.legend)
      text_ += painter_.Faint(entry) + "\n";
    text_ += view_.Summary() + ".\n";
  }

  const View &view_;
  const TerminalOptions &options_;
  Painter painter_;
  std::vector<Fold> folds_;
  Arrows arrows_;
  std::vector<size_t> lanes_; // their widths
  std::vector<std::pair<size_t, size_t>> lives_;
  size_t ticks_ = 1;
  std::string text_;
};

} // namespace

std::string ToText(const View &view, const TerminalOptions &options) {
  return Printer(view, options).Print();
}

} // namespace heddle::show
