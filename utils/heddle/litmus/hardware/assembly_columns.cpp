// Comments "(* *)" may stand anywhere. A cell is empty, or a label ("L0:"), an
// instruction, or both. What differs from a disassembler's text is put right here: in
// RISCV ".aq.rl" is ".aqrl", in X86_64 "(x)" is the address of x, and X86 is in Intel's order.
//
// A register "%y1" is symbolic, as in herd: it is any register that the test does not name.
// AArch64 has "W%y1" for its 32 bits. Which one it is has to be known before instructions are
// taken apart, so all cells are found first.
#include "assembly_columns.h"

#include "../lexer.h"
#include "execute.h"
#include "instruction.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <set>

namespace heddle::litmus::hardware {
namespace {

bool IsSpace(char c) { return std::isspace(static_cast<unsigned char>(c)); }
bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

// With spaces for comments, so that offsets stay.
std::string BlankComments(std::string_view text) {
  std::string blank(text);
  int depth = 0;
  for (size_t i = 0; i < blank.size(); i++) {
    bool opens = text.compare(i, 2, "(*") == 0, closes = text.compare(i, 2, "*)") == 0;
    depth += opens;
    if ((depth > 0) && blank[i] != '\n')
      blank[i] = ' ';
    if (depth > 0 && (opens || closes)) {
      depth -= closes;
      blank[++i] = ' ';
    }
  }
  return blank;
}

class ColumnReader {
public:
  ColumnReader(std::string_view text, size_t offset, Position position, Columns *columns,
               ParseError *error)
      : text_(BlankComments(text.substr(offset))), head_(text.substr(0, offset)), offset_(offset),
        start_(position), columns_(columns), error_(error) {}

  bool Read() {
    if (!ReadHead())
      return false;
    std::vector<Cells> rows;
    while (!AtEnd()) {
      rows.emplace_back();
      if (!ReadRow(&rows.back()))
        return false;
    }
    columns_->end = offset_ + at_;
    if (!ChooseRegisters(rows))
      return false;
    for (const Cells &cells : rows)
      for (size_t t = 0; t < cells.size(); t++)
        if (!ReadCell(cells[t].first, cells[t].second, t))
          return false;
    return true;
  }

private:
  void SkipSpace() {
    while (at_ < text_.size() && IsSpace(text_[at_]))
      at_++;
  }

  Position PositionOf(size_t at) const {
    Position position = start_;
    for (size_t i = 0; i < at; i++) {
      position.column++;
      if (text_[i] == '\n')
        position = {position.line + 1, 1};
    }
    return position;
  }

  bool Fail(size_t at, const std::string &message) {
    Position position = PositionOf(at);
    error_->line = position.line;
    error_->column = position.column;
    error_->message = message;
    return false;
  }

  // The cells of a row, as begin and end.
  using Cells = std::vector<std::pair<size_t, size_t>>;

  // Calls `visit` with each word of `text` and whether "%" is in
  // front of it.
  template <class Visitor> static void VisitWords(std::string_view text, Visitor visit) {
    for (size_t begin = 0; begin < text.size();) {
      size_t end = begin;
      while (end < text.size() && IsWord(text[end]))
        end++;
      if (end > begin)
        visit(std::string(text.substr(begin, end - begin)), begin > 0 && text[begin - 1] == '%');
      begin = std::max(end, begin + 1);
    }
  }

  // Adds the numbers of the registers that `text` names.
  void AddRegisters(std::string_view text, std::set<int> *numbers) const {
    VisitWords(text, [&](const std::string &word, bool symbolic) {
      if (!symbolic && IsRegister(columns_->architecture, LowerCase(word)))
        numbers->insert(GetInstructionSet(columns_->architecture).register_number(LowerCase(word)));
    });
  }

  // What may be chosen: registers that no instruction uses unasked.
  std::vector<std::string> Candidates() const {
    bool arm = columns_->architecture == Architecture::kArm;
    int first = columns_->architecture == Architecture::kRiscV ? 5 : 0;
    std::vector<std::string> names;
    for (int i = first; i < (arm ? 13 : 29); i++)
      names.push_back((arm ? "r" : "x") + std::to_string(i));
    return names;
  }

