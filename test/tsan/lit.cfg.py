# End-to-end tests: compile with heddle-clang, run, FileCheck. None is retried.
import os
import re
import sys

import lit.formats

sys.path.insert(0, os.path.dirname(os.path.dirname(__file__)))
import quick_compiler

config.name = "Heddle"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".c", ".cpp", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.build_dir, "test", "tsan")

bin_dir = os.path.join(config.build_dir, "bin")
# Tests must not depend on the options of whoever runs them.
for name in ("TSAN_OPTIONS", "CC", "CXX", "CFLAGS", "CXXFLAGS", "LDFLAGS"):
    config.environment.pop(name, None)
config.environment["PATH"] = os.pathsep.join(
    [bin_dir, config.llvm_tools, os.environ.get("PATH", "/usr/bin:/bin")]
)
config.environment["TSAN_SYMBOLIZER_PATH"] = config.symbolizer

inputs = os.path.join(config.test_source_root, "Inputs")
flags = "-fsanitize=thread -g -O1 -Wall -I%s" % inputs
# More flags of the runtime for every test, see docs/testing.md.
options, more = lit_config.params.get("options"), ""
if options:
    if not re.fullmatch(r"[\w=:]+", options):
        lit_config.fatal("--param options= takes FLAG=VALUE:..., and not %s" % options)
    define = "-DHEDDLE_DEFAULT_OPTIONS='\"%s\"'" % options
    more = " -include %s %s" % (os.path.join(inputs, "default-options.h"), define)
for name, value in [
    ("%heddle-clang++", os.path.join(bin_dir, "heddle-clang++")),
    ("%heddle-clang", os.path.join(bin_dir, "heddle-clang")),
    ("%clang_heddle", "%s %s" % (os.path.join(bin_dir, "heddle-clang"), flags + more)),
    # The same program with the system's own runtime, to show what it says.
    ("%clangxx_stock", "%s -std=c++20 %s" % (config.system_clangxx, flags + more)),
    ("%system_clangxx", config.system_clangxx),
    ("%system_clang", config.system_clang),
    ("%resource_dir", config.resource_dir),
    ("%build_dir", config.build_dir),
    ("%source_dir", config.source_dir),
    ("%cmake", config.cmake),
    ("%arch", config.arch),
    # Fails unless the command exits with 66, ThreadSanitizer's code for a report.
    ("%expect_race", os.path.join(config.test_source_root, "Inputs", "expect-race")),
    # Fails unless the command exits with 0 and without a report.
    ("%expect_clean", os.path.join(config.test_source_root, "Inputs", "expect-clean")),
    # Fails unless the command exits with the code given first.
    ("%expect_exit", os.path.join(config.test_source_root, "Inputs", "expect-exit")),
    # Runs a command under every strategy, see there.
    ("%every_schedule", os.path.join(config.test_source_root, "Inputs", "every-schedule")),
    # Runs a command with every engine of weak memory, see there.
    ("%every_engine", os.path.join(config.test_source_root, "Inputs", "every-engine")),
    # Runs a command in six modes, see there.
    ("%six_modes", os.path.join(config.test_source_root, "Inputs", "six-modes")),
    # Records a command and plays the recording, see there.
    ("%record_and_play", os.path.join(config.test_source_root, "Inputs", "record-and-play")),
    # Takes the events out of a stream of a demo, see there.
    ("%without_events", os.path.join(config.test_source_root, "Inputs", "without-events")),
    # Asks a program for executions as its fork server, see there.
    ("%fork_server", os.path.join(config.test_source_root, "Inputs", "fork-server")),
    ("%python", sys.executable),
    # Fails if a row of the table of input has no call in a program.
    ("%rows_without_call", os.path.join(config.test_source_root, "Inputs", "rows-without-call")),
    # What the compiler needs to inline 16-byte atomics.
    ("%cx16", "-mcx16" if config.arch == "x86_64" else ""),
    ("%FileCheck", config.filecheck + " --dump-input=fail"),
]:
    config.substitutions.append((re.escape(name), value))
config.substitutions += quick_compiler.substitutions(
    "%clangxx_heddle",
    "%s -std=c++20 %s" % (os.path.join(bin_dir, "heddle-clang++"), flags),
    config.llvm_tools,
    config.test_exec_root,
    more,
)
config.available_features.add(config.arch)
# Debian packages that need not be there.
for feature, file in [
    ("liburing", "/usr/include/liburing.h"),
    ("boost-context", "/usr/include/boost/context/fiber.hpp"),
    ("boost-fiber", "/usr/include/boost/fiber/all.hpp"),
    ("openmp", os.path.join(config.llvm_tools, "..", "lib", "libomp.so")),
]:
    if os.path.exists(file):
        config.available_features.add(feature)


def has_io_uring():
    """Whether the kernel lets this process have one: not in every container."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    ring = libc.syscall(425, 4, ctypes.create_string_buffer(120))
    if ring >= 0:
        os.close(ring)
    return ring >= 0


if has_io_uring():
    config.available_features.add("io_uring")
