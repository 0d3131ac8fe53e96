#!/usr/bin/env python3
"""Measures the real program on a pseudo-terminal, with a local server and on loopback only: times that a user notices, CPU, memory and output.

usage: whole.py [PROGRAM] [--tiles FILE] [--rows WORD]

Each row has the measured figure, the limit and the aim. The script exits with 1 if a row is over its limit by more than 15 %. The limits of CPU
times are for a machine on which the calibrator (Calibrator/pan.c) takes 1.5 ms a frame; on other machines, they are scaled by its time there.
Conditions: xterm-256color with 200x60 cells, unless a row says otherwise; the map at 48.8701,2.3424. The keys l l h h are repeated, each after
30 ms without output: 8 keys to warm up, then 48 keys that are measured. KB are 1,000 bytes. Resident memory is VmRSS, but RssAnon for many trips.
Wake-ups are voluntary context switches of all threads.
"""
import argparse
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import delivery_calls
import engine_calls
import harness
import shared_link
from harness import ENVIRONMENT, Screen, cpu, wake_ups, wake_ups_since

HERE = os.path.dirname(os.path.abspath(__file__))
PLACE, SIZE = "48.8701,2.3424", {"columns": 200, "rows": 60}
CALIBRATED_MS, TOLERANCE = 1.5, 1.15
WARM_UP, FRAMES, QUIET = 8, 48, 0.03
FOLLOWING_SECONDS, RESTING_SECONDS, MANY, MANY_SECONDS, SHIPMENTS = 40, 20, 10_000, 20, 2_000
OVER_SSH = ENVIRONMENT | {"SSH_CONNECTION": "127.0.0.1 40000 127.0.0.1 22"}


class Table:
    """Prints the measured rows. `scale` is the calibrator's time on this machine, divided by its time on the machine that the limits are for."""

    def __init__(self):
        self.scale, self.over = 1.0, 0

    def row(self, what, unit, now, limit, aim, cpu=False, more_is_better=False):
        limit, aim = (bar * self.scale if cpu else bar for bar in (limit, aim))
        ratio = limit / now if more_is_better else now / limit
        over = ratio > TOLERANCE
        self.over += over
        mark = "OVER" if over else "at the limit" if ratio > 1 else "ok" if (now > aim) != more_is_better and now != aim else "aim"
        print(f"{what:48} {now:10.4g} {limit:10.4g} {aim:10.4g}  {unit:12} {mark}", flush=True)

    def rate(self, what, now, limit, aim):
        """Adds a row with calls per second. A slower machine has lower limits, because it answers fewer calls."""
        self.row(what, "a second", now, limit / self.scale, aim / self.scale, more_is_better=True)


def calibrate(table):
    with tempfile.TemporaryDirectory() as folder:
        program, answer = os.path.join(folder, "pan"), os.path.join(folder, "answer")
        subprocess.run(["cc", "-O2", "-o", program, os.path.join(HERE, "Calibrator", "pan.c"), "-lncursesw"], check=True)
        taken = []
        for _ in range(3):
            with Screen(program, answer, **SIZE) as screen:
                screen.quiet(5)
            taken.append(float(open(answer).read()))
    table.scale = statistics.median(taken) / CALIBRATED_MS
    print(f"the calibrator takes {statistics.median(taken):.2f} ms a frame here: the limits of CPU times are multiplied by {table.scale:.2f}\n")
    print(f"{'what':48} {'now':>10} {'limit':>10} {'aim':>10}")


def panned_frames(table, program, tiles):
    # For each zoom, three pairs of limit and aim: CPU per frame, KB per frame panned sideways, and KB per frame panned up and down.
    bars = {
        14: ((1.8, 1.5), (35, 25), (12, 8)),
        15: ((1.8, 1.5), (25, 20), (12, 8)),
        16: ((2.4, 1.8), (50, 35), (20, 15)),
        17: ((1.8, 1.5), (35, 30), (14, 10)),
    }
    for zoom, (cpu_bars, sideways, upright) in bars.items():
        used, sent = panned(program, tiles, zoom, b"llhh")
        table.row(f"panned frame, z{zoom}, CPU", "ms", used, *cpu_bars, cpu=True)
        table.row(f"panned frame, z{zoom}, to the terminal", "KB", sent, *sideways)
        table.row(f"frame panned up and down, z{zoom}", "KB", panned(program, tiles, zoom, b"kkjj")[1], *upright)


