#include "image.h"

#include "../emit_c.h"
#include "../hardware/instruction.h"
#include "source.h"

#include <algorithm>
#include <cstdio>
#include <set>

namespace heddle::litmus::compile {
namespace {

using hardware::Image;
using hardware::Segment;

// libgcc's, which says whether the processor has LSE; set by code that runs before main.
constexpr const char *kHasLse = "__aarch64_have_lse_atomics";

void Patch(uint64_t address, uint8_t value, std::vector<Segment> *segments) {
  for (Segment &segment : *segments)
    if (address >= segment.address && address - segment.address < segment.bytes.size())
      segment.bytes[address - segment.address] = value;
}

bool BelongsToTest(const std::string &name, const std::set<std::string> &prefixes) {
  // "t12_P0" is of the test "t12_"; what a compiler has cut off from it, "t12_P0.cold", is
  // kept with the library's.
  size_t end = name.find('_');
  return end != name.npos && prefixes.count(name.substr(0, end + 1)) > 0 &&
         name.find('.') == name.npos;
}

} // namespace

ImageMaker::ImageMaker(const Binary &binary, const Target &target,
                       const std::vector<std::string> &prefixes)
    : binary_(binary) {
  common_.architecture = target.architecture;
  const std::set<std::string> all(prefixes.begin(), prefixes.end());
  // What is between the functions of tests.
  std::map<uint64_t, uint64_t> taken;
  for (const auto &[name, symbol] : binary.file.symbols) {
    common_.symbols[name] = symbol.address;
    if (!symbol.is_function)
      continue;
    if (BelongsToTest(name, all))
      taken[symbol.address] = std::max(taken[symbol.address], symbol.address + symbol.size);
    else if (name != "_start" && name != "__getauxval")
      library_.push_back({name, symbol.address, symbol.address + symbol.size});
  }
  for (const ElfSection &section : binary.file.sections) {
    if (!section.is_code) {
      common_.data.push_back({section.address, section.bytes});
      continue;
    }
    uint64_t at = section.address;
    const uint64_t end = section.address + section.bytes.size();
    for (auto range = taken.lower_bound(at); range != taken.end() && range->first < end; ++range) {
      AddCode(at, range->first, &common_);
      at = std::max(at, range->second);
    }
    AddCode(at, end, &common_);
  }
  if (target.outline >= 0)
    if (auto symbol = binary.file.symbols.find(kHasLse); symbol != binary.file.symbols.end())
      Patch(symbol->second.address, uint8_t(target.outline), &common_.data);
}

// The instructions and, since code may read what is between them, the bytes.
void ImageMaker::AddCode(uint64_t begin, uint64_t end, Image *image) const {
  for (auto line = binary_.code.lower_bound(begin); line != binary_.code.end() && line->first < end;
       ++line)
    image->code[line->first] =
        hardware::ParseInstruction(line->first, line->second.text, line->second.size);
  for (const ElfSection &section : binary_.file.sections) {
    const uint64_t section_end = section.address + section.bytes.size();
    const uint64_t from = std::max(begin, section.address), to = std::min(end, section_end);
    if (from < to)
      image->data.push_back({from,
                             {section.bytes.begin() + long(from - section.address),
                              section.bytes.begin() + long(to - section.address)}});
  }
}

uint64_t ImageMaker::AddressOf(const std::string &name) const {
  auto symbol = binary_.file.symbols.find(name);
  if (symbol == binary_.file.symbols.end())
    throw std::runtime_error(
        "expected the symbol " + name +
        " in the compiled program, found none: did the compiler leave it out?");
  return symbol->second.address;
}

std::vector<ImageMaker::Range> ImageMaker::RangesOf(const Program &program,
                                                    const std::string &prefix) const {
  std::vector<Range> ranges;
  for (size_t t = 0; t < program.threads.size(); t++) {
    const std::string name = ThreadName(prefix, int(t));
    const uint64_t address = AddressOf(name);
    ranges.push_back({name, address, address + binary_.file.symbols.at(name).size});
  }
  return ranges;
}

std::vector<CompiledThread> ImageMaker::Make(const Program &program,
                                             const std::string &prefix) const {
  // A thread may go on in another's code: of two equal functions a compiler keeps one.
  Image image = common_;
  for (const Range &range : RangesOf(program, prefix))
    AddCode(range.begin, range.end, &image);
  for (size_t i = 0; i < program.locations.size(); i++)
    image.variables.push_back({AddressOf(prefix + program.locations[i].name), int(i), -1});
  std::vector<CompiledThread> threads(program.threads.size());
  for (size_t t = 0; t < threads.size(); t++) {
    threads[t].image = image;
    threads[t].entry.address = AddressOf(ThreadName(prefix, int(t)));
    for (const Observable &observable : program.observed)
      if (observable.thread == int(t))
        threads[t].image.variables.push_back(
            {AddressOf(prefix + SymbolOf(program, observable)), -1, observable.index});
  }
  return threads;
}

std::string ImageMaker::List(const Range &range) const {
  std::string text = range.name + ":\n";
  for (auto line = binary_.code.lower_bound(range.begin);
       line != binary_.code.end() && line->first < range.end; ++line) {
    char address[32];
    snprintf(address, sizeof(address), "  %llx: ", static_cast<unsigned long long>(line->first));
    std::string words = line->second.text;
    std::replace(words.begin(), words.end(), '\t', ' ');
    text += address + words + "\n";
  }
  return text + "\n";
}

std::string ImageMaker::Listing(const Program &program, const std::string &prefix) const {
  std::string text;
  for (const Range &range : RangesOf(program, prefix))
    text += List(range);
  // Of the library only what the threads name.
  for (const Range &range : library_)
    if (text.find("<" + range.name + ">") != text.npos)
      text += List(range);
  return text;
}

} // namespace heddle::litmus::compile
