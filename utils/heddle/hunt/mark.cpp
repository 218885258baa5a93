#include "mark.h"

#include "failure.h"
#include "files.h"
#include "findings.h"
#include "sha256.h"
#include "stored_file.h"

#include "heddle/demo/demo_file.h"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <pwd.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::hunt {
namespace {

constexpr size_t kKeySize = 32;
constexpr char kMark[] = "/MARK";

std::string HomeOfUser() {
  if (const char *home = getenv("HOME"); home && home[0] == '/')
    return home;
  const passwd *user = getpwuid(geteuid());
  return user && user->pw_dir && user->pw_dir[0] == '/' ? user->pw_dir : "";
}

std::string KeyDirectory() {
  if (const char *place = getenv("XDG_CONFIG_HOME"); place && place[0] == '/')
    return std::string(place) + "/heddle";
  const std::string home = HomeOfUser();
  if (home.empty())
    throw Failure("there is no place for the key that marks what is yours: neither "
                  "XDG_CONFIG_HOME nor HOME names a directory. Set one of them.");
  return home + "/.config/heddle";
}

// Nothing if there is none.
std::string ReadKey(const std::string &path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file && errno == ENOENT)
    return "";
  struct stat status;
  if (!file || fstat(file.Get(), &status))
    throw Failure("cannot read the key " + path + ": " + strerror(errno) +
                  ". XDG_CONFIG_HOME names another place for it.");
  if (!S_ISREG(status.st_mode) || status.st_uid != geteuid() || (status.st_mode & 077))
    throw Failure("the key " + path +
                  " is not yours alone, so that others may have made marks "
                  "with it. Remove it: a new one is made.");
  std::string key = ReadAll(file.Get());
  if (key.size() != kKeySize)
    throw Failure("the key " + path + " is damaged. Remove it: a new one is made.");
  return key;
}

// Another process may do the same: the first one's is everybody's.
std::string MakeKey(const std::string &path) {
  char bytes[kKeySize];
  if (getrandom(bytes, sizeof(bytes), 0) != ssize_t(sizeof(bytes)))
    throw Failure(std::string("the system has no random numbers for a key: ") + strerror(errno));
  const std::string whole = path + "." + std::to_string(getpid()) + ".new";
  WriteStored(whole, std::string_view(bytes, sizeof(bytes)));
  const int failed = link(whole.c_str(), path.c_str()) ? errno : 0;
  unlink(whole.c_str());
  if (failed && failed != EEXIST)
    throw Failure("cannot write the key " + path + ": " + strerror(failed) +
                  ". XDG_CONFIG_HOME names another place for it.");
  return ReadKey(path);
}

std::string Key(bool make) {
  const std::string directory = KeyDirectory(), path = directory + "/key";
  const std::string key = ReadKey(path);
  if (!key.empty() || !make)
    return key;
  MakeDirectories(directory);
  return MakeKey(path);
}

// What is marked, part by part. Each has its size before it, so that no two lists of parts have the
// same bytes.
class Parts {
public:
  void Add(std::string_view part) {
    const uint64_t size = part.size();
    for (int shift = 0; shift < 64; shift += 8)
      bytes_ += char(size >> shift);
    bytes_ += part;
  }
  void Add(const std::vector<std::string> &list) {
    Add(std::to_string(list.size()));
    for (const std::string &each : list)
      Add(each);
  }
  void AddDemo(const std::string &directory) {
    for (uint32_t stream = 0; stream < __heddle::kDemoStreams; stream++) {
      const std::string path = directory + "/" + NameOf(__heddle::DemoStream(stream));
      Add(IsThere(path) ? "stream" : "none");
      if (IsThere(path))
        Add(Sha256(ReadStored(path)));
    }
  }
  std::string Mark(const std::string &key) const {
    std::string text;
    for (const char byte : HmacSha256(key, bytes_)) {
      constexpr char kDigits[] = "0123456789abcdef";
      text += kDigits[uint8_t(byte) >> 4];
      text += kDigits[uint8_t(byte) & 15];
    }
    return text + "\n";
  }

private:
  std::string bytes_;
};

Parts PartsOf(const std::string &demo) {
  Parts parts;
  parts.Add("demo");
  parts.AddDemo(demo);
  return parts;
}

Parts PartsOf(const Finding &finding, const std::string &directory) {
  Parts parts;
  parts.Add("finding");
  parts.Add(finding.program.path);
  parts.Add(finding.program.arguments);
  parts.Add(finding.program.directory);
  std::vector<std::string> environment;
  for (const auto &[name, value] : finding.environment)
    environment.push_back(name + "=" + value);
  parts.Add(environment);
  parts.Add(finding.options.Text());
  parts.AddDemo(directory + kFindingDemo);
  return parts;
}

// In the room that was reserved, if there is any.
void WriteMark(const std::string &path, const std::string &mark) {
  const Descriptor file(open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status;
  if (!file || fstat(file.Get(), &status) || !S_ISREG(status.st_mode) || status.st_nlink != 1 ||
      size_t(status.st_size) != mark.size() ||
      pwrite(file.Get(), mark.data(), mark.size(), 0) != ssize_t(mark.size()))
    WriteStored(path, mark);
}

template <class... Of> void Write(const std::string &directory, const Of &...of) {
  try {
    WriteMark(directory + kMark, PartsOf(of...).Mark(Key(/*make=*/true)));
  } catch (const Failure &) {
    unlink((directory + kMark).c_str());
  }
}

template <class... Of> bool Has(const std::string &directory, const Of &...of) {
  try {
    const std::string key = Key(/*make=*/false);
    return !key.empty() && IsStoredFile(directory + kMark) &&
           ReadStored(directory + kMark, 1 << 10) == PartsOf(of...).Mark(key);
  } catch (const Failure &) {
    return false;
  }
}

} // namespace

std::string WhyNoMarks() {
  try {
    Key(/*make=*/true);
    return "";
  } catch (const Failure &failure) {
    return failure.what();
  }
}

void ReserveMark(const std::string &demo) {
  mkdir(demo.c_str(), 0700);
  try {
    WriteStored(demo + kMark, std::string(2 * kKeySize, '-') + "\n");
  } catch (const Failure &) {
    unlink((demo + kMark).c_str());
  }
}

void ReleaseMark(const std::string &demo) {
  unlink((demo + kMark).c_str());
  rmdir(demo.c_str());
}

void MarkDemo(const std::string &directory) { Write(directory, directory); }

void MarkFinding(const Finding &finding, const std::string &directory) {
  if (IsStoredDirectory(directory + kFindingDemo))
    MarkDemo(directory + kFindingDemo);
  Write(directory, finding, directory);
}

bool HasMark(const std::string &demo) { return Has(demo, demo); }
bool HasMark(const Finding &finding, const std::string &directory) {
  return Has(directory, finding, directory);
}

} // namespace heddle::hunt
