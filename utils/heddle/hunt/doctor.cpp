#include "doctor.h"

#include "elf.h"
#include "failure.h"
#include "files.h"
#include "inline_fences.h"
#include "printable.h"
#include "program.h"

#include <cstdlib>

#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace heddle::hunt {
namespace {

using Verdict = Check::Verdict;

Check Good(const std::string &what) { return {Verdict::kGood, what, ""}; }
Check Remark(const std::string &what, const std::string &remedy) {
  return {Verdict::kRemark, what, remedy};
}
Check Wrong(const std::string &what, const std::string &remedy) {
  return {Verdict::kWrong, what, remedy};
}

// A number that the kernel shows in a file; -1 if it does not.
long Setting(const std::string &path) {
  try {
    return atol(ReadFile(path).c_str());
  } catch (const Failure &) {
    return -1;
  }
}

Check CheckSystem() {
  utsname system;
  uname(&system);
  const std::string name =
      std::string(system.sysname) + " " + system.release + " on " + system.machine;
  if (std::string(system.sysname) != "Linux")
    return Wrong("system: " + name, "Heddle runs on Linux.");
  if (std::string(system.machine) != "x86_64")
    return Remark("system: " + name, "Heddle is tested on x86_64 only.");
  return Good("system: " + name);
}

Check CheckAddressSpace() {
  rlimit limit;
  if (!getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY)
    return Wrong(
        "address space: limited to " + std::to_string(limit.rlim_cur >> 20) + " MiB",
        "ThreadSanitizer reserves terabytes, of which it uses little: ulimit -v unlimited");
  return Good("address space: no limit");
}

Check CheckOvercommit() {
  if (Setting("/proc/sys/vm/overcommit_memory") == 2)
    return Wrong("memory: the system counts what is only reserved (vm.overcommit_memory is 2)",
                 "sysctl vm.overcommit_memory=0");
  return Good("memory: what is only reserved is not counted");
}

Check CheckPersonality() {
  const int now = personality(0xffffffff);
  const bool allowed = now >= 0 && personality(unsigned(now) | ADDR_NO_RANDOMIZE) >= 0;
  if (allowed) {
    personality(unsigned(now));
    return Good("addresses: recordings and replays can have the same");
  }
  return Remark("addresses: this system does not allow personality(ADDR_NO_RANDOMIZE)",
                "Recordings of programs that depend on addresses may not replay. In a container: "
                "--security-opt seccomp=unconfined, or a profile that allows personality.");
}

Check CheckFsGsBase() {
  constexpr unsigned long kFsGsBase = 2; // of AT_HWCAP2 on x86
  if (getauxval(AT_HWCAP2) & kFsGsBase)
    return Good("FSGSBASE: threads can be switched without the kernel");
  return Remark("FSGSBASE: not to be had", "Nothing depends on it; a kernel from 5.9 on and a "
                                           "processor that has it make switches cheaper.");
}

Check CheckPidfd() {
  Descriptor self = ProcessDescriptor(getpid());
  return self ? Good("processes: can be waited for by descriptor")
              : Wrong("processes: no pidfd_open", "A hunt needs a kernel from 5.3 on.");
}

Check CheckDescriptors() {
  rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  const std::string what = "descriptors: " + std::to_string(limit.rlim_cur);
  return limit.rlim_cur < 256 ? Remark(what, "A hunt on many processors needs more: ulimit -n 1024")
                              : Good(what);
}

Check CheckProcessors() {
  return Good("processors: " + std::to_string(sysconf(_SC_NPROCESSORS_ONLN)));
}

std::string OwnDirectory() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
  const std::string own(path, length > 0 ? size_t(length) : 0);
  return own.substr(0, own.rfind('/'));
}

bool HasDebugInformation(const std::string &path) {
  // The name of the section stands in the file, whatever else does.
  return ReadFile(path).find(std::string("\0.debug_info\0", 13)) != std::string::npos ||
         ReadFile(path).find(std::string("\0.debug_line\0", 13)) != std::string::npos;
}

