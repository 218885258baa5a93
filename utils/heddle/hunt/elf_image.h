// The bytes of an ELF file. They may be cut off or made up: nothing is read beyond their end.
#ifndef HEDDLE_HUNT_ELF_IMAGE_H
#define HEDDLE_HUNT_ELF_IMAGE_H

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace heddle::hunt {

class ElfImage {
public:
  explicit ElfImage(std::string_view bytes) : bytes_(bytes) {}

  uint64_t Size() const { return bytes_.size(); }
  std::optional<std::string_view> Part(uint64_t offset, uint64_t size) const {
    if (offset > bytes_.size() || bytes_.size() - offset < size)
      return std::nullopt;
    return bytes_.substr(offset, size);
  }
  template <class T> std::optional<T> At(uint64_t offset) const {
    const auto part = Part(offset, sizeof(T));
    if (!part)
      return std::nullopt;
    T value;
    memcpy(&value, part->data(), sizeof(T));
    return value;
  }

private:
  std::string_view bytes_;
};

// In a table of names; without a name if it is not in there.
inline std::string_view NameAt(std::string_view names, uint64_t offset) {
  if (offset >= names.size())
    return "";
  names.remove_prefix(offset);
  return names.substr(0, names.find('\0'));
}

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_ELF_IMAGE_H
