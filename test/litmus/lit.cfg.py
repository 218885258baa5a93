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
for name, value in [
    ("%heddle", os.path.join(config.build_dir, "bin", "heddle")),
    ("%FileCheck", config.filecheck + " --dump-input=fail"),
    ("%corpus", os.path.join(config.test_source_root, "corpus")),
]:
    config.substitutions.append((re.escape(name), value))
