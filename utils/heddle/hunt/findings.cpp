#include "findings.h"

#include "failure.h"
#include "files.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::hunt {
namespace fs = std::filesystem;
namespace {

constexpr char kJson[] = "/finding.json", kReport[] = "/report.txt", kDemo[] = "/demo",
               kRepeat[] = "/repeat.sh";

void CopyDemo(const std::string &from, const std::string &to) {
  std::error_code error;
  fs::copy(from, to, fs::copy_options::recursive, error);
  if (error)
    throw Failure("cannot copy the demo to " + to + ": " + error.message());
}

// Works wherever the finding is moved to, as long as the program is where it was.
std::string RepeatScript(const Finding &finding, bool demo) {
  std::string script =
      "#!/bin/sh\n# Repeats the finding " + finding.name + ": " + finding.what + "\n";
  std::string options;
  if (demo)
    script += "demo=$(cd \"$(dirname \"$0\")\" && pwd)/demo\n"
              "case $demo in *\\'*) quote='\"' ;; *) quote=\\' ;; esac\n";
  for (const auto &[name, value] : finding.environment)
    script += "export " + name + "=" + ShellQuote(value) + "\n";
  script += "cd " + ShellQuote(finding.program.directory) + " || exit 2\n";
  script += "export TSAN_OPTIONS=";
  script += demo ? "\"play_demo=$quote$demo$quote\"" : ShellQuote(finding.options.Text());
  std::vector<std::string> arguments = finding.program.arguments;
  arguments[0] = finding.program.path;
  return script + "\nexec " + ShellJoin(arguments) + "\n";
}

// Puts what is complete in the place of what is there.
void Replace(const std::string &from, const std::string &to) {
  const std::string old = from + "-old";
  const bool there = !rename(to.c_str(), old.c_str());
  if (rename(from.c_str(), to.c_str())) {
    const int error = errno;
    if (there)
      (void)!rename(old.c_str(), to.c_str());
    throw Failure("cannot write " + to + ": " + strerror(error));
  }
  RemoveTree(old);
}

} // namespace

bool IsFinding(const std::string &directory) { return Exists(directory + kJson); }

Finding LoadFinding(const std::string &directory) {
  const std::string path = directory + kJson;
  Finding finding = FromJson(ReadFile(path), path);
  if (Exists(directory + kReport))
    finding.report = ReadFile(directory + kReport);
  return finding;
}

FindingsStore::FindingsStore(const std::string &directory) : directory_(Absolute(directory)) {
  MakeDirectories(directory_);
  const std::string trial = directory_ + "/.heddle-write";
  try {
    WriteFile(trial, "x");
  } catch (const Failure &failure) {
    unlink(trial.c_str());
    throw Failure(std::string(failure.what()) +
                  ". Findings need a directory that can be written to: name another with "
                  "--findings DIR.");
  }
  unlink(trial.c_str());
  TemporaryDirectory::RemoveLeftOver(directory_);
}

std::vector<Finding> FindingsStore::Load(std::vector<std::string> *complaints) const {
  std::vector<Finding> findings;
  for (const std::string &name : NamesIn(directory_)) {
    if (name[0] == '.' || !IsFinding(PathOf(name)))
      continue;
    try {
      findings.push_back(LoadFinding(PathOf(name)));
    } catch (const Failure &failure) {
      complaints->push_back(failure.what());
    }
  }
  return findings;
}

// What is there of another version, or damaged, is not this hunt's to remove.
void FindingsStore::KeepUnreadable(const std::string &name) const {
  const std::string path = PathOf(name);
  if (!IsFinding(path))
    return;
  try {
    LoadFinding(path);
  } catch (const Failure &) {
    std::string kept = path + "-unreadable";
    for (int i = 2; Exists(kept); i++)
      kept = path + "-unreadable-" + std::to_string(i);
    if (rename(path.c_str(), kept.c_str()))
      throw Failure("cannot rename " + path +
                    ", which is of another version or damaged: " + strerror(errno));
  }
}

void FindingsStore::Save(const Finding &finding, const std::string &demo) {
  KeepUnreadable(finding.name);
  TemporaryDirectory whole(directory_);
  const std::string path = whole.Path() + "/" + finding.name;
  MakeDirectories(path);
  WriteFile(path + kJson, ToJson(finding));
  WriteFile(path + kReport, finding.report);
  WriteFile(path + kRepeat, RepeatScript(finding, !demo.empty()));
  chmod((path + kRepeat).c_str(), 0755);
  if (!demo.empty())
    CopyDemo(demo, path + kDemo);
  SyncTree(path);
  Replace(path, PathOf(finding.name));
}

void FindingsStore::Update(const Finding &finding) {
  const std::string path = PathOf(finding.name) + kJson, whole = path + ".new";
  try {
    WriteFile(whole, ToJson(finding));
    if (rename(whole.c_str(), path.c_str()))
      throw Failure("cannot write " + path + ": " + strerror(errno));
  } catch (const Failure &) {
    unlink(whole.c_str());
    throw;
  }
}

std::string RepeatLine(const Finding &finding) {
  std::vector<std::string> arguments = finding.program.arguments;
  return "cd " + ShellQuote(finding.program.directory) +
         " && TSAN_OPTIONS=" + ShellQuote(finding.options.Text()) + " " + ShellJoin(arguments);
}

} // namespace heddle::hunt