  bool ChooseRegisters(const std::vector<Cells> &rows) {
    columns_->symbolic.resize(columns_->threads.size());
    if (!HasSymbolicRegisters(columns_->architecture))
      return true;
    std::set<int> around;
    AddRegisters(head_, &around);
    AddRegisters(std::string_view(text_).substr(at_), &around);
    for (size_t t = 0; t < columns_->threads.size(); t++) {
      std::set<int> taken = around;
      std::map<std::string, size_t> wanted; // with an offset of the text
      for (const Cells &cells : rows) {
        if (t >= cells.size())
          continue;
        auto [begin, end] = cells[t];
        std::string_view cell = std::string_view(text_).substr(begin, end - begin);
        AddRegisters(cell, &taken);
        VisitWords(cell, [&, at = begin](const std::string &word, bool symbolic) {
          if (symbolic)
            wanted.insert({"%" + word, at});
        });
      }
      std::vector<std::string> free;
      for (const std::string &name : Candidates())
        if (!taken.count(GetInstructionSet(columns_->architecture).register_number(name)))
          free.push_back(name);
      for (const auto &[name, at] : wanted) {
        size_t used = columns_->symbolic[t].size();
        if (used == free.size())
          return Fail(at, "no register is left for " + Quote(name));
        columns_->symbolic[t][name] = free[used];
      }
    }
    return true;
  }

  bool ReadCells(Cells *cells) {
    size_t end = text_.find(';', at_);
    if (end == std::string::npos)
      return Fail(at_, "expected ';' at the end of this row");
    for (size_t begin = at_; begin <= end;) {
      size_t bar = std::min(text_.find('|', begin), end);
      size_t first = begin, last = bar;
      while (first < last && IsSpace(text_[first]))
        first++;
      while (last > first && IsSpace(text_[last - 1]))
        last--;
      cells->push_back({first, last});
      begin = bar + 1;
    }
    at_ = end + 1;
    return true;
  }

  bool ReadHead() {
    SkipSpace();
    Cells cells;
    if (text_.compare(at_, 2, "P0") != 0)
      return Fail(at_, "expected 'P0', the first thread");
    if (!ReadCells(&cells))
      return false;
    for (auto [begin, end] : cells) {
      std::string name = "P" + std::to_string(columns_->threads.size());
      if (text_.substr(begin, end - begin) != name)
        return Fail(begin,
                    "expected '" + name + "', found " + Quote(text_.substr(begin, end - begin)));
      if (columns_->threads.size() == ParseLimits::kThreads)
        return Fail(begin,
                    "too many threads: there may be " + std::to_string(ParseLimits::kThreads));
      columns_->threads.emplace_back();
      columns_->threads.back().architecture = columns_->architecture;
      columns_->positions.emplace_back();
    }
    return true;
  }

  // At the clauses behind the code.
  bool AtEnd() {
    SkipSpace();
    if (at_ == text_.size() || text_[at_] == '~' || text_[at_] == '(')
      return true;
    size_t end = at_;
    while (end < text_.size() && IsWord(text_[end]))
      end++;
    std::string word = text_.substr(at_, end - at_);
    return word == "exists" || word == "forall" || word == "locations" || word == "not" ||
           word == "filter" || word == "final" || word == "observed" || word == "Observed";
  }

  bool ReadRow(Cells *cells) {
    size_t begin = at_;
    if (!ReadCells(cells))
      return false;
    if (cells->size() > columns_->threads.size())
      return Fail(begin, "expected " + std::to_string(columns_->threads.size()) +
                             " columns, found " + std::to_string(cells->size()));
    return true;
  }

  bool ReadCell(size_t begin, size_t end, size_t thread) {
    Image *image = &columns_->threads[thread];
    uint64_t address = kCodeAddress + 4 * image->code.size();
    size_t word = begin;
    while (word < end && IsWord(text_[word]))
      word++;
    if (word > begin && word < end && text_[word] == ':') {
      std::string label = LowerCase(text_.substr(begin, word - begin));
      if (!image->symbols.insert({label, address}).second)
        return Fail(begin, "the label " + Quote(label) + " is there already");
      for (begin = word + 1; begin < end && IsSpace(text_[begin]);)
        begin++;
    }
    if (begin == end)
      return true;
    columns_->positions[thread][address] = PositionOf(begin);
    std::string instruction = text_.substr(begin, end - begin);
    try {
      image->code[address] = ParseInstruction(address, Adapt(instruction, thread));
      image->code[address].text = instruction;
    } catch (const UnknownInstruction &unknown) {
      return Fail(begin, unknown.what());
    }
    return true;
  }

  std::string Adapt(std::string instruction, size_t thread) {
    if (HasSymbolicRegisters(columns_->architecture))
      instruction = Substitute(instruction, columns_->symbolic[thread]);
    if (columns_->architecture == Architecture::kRiscV) {
      std::string lower = LowerCase(instruction);
      if (size_t at = lower.find(".aq.rl"); at != std::string::npos)
        instruction.replace(at, 6, ".aqrl");
    }
    if (columns_->intel)
      instruction = FromIntel(instruction);
    if (columns_->architecture == Architecture::kX86) {
      size_t open = instruction.find('('), close = instruction.find(')');
      bool named = open != std::string::npos && close != std::string::npos && close > open + 1 &&
                   std::all_of(instruction.begin() + open + 1, instruction.begin() + close, IsWord);
      if (named)
        instruction.replace(open, close - open + 1,
                            AddressOf(instruction.substr(open + 1, close - open - 1)));
    }
    return instruction;
  }

