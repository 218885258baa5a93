#include "terminal.h"

#include "folding.h"

#include <algorithm>
#include <deque>
#include <optional>

namespace heddle::show {
namespace {

constexpr size_t kUsualLane = 10, kLastLane = 16, kWidestLane = 36, kMostArrows = 8;

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

// In lines of at most so many columns, between words.
std::vector<std::string> Wrapped(const std::string &text, size_t width) {
  std::vector<std::string> lines(1);
  for (size_t at = 0; at < text.size();) {
    const size_t space = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, space - at);
    if (!lines.back().empty() && Width(lines.back()) + 1 + Width(word) > width)
      lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    at = space + 1;
  }
  return lines;
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

// What is printed: a row, or a fold in the place of its rows.
struct Line {
  std::optional<unsigned> row, fold;
};

// The lines to the left of the lanes: an arrow from each stale read up to its store.
class Arrows {
public:
  // `line_of` has the line of each row.
  Arrows(const View &view, const std::vector<Line> &lines, const std::vector<size_t> &line_of,
         size_t most)
      : most_(most) {
    std::vector<size_t> ends; // of the columns' last arrows
    for (size_t i = 0; i < lines.size(); i++) {
      const Row *row = lines[i].row ? &view.rows[*lines[i].row] : nullptr;
      if (row && row->stale && row->reads_from)
        Add(line_of[*row->reads_from], i, &ends);
    }
  }

  size_t Columns() const { return columns_.size() * 2; }