def panned(program, tiles, zoom, keys):
    """Returns the CPU milliseconds and the KB of output for one frame."""
    with Screen(program, "map", f"{PLACE},{zoom}", "--basemap", tiles, **SIZE) as screen:
        screen.until(rb"OpenStreetMap")
        screen.quiet(0.5)
        for number, key in enumerate(itertools.islice(itertools.cycle(keys), WARM_UP + FRAMES)):
            if number == WARM_UP:
                used, drawn = cpu(screen.pid), screen.size
            screen.press(bytes([key]), QUIET)
        return 1e3 * (cpu(screen.pid) - used) / FRAMES, (screen.size - drawn) / FRAMES / 1e3


def whole_picture(table, program, tiles):
    """Measures the time from the start to the whole picture, and the duration of pans for which the program reads a new tile from the file."""
    for where, environment, start, pan in (("", ENVIRONMENT, (60, 35), (40, 15)), (", over ssh", OVER_SSH, (80, 45), (60, 25))):
        first, times, settled = [], [], []
        for _ in range(7):
            with Screen(program, "map", f"{PLACE},15", "--basemap", tiles, environment=environment, **SIZE) as screen:
                first.append(1e3 * screen.until(rb"tripwatch"))
                screen.until(rb"OpenStreetMap")
                screen.quiet(0.8)
                times.append(1e3 * (screen.last - screen.began))
        with Screen(program, "map", f"{PLACE},15", "--basemap", tiles, environment=environment, **SIZE) as screen:
            screen.until(rb"OpenStreetMap")
            screen.quiet(1)
            for key in b"l" * 24 + b"j" * 16:
                before = harness.bytes_read(screen.pid)
                took = screen.press(bytes([key]), 0.7)
                # The program also reads a small file for each frame. A tile of this city is larger than that file.
                if harness.bytes_read(screen.pid) > before + 100_000:
                    settled.append(1e3 * took)
        table.row(f"start to the first frame{where}", "ms", statistics.median(first), 30, 20, cpu=True)
        table.row(f"start to the whole picture of Paris{where}", "ms", statistics.median(times), *start, cpu=True)
        if settled:
            table.row(f"pan that meets a new tile, to settled{where}", "ms", statistics.median(settled), *pan, cpu=True)


def at_rest(table, program, tiles):
    with Screen(program, "map", f"{PLACE},15", "--basemap", tiles, **SIZE) as screen:
        screen.until(rb"OpenStreetMap")
        screen.wait(3)
        before = wake_ups(screen.pid)
        screen.wait(RESTING_SECONDS)
        table.row("map at rest, wake-ups", "a second", wake_ups_since(before, screen.pid) / RESTING_SECONDS, 5, 1)
        for key in b"l" * 10 + b"j" * 10:
            screen.press(bytes([key]), 0.3)
        table.row("resident, Paris after a walk", "MB", harness.memory(screen.pid), 60, 40)


def resting_server(table, process, what):
    # Some threads are needed only at the start. They have ended after this pause.
    time.sleep(10)
    before = wake_ups(process.pid)
    time.sleep(RESTING_SECONDS)
    table.row(what, "a second", wake_ups_since(before, process.pid) / RESTING_SECONDS, 5, 1)


