"""Another mapping of C11's atomics to Arm, put in place of gcc's (see marks.h)."""

import re

from rewriting import HERE, compile_with

FULL = ["dmb ish"]
# A branch that depends on what was loaded, and a barrier of instructions behind it: orders the load
# before all later accesses.
CONTROL = ["teq {0}, {0}", "beq 9f", "9:", "isb"]
# A read-modify-write has a branch already.
ISB = ["isb"]

MARK = re.compile(r"\s*@ heddle: (before|after) (\w+) memory_order_(\w+)(?: (\w+))?")


def compile_with_mapping(mapping):
    """`mapping` has instructions by what stands there: ("before", "load", "seq_cst")."""

    def rewrite(lines):
        for line in lines:
            yield line
            if match := MARK.fullmatch(line):
                for instruction in mapping.get(match.groups()[:3], []):
                    yield "\t" + instruction.format(match[4])

    compile_with("arm-linux-gnueabihf-gcc", rewrite, ["-include", str(HERE / "marks.h")])
