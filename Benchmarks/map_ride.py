#!/usr/bin/env python3
"""Measures a map from a server over a slow connection: time to the first streets, requests when a pan is repeated, time from a key to its
effect, and the amount of data for a ride.

usage: map_ride.py [PROGRAM] [--tiles FILE] [--rows WORD]

The rows have the same form as those of whole.py. A server on loopback sends each tile of a PMTiles file 50 ms after the request, and counts the
tiles. Of Paris, the file has only zooms 0 to 6 and 14. For a missing tile, the server sends a tile of another city with the same zoom, so that
the sizes are realistic. Each measurement starts with an empty cache. The ride is 5 km through Paris in ten minutes, played five times as fast.
"""
import argparse
import collections
import contextlib
import gzip
import http.client
import http.server
import json
import os
import statistics
import struct
import sys
import tempfile
import threading
import time

import harness
from harness import ENVIRONMENT, SEQUENCE, Screen
from whole import PLACE, SIZE, Table, calibrate

HERE = os.path.dirname(os.path.abspath(__file__))
DELAY_SECONDS, SPEED, RIDE_SECONDS, STARTS = 0.05, 5, 600, 7
START, END = (48.8701, 2.2925), (48.8701, 2.3608)
KEYS, HELP = 40, b"KEYS"
# The beginnings of street names. The screen shows such names only after tiles have arrived.
STREET = rb"Rue |Bd |Boulevard|Avenue|Place "


