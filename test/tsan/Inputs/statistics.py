"""Runs a program with statistics, once for each seed, and prints what it left.

    statistics.py PROGRAM OPTIONS SEED...
"""

import os
import struct
import subprocess
import sys

HEAD = struct.Struct("<II")
EXECUTION = struct.Struct("<13Q")
SLOTS, MAP_BYTES = 256, (1 << 20) // 8
NAMES = (
    "seed threads operations communications loads stale switches preemptions reports schedule"
    " new_reads_from new_schedule complete"
).split()

program, options, *seeds = sys.argv[1:]
file = os.memfd_create("statistics", 0)
os.ftruncate(file, HEAD.size + SLOTS * EXECUTION.size + 2 * MAP_BYTES)
os.pwrite(file, HEAD.pack(0x53444548, 1), 0)
for slot, seed in enumerate(seeds):
    flags = f"{options} seed={seed} statistics_file={file} statistics_slot={slot}"
    environment = dict(os.environ, TSAN_OPTIONS=flags)
    subprocess.run([program], env=environment, pass_fds=[file], check=True)
    row = os.pread(file, EXECUTION.size, HEAD.size + slot * EXECUTION.size)
    figures = dict(zip(NAMES, EXECUTION.unpack(row)))
    assert figures["preemptions"] <= figures["switches"] < figures["operations"]
    del figures["preemptions"], figures["schedule"]
    print(" ".join(f"{name} {figure}" for name, figure in figures.items()))
