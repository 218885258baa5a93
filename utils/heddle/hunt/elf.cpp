#include "elf.h"

#include "files.h"

#include <cstring>
#include <string_view>

#include <elf.h>

namespace heddle::hunt {
namespace {

#if defined(__x86_64__)
constexpr int kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr int kMachine = EM_AARCH64;
#else
constexpr int kMachine = EM_NONE;
#endif

// A file may be cut off or made up: nothing is read beyond its end.
class Image {
public:
  explicit Image(std::string_view bytes) : bytes_(bytes) {}

  template <class T> bool At(uint64_t offset, T *value) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T))
      return false;
    memcpy(value, bytes_.data() + offset, sizeof(T));
    return true;
  }
  std::string_view Part(uint64_t offset, uint64_t size) const {
    return offset > bytes_.size() ? std::string_view() : bytes_.substr(offset, size);
  }

private:
  std::string_view bytes_;
};

std::string_view NameAt(std::string_view names, uint64_t offset) {
  if (offset >= names.size())
    return "";
  names.remove_prefix(offset);
  return names.substr(0, names.find('\0'));
}

struct Seen {
  bool tsan = false, heddle = false, shared = false;
};

// Ours defines C11's threads for the race detector, which are exported and so stay in a stripped
// program; one that is not stripped has our names.
void LookAt(std::string_view name, bool defined, Seen *seen) {
  if (!defined)
    return;
  seen->tsan |= name == "__tsan_init";
  seen->heddle |= name == "cnd_timedwait" || name.find("8__heddle") != name.npos;
}

void ReadSymbols(const Image &image, const Elf64_Shdr &table, std::string_view names, Seen *seen) {
  for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
    Elf64_Sym symbol;
    if (!image.At(table.sh_offset + at, &symbol))
      return;
    LookAt(NameAt(names, symbol.st_name), symbol.st_shndx != SHN_UNDEF, seen);
  }
}

void ReadNeeded(const Image &image, const Elf64_Shdr &table, std::string_view names, Seen *seen) {
  for (uint64_t at = 0; at + sizeof(Elf64_Dyn) <= table.sh_size; at += sizeof(Elf64_Dyn)) {
    Elf64_Dyn entry;
    if (!image.At(table.sh_offset + at, &entry))
      return;
    if (entry.d_tag == DT_NEEDED &&
        NameAt(names, entry.d_un.d_val).find("clang_rt.tsan") != std::string_view::npos)
      seen->shared = true;
  }
}

} // namespace

RuntimeKind RuntimeInImage(const std::string &bytes) {
  const Image image(bytes);
  if (bytes.compare(0, 2, "#!") == 0)
    return RuntimeKind::kScript;
  Elf64_Ehdr head;
  if (!image.At(0, &head) || memcmp(head.e_ident, ELFMAG, SELFMAG))
    return RuntimeKind::kNoProgram;
  if (head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_machine != kMachine)
    return RuntimeKind::kForeign;
  Seen seen;
  for (unsigned i = 0; i < head.e_shnum; i++) {
    Elf64_Shdr table, linked;
    if (!image.At(head.e_shoff + uint64_t(i) * sizeof(table), &table) ||
        !image.At(head.e_shoff + uint64_t(table.sh_link) * sizeof(linked), &linked))
      continue;
    const std::string_view names = image.Part(linked.sh_offset, linked.sh_size);
    if (table.sh_type == SHT_SYMTAB || table.sh_type == SHT_DYNSYM)
      ReadSymbols(image, table, names, &seen);
    else if (table.sh_type == SHT_DYNAMIC)
      ReadNeeded(image, table, names, &seen);
  }
  if (seen.tsan)
    return seen.heddle ? RuntimeKind::kHeddle : RuntimeKind::kStock;
  return seen.shared ? RuntimeKind::kShared : RuntimeKind::kNone;
}

RuntimeKind RuntimeIn(const std::string &path) { return RuntimeInImage(ReadFile(path)); }

} // namespace heddle::hunt