class Archive:
    """The tiles of a small PMTiles file, without leaf directories."""

    def __init__(self, path):
        self.data = open(path, "rb").read()
        root, length, _, _, _, _, self.start, _ = struct.unpack("<8Q", self.data[8:72])
        numbers = self.numbers(gzip.decompress(self.data[root:root + length]))
        count = next(numbers)
        columns = [[next(numbers) for _ in range(count)] for _ in range(4)]
        identifier = place = 0
        self.tiles = {}
        for step, run, size, offset in zip(*columns):
            identifier += step
            place = offset - 1 if offset else place
            for number in range(run):
                self.tiles[identifier + number] = (place, size)
            place += size

    @staticmethod
    def numbers(data):
        value = shift = 0
        for byte in data:
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                yield value
                value = shift = 0

    def tile(self, zoom, x, y):
        """Returns the gzip bytes of a tile. For a missing tile, returns another tile of the same zoom; if there is none, returns no bytes.

        Tiles are numbered along Hilbert's curve, after all tiles of lower zooms.
        """
        number, side = (4**zoom - 1) // 3, 1 << zoom >> 1
        while side:
            right, down = x & side > 0, y & side > 0
            number += side * side * (3 * right ^ down)
            if not down:
                if right:
                    x, y = side - 1 - x, side - 1 - y
                x, y = y, x
            side >>= 1
        if number not in self.tiles:
            known = [one for one in sorted(self.tiles) if (4**zoom - 1) // 3 <= one < (4 ** (zoom + 1) - 1) // 3]
            if not known:
                return b""
            number = known[(x + y) % len(known)]
        place, size = self.tiles[number]
        return self.data[self.start + place:self.start + place + size]


class TileServer(http.server.ThreadingHTTPServer):
    """A server that sends tiles with a delay, and counts them."""

    def __init__(self, archive):
        super().__init__(("127.0.0.1", 0), TileRequest)
        self.archive, self.asked, self.bytes, self.lock = archive, [], 0, threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def template(self):
        return f"http://127.0.0.1:{self.server_port}/{{z}}/{{x}}/{{y}}.pbf"


class TileRequest(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        time.sleep(DELAY_SECONDS)
        body = self.server.archive.tile(*(int(word) for word in self.path.split(".")[0].split("/")[1:]))
        with self.server.lock:
            self.server.asked.append(self.path)
            self.server.bytes += len(body)
        self.send_response(200 if body else 404)
        self.send_header("content-length", str(len(body)))
        self.send_header("cache-control", "max-age=86400")
        if body:
            self.send_header("content-encoding", "gzip")
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def empty_cache():
    with tempfile.TemporaryDirectory() as folder:
        yield ENVIRONMENT | {"XDG_CACHE_HOME": folder}


def first_streets(table, program, archive):
    taken = []
    for _ in range(STARTS):
        with empty_cache() as environment:
            server = TileServer(archive)
            with Screen(program, "map", f"{PLACE},15", "--basemap", server.template, environment=environment, **SIZE) as screen:
                taken.append(1e3 * screen.until(STREET))
    table.row("start to the first streets, a tile takes 50 ms", "ms", statistics.median(taken), 400, 200)


def way_back(table, program, archive):
    server = TileServer(archive)
    with empty_cache() as environment:
        counts = []
        for _ in range(2):
            before = len(server.asked)
            with Screen(program, "map", f"{PLACE},15", "--basemap", server.template, environment=environment, **SIZE) as screen:
                screen.until(STREET)
                screen.quiet(1)
                for key in b"l" * 12 + b"h" * 12:
                    screen.press(bytes([key]), 0.4)
            counts.append(len(server.asked) - before)
    print(f"the first pan there and back requested {counts[0]} tiles")
    table.row("requests for a pan there and back, cache warm", "requests", counts[1], 0.5, 0.5)


def keys_meanwhile(table, program, archive):
    """Measures the time from the help key to the help on the screen, while tiles of another view arrive."""
    server, taken = TileServer(archive), []
    with empty_cache() as environment:
        with Screen(program, "map", f"{PLACE},14", "--basemap", server.template, environment=environment, **SIZE) as screen:
            screen.until(STREET)
            for _ in range(KEYS):
                # Pans so far that the tiles of the new view have not been fetched yet.
                asked = len(server.asked)
                os.write(screen.tty, b"l" * 24)
                while len(server.asked) == asked:
                    screen.read(0.002)
                screen.text, pressed = b"", time.monotonic()
                os.write(screen.tty, b"?")
                while HELP not in SEQUENCE.sub(b"", screen.text) and screen.read(10):
                    pass
                taken.append(1e3 * (screen.last - pressed))
                screen.press(b"\x1b", 0.3)
                screen.quiet(0.3)
    print(f"{server.bytes / 1e6:.1f} MB in {len(server.asked)} tiles arrived meanwhile; the slowest key took {max(taken):.1f} ms")
    table.row("key to help while tiles arrive", "ms", statistics.median(taken), 20, 8, cpu=True)


def ride(table, program, archive):
    def point(place):
        return {"latitude": place[0], "longitude": place[1]}

    pace = ["--speed", str(SPEED)]
    with harness.server(program, *pace) as (_, addresses), contextlib.ExitStack() as stack:
        connection = ["--endpoint", addresses["grpc"], "--plaintext", "--provider", "demo"]
        route = f"{START[0]},{START[1] - 0.001};{START[0]},{START[1]}"
        driving = [program, "drive", "--vehicle", "car", "--simulate", "--auto", "--create", "--route", route, *pace, *connection]
        stack.enter_context(harness.running(*driving))
        desk = http.client.HTTPConnection(addresses["http"])
        desk.request("POST", "/trip/new", json.dumps({"pickup": point(START), "dropoff": point(END)}), {"content-type": "application/json"})
        name = json.load(desk.getresponse())["name"]
        followers = []
        for columns, rows in ((80, 24), (200, 60)):
            server, environment = TileServer(archive), stack.enter_context(empty_cache())
            command = [program, "follow", name, *connection, "--basemap", server.template]
            screen = stack.enter_context(Screen(*command, columns=columns, rows=rows, environment=environment))
            followers.append((f"{columns}x{rows}", server, screen))
        began, done = time.monotonic(), threading.Event()
        readers = [threading.Thread(target=read, args=[screen, done], daemon=True) for _, _, screen in followers]
        for reader in readers:
            reader.start()
        while b"COMPLETE" not in status(addresses, name) and time.monotonic() < began + 2 * RIDE_SECONDS / SPEED + 60:
            time.sleep(1)
        seconds = (time.monotonic() - began) * SPEED
        done.set()
        for reader in readers:
            reader.join()
        print(f"the ride took {seconds:.0f} s on its own clock; {status(addresses, name).decode()}")
        for what, server, _ in followers:
            zooms = collections.Counter(int(path.split("/")[1]) for path in server.asked)
            print(f"{what}: {len(server.asked)} requests, by zoom {dict(sorted(zooms.items()))}")
            table.row(f"tiles fetched for a ride of 5 km, {what}", "MB", server.bytes / 1e6, 3, 1.5)


def read(screen, done):
    while not done.is_set():
        screen.wait(0.5)


def status(addresses, name):
    answer = json.loads(harness.text(addresses["http"], f"/v1/{name}"))
    return answer.get("tripStatus", "").encode()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default=os.path.join(HERE, "../.build/release/tripwatch"))
    parser.add_argument("--tiles", default=os.path.join(HERE, "../../shared/data/map/tiles/omt_paris_ruhr.pmtiles"), help="a PMTiles file with Paris")
    parser.add_argument("--rows", default="", help="only the groups whose name contains this word")
    arguments = parser.parse_args()
    table, archive = Table(), Archive(arguments.tiles)
    calibrate(table)
    for group in (first_streets, way_back, keys_meanwhile, ride):
        if arguments.rows in group.__name__:
            group(table, os.path.abspath(arguments.program), archive)
    print(f"\n{table.over} over the limit by more than 15 %" if table.over else "\nno row is over its limit by more than 15 %")
    sys.exit(1 if table.over else 0)


if __name__ == "__main__":
    main()
