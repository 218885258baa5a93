"""The cores of programs: litmus tests that `heddle litmus` enumerates, correct and with the bug."""

import re
import shlex
import subprocess

from executions import Failure


def weaken(core, place):
    """Writes the core with its bug to a directory, and returns its path.

    A core says beside an order what the bug makes of it: memory_order_release /* bug: relaxed */
    """
    text, count = re.subn(
        r"memory_order_\w+ /\* bug: (\w+) \*/", r"memory_order_\1", core.read_text()
    )
    if not count:
        raise Failure(f"{core} does not say what the bug is")
    bug = place / core.name
    bug.write_text(text)
    return bug


def shows(heddle, options, file):
    """Whether a core has an execution that its condition forbids."""
    result = subprocess.run([heddle, "litmus", *options, file], capture_output=True, text=True)
    match = re.search(r"^Observation \S+ (Never|Sometimes|Always)", result.stdout, re.MULTILINE)
    if not match:
        command = shlex.join([str(heddle), "litmus", *options, str(file)])
        raise Failure(f"{command} failed:\n{result.stderr.strip()[-500:]}")
    return match.group(1) != "Never"
