// Files, directories and descriptors, with failures in words.
#ifndef HEDDLE_HUNT_FILES_H
#define HEDDLE_HUNT_FILES_H

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::hunt {

// A descriptor that is closed at the end.
class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor &&other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor &operator=(Descriptor &&other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { Close(); }

  void Close();
  // It stays open.
  int Release() { return std::exchange(number_, -1); }
  int Get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

private:
  int number_ = -1;
};

// Memory with a descriptor, that a program can write to as to a file. Writes go to its end,
// whoever has cut it meanwhile.
Descriptor MemoryFile(const char *name);
std::string ReadAll(int descriptor, off_t from = 0);

// Readable when the process has ended.
Descriptor ProcessDescriptor(int process);

// These throw Failure.
std::string ReadFile(const std::string &path);
void WriteFile(const std::string &path, std::string_view content);
void MakeDirectories(const std::string &path);
std::string CurrentDirectory();

bool Exists(const std::string &path);
bool IsDirectory(const std::string &path);
// The names in a directory, in order; none if it cannot be read.
std::vector<std::string> NamesIn(const std::string &directory);
void RemoveTree(const std::string &path);
// On disk when it returns, with all that is in it: what is renamed after that is whole.
void SyncTree(const std::string &path);
std::string BaseName(const std::string &path);
std::string Absolute(const std::string &path);

// A directory of its own below `parent`, removed at the end with all that is in it. It is locked
// as long as its process lives, which tells what a killed one has left behind.
class TemporaryDirectory {
public:
  explicit TemporaryDirectory(const std::string &parent = "");
  ~TemporaryDirectory();
  // Those in a directory that are nobody's any more.
  static void RemoveLeftOver(const std::string &parent);
  TemporaryDirectory(const TemporaryDirectory &) = delete;
  TemporaryDirectory &operator=(const TemporaryDirectory &) = delete;

  const std::string &Path() const { return path_; }

private:
  std::string path_;
  Descriptor lock_;
};

// As a shell takes it for one word.
std::string ShellQuote(const std::string &word);
// Likewise a path that a command is given: one that begins with a dash is no option.
std::string ShellPath(const std::string &path);
std::string ShellJoin(const std::vector<std::string> &words);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_FILES_H
