#!/usr/bin/env python3
"""What following many trips at once costs: one program, one gRPC connection, a local server. Whole processes, loopback only.

usage: many_trips.py PROGRAM [TRIPS] [SECONDS]

PROGRAM may be two, the server's and the follower's, with a comma between them, so that two followers can be compared on one server.
"""
import collections
import http.client
import json
import os
import re
import subprocess
import sys
import threading
import time

SERVER, FOLLOWER = (sys.argv[1].split(",") * 2)[:2]
TRIPS = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
SECONDS = float(sys.argv[3]) if len(sys.argv) > 3 else 20.0
INTERVAL = 5.0
TICK = os.sysconf("SC_CLK_TCK")
PLACES = {"pickup": {"latitude": -36.0, "longitude": -20.0}, "dropoff": {"latitude": -36.01, "longitude": -19.985}}


def usage(process):
    """CPU seconds, bytes read and bytes written so far."""
    fields = open(f"/proc/{process.pid}/stat").read().rsplit(")", 1)[1].split()
    counts = dict(line.split(": ") for line in open(f"/proc/{process.pid}/io").read().splitlines())
    return (int(fields[11]) + int(fields[12])) / TICK, int(counts["rchar"]), int(counts["wchar"])


def book(address, count):
    connection = http.client.HTTPConnection(address)
    for _ in range(count):
        connection.request("POST", "/trip/new", json.dumps(PLACES), {"content-type": "application/json"})
        yield json.load(connection.getresponse())["name"]


server = subprocess.Popen([SERVER, "serve", "--grpc-port", "0", "--http-port", "0"], stdout=subprocess.PIPE, text=True)
follower = None
try:
    words = dict(word.split("=") for word in server.stdout.readline().split()[1:])
    names = list(book(words["http"], TRIPS))
    started = time.monotonic()
    follower = subprocess.Popen(
        [FOLLOWER, "follow", *names, "--endpoint", words["grpc"], "--plaintext", "--output", "json", "--interval", str(INTERVAL)],
        stdout=subprocess.PIPE, text=True)
    events = collections.Counter()
    first = {}  # of each trip: when its first line came

    def note():
        for line in follower.stdout:
            event = json.loads(line)
            events[event["event"]] += 1
            first.setdefault(event["trip"], time.monotonic() - started)

    reader = threading.Thread(target=note, daemon=True)
    reader.start()
    while len(first) < TRIPS and time.monotonic() - started < 60:
        time.sleep(0.05)
    time.sleep(2 * INTERVAL)  # until the second polls are over, which come at any moment of the interval
    print(f"first line after {min(first.values(), default=0):.2f} s, {len(first)} of {TRIPS} trips told after "
          f"{max(first.values(), default=0):.2f} s")
    before, server_before, began = usage(follower), usage(server), time.monotonic()
    time.sleep(SECONDS)
    after, server_after, took = usage(follower), usage(server), time.monotonic() - began
    status = open(f"/proc/{follower.pid}/status").read()
    resident, private = (int(re.search(rf"{key}:\s+(\d+)", status)[1]) / 1024 for key in ("VmRSS", "RssAnon"))
    polls = TRIPS * took / INTERVAL
    cpu, read, written = (b - a for a, b in zip(before, after))
    print(f"{TRIPS} trips for {took:.0f} s: {100 * cpu / took:.1f} % of a core, {1e6 * cpu / polls:.0f} us and "
          f"{read / polls:.0f} + {written / polls:.0f} bytes read and written a poll, {resident:.0f} MB resident, "
          f"{private:.0f} MB of it anonymous; "
          f"the server {100 * (server_after[0] - server_before[0]) / took:.1f} % of a core")
finally:
    for process in filter(None, (follower, server)):
        process.kill()
        process.wait()
reader.join()
print(f"events: {dict(events)}" + ("" if not events["error"] else "  -- there were errors"))