def following(table, program):
    with harness.server(program, "--hook", "http://127.0.0.1:1/") as (process, addresses):
        harness.book_phone(addresses["http"])
        resting_server(table, process, "serve with a hook and a phone, no trip, wake-ups")
    with harness.server(program) as (process, addresses):
        resting_server(table, process, "serve without a trip, wake-ups")
        connection = ["--endpoint", addresses["grpc"], "--plaintext", "--provider", "demo"]
        route = "-36.012,-20.012;-36.011,-20.011"
        with harness.running(program, "drive", "--vehicle", "car", "--simulate", "--create", "--route", route, *connection):
            trip = harness.book(addresses["http"])[0]
            # The first row is for a common size of the terminal, the second for the largest size.
            for columns, rows, (used_bars, byte_bars, wake_bars) in (
                (80, 24, ((0.2, 0.1), (150, 100), (20, 8))), (200, 60, ((0.4, 0.25), (400, 250), (20, 8)))
            ):
                follow(table, [program, "follow", trip, *connection, "--basemap", "demo"], columns, rows, used_bars, byte_bars, wake_bars)
            taken = [harness.cpu_of(program, "status", trip, *connection) for _ in range(15)]
            table.row("status, CPU", "ms", 1e3 * statistics.median(taken), 45, 20, cpu=True)


def follow(table, command, columns, rows, used_bars, byte_bars, wake_bars):
    size = f"following {columns}x{rows}"
    with Screen(*command, columns=columns, rows=rows) as screen:
        screen.until(rb"min")
        screen.wait(5)
        used, drawn, woken, began = cpu(screen.pid), screen.size, wake_ups(screen.pid), time.monotonic()
        screen.wait(FOLLOWING_SECONDS)
        took = time.monotonic() - began
        table.row(f"{size}, CPU", "% of a core", 100 * (cpu(screen.pid) - used) / took, *used_bars, cpu=True)
        table.row(f"{size}, to the terminal", "bytes/s", (screen.size - drawn) / took, *byte_bars)
        table.row(f"{size}, wake-ups", "a second", wake_ups_since(woken, screen.pid) / took, *wake_bars)
        if columns == 80:
            table.row("resident, following", "MB", harness.memory(screen.pid), 60, 40)


def short_commands(table, program, tiles):
    for what, arguments, limit, aim in (
        ("--version, CPU", ["--version"], 15, 8), ("map FILE --dump, CPU", ["map", f"{PLACE},15", "--basemap", tiles, "--dump"], 40, 26)
    ):
        taken = [harness.cpu_of(program, *arguments) for _ in range(15)]
        table.row(what, "ms", 1e3 * statistics.median(taken), limit, aim, cpu=True)


def many_trips(table, program):
    with harness.server(program) as (_, addresses):
        names = harness.book(addresses["http"], MANY)
        began = time.monotonic()
        command = [program, "follow", *names, "--endpoint", addresses["grpc"], "--plaintext", "--output", "json"]
        follower = subprocess.Popen(command, stdout=subprocess.PIPE, env=ENVIRONMENT)
        try:
            told, first, all_told = Told(follower.stdout), None, None
            while all_told is None and time.monotonic() < began + 60:
                time.sleep(0.02)
                first = first or (time.monotonic() - began if told.trips else None)
                all_told = time.monotonic() - began if len(told.trips) == MANY else None
            time.sleep(10)
            used, since = cpu(follower.pid), time.monotonic()
            time.sleep(MANY_SECONDS)
            share = 100 * (cpu(follower.pid) - used) / (time.monotonic() - since)
            table.row(f"{MANY:,} trips as lines, CPU", "% of a core", share, 40, 25, cpu=True)
            table.row(f"{MANY:,} trips as lines, RssAnon", "MB", harness.memory(follower.pid, "RssAnon"), 350, 250)
            table.row(f"{MANY:,} trips as lines, first line", "s", first or 60, 1, 0.5, cpu=True)
            table.row(f"{MANY:,} trips as lines, all trips", "s", all_told or 60, 6, 5.5)
        finally:
            follower.kill()
            follower.wait()


def many_pages(table, program):
    """Measures the cost of many trips on the screen while it shows the page of one trip, and the time from a key to its effect."""
    for count, limit, aim in ((1_000, 8, 6), (MANY, 60, 40)):
        with harness.server(program) as (_, addresses):
            names = harness.book(addresses["http"], count)
            command = [program, "follow", *names, "--endpoint", addresses["grpc"], "--plaintext", "--output", "screen", "--basemap", "none"]
            with Screen(*command) as screen:
                screen.until(rb"LOOKING|Looking")
                screen.wait(15)
                used, since = cpu(screen.pid), time.monotonic()
                screen.wait(MANY_SECONDS)
                share = 100 * (cpu(screen.pid) - used) / (time.monotonic() - since)
                table.row(f"{count:,} trips on the screen, CPU", "% of a core", share, limit, aim, cpu=True)
                answers = [1e3 * screen.first_byte(b"?") for _ in range(40)]
                table.row(f"{count:,} trips on the screen, key to first byte", "ms", statistics.median(answers), 20, 10, cpu=True)


