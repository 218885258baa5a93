#include "elf.h"

#include "elf_image.h"
#include "failure.h"
#include "files.h"

#include "heddle/demo/demo_codec.h"

#include <cstdio>
#include <cstring>
#include <string_view>

#include <elf.h>
#include <sys/stat.h>

namespace heddle::hunt {
namespace {

using namespace std::string_view_literals;

#if defined(__x86_64__)
constexpr int kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr int kMachine = EM_AARCH64;
#else
constexpr int kMachine = EM_NONE;
#endif

struct Seen {
  bool tsan = false, heddle = false;
  bool shared = false, gccs = false; // libraries: clang's runtime, gcc's
};

// The mark is a name that is ours alone, and is exported, so that a stripped program keeps it. What
// we intercept would be none: a program may bring its own, such as C11's threads.
void LookAt(std::string_view name, bool defined, Seen *seen) {
  if (!defined)
    return;
  seen->tsan |= name == "__tsan_init";
  seen->heddle |= name == "__heddle_explore";
}

void ReadSymbols(const ElfImage &image, const Elf64_Shdr &table, std::string_view names,
                 Seen *seen) {
  for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
    const auto symbol = image.At<Elf64_Sym>(table.sh_offset + at);
    if (!symbol)
      return;
    LookAt(NameAt(names, symbol->st_name), symbol->st_shndx != SHN_UNDEF, seen);
  }
}

void ReadNeeded(const ElfImage &image, const Elf64_Shdr &table, std::string_view names,
                Seen *seen) {
  for (uint64_t at = 0; at + sizeof(Elf64_Dyn) <= table.sh_size; at += sizeof(Elf64_Dyn)) {
    const auto entry = image.At<Elf64_Dyn>(table.sh_offset + at);
    if (!entry)
      return;
    if (entry->d_tag != DT_NEEDED)
      continue;
    const std::string_view library = NameAt(names, entry->d_un.d_val);
    seen->shared |= library.find("clang_rt.tsan") != library.npos;
    seen->gccs |= library.find("libtsan.so") != library.npos;
  }
}

// To open something else may take for ever. A link to a program is as good as the program.
std::string ReadProgram(const std::string &path) {
  struct stat status;
  if (!stat(path.c_str(), &status) && !S_ISREG(status.st_mode))
    throw Failure(path + " is no regular file, and so no program.");
  return ReadFile(path);
}

std::string BuildIdInNotes(std::string_view notes) {
  const ElfImage image(notes);
  const auto padded = [](uint64_t size) { return (size + 3) & ~uint64_t(3); };
  for (uint64_t at = 0; const auto note = image.At<Elf64_Nhdr>(at);) {
    const uint64_t name = at + sizeof(*note), content = name + padded(note->n_namesz);
    const auto id = image.Part(content, note->n_descsz);
    if (note->n_type == NT_GNU_BUILD_ID && image.Part(name, note->n_namesz) == "GNU\0"sv && id) {
      std::string text;
      for (const char byte : *id) {
        char digits[3];
        snprintf(digits, sizeof(digits), "%02x", unsigned(uint8_t(byte)));
        text += digits;
      }
      return text;
    }
    at = content + padded(note->n_descsz);
  }
  return "";
}

} // namespace

RuntimeKind RuntimeInImage(const std::string &bytes) {
  const ElfImage image(bytes);
  if (bytes.compare(0, 2, "#!") == 0)
    return RuntimeKind::kScript;
  const auto head = image.At<Elf64_Ehdr>(0);
  if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG))
    return RuntimeKind::kNoProgram;
  if (head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_machine != kMachine)
    return RuntimeKind::kForeign;
  Seen seen;
  const auto section_at = [&](uint64_t index) {
    return image.At<Elf64_Shdr>(head->e_shoff + index * sizeof(Elf64_Shdr));
  };
  for (unsigned i = 0; i < head->e_shnum; i++) {
    const auto table = section_at(i);
    const auto linked = table ? section_at(table->sh_link) : std::nullopt;
    const auto names = linked ? image.Part(linked->sh_offset, linked->sh_size) : std::nullopt;
    if (!names)
      continue;
    if (table->sh_type == SHT_SYMTAB || table->sh_type == SHT_DYNSYM)
      ReadSymbols(image, *table, *names, &seen);
    else if (table->sh_type == SHT_DYNAMIC)
      ReadNeeded(image, *table, *names, &seen);
  }
  if (seen.tsan)
    return seen.heddle ? RuntimeKind::kHeddle : RuntimeKind::kStock;
  return seen.shared ? RuntimeKind::kShared : seen.gccs ? RuntimeKind::kStock : RuntimeKind::kNone;
}

RuntimeKind RuntimeIn(const std::string &path) { return RuntimeInImage(ReadProgram(path)); }

std::string BuildIdInImage(const std::string &bytes) {
  const ElfImage image(bytes);
  const auto head = image.At<Elf64_Ehdr>(0);
  if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) || head->e_ident[EI_CLASS] != ELFCLASS64)
    return "";
  for (unsigned i = 0; i < head->e_phnum; i++) {
    const auto segment = image.At<Elf64_Phdr>(head->e_phoff + i * sizeof(Elf64_Phdr));
    const auto notes = segment && segment->p_type == PT_NOTE
                           ? image.Part(segment->p_offset, segment->p_filesz)
                           : std::nullopt;
    const std::string id = notes ? BuildIdInNotes(*notes) : "";
    if (!id.empty())
      return id;
  }
  char text[48];
  snprintf(text, sizeof(text), "crc32-%08x-%zu",
           __heddle::Checksum(0, reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()),
           bytes.size());
  return text;
}

std::string BuildIdOf(const std::string &path) {
  try {
    return BuildIdInImage(ReadProgram(path));
  } catch (const Failure &) {
    return "";
  }
}

} // namespace heddle::hunt
