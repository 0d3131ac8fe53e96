#!/usr/bin/env python3
"""Instructions of a panned frame of 200x60 at Paris z15, and of its tile 14/8298/5635 from file to paintable. callgrind counts them as the
difference of two runs, without the start of the process and the other tiles.

usage: count.py PROGRAM
"""
import os
import re
import subprocess
import sys
import tempfile

if len(sys.argv) != 2:
    sys.exit(__doc__)


def instructions(what, count):
    with tempfile.NamedTemporaryFile() as profile:
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", "--callgrind-out-file=" + profile.name, sys.argv[1], what, str(count)],
            capture_output=True, text=True, timeout=600, env={**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"})
    found = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or not found:
        sys.exit(run.stdout + run.stderr)
    return int(found.group(1))


for what, few, many in [("frame", 100, 200), ("tile", 2, 12)]:
    each = (instructions(what, many) - instructions(what, few)) / (many - few)
    print(f"{what}: {each / 1e6:.2f} million instructions")