  // Chosen registers for "%y1", "X%y1" and "W%y1".
  std::string Substitute(const std::string &instruction,
                         const std::map<std::string, std::string> &symbolic) const {
    std::string result;
    for (size_t i = 0; i < instruction.size(); i++) {
      size_t end = i + 1;
      while (end < instruction.size() && IsWord(instruction[end]))
        end++;
      auto found = symbolic.find(instruction.substr(i, end - i));
      if (instruction[i] != '%' || found == symbolic.end()) {
        result += instruction[i];
        continue;
      }
      std::string name = found->second;
      bool sized = columns_->architecture == Architecture::kAArch64 && i > 0 &&
                   std::strchr("wWxX", instruction[i - 1]) &&
                   (i < 2 || !IsWord(instruction[i - 2]));
      if (sized)
        name.erase(0, 1);
      result += name;
      i = end - 1;
    }
    return result;
  }

  // "MOV [x],EAX" as "movl %EAX,(x)". Accesses are to locations, which are 32 bits wide.
  static std::string FromIntel(const std::string &instruction) {
    auto find_space = [&](size_t from) {
      return std::min(instruction.find_first_of(" \t", from), instruction.size());
    };
    size_t end = find_space(0);
    std::string mnemonic = LowerCase(instruction.substr(0, end));
    if (mnemonic == "lock") {
      size_t begin = std::min(instruction.find_first_not_of(" \t", end), instruction.size());
      end = find_space(begin);
      mnemonic += " " + LowerCase(instruction.substr(begin, end - begin));
    }
    std::string operands;
    for (std::string operand : SplitOperands(instruction.substr(end))) {
      bool memory = operand.size() > 2 && operand[0] == '[' && operand.back() == ']';
      if (memory)
        operand = operand.substr(1, operand.size() - 2);
      if (IsRegister(Architecture::kX86, LowerCase(operand)))
        operand = "%" + operand;
      else if (!memory && ParseNumber(operand) && operand[0] != '$')
        operand = "$" + operand;
      if (memory)
        operand = "(" + operand + ")";
      operands = operands.empty() ? operand : operand + "," + operands;
    }
    bool jumps = mnemonic[0] == 'j';
    return operands.empty() ? mnemonic : mnemonic + (jumps ? " " : "l ") + operands;
  }

  // As memory without a register.
  std::string AddressOf(const std::string &location) {
    std::vector<std::string> &known = columns_->locations;
    auto found = std::find(known.begin(), known.end(), location);
    size_t index = found - known.begin();
    if (found == known.end())
      known.push_back(location);
    return std::to_string(LocationAddress(index)) + "()";
  }

  std::string text_;
  std::string_view head_; // in front of the table
  size_t offset_;
  size_t at_ = 0;
  Position start_;
  Columns *columns_;
  ParseError *error_;
};

bool IsNumbered(const std::string &name, char letter, int limit) {
  if (name.size() < 2 || name.size() > 3 || name[0] != letter)
    return false;
  for (char c : name.substr(1))
    if (!std::isdigit(static_cast<unsigned char>(c)))
      return false;
  return std::stoi(name.substr(1)) < limit && (name[1] != '0' || name.size() == 2);
}

} // namespace

bool ReadColumns(std::string_view text, size_t offset, Position position, Columns *columns,
                 ParseError *error) {
  return ColumnReader(text, offset, position, columns, error).Read();
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char &c : lower)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

bool IsRegister(Architecture architecture, const std::string &name) {
  static const std::set<std::string> kArm = {"sp", "lr", "ip", "fp"};
  static const std::set<std::string> kX86 = {"rax", "rbx", "rcx", "rdx", "rsi", "rdi",
                                             "rbp", "rsp", "eax", "ebx", "ecx", "edx",
                                             "esi", "edi", "ebp", "esp"};
  static const std::set<std::string> kRiscV = {"zero", "ra", "sp", "gp", "tp", "fp"};
  switch (architecture) {
  case Architecture::kAArch64:
    return IsNumbered(name, 'x', 31) || IsNumbered(name, 'w', 31) || name == "sp" ||
           name == "xzr" || name == "wzr";
  case Architecture::kArm:
    return IsNumbered(name, 'r', 15) || kArm.count(name);
  case Architecture::kRiscV:
    return IsNumbered(name, 'x', 32) || IsNumbered(name, 'a', 8) || IsNumbered(name, 's', 12) ||
           IsNumbered(name, 't', 7) || kRiscV.count(name);
  case Architecture::kX86:
    return kX86.count(name) || IsNumbered(name, 'r', 16) ||
           (name.back() == 'd' && IsNumbered(name.substr(0, name.size() - 1), 'r', 16));
  }
  return false;
}

} // namespace heddle::litmus::hardware
