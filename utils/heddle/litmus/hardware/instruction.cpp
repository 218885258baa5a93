// See instruction.h. Nothing here knows an instruction set.
#include "instruction.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace heddle::litmus::hardware {
namespace {

std::string Lower(std::string text) {
  for (char &c : text)
    c = std::tolower(static_cast<unsigned char>(c));
  return text;
}

bool IsSpace(char c) { return std::isspace(static_cast<unsigned char>(c)); }

std::string Trim(const std::string &text) {
  size_t begin = 0, end = text.size();
  while (begin < end && IsSpace(text[begin]))
    begin++;
  while (end > begin && IsSpace(text[end - 1]))
    end--;
  return text.substr(begin, end - begin);
}

// "#" begins a comment of x86 and RISC-V only where no number follows.
std::string WithoutComment(const std::string &text) {
  for (size_t i = 0; i < text.size(); i++) {
    bool spaced = i + 1 == text.size() || IsSpace(text[i + 1]);
    if (text[i] == ';' || (text[i] == '@' && spaced) || (text[i] == '#' && spaced) ||
        text.compare(i, 2, "//") == 0)
      return text.substr(0, i);
  }
  return text;
}

// What llvm-objdump says of an address comes last: "0x10158 <P0+0x14>".
std::string WithoutSymbol(const std::string &text) {
  size_t begin = text.find('<');
  if (begin == std::string::npos || begin == 0 || text.back() != '>')
    return text;
  return Trim(text.substr(0, begin));
}

const std::vector<std::string> kPrefixes = {"lock", "rep", "repz", "repnz", "notrack", "bnd"};

// Takes the first word off `rest`.
std::string TakeWord(std::string *rest) {
  size_t end = 0;
  while (end < rest->size() && !IsSpace((*rest)[end]))
    end++;
  std::string word = rest->substr(0, end);
  *rest = Trim(rest->substr(end));
  return word;
}

} // namespace

std::vector<std::string> SplitOperands(const std::string &text) {
  std::vector<std::string> operands;
  std::string operand;
  int depth = 0;
  for (char c : text) {
    if (c == '[' || c == '(' || c == '{')
      depth++;
    if (c == ']' || c == ')' || c == '}')
      depth--;
    if (c == ',' && depth == 0) {
      operands.push_back(Trim(operand));
      operand.clear();
    } else {
      operand += c;
    }
  }
  operand = Trim(operand);
  if (!operand.empty() || !operands.empty())
    operands.push_back(operand);
  return operands;
}

Instruction ParseInstruction(uint64_t address, const std::string &text, int size) {
  Instruction instruction;
  instruction.address = address;
  instruction.size = size;
  instruction.text = Trim(text);
  std::string rest = Lower(WithoutSymbol(Trim(WithoutComment(text))));
  instruction.mnemonic = TakeWord(&rest);
  if (std::count(kPrefixes.begin(), kPrefixes.end(), instruction.mnemonic) && !rest.empty())
    instruction.mnemonic += " " + TakeWord(&rest);
  if (instruction.mnemonic.empty())
    ThrowUnknown(instruction, "expected a mnemonic, found nothing");
  instruction.operands = SplitOperands(rest);
  // A tab that a disassembler has put in the middle of an operand.
  for (std::string &operand : instruction.operands)
    std::replace(operand.begin(), operand.end(), '\t', ' ');
  std::replace(instruction.text.begin(), instruction.text.end(), '\t', ' ');
  return instruction;
}

std::optional<int64_t> ParseNumber(const std::string &text) {
  size_t begin = !text.empty() && (text[0] == '#' || text[0] == '$') ? 1 : 0;
  bool negative = begin < text.size() && text[begin] == '-';
  if (negative)
    begin++;
  // strtoull takes spaces and signs, too.
  if (begin >= text.size() || !std::isdigit(static_cast<unsigned char>(text[begin])))
    return std::nullopt;
  bool hexadecimal = text.compare(begin, 2, "0x") == 0;
  char *end = nullptr;
  uint64_t value = std::strtoull(text.c_str() + begin, &end, hexadecimal ? 16 : 10);
  if (*end)
    return std::nullopt;
  return static_cast<int64_t>(negative ? -value : value);
}

uint64_t ResolveTarget(const Image &image, const std::string &target) {
  if (std::optional<int64_t> number = ParseNumber(target))
    return *number;
  if (auto symbol = image.symbols.find(target); symbol != image.symbols.end())
    return symbol->second;
  for (const auto &[name, address] : image.symbols)
    if (Lower(name) == Lower(target))
      return address;
  throw UnknownInstruction("expected an address or a label, found '" + target +
                           "', which names no symbol of the code");
}

uint64_t ResolveTarget(const Image &image, const Instruction &instruction,
                       const std::string &target) {
  try {
    return ResolveTarget(image, target);
  } catch (const UnknownInstruction &error) {
    ThrowUnknown(instruction, error.what());
  }
}

void ThrowUnknown(const Instruction &instruction, const std::string &what) {
  char address[32];
  std::snprintf(address, sizeof(address), "0x%llx",
                static_cast<unsigned long long>(instruction.address));
  throw UnknownInstruction("unknown instruction '" + instruction.text + "' at " + address +
                           (what.empty() ? "" : ": " + what));
}

} // namespace heddle::litmus::hardware
