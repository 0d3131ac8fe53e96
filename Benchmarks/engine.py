#!/usr/bin/env python3
"""Measures the engine and compares the results with limits: calls relative to an empty call, reads during durable writes, the cost of a token
check, deliveries, and memory and start time with 100,000 trips.

usage: engine.py [PROGRAM] [--rows WORD]

The rows have the same form as those of whole.py. The script needs h2load (Debian: nghttp2-client) and a Python with
google-maps-fleetengine and grpcio (.venv/bin/python may have them). The rows about deliveries need google-maps-fleetengine-delivery as well.
In these rows, a van has 100 stops with one task each, but in the row about the list of tasks, each stop has five tasks.
The trips are booked over gRPC with a pickup and a drop-off, without a vehicle. Memory is RssAnon with the trips minus RssAnon before them.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import delivery_calls
import engine_calls
import harness
from engine_calls import Client, load, ridden, trip_messages
from whole import Table, calibrate

HERE = os.path.dirname(os.path.abspath(__file__))
TRIPS, UPDATES_A_SECOND, READS_A_SECOND, SECONDS, TOKEN_CALLS = 100_000, 100, 100, 20, 10_000


def reads_beside_updates(table, program):
    """Measures GetTrip for a trip whose vehicle reports a hundred times a second. Each answer may wait for a write to the disk."""
    with tempfile.TemporaryDirectory() as folder, harness.server(program, "--database", f"{folder}/rides.db") as (_, addresses):
        client, log = Client(addresses["grpc"]), f"{folder}/reads"
        ask, report = ridden(client)
        began, before = time.monotonic(), updates(addresses)
        writing, _report = load(addresses["grpc"], "VehicleService", "UpdateVehicle", report, 10, SECONDS + 5, f"--rps={UPDATES_A_SECOND / 10}")
        with harness.running(*writing):
            reading, _ask = load(addresses["grpc"], "TripService", "GetTrip", ask, 1, SECONDS, f"--rps={READS_A_SECOND}", f"--log-file={log}")
            subprocess.run(reading, stdout=subprocess.DEVNULL, check=True, timeout=SECONDS + 30)
            written = (updates(addresses) - before) / (time.monotonic() - began)
        taken = sorted(int(line.split()[2]) / 1e3 for line in open(log))
        print(f"{len(taken)} calls of GetTrip during {written:.0f} durable updates a second: half within {taken[len(taken) // 2]:.2f} ms, all within {taken[-1]:.1f} ms")
        table.row(f"GetTrip beside {UPDATES_A_SECOND} updates a second, p99", "ms", taken[int(0.99 * len(taken))], 20, 5)


def token_seen_before(table, program):
    """Measures the cost of a token check: the CPU time per call, alternately on a server that does not check tokens and on one that does."""
    with tempfile.TemporaryDirectory() as folder, harness.server(program) as (open_door, here), \
            harness.server(program, "--auth", "on", "--keys", folder) as (guarded, there):
        token = subprocess.run(
            [program, "token", "mint", "--role", "server", "--keys", folder], capture_output=True, text=True, check=True).stdout.strip()
        make = engine_calls.fleetengine.GetTripRequest
        nobody = make.serialize(make(name=f"{engine_calls.PARENT}/trips/nobody"))

        def microseconds(process, addresses):
            before = harness.cpu(process.pid)
            engine_calls.calls(addresses["grpc"], "TripService", "GetTrip", nobody, 16, TOKEN_CALLS, "-H", f"authorization: Bearer {token}")
            return 1e6 * (harness.cpu(process.pid) - before) / TOKEN_CALLS

        for pair in ((open_door, here), (guarded, there)):
            Client(pair[1]["grpc"]).finds_nothing("TripService", "GetTrip", nobody, [("authorization", f"Bearer {token}")])
            microseconds(*pair)
        pairs = [(microseconds(open_door, here), microseconds(guarded, there)) for _ in range(9)]
        print(f"a call with a token takes {statistics.median(one for one, _ in pairs):.1f} us of CPU on a server that does not check it")
        table.row("verifying a token that was seen before", "us", statistics.median(other - one for one, other in pairs), 20, 5, cpu=True)


def updates(addresses):
    """Returns the number of UpdateVehicle calls that the server has answered with OK."""
    text = harness.text(addresses["http"], "/metrics")
    return sum(float(line.split()[-1]) for line in text.splitlines() if line.startswith("tripwatch_calls_total") and "UpdateVehicle\"" in line and '"OK"' in line)


def many_trips(table, program):
    """Measures the memory for 100,000 trips, with and without a database file, and the time until a server with that file has started."""
    with tempfile.TemporaryDirectory() as folder:
        file = ("--database", f"{folder}/rides.db")
        for options, what in (((), "in memory"), (file, "with a file")):
            with harness.server(program, *options) as (process, addresses):
                before = harness.memory(process.pid, "RssAnon")
                began, client = time.monotonic(), Client(addresses["grpc"])
                client.all("TripService", "CreateTrip", trip_messages(TRIPS, has_vehicle=False))
                print(f"{TRIPS:,} trips {what}: created in {time.monotonic() - began:.0f} s")
                table.row(f"memory a trip, {what}", "KB", (harness.memory(process.pid, "RssAnon") - before) * 1024 / TRIPS, 6, 3)
        began = time.monotonic()
        with harness.server(program, *file) as (process, addresses):
            table.row(f"start with {TRIPS:,} trips", "s", time.monotonic() - began, 2, 1, cpu=True)
            make = engine_calls.fleetengine.GetTripRequest
            Client(addresses["grpc"]).call("TripService", "GetTrip")(make.serialize(make(name=f"{engine_calls.PARENT}/trips/trip-{TRIPS - 1}")))
            table.row("memory a trip, after that start", "KB", (harness.memory(process.pid, "RssAnon") - before) * 1024 / TRIPS, 6, 3)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default=os.path.join(HERE, "../.build/release/tripwatch"))
    parser.add_argument("--rows", default="", help="only the groups whose name contains this word")
    arguments = parser.parse_args()
    if engine_calls.grpc is None or not shutil.which("h2load"):
        sys.exit(engine_calls.WITHOUT if engine_calls.grpc is None else engine_calls.WITHOUT_LOAD)
    table = Table()
    calibrate(table)
    for group in (engine_calls.against_an_empty_call, reads_beside_updates, token_seen_before, delivery_calls.tracking, delivery_calls.reordering,
                  delivery_calls.list_of_tasks, many_trips):
        if arguments.rows in group.__name__:
            group(table, os.path.abspath(arguments.program))
    print(f"\n{table.over} over the limit by more than 15 %" if table.over else "\nno row is over its limit by more than 15 %")
    sys.exit(1 if table.over else 0)


if __name__ == "__main__":
    main()
