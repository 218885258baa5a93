import os
import re
import shutil

import lit.formats

config.name = "Format"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".test"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.build_dir, "test", "format")
config.environment["PATH"] = os.pathsep.join(
    [config.llvm_tools, os.environ.get("PATH", "/usr/bin:/bin")]
)
for name, value in [
    ("%source_dir", config.source_dir),
    ("%FileCheck", config.filecheck + " --dump-input=fail"),
]:
    config.substitutions.append((re.escape(name), value))

# The release that utils/format names; another would not agree with it.
if shutil.which("clang-format-19", path=config.environment["PATH"]):
    config.available_features.add("clang-format")
