# How Heddle is used: the wrappers, the installed prefix, build systems, other
# compilers, and what configuring says when something is missing.
import os
import re
import shutil
import lit.formats

config.name = "Heddle-Toolchain"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".c", ".cpp", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.build_dir, "test", "toolchain")

inputs = os.path.join(config.test_source_root, "Inputs")
bin_dir = os.path.join(config.build_dir, "bin")
# Tests must not depend on the options of whoever runs them.
for name in ("TSAN_OPTIONS", "ASAN_OPTIONS", "UBSAN_OPTIONS", "CC", "CXX", "CFLAGS", "CXXFLAGS", "LDFLAGS"):
    config.environment.pop(name, None)
config.environment["PATH"] = os.pathsep.join(
    [bin_dir, config.llvm_tools, os.environ.get("PATH", "/usr/bin:/bin")]
)
for sanitizer in ("TSAN", "ASAN", "UBSAN"):
    config.environment[sanitizer + "_SYMBOLIZER_PATH"] = config.symbolizer

# A longer name stands before the one it starts with.
for name, value in [
    ("%heddle-clang++", os.path.join(bin_dir, "heddle-clang++")),
    ("%heddle-clang", os.path.join(bin_dir, "heddle-clang")),
    ("%system_resource_dir", config.system_resource_dir),
    ("%system_clangxx", config.system_clangxx),
    ("%system_clang", config.system_clang),
    ("%resource_dir", config.resource_dir),
    ("%resource_subdir", config.resource_subdir),
    ("%compiler_rt", config.compiler_rt),
    ("%build_dir", config.build_dir),
    ("%source_dir", config.source_dir),
    ("%inputs", inputs),
    # The project that every build system builds.
    ("%sample", os.path.join(inputs, "sample")),
    # Fails unless the sample was built with Heddle throughout.
    ("%check_sample", os.path.join(inputs, "check-sample")),
    ("%expect_race", os.path.join(config.source_dir, "test", "tsan", "Inputs", "expect-race")),
    # Configures, in whatever generator Heddle itself uses.
    ("%configure", "%s -G '%s'" % (config.cmake, config.generator)),
    ("%cmake", config.cmake),
    ("%python", config.python),
    ("%nm", config.nm),
    ("%arch", config.arch),
    ("%FileCheck", config.filecheck + " --dump-input=fail"),
]:
    # lit takes a name for a regular expression, in which ++ has a meaning.
    config.substitutions.append((re.escape(name), value))
config.available_features.add(config.arch)


def which(tool):
    return shutil.which(tool, path=config.environment["PATH"])


for feature, tools in {
    "autotools": ["autoreconf", "automake", "make"],
    "gcc": ["gcc", "g++"],
    "make": ["make"],
    "meson": ["meson", "ninja"],
    "lld": ["ld.lld"],
}.items():
    if all(which(tool) for tool in tools):
        config.available_features.add(feature)

# GNU ld and gold read LLVM's bitcode through a plugin in clang's installation.
plugin = os.path.join(os.path.dirname(os.path.realpath(config.system_clang)), "../lib/LLVMgold.so")
for feature, tool in [("lto-gold", "ld.gold"), ("lto-bfd", "ld.bfd")]:
    if os.path.exists(plugin) and which(tool):
        config.available_features.add(feature)

# What our symbol lists are compared with.
if os.path.exists(os.path.join(config.system_resource_dir, "lib/linux/libclang_rt.tsan-%s.a.syms" % config.arch)):
    config.available_features.add("system-tsan")
