import os
import re

import lit.formats

config.name = "Fuzz"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".test"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.build_dir, "test", "fuzz")
config.substitutions.append((re.escape("%fuzzers"), config.test_exec_root))
config.substitutions.append(
    (re.escape("%corpus"), os.path.join(config.test_source_root, "..", "litmus", "corpus"))
)
# Enough of an allocation at once to tell a leak of a limit from a large test.
config.substitutions.append(
    (re.escape("%limits"), "-seed=1 -rss_limit_mb=2048 -timeout=20 -print_final_stats=1")
)
