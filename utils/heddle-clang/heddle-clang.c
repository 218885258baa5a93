// heddle-clang and heddle-clang++: the system's clang with Heddle's runtime.
//
// Adds two options in front of the caller's and becomes clang:
//   -resource-dir=DIR          where -fsanitize=thread finds our runtime
//   -mllvm -tsan-distinguish-volatile
//                              volatile accesses call entry points of their
//                              own, so that volatile_order= can tell them apart
// Everything else passes through: without -fsanitize=thread it is plain clang.
// The caller's options come later and win over these two, as in
// -mllvm -tsan-distinguish-volatile=0. The resource directory is found from
// where this program is, so a build tree or an installed prefix can be moved as
// a whole.

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Noreturn void Die(const char *what, const char *path, const char *remedy) {
  fprintf(stderr, "heddle-clang: %s %s: %s\n%s\n", what, path, strerror(errno), remedy);
  exit(1);
}

static int EndsWith(const char *text, const char *end) {
  size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && !strcmp(text + length - end_length, end);
}

int main(int argc, char **argv) {
  const int cxx = EndsWith(argv[0], "++");

  // <prefix>/bin/heddle-clang -> <prefix>/lib/heddle/clang/<major>
  char self[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length < 0)
    Die("cannot read", "/proc/self/exe", "Is /proc mounted?");
  self[length] = 0;
  for (int up = 0; up < 2; up++) {
    char *slash = strrchr(self, '/');
    if (slash)
      *slash = 0;
  }
  char resource_dir[PATH_MAX + 64];
  snprintf(resource_dir, sizeof resource_dir, "-resource-dir=%s/" HEDDLE_RESOURCE_SUBDIR, self);
  const char *directory = strchr(resource_dir, '=') + 1;
  if (access(directory, R_OK))
    Die("cannot find the runtime in", directory,
        "Build or install Heddle again; bin and lib belong together.");

  // clang runs itself with -cc1 and -cc1as: those command lines are complete.
  int complete = argc > 1 && !strncmp(argv[1], "-cc1", 4);

  char **args = malloc((argc + 8) * sizeof *args);
  if (!args)
    Die("cannot start", "clang", "Out of memory.");
  int n = 0;
  // The whole path: with -no-canonical-prefixes clang believes argv[0], and
  // would go on with the first "clang" on the PATH, of whatever release.
  args[n++] = HEDDLE_SYSTEM_CLANG;
  if (!complete) {
    if (cxx)
      args[n++] = "--driver-mode=g++";
    // A link-only step has no use for a code generation option, nor a
    // compile-only one for a library directory: neither is worth a warning.
    args[n++] = "--start-no-unused-arguments";
    args[n++] = resource_dir;
    args[n++] = "-mllvm";
    args[n++] = "-tsan-distinguish-volatile";
    args[n++] = "--end-no-unused-arguments";
  }
  for (int i = 1; i < argc; i++)
    args[n++] = argv[i];
  args[n] = 0;

  execv(HEDDLE_SYSTEM_CLANG, args);
  if (errno == ENOENT) {
    args[0] = "clang-" HEDDLE_LLVM_MAJOR;
    execvp(args[0], args);
  }
  Die("cannot run", HEDDLE_SYSTEM_CLANG,
      "Install it with\n    apt-get install clang-" HEDDLE_LLVM_MAJOR);
}
