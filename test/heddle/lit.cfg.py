# The heddle command, end to end: it is run on small programs, each with a bug of its kind.
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

import lit.formats

sys.path.insert(0, os.path.dirname(os.path.dirname(__file__)))
import quick_compiler

config.name = "Heddle-Command"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".cpp", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.build_dir, "test", "heddle")

bin_dir = os.path.join(config.build_dir, "bin")
inputs = os.path.join(config.test_source_root, "Inputs")
tsan_inputs = os.path.join(config.source_dir, "test", "tsan", "Inputs")
# Tests must not depend on the options of whoever runs them.
for name in ("TSAN_OPTIONS", "CC", "CXX", "CFLAGS", "CXXFLAGS", "LDFLAGS"):
    config.environment.pop(name, None)
config.environment["PATH"] = os.pathsep.join([bin_dir, config.llvm_tools, os.environ.get("PATH", "/usr/bin:/bin")])
config.environment["TSAN_SYMBOLIZER_PATH"] = config.symbolizer
# The key with which findings are marked: not the one of whoever runs the tests.
config.environment["XDG_CONFIG_HOME"] = os.path.join(config.test_exec_root, "config")

for name, value in [
    ("%clangxx_stock", config.system_clangxx + " -std=c++20 -g -O1"),
    # Fails unless the command exits with the code given first.
    ("%expect_exit", os.path.join(tsan_inputs, "expect-exit")),
    ("%heddle", os.path.join(bin_dir, "heddle")),
    ("%inputs", inputs),
    ("%tsan_inputs", tsan_inputs),
    ("%source_dir", config.source_dir),
    ("%build_dir", config.build_dir),
    ("%python", config.python),
    ("%FileCheck", config.filecheck + " --dump-input=fail"),
]:
    config.substitutions.append((re.escape(name), value))

config.substitutions += quick_compiler.substitutions(
    "%clangxx_heddle",
    os.path.join(bin_dir, "heddle-clang++") + " -std=c++20 -fsanitize=thread -g -O1 -Wall",
    config.llvm_tools,
    config.test_exec_root,
)
config.available_features.add(platform.machine())

# Whether a file system can be mounted, as root or in a user's own namespace.
with tempfile.TemporaryDirectory() as directory:
    if (
        subprocess.run(
            [os.path.join(inputs, "with-small-disk"), directory, "64k", "true"], stderr=subprocess.DEVNULL
        ).returncode
        == 0
    ):
        config.available_features.add("small-disk")

for tool in ("gdb", "bash", "zsh", "fish", "man", "sbatch", "parallel", "chromium"):
    if shutil.which(tool):
        config.available_features.add(tool)

# Whether gcc has its own ThreadSanitizer, which is a package by itself.
with tempfile.TemporaryDirectory() as directory:
    if (
        shutil.which("g++")
        and subprocess.run(
            ["g++", "-fsanitize=thread", "-x", "c++", "-", "-o", os.path.join(directory, "program")],
            input=b"int main() {}",
            stderr=subprocess.DEVNULL,
        ).returncode
        == 0
    ):
        config.available_features.add("gcc-tsan")
