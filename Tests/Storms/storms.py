"""Kills programs that write files, over and over, and checks that the files survive. Exit code 1 if anything was lost or broken.

usage: .ci/storms [COUNT] [--program PATH] [--only STORM] [--seed N]
"""
import argparse
import importlib
import os
import random
import shutil
import sys
import tempfile
import time

from scene import Scene

STORMS = ("engine", "backup", "tiles", "trips", "settings", "recording")


def main():
    parser = argparse.ArgumentParser(prog=".ci/storms", description=__doc__.split("\n")[0])
    parser.add_argument("count", nargs="?", type=int, default=20, help="rounds of each storm")
    parser.add_argument("--program", default=".build/debug/tripwatch")
    parser.add_argument("--only", choices=STORMS, help="one storm")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32), help="seed of the moments of the kills")
    options = parser.parse_args()
    print(f"seed {options.seed}\nstorm, rounds, lost, broken, seconds", flush=True)
    results = [run(name, options) for name in STORMS if options.only in (None, name)]
    sys.exit(0 if all(results) else 1)


def run(name, options):
    """Runs a storm and prints its line. Returns whether all data survived. If not, the storm's folder is not deleted."""
    folder, began = tempfile.mkdtemp(prefix=f"storm-{name}-"), time.monotonic()
    scene = Scene(os.path.abspath(options.program), folder, random.Random(f"{options.seed} {name}"))
    note = "unfinished"
    try:
        with scene.noting("the storm"):
            note = importlib.import_module(name).storm(scene, options.count)
    except KeyboardInterrupt:
        note = "interrupted"
    print(f"{name}, {scene.rounds}, {len(scene.lost)}, {len(scene.broken)}, {time.monotonic() - began:.0f} ({note})", flush=True)
    for fault in scene.lost[:20] + scene.broken[:20]:
        print(f"  {fault}", file=sys.stderr)
    if scene.lost or scene.broken:
        print(f"  the files are in {folder}", file=sys.stderr)
    else:
        shutil.rmtree(folder)
    if note == "interrupted":
        sys.exit(1)
    return not scene.lost and not scene.broken


if __name__ == "__main__":
    main()