// No compiler makes them in instrumented code: they are inline assembly.
Check CheckInlineFences(const std::string &path) {
  InlineFences fences;
  if (!FindInlineFencesIn(path, &fences))
    return Remark("inline assembly: not looked for", "That needs llvm-objdump: apt-get install "
                                                     "llvm-19");
  if (fences.functions.empty())
    return Good("inline assembly: no fences or atomic operations in instrumented code");
  std::string kinds;
  for (const auto &[kind, count] : fences.kinds)
    kinds += (kinds.empty() ? "" : ", ") + std::to_string(count) + " " + kind;
  constexpr unsigned kNames = 5;
  return Remark("inline assembly: fences or atomic operations (" + kinds + ") in " +
                    std::to_string(fences.functions.size()) +
                    " functions: " + Printable(Names(fences.functions, kNames)),
                "Heddle does not see them: races that they prevent are reported, and with "
                "weak_memory= they order nothing. Build with the compiler's atomic builtins "
                "instead; docs/weak-memory.md says how for some libraries.");
}

} // namespace

std::vector<Check> CheckMachine() {
  return {CheckSystem(),   CheckAddressSpace(), CheckOvercommit(),  CheckPersonality(),
          CheckFsGsBase(), CheckPidfd(),        CheckDescriptors(), CheckProcessors()};
}

std::vector<Check> CheckCompiler() {
  std::vector<Check> checks;
  const std::string ours = OwnDirectory() + "/heddle-clang++";
  if (Exists(ours))
    checks.push_back(Good("compiler: " + ours));
  else if (const std::string found = FindTool({"heddle-clang++"}); !found.empty())
    checks.push_back(Good("compiler: " + found));
  else
    checks.push_back(Wrong("compiler: no heddle-clang++ beside this command or on the PATH",
                           "Build or install all of Heddle: cmake --install build --prefix DIR"));
  const std::string clang = FindTool({"clang++-19", "clang-19"});
  checks.push_back(clang.empty() ? Wrong("clang: no clang 19, which heddle-clang++ calls",
                                         "apt-get install clang-19 libclang-rt-19-dev")
                                 : Good("clang: " + clang));
  const char *named = getenv("TSAN_SYMBOLIZER_PATH");
  const std::string symbolizer = named ? named : FindSymbolizer();
  checks.push_back(
      symbolizer.empty() || access(symbolizer.c_str(), X_OK)
          ? Remark("symbolizer: " + (symbolizer.empty() ? "none" : symbolizer + " is none"),
                   "Reports have no functions and lines, and duplicates are told apart "
                   "by addresses only: apt-get install llvm-19")
          : Good("symbolizer: " + symbolizer));
  return checks;
}

std::vector<Check> CheckProgram(const std::string &name) {
  Program program;
  try {
    program = FindProgram({name});
  } catch (const Failure &failure) {
    const std::string text = failure.what();
    const size_t end = text.find(". ");
    return {Wrong("program: " + text.substr(0, end), end == text.npos ? "" : text.substr(end + 2))};
  }
  std::vector<Check> checks;
  switch (RuntimeIn(program.path)) {
  case RuntimeKind::kShared:
    checks.push_back(Remark("program: " + program.path + " has ThreadSanitizer in a shared library",
                            "Which one is seen when it runs: with heddle-clang, it is Heddle's."));
    break;
  case RuntimeKind::kScript:
    checks.push_back(Remark("program: " + program.path + " is a script",
                            "What it starts must have been built with heddle-clang."));
    return checks;
  default:
    checks.push_back(Good("program: " + program.path + " has Heddle's runtime"));
  }
  checks.push_back(
      HasDebugInformation(program.path)
          ? Good("debug information: there is some")
          : Remark("debug information: none", "Reports name no lines: compile with -g."));
  checks.push_back(CheckInlineFences(program.path));
  return checks;
}

} // namespace heddle::hunt
