"""How the end-to-end tests compile C++: there are hundreds of them, and each would read <thread>.

The standard headers that most of them include are compiled once for each run of lit. lld links,
where it is installed; the suites toolchain and upstream use the default linker.
"""

import os
import re
import shlex
import shutil
import subprocess

HEADERS = """#include <stdio.h>
#include <stdlib.h>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
"""

# Options that a precompiled header must have been compiled with, too.
OWN_OPTIONS = r"(?=[^&|;]* (-[Ofm]|-std|-no-pie|%cx16))"


def linker_option(tools):
    lld = shutil.which("ld.lld", path=os.pathsep.join([tools, os.environ.get("PATH", "")]))
    return "--start-no-unused-arguments -fuse-ld=lld --end-no-unused-arguments" if lld else ""


def precompile(command, directory):
    """Returns the option that includes the headers; none if they do not compile, which the tests will say."""
    os.makedirs(directory, exist_ok=True)
    header = os.path.join(directory, "standard-headers.h")
    try:
        with open(header) as file:
            written = file.read() == HEADERS
    except OSError:
        written = False
    if not written:
        with open(header, "w") as file:
            file.write(HEADERS)
    # Another lit may be using what was compiled last.
    compiled = "%s.%d" % (header, os.getpid())
    try:
        subprocess.run(
            shlex.split(command) + ["-x", "c++-header", header, "-o", compiled], stderr=subprocess.DEVNULL, check=True
        )
    except subprocess.CalledProcessError:
        return ""
    os.replace(compiled, header + ".pch")
    return "-include-pch " + header + ".pch"


def substitutions(name, compiler, tools, directory, more=""):
    """What lit replaces a name such as %clangxx_heddle with, given the compiler with its options, and more of them."""
    linked = "%s %s %s" % (compiler, linker_option(tools), more)
    return [
        (re.escape(name) + OWN_OPTIONS, linked),
        (re.escape(name), "%s %s" % (linked, precompile(compiler, directory))),
    ]
