#!/usr/bin/env python3
"""What following many trips at once costs: one program, one gRPC connection, a local server. Whole processes, loopback only.

usage: many_trips.py PROGRAM [TRIPS] [SECONDS]
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

PROGRAM = sys.argv[1]
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


server = subprocess.Popen([PROGRAM, "serve", "--grpc-port", "0", "--http-port", "0"], stdout=subprocess.PIPE, text=True)
follower = None
try:
    words = dict(word.split("=") for word in server.stdout.readline().split()[1:])
    names = list(book(words["http"], TRIPS))
    follower = subprocess.Popen(
        [PROGRAM, "follow", *names, "--endpoint", words["grpc"], "--plaintext", "--output", "json", "--interval", str(INTERVAL)],
        stdout=subprocess.PIPE, text=True)
    events = collections.Counter()
    reader = threading.Thread(target=lambda: events.update(json.loads(line)["event"] for line in follower.stdout), daemon=True)
    reader.start()
    time.sleep(2 * INTERVAL)  # until every trip has had its first answers
    before, server_before, began = usage(follower), usage(server), time.monotonic()
    time.sleep(SECONDS)
    after, server_after, took = usage(follower), usage(server), time.monotonic() - began
    resident = int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{follower.pid}/status").read())[1]) / 1024
    polls = TRIPS * took / INTERVAL
    cpu, read, written = (b - a for a, b in zip(before, after))
    print(f"{TRIPS} trips for {took:.0f} s: {100 * cpu / took:.1f} % of a core, {1e6 * cpu / polls:.0f} us and "
          f"{read / polls:.0f} + {written / polls:.0f} bytes read and written a poll, {resident:.0f} MB resident; "
          f"the server {100 * (server_after[0] - server_before[0]) / took:.1f} % of a core")
finally:
    for process in filter(None, (follower, server)):
        process.kill()
        process.wait()
reader.join()
print(f"events: {dict(events)}" + ("" if not events["error"] else "  -- there were errors"))
