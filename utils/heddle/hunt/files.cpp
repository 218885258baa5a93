#include "files.h"

#include "failure.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heddle::hunt {
namespace fs = std::filesystem;
namespace {

// Not on the stack: a thread may have a small one.
constexpr size_t kBuffer = 1 << 16;

} // namespace

void Descriptor::Close() {
  if (number_ >= 0)
    close(number_);
  number_ = -1;
}

Descriptor MemoryFile(const char *name) {
  Descriptor file(memfd_create(name, MFD_CLOEXEC));
  if (!file)
    throw Failure(std::string("no memory for the output of the program: ") + strerror(errno));
  fcntl(file.Get(), F_SETFL, O_APPEND);
  return file;
}

std::string ReadAll(int descriptor, off_t from) {
  std::string content, buffer(kBuffer, '\0');
  for (off_t at = from;;) {
    ssize_t got = pread(descriptor, buffer.data(), buffer.size(), at);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return content;
    content.append(buffer, 0, size_t(got));
    at += got;
  }
}

// glibc 2.36 declares pidfd_open for C only.
Descriptor ProcessDescriptor(int process) {
  return Descriptor(int(syscall(SYS_pidfd_open, process, 0)));
}

std::string ReadFile(const std::string &path) {
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file)
    throw Failure("cannot read " + path + ": " + strerror(errno));
  std::string content, buffer(kBuffer, '\0');
  for (ssize_t got; (got = read(file.Get(), buffer.data(), buffer.size())) != 0;) {
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      throw Failure("cannot read " + path + ": " + strerror(errno));
    content.append(buffer, 0, size_t(got));
  }
  return content;
}

void WriteFile(const std::string &path, std::string_view content) {
  Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  for (size_t done = 0; file && done < content.size();) {
    ssize_t written = write(file.Get(), content.data() + done, content.size() - done);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      throw Failure("cannot write " + path + ": " + strerror(errno));
    done += size_t(written);
  }
  if (!file)
    throw Failure("cannot write " + path + ": " + strerror(errno));
}

void MakeDirectories(const std::string &path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error || !IsDirectory(path))
    throw Failure("cannot make the directory " + path + ": " +
                  (error ? error.message() : "something else has that name"));
}

std::string CurrentDirectory() {
  std::error_code error;
  std::string path = fs::current_path(error);
  if (error)
    throw Failure("the current directory cannot be found: " + error.message());
  return path;
}

bool Exists(const std::string &path) {
  std::error_code error;
  return fs::exists(path, error);
}

bool IsDirectory(const std::string &path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

std::vector<std::string> NamesIn(const std::string &directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error))
    names.push_back(entry->path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

void RemoveTree(const std::string &path) {
  std::error_code error;
  fs::remove_all(path, error);
}

void SyncTree(const std::string &path) {
  auto sync = [](const std::string &one) {
    Descriptor file(open(one.c_str(), O_RDONLY | O_CLOEXEC));
    if (file && fsync(file.Get()) && errno != EINVAL && errno != EROFS)
      throw Failure("cannot write " + one + ": " + strerror(errno));
  };
  std::error_code error;
  for (fs::recursive_directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error))
    sync(entry->path());
  sync(path);
}

std::string BaseName(const std::string &path) { return path.substr(path.rfind('/') + 1); }

std::string Absolute(const std::string &path) {
  return path.empty() || path[0] == '/'
             ? path
             : fs::path(CurrentDirectory() + "/" + path).lexically_normal().string();
}

namespace {

constexpr char kTemporary[] = ".heddle-XXXXXX";

bool IsTemporary(const std::string &name) {
  const std::string prefix(kTemporary, strcspn(kTemporary, "X"));
  return name.size() == strlen(kTemporary) && !name.compare(0, prefix.size(), prefix);
}

Descriptor LockDirectory(const std::string &path) {
  Descriptor directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory && flock(directory.Get(), LOCK_EX | LOCK_NB))
    return Descriptor();
  return directory;
}

} // namespace

TemporaryDirectory::TemporaryDirectory(const std::string &parent) {
  const char *place = getenv("TMPDIR");
  std::string pattern = (!parent.empty()   ? parent
                         : place && *place ? place
                                           : "/tmp") +
                        "/" + kTemporary;
  if (!mkdtemp(pattern.data()))
    throw Failure("cannot make a directory " + pattern + ": " + strerror(errno) +
                  ". Name another place with TMPDIR.");
  path_ = pattern;
  lock_ = LockDirectory(path_);
}

TemporaryDirectory::~TemporaryDirectory() { RemoveTree(path_); }

void TemporaryDirectory::RemoveLeftOver(const std::string &parent) {
  // One that was made a moment ago may not be locked yet.
  constexpr int kYoung = 60; // seconds
  for (const std::string &name : NamesIn(parent)) {
    const std::string path = parent + "/" + name;
    struct stat status;
    if (IsTemporary(name) && !stat(path.c_str(), &status) &&
        status.st_mtime + kYoung < time(nullptr) && LockDirectory(path))
      RemoveTree(path);
  }
}

std::string ShellQuote(const std::string &word) {
  const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos)
    return word;
  std::string quoted = "'";
  for (char c : word)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string ShellPath(const std::string &path) {
  return ShellQuote(path.compare(0, 1, "-") ? path : "./" + path);
}

std::string ShellJoin(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : " ") + ShellQuote(word);
  return text;
}

} // namespace heddle::hunt