def many_shipments(table, program):
    """Compares following shipments as lines with following the same number of trips as lines. The two run one after the other, without vehicles."""
    if delivery_calls.missing():
        return
    with harness.server(program) as (_, addresses):
        delivery_calls.create_tasks(engine_calls.Client(addresses["grpc"]), SHIPMENTS)
        shipments = [f"{engine_calls.PARENT}/taskTrackingInfo/parcel-{number}" for number in range(SHIPMENTS)]
        one = followed(program, addresses, harness.book(addresses["http"], SHIPMENTS), "trip")
        other = followed(program, addresses, shipments, "tracking")
        print(f"{SHIPMENTS:,} trips as lines take {one[0]:.1f} % of a core and {one[1]:.0f} MB")
        table.row(f"{SHIPMENTS:,} shipments as lines, CPU", "x trips", other[0] / one[0], 1.2, 1)
        table.row(f"{SHIPMENTS:,} shipments as lines, RssAnon", "x trips", other[1] / one[1], 1.2, 1)


def followed(program, addresses, names, key):
    """Follows trips or shipments as lines. Returns the CPU time in % of a core and the memory in MB. `key` is the member of a line with the name."""
    command = [program, "follow", *names, "--endpoint", addresses["grpc"], "--plaintext", "--output", "json"]
    follower = subprocess.Popen(command, stdout=subprocess.PIPE, env=ENVIRONMENT)
    try:
        told, began = Told(follower.stdout, key), time.monotonic()
        while len(told.trips) < len(names):
            time.sleep(0.1)
            if time.monotonic() > began + 60:
                sys.exit(f"only {len(told.trips)} of {len(names)} names had a line after a minute")
        time.sleep(10)
        used, since = cpu(follower.pid), time.monotonic()
        time.sleep(MANY_SECONDS)
        return 100 * (cpu(follower.pid) - used) / (time.monotonic() - since), harness.memory(follower.pid, "RssAnon")
    finally:
        follower.kill()
        follower.wait()


class Told:
    """Collects the names of the trips or shipments in the lines of a follower."""

    def __init__(self, stream, key="trip"):
        self.trips, self.key = set(), key
        threading.Thread(target=self.read, args=[stream], daemon=True).start()

    def read(self, stream):
        for line in stream:
            self.trips.add(json.loads(line)[self.key])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default=os.path.join(HERE, "../.build/release/tripwatch"))
    parser.add_argument("--tiles", default=os.path.join(HERE, "../../shared/data/map/tiles/omt_paris_ruhr.pmtiles"), help="a PMTiles file with Paris")
    parser.add_argument("--rows", default="", help="only the groups whose name contains this word")
    arguments = parser.parse_args()
    table = Table()
    calibrate(table)
    program, tiles = os.path.abspath(arguments.program), arguments.tiles
    with_map = [panned_frames, whole_picture, at_rest, short_commands] if os.path.exists(tiles) else []
    if not with_map:
        print(f"the rows about the map are left out: there is no {tiles}")
    groups = {group.__name__: group for group in with_map}
    for name, group in groups.items():
        if arguments.rows in name:
            group(table, program, tiles)
    for group in (following, shared_link.shared_link, many_trips, many_shipments, many_pages, engine_calls.searches, engine_calls.get_trip_load,
                  engine_calls.against_an_empty_call):
        if arguments.rows in group.__name__:
            group(table, program)
    print(f"\n{table.over} over the limit by more than 15 %" if table.over else "\nno row is over its limit by more than 15 %")
    sys.exit(1 if table.over else 0)


if __name__ == "__main__":
    main()
