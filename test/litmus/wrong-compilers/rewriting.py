"""Compilers that are wrong on purpose: what they share.

Each is a command that takes the words of the compiler it stands for. To compile (-c), it lets that
compiler write assembly, rewrites it, and lets it be assembled; all else it leaves alone.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def run(command):
    """Runs a command; its failure is ours."""
    code = subprocess.run(command, check=False).returncode
    if code != 0:
        sys.exit(code if code > 0 else 128 - code)


def compile_with(compiler, rewrite, extra=()):
    """Is the compiler, but for what `rewrite` makes of the lines of assembly.

    `extra` are words that the compiler gets besides.
    """
    words = sys.argv[1:]
    if "-c" not in words:
        os.execvp(compiler, [compiler, *words])
    output = words[words.index("-o") + 1]
    flags = [word for word in words if word.startswith(("-m", "--target"))]
    with tempfile.TemporaryDirectory() as directory:
        assembly = pathlib.Path(directory) / "rewritten.s"
        words[words.index("-c")] = "-S"
        words[words.index("-o") + 1] = str(assembly)
        run([compiler, *extra, *words])
        lines = assembly.read_text(encoding="utf-8").splitlines()
        assembly.write_text("\n".join(rewrite(lines)) + "\n", encoding="utf-8")
        run([compiler, *flags, "-c", str(assembly), "-o", output])
