#include "findings_store.h"

#include "demo_info.h"
#include "demo_parts.h"
#include "failure.h"
#include "mark.h"
#include "printable.h"
#include "stored_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace heddle::hunt {
namespace {

constexpr char kReplaced[] = "/replaced"; // in a temporary directory: see Replace

// Its files, and nothing else that may be there.
void CopyDemo(const std::string &from, const std::string &to) {
  for (const std::string &part : DemoParts(from))
    MakeDirectories(to + "/" + part);
  for (const std::string &file : FilesOfDemo(from))
    WriteStored(to + "/" + file, ReadStored(from + "/" + file));
}

// Works wherever the finding is moved to, as long as the program is where it was. Of what somebody
// else has found, a script of ours should not run more than `heddle replay` does.
std::string RepeatScript(const Finding &finding, bool demo) {
  if (!finding.own)
    return "#!/bin/sh\n# Found by somebody else, or elsewhere: heddle asks first.\n"
           "exec heddle replay \"$(CDPATH= cd -- \"$(dirname -- \"$0\")\" && pwd)\"\n";
  // A finding that is merged is from anywhere, and what comes after a comment's line would be run.
  std::string script =
      "#!/bin/sh\n# Repeats the finding " + Printable(finding.name + ": " + finding.what) + "\n";
  // What has both kinds of quotes is reached through a link, which is removed at the end.
  if (demo)
    script += R"sh(demo=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)/demo
place=
case $demo in
*\'*\"* | *\"*\'*)
  place=$(mktemp -d) && ln -s -- "$demo" "$place/demo" || exit 2
  demo=$place/demo
  ;;
esac
case $demo in *\'*) quote='"' ;; *) quote=\' ;; esac
)sh";
  for (const auto &[name, value] : finding.environment)
    script += "export " + name + "=" + ShellQuote(value) + "\n";
  script += "cd " + ShellQuote(finding.program.directory) + " || exit 2\n";
  script += "export TSAN_OPTIONS=";
  script += demo ? "\"play_demo=$quote$demo$quote trust_demo=1 play_demo_mb=0\""
                 : ShellQuote(finding.options.Text());
  std::vector<std::string> arguments = finding.program.arguments;
  arguments[0] = finding.program.path;
  const std::string run = ShellJoin(arguments) + "\n";
  if (!demo)
    return script + "\nexec " + run;
  return script + "\n[ -n \"$place\" ] || exec " + run + run +
         "code=$?\nrm -r -- \"$place\"\nexit $code\n";
}

void ReplaceAll(std::string *text, const std::string &from, const std::string &to) {
  for (size_t at = 0; (at = text->find(from, at)) != text->npos; at += to.size())
    text->replace(at, from.size(), to);
}

bool LoadIfPossible(const std::string &directory, std::optional<Finding> *finding) {
  try {
    CheckNoLink(directory);
    *finding = LoadFinding(directory);
    (*finding)->name = BaseName(directory); // whoever has renamed it
    return true;
  } catch (const Failure &) {
    return false;
  }
}

// All that is in finding.json, but for the count.
std::string FactsOf(Finding finding) {
  finding.executions = 0;
  return ToJson(finding);
}

// As it will be loaded: what is no UTF-8 is not compared with what became of it.
Finding AsLoaded(const Finding &finding) {
  Finding loaded = FromJson(ToJson(finding), finding.name);
  loaded.report = finding.report;
  loaded.own = finding.own;
  return loaded;
}

bool AreOfOneBuild(const std::string &demo, const std::string &other) {
  try {
    return ReadDemoInfo(demo).build == ReadDemoInfo(other).build;
  } catch (const Failure &) {
    return false; // one is damaged
  }
}

