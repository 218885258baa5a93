#include "stored_file.h"

#include "failure.h"
#include "files.h"
#include "printable.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::hunt {
namespace {

constexpr size_t kLongestName = 200; // other names are made of it

[[noreturn]] void CannotRead(const std::string &path, const std::string &why) {
  throw Failure("cannot read " + path + ": " + why);
}

// Sets its size.
Descriptor OpenStored(const std::string &path, size_t most, size_t *size) {
  Descriptor file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file)
    CannotRead(path, errno == ELOOP ? "it is a symbolic link. Links in findings and demos are not "
                                      "followed: put the file itself there."
                                    : strerror(errno));
  struct stat status;
  if (fstat(file.Get(), &status))
    CannotRead(path, strerror(errno));
  if (!S_ISREG(status.st_mode))
    CannotRead(path, "it is no regular file.");
  if (uint64_t(status.st_size) > most)
    CannotRead(path, "it has more than " + std::to_string(most) + " bytes, the most it may have.");
  *size = size_t(status.st_size);
  return file;
}

} // namespace

void CheckStored(const std::string &path, size_t most) {
  size_t size;
  OpenStored(path, most, &size);
}

std::string ReadStored(const std::string &path, size_t most) {
  size_t size;
  const Descriptor file = OpenStored(path, most, &size);
  std::string content(size, '\0');
  size_t done = 0;
  for (ssize_t got = 1; got && done < content.size();) {
    got = read(file.Get(), content.data() + done, content.size() - done);
    if (got < 0 && errno != EINTR)
      CannotRead(path, strerror(errno));
    done += size_t(std::max<ssize_t>(got, 0));
  }
  content.resize(done);
  return content;
}

void WriteStored(const std::string &path, std::string_view content, mode_t mode) {
  const auto fail = [&] { throw Failure("cannot write " + path + ": " + strerror(errno)); };
  if (unlink(path.c_str()) && errno != ENOENT)
    fail();
  const Descriptor file(
      open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  if (!file)
    fail();
  for (size_t done = 0; done < content.size();) {
    const ssize_t written = write(file.Get(), content.data() + done, content.size() - done);
    if (written < 0 && errno != EINTR)
      fail();
    done += size_t(std::max<ssize_t>(written, 0));
  }
}

bool IsThere(const std::string &path) {
  struct stat status;
  return !lstat(path.c_str(), &status);
}

bool IsStoredFile(const std::string &path) {
  struct stat status;
  return !lstat(path.c_str(), &status) && S_ISREG(status.st_mode);
}

bool IsStoredDirectory(const std::string &path) {
  struct stat status;
  return !lstat(path.c_str(), &status) && S_ISDIR(status.st_mode);
}

bool IsGoodName(const std::string &name) {
  return !name.empty() && name.size() <= kLongestName && name[0] != '.' &&
         name.find('/') == name.npos && Printable(name) == name;
}

} // namespace heddle::hunt
