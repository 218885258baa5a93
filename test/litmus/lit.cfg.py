import os
import re

import lit.formats

config.name = "Litmus"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".test"]
config.excludes = ["Inputs", "corpus"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.build_dir, "test", "litmus")
config.environment["PATH"] = os.pathsep.join(
    [config.llvm_tools, os.environ.get("PATH", "/usr/bin:/bin")]
)
# Tests must not depend on the options of whoever runs them.
config.environment.pop("TSAN_OPTIONS", None)
bin_dir = os.path.join(config.build_dir, "bin")
run_litmus = os.path.join(config.source_dir, "utils", "run-litmus")
for name, value in [
    ("%heddle-clang++", os.path.join(bin_dir, "heddle-clang++")),
    ("%run_litmus", "%s %s --build %s" % (config.python, run_litmus, config.build_dir)),
    ("%heddle", os.path.join(bin_dir, "heddle")),
    ("%FileCheck", config.filecheck + " --dump-input=fail"),
    ("%corpus", os.path.join(config.test_source_root, "corpus")),
]:
    config.substitutions.append((re.escape(name), value))