// Puts what is complete in the place of what is there, which is in `temporary` afterwards.
void Replace(const std::string &from, const std::string &to, const std::string &temporary) {
  if (!renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_EXCHANGE))
    return;
  std::string aside;
  if (errno != ENOENT) {
    // The file system cannot do it in one step. RestoreReplaced mends what is left half done.
    MakeDirectories(temporary + kReplaced);
    aside = temporary + kReplaced + "/" + BaseName(to);
    if (rename(to.c_str(), aside.c_str()))
      throw Failure("cannot write " + to + ": " + strerror(errno));
  }
  if (rename(from.c_str(), to.c_str())) {
    const int error = errno;
    if (!aside.empty())
      (void)!rename(aside.c_str(), to.c_str());
    throw Failure("cannot write " + to + ": " + strerror(error));
  }
}

} // namespace

// Threads are kept apart by the mutex, processes by a lock on the directory. A file system without
// locks has none of the latter.
class FindingsStore::Lock {
public:
  explicit Lock(FindingsStore &store) : threads_(store.mutex_) {
    constexpr int kTries = 6000, kMicroseconds = 10000; // a minute
    directory_ = Descriptor(open(store.directory_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    for (int i = 0; directory_ && flock(directory_.Get(), LOCK_EX | LOCK_NB); i++) {
      if (errno != EWOULDBLOCK && errno != EINTR)
        return;
      if (i == kTries)
        throw Failure("another command has locked " + store.directory_ +
                      " for a minute. End it, or name another directory with --findings DIR.");
      usleep(kMicroseconds);
    }
  }

private:
  std::lock_guard<std::mutex> threads_;
  Descriptor directory_;
};

FindingsStore::FindingsStore(const std::string &directory) : directory_(Absolute(directory)) {
  MakeDirectories(directory_);
  const Lock lock(*this); // another hunt may begin at the same time
  const std::string trial = directory_ + "/.heddle-write";
  try {
    WriteStored(trial, "x");
  } catch (const Failure &failure) {
    unlink(trial.c_str());
    throw Failure(std::string(failure.what()) +
                  ". Findings need a directory that can be written to: name another with "
                  "--findings DIR.");
  }
  unlink(trial.c_str());
  plain_.emplace(directory_);
  RestoreReplaced();
  TemporaryDirectory::RemoveLeftOver(directory_);
  std::vector<std::string> complaints;
  for (const Finding &finding : Load(&complaints))
    names_.emplace(IdentityOf(finding), finding.name);
}

void FindingsStore::RestoreReplaced() const {
  for (const std::string &temporary : NamesIn(directory_)) {
    const std::string replaced = PathOf(temporary) + kReplaced;
    if (temporary[0] != '.' || !IsStoredDirectory(PathOf(temporary)) ||
        !IsStoredDirectory(replaced)) // a link may lead to what is no finding
      continue;
    for (const std::string &name : NamesIn(replaced))
      if (!IsThere(PathOf(name)))
        (void)!rename((replaced + "/" + name).c_str(), PathOf(name).c_str());
  }
}

std::vector<Finding> FindingsStore::Load(std::vector<std::string> *complaints) const {
  std::vector<Finding> findings;
  for (const std::string &name : NamesIn(directory_)) {
    if (name[0] == '.' || !IsFinding(PathOf(name)))
      continue;
    try {
      CheckNoLink(PathOf(name));
      if (!IsGoodName(name))
        throw Failure(PathOf(name) + " has a name that no finding has. Rename it.");
      findings.push_back(LoadFinding(PathOf(name)));
      findings.back().name = name;
    } catch (const Failure &failure) {
      complaints->push_back(failure.what());
    }
  }
  return findings;
}

// What cannot be read, or is no finding, keeps its name, as other findings do.
FindingsStore::Stored FindingsStore::Find(const Finding &finding) {
  const std::string identity = IdentityOf(finding);
  Stored stored;
  const auto is_it = [&](const std::string &name) {
    stored.name = name;
    return LoadIfPossible(PathOf(name), &stored.finding) && IdentityOf(*stored.finding) == identity;
  };
  const auto known = names_.find(identity);
  if (known != names_.end() && is_it(known->second))
    return stored;
  std::string name = finding.name;
  for (int i = 2; IsThere(PathOf(name)); i++) {
    if (is_it(name))
      return stored;
    name = finding.name + "-" + std::to_string(i);
  }
  return {name, std::nullopt};
}

bool FindingsStore::MayReplace(const Finding &stored, const Finding &finding,
                               const std::string &demo, Replaces replaces) {
  if (replaces >= Replaces::kOwn && contributions_[IdentityOf(finding)].facts == FactsOf(stored))
    return true;
  if (replaces >= Replaces::kOlderBuild && finding.has_demo && finding.Confirmed() &&
      stored.program.path == finding.program.path &&
      !AreOfOneBuild(PathOf(stored.name) + kFindingDemo, demo))
    return true;
  return replaces >= Replaces::kWorse && IsBetter(finding, stored);
}

Finding FindingsStore::Put(const Finding &given, const std::string &demo, Replaces replaces) {
  const Lock lock(*this);
  Finding finding = AsLoaded(given);
  finding.has_demo = !demo.empty();
  const std::string identity = IdentityOf(finding);
  const Stored stored = Find(finding);
  Contribution &contribution = contributions_[identity];
  const uint64_t added = finding.executions - std::min(finding.executions, contribution.executions);
  if (stored.finding && !MayReplace(*stored.finding, finding, demo, replaces)) {
    finding = *stored.finding;
    finding.executions += added;
    if (added)
      WriteJson(finding);
  } else {
    finding.name = stored.name;
    finding.executions = added + (stored.finding ? stored.finding->executions : 0);
    WriteAll(&finding, demo);
    contribution.facts = FactsOf(finding);
  }
  contribution.executions += added;
  names_[identity] = finding.name;
  return finding;
}

void FindingsStore::Fold(const Finding &given, const Finding &known) {
  const Lock lock(*this);
  const Finding finding = AsLoaded(given);
  const std::string identity = IdentityOf(finding);
  const Stored stored = Find(finding);
  if (identity == IdentityOf(AsLoaded(known)) || !stored.finding || stored.finding->has_demo)
    return;
  const uint64_t ours = contributions_[identity].executions;
  const uint64_t others = stored.finding->executions - std::min(stored.finding->executions, ours);
  if (others) {
    Stored into = Find(AsLoaded(known));
    if (!into.finding)
      return;
    into.finding->executions += others;
    WriteJson(*into.finding);
  }
  // In one step, as a half removed finding is a damaged one.
  const TemporaryDirectory away(directory_);
  if (rename(PathOf(stored.name).c_str(), (away.Path() + "/" + stored.name).c_str()))
    throw Failure("cannot remove " + PathOf(stored.name) + ": " + strerror(errno));
  contributions_.erase(identity);
  names_.erase(identity);
}

void FindingsStore::WriteAll(Finding *finding, const std::string &demo) {
  const std::string to = PathOf(finding->name);
  // The report names the demo where it was recorded.
  if (!demo.empty())
    ReplaceAll(&finding->report, Absolute(demo), to + kFindingDemo);
  TemporaryDirectory temporary(directory_);
  const std::string path = temporary.Path() + "/" + finding->name;
  MakeDirectories(path);
  WriteStored(path + kFindingJson, ToJson(*finding));
  WriteStored(path + kFindingReport, finding->report);
  WriteStored(path + kFindingRepeat, RepeatScript(*finding, !demo.empty()), 0700);
  if (!demo.empty())
    CopyDemo(demo, path + kFindingDemo);
  if (finding->own)
    MarkFinding(*finding, path);
  SyncTree(path);
  Replace(path, to, temporary.Path());
}

void FindingsStore::WriteJson(const Finding &finding) const {
  const std::string path = PathOf(finding.name) + kFindingJson, whole = path + ".new";
  try {
    WriteStored(whole, ToJson(finding));
    SyncTree(whole);
    if (rename(whole.c_str(), path.c_str()))
      throw Failure("cannot write " + path + ": " + strerror(errno));
  } catch (const Failure &) {
    unlink(whole.c_str());
    throw;
  }
}

} // namespace heddle::hunt