  // Lines are drawn from the first to the last.
  std::string Draw(size_t line) {
    std::vector<const char *> cells(columns_.size() * 2, " ");
    bool stretches = false, arrives = false; // to the right
    for (size_t column = 0; column < columns_.size(); column++) {
      const char *cell = stretches ? "─" : " ";
      std::deque<Arrow> &arrows = columns_[column];
      while (!arrows.empty() && arrows.front().load < line)
        arrows.pop_front();
      for (const Arrow &arrow : arrows) {
        if (line < arrow.store)
          break;
        const bool store = line == arrow.store, load = line == arrow.load;
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
  struct Arrow {
    size_t store, load;
  };

  void Add(size_t store, size_t load, std::vector<size_t> *ends) {
    // The columns to the right are for arrows that begin later: those are crossed less.
    size_t column = 0;
    while (column < ends->size() && (*ends)[column] >= store)
      column++;
    if (column == most_)
      return; // the note says it, too
    if (column == ends->size()) {
      ends->push_back(load);
      columns_.emplace_back();
    }
    (*ends)[column] = load;
    columns_[column].push_back({store, load});
  }

  // Those of a column one below the other: they do not overlap.
  std::vector<std::deque<Arrow>> columns_;
  size_t most_;
};

class Printer {
public:
  Printer(const View &view, const TerminalOptions &options,
          const std::function<void(const std::string &)> &write)
      : view_(view), options_(options), write_(write), painter_(options.colour),
        folding_(FoldRows(view.rows, options.fold)), line_of_(view.rows.size()),
        lines_(MakeLines()), arrows_(view, lines_, line_of_, MostArrows()) {
    for (const std::string &name : view.threads) {
      lanes_.push_back(std::max(kUsualLane, Width(name)));
      lives_.emplace_back(lines_.size(), 0);
    }
    for (size_t i = 0; i < view.rows.size(); i++) {
      const Row &row = view.rows[i];
      size_t &lane = lanes_[row.thread];
      lane = std::max(lane, std::min(kWidestLane, Width(row.label) + 2 * row.report));
      auto &[first, last] = lives_[row.thread];
      first = std::min(first, line_of_[i]);
      last = std::max(last, line_of_[i]);
      ticks_ = std::max(ticks_, std::to_string(row.tick).size());
    }
    Narrow();
  }

  void Print() {
    PrintHead();
    for (size_t line = 0; line < lines_.size(); line++)
      PrintLine(line);
    PrintEnd();
  }

private:
  std::vector<Line> MakeLines() {
    std::vector<Line> lines;
    for (size_t i = 0; i < view_.rows.size(); i++) {
      const std::optional<size_t> fold = folding_.hidden_by[i];
      if (!fold)
        lines.push_back({unsigned(i), std::nullopt});
      else if (folding_.folds[*fold].rows[0] == i)
        lines.push_back({std::nullopt, unsigned(*fold)});
      line_of_[i] = fold && folding_.folds[*fold].rows[0] != i
                        ? line_of_[folding_.folds[*fold].rows[0]]
                        : lines.size() - 1;
    }
    return lines;
  }

  size_t MostArrows() const {
    return options_.width && options_.width < 100 ? kMostArrows / 3 : kMostArrows;
  }

  std::string TextOf(size_t fold) const {
    const Fold &folded = folding_.folds[fold];
    return "↻ " + folded.Text() + ", to tick " +
           std::to_string(view_.rows[folded.rows.back()].tick);
  }

  // Lanes give way until the lines, without the source, fit; as far as that goes. An operation that
  // is longer than its lane goes on over the next ones, where nothing happens at the time.
  void Narrow() {
    constexpr size_t kPlace = 24;
    if (!options_.width)
      return;
    auto least = [&](size_t lane) {
      return std::max(lane + 1 == lanes_.size() ? kLastLane : 2, Width(view_.threads[lane]));
    };
    auto total = [&] {
      size_t sum = std::max(ticks_, size_t(4)) + 1 + arrows_.Columns() + kPlace + 2;
      for (size_t lane : lanes_)
        sum += lane + 2;
      return sum;
    };
    while (total() > options_.width) {
      size_t widest = lanes_.size();
      for (size_t lane = 0; lane < lanes_.size(); lane++)
        if (lanes_[lane] > least(lane) &&
            (widest == lanes_.size() || lanes_[lane] > lanes_[widest]))
          widest = lane;
      if (widest == lanes_.size())
        return;
      --lanes_[widest];
    }
  }

  void PrintHead() {
    if (!view_.title.empty())
      write_(view_.title + "\n");
    std::string line = std::string(ticks_ - std::min(ticks_, size_t(4)), ' ') + "tick " +
                       std::string(arrows_.Columns(), ' ');
    for (unsigned thread = 0; thread < view_.threads.size(); thread++)
      line += "  " + painter_.Thread(thread, Padded(view_.threads[thread], lanes_[thread]));
    write_(line + "  where\n");
  }

  // From the lane of a thread to the end of the last.
  size_t RoomFor(unsigned thread) const {
    size_t room = 2 * (lanes_.size() - thread - 1);
    for (size_t i = thread; i < lanes_.size(); i++)
      room += lanes_[i];
    return room;
  }

  // What a terminal has to the right of the lanes.
  size_t Beyond() const {
    size_t used = std::max(ticks_, size_t(4)) + 1 + arrows_.Columns();
    for (size_t lane : lanes_)
      used += lane + 2;
    return options_.width > used ? options_.width - used : 0;
  }

  // The lanes of a line, with what `thread` does in its own.
  std::string Lanes(size_t line, unsigned thread, const std::string &label, bool alarm,
                    bool stale) {
    size_t over = Width(label); // columns that it still needs
    std::string text;
    for (unsigned i = 0; i < lanes_.size(); i++) {
      if (i > thread && over) { // `label` has come, and stands here
        const size_t here = std::min(over, lanes_[i] + 2);
        text += std::string(lanes_[i] + 2 - here, ' ');
        over -= here;
        continue;
      }
      text += "  ";
      if (i == thread) {
        const size_t here = std::min(over, lanes_[i]);
        over -= here;
        text += alarm   ? painter_.Alarm(label)
                : stale ? painter_.Stale(label)
                        : painter_.Thread(thread, label);
        text += std::string(lanes_[i] - here, ' ');
      } else {
        const bool lives = lives_[i].first < line && line < lives_[i].second;
        text += painter_.Faint(Padded(lives ? "│" : "", lanes_[i]));
      }
    }
    return text;
  }

  void PrintLine(size_t number) {
    const Line &line = lines_[number];
    const size_t left = std::max(ticks_, size_t(4));
    const std::string arrows = painter_.Stale(arrows_.Draw(number));
    if (line.fold) {
      const unsigned thread = view_.rows[folding_.folds[*line.fold].rows[0]].thread;
      // It has no place, so there is room to the end of the line.
      const size_t room = options_.width ? RoomFor(thread) + Beyond() : size_t(-1);
      Add(std::string(left + 1, ' ') + arrows +
          Lanes(number, thread, Cut(TextOf(*line.fold), room), false, false));
      return;
    }
    const Row &row = view_.rows[*line.row];
    const std::string tick = std::to_string(row.tick);
    std::string text =
        std::string(left - tick.size(), ' ') + tick + " " + arrows +
        Lanes(number, row.thread, Cut((row.report ? "✗ " : "") + row.label, RoomFor(row.thread)),
              row.report, row.stale);
    const size_t room = Beyond() > 2 ? Beyond() - 2 : 0;
    const std::string where =
        options_.width ? Cut(row.site->where, std::max(room, kUsualLane)) : row.site->where;
    text += "  " + where;
    const size_t rest = room > Width(where) + 2 ? room - Width(where) - 2 : 0; // for note or source
    auto paint = [&](const std::string &note) {
      return row.report ? painter_.Alarm(note) : painter_.Stale(note);
    };
    if (!row.note.empty() && (!options_.width || Width(row.note) <= rest)) {
      Add(text + "  " + paint(row.note));
    } else if (!row.note.empty()) {
      Add(text);
      for (const std::string &part : Wrapped(row.note, options_.width - left - 3))
        Add(std::string(left + 3, ' ') + paint(part));
    } else if (const std::string &source = row.site->source;
               !source.empty() && (!options_.width || rest >= kUsualLane)) {
      Add(text + "  " + painter_.Faint(options_.width ? Cut(source, rest) : source));
    } else {
      Add(text);
    }
  }

  void Add(const std::string &line) {
    write_(line.substr(0, line.find_last_not_of(' ') + 1) + "\n");
  }

  void PrintEnd() {
    for (const std::string &entry : view_.legend)
      write_(painter_.Faint(entry) + "\n");
    write_(view_.Summary() + ".\n");
  }

  const View &view_;
  const TerminalOptions &options_;
  const std::function<void(const std::string &)> &write_;
  Painter painter_;
  Folding folding_;
  std::vector<size_t> line_of_;
  std::vector<Line> lines_;
  Arrows arrows_;
  std::vector<size_t> lanes_;                    // their widths
  std::vector<std::pair<size_t, size_t>> lives_; // first and last line of each thread
  size_t ticks_ = 1;
};

// What a terminal without UTF-8 can show of it.
std::string ToAscii(const std::string &text) {
  constexpr std::pair<const char *, const char *> kPlain[] = {
      {"│", "|"}, {"┌", "."}, {"└", "`"}, {"├", "+"}, {"┼", "+"},
      {"─", "-"}, {"▶", ">"}, {"✗", "x"}, {"↻", "@"}, {"…", "~"},
  };
  std::string plain;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    while (end < text.size() && (text[end] & 0xc0) == 0x80)
      end++;
    const std::string character = text.substr(at, end - at);
    std::string replacement = character[0] & 0x80 ? "?" : character;
    for (const auto &[glyph, letter] : kPlain)
      if (character == glyph)
        replacement = letter;
    plain += replacement;
    at = end;
  }
  return plain;
}

} // namespace

void WriteText(const View &view, const TerminalOptions &options,
               const std::function<void(const std::string &)> &write) {
  Printer(view, options, [&](const std::string &line) {
    write(options.ascii ? ToAscii(line) : line);
  }).Print();
}

std::string ToText(const View &view, const TerminalOptions &options) {
  std::string text;
  WriteText(view, options, [&](const std::string &line) { text += line; });
  return text;
}

} // namespace heddle::show
