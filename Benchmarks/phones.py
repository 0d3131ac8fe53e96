#!/usr/bin/env python3
"""Measures the load of many phones on a server: cars report as OwnTracks does, each over its own connection, on loopback only.

usage: phones.py [PROGRAM] [--cars 1000] [--seconds 60] [--every 5]

Starts `PROGRAM serve` with ports of its own, gets a key for each car, and lets each car send a fix every five seconds, evenly spread. Prints the
server's CPU in percent of one core during the reports, its memory, and the times from the moment at which a fix is due to its answer. Exits with
1 if a fix was not answered with 200, or if a fix was sent more than a second late: the machine is then too slow for a result.
"""
import argparse
import asyncio
import http.client
import json
import math
import sys
import time

import harness

METERS_PER_DEGREE = 111_195


class Phone:
    """A car that drives at 30 km/h on a circle with a radius of 300 m, and its connection to the server."""

    def __init__(self, number, key):
        self.number, self.path = number, f"/car/{key}/owntracks"
        self.center = (50 + number // 40 * 0.01, 8 + number % 40 * 0.01)
        self.reader = self.writer = None

    async def connect(self, host, port):
        self.reader, self.writer = await asyncio.open_connection(host, port)

    def fix(self, now):
        angle = (now * 30 / 3.6 / 300 + self.number) % math.tau
        latitude = self.center[0] + 300 * math.cos(angle) / METERS_PER_DEGREE
        longitude = self.center[1] + 300 * math.sin(angle) / METERS_PER_DEGREE / math.cos(math.radians(self.center[0]))
        return {"_type": "location", "lat": round(latitude, 6), "lon": round(longitude, 6), "tst": int(now), "acc": 8, "vel": 30,
                "cog": int(math.degrees(angle) + 90) % 360, "batt": 80, "t": "u", "tid": "JJ"}

    async def report(self):
        """Sends one fix. Returns the status of the answer."""
        body = json.dumps(self.fix(time.time())).encode()
        head = f"POST {self.path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        self.writer.write(head.encode() + body)
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        await self.reader.readexactly(int(fields.get("content-length", 0)))
        return int(lines[0].split()[1])


def book_keys(address, count):
    """Gets a key for each car from the provider API."""
    connection = http.client.HTTPConnection(address)
    keys = []
    for number in range(count):
        connection.request("POST", "/car/new", json.dumps({"vehicleId": f"car-{number}"}), {"content-type": "application/json"})
        keys.append(json.load(connection.getresponse())["key"])
    return keys


class Tally:
    def __init__(self):
        self.seconds, self.refused, self.latest = [], 0, 0.0


async def drive(phone, start, every, end, tally):
    """Sends each fix of a car when it is due, until the end of the run."""
    due = start
    while due < end:
        await asyncio.sleep(max(0, due - time.monotonic()))
        tally.latest = max(tally.latest, time.monotonic() - due)
        status = await phone.report()
        tally.seconds.append(time.monotonic() - due)
        tally.refused += status != 200
        due += every


async def measure(pid, address, keys, seconds, every):
    host, port = address.rsplit(":", 1)
    phones = [Phone(number, key) for number, key in enumerate(keys)]
    for phone in phones:
        await phone.connect(host, int(port))
    tally, start = Tally(), time.monotonic() + 1
    drives = [
        asyncio.create_task(drive(phone, start + every * number / len(phones), every, start + seconds, tally))
        for number, phone in enumerate(phones)
    ]
    await asyncio.sleep(start - time.monotonic())
    used, began = harness.cpu(pid), time.monotonic()
    await asyncio.gather(*drives)
    percent = 100 * (harness.cpu(pid) - used) / (time.monotonic() - began)
    for phone in phones:
        phone.writer.close()
    return percent, tally


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", nargs="?", default="../.build/release/tripwatch")
    parser.add_argument("--cars", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--every", type=float, default=5, help="seconds between two fixes of a car")
    options = parser.parse_args()
    with harness.server(options.program) as (process, addresses):
        keys, pid = book_keys(addresses["http"], options.cars), process.pid
        bare = harness.memory(pid)
        percent, tally = asyncio.run(measure(pid, addresses["http"], keys, options.seconds, options.every))
        resident = harness.memory(pid)
    times = sorted(tally.seconds)
    print(f"{options.cars} cars, a fix every {options.every:g} s, for {options.seconds:g} s: {len(times)} fixes, {tally.refused} refused")
    print(f"CPU of the server          {percent:8.1f} % of a core")
    print(f"resident before and after  {bare:8.1f} and {resident:.1f} MB")
    marks = {"median": 0.5, "99 of 100": 0.99, "slowest": 1}
    for word, share in marks.items():
        print(f"answered after, {word:10} {1e3 * times[min(len(times) - 1, int(share * len(times)))]:8.1f} ms")
    if tally.latest > 1:
        print(f"a fix was sent {tally.latest:.1f} s late: this machine is too slow to measure the server")
    sys.exit(1 if tally.refused or tally.latest > 1 else 0)


if __name__ == "__main__":
    main()
