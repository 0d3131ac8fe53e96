#!/usr/bin/env python3
"""What the program costs on a terminal: start to first frame, memory with a real map open, and a minute of following. Whole processes on a real pty, loopback only.

usage: terminal.py PROGRAM [SECONDS]
"""
import fcntl
import json
import os
import pty
import re
import select
import statistics
import struct
import subprocess
import sys
import termios
import time
import urllib.request

PROGRAM = sys.argv[1]
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 40.0
COLUMNS, ROWS, RUNS = 80, 24, 9
TICK = os.sysconf("SC_CLK_TCK")
ENVIRONMENT = dict(os.environ, TERM="xterm-256color", LC_ALL="C.UTF-8")
PLACES = {"pickup": {"latitude": -36.0, "longitude": -20.0}, "dropoff": {"latitude": -36.01, "longitude": -19.985}}


class Screen:
    """The program on a terminal of its own."""

    def __init__(self, *arguments):
        self.began = time.monotonic()
        self.bytes = b""
        self.pid, self.tty = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
            os.execve(PROGRAM, [PROGRAM, *arguments], ENVIRONMENT)

    def read(self, seconds):
        """What comes within so many seconds; None when nothing does."""
        if not select.select([self.tty], [], [], seconds)[0]:
            return None
        try:
            data = os.read(self.tty, 1 << 16)
        except OSError:
            return None
        self.bytes += data
        return data

    def until(self, pattern, seconds=20):
        """Seconds from the start until the pattern was drawn."""
        while not re.search(pattern, self.bytes):
            left = self.began + seconds - time.monotonic()
            if left <= 0 or self.read(left) is None:
                sys.exit(f"{PROGRAM} drew no {pattern!r} in {seconds} s")
        return time.monotonic() - self.began

    def usage(self):
        """CPU seconds and resident megabytes so far."""
        fields = open(f"/proc/{self.pid}/stat").read().rsplit(")", 1)[1].split()
        status = open(f"/proc/{self.pid}/status").read()
        return (int(fields[11]) + int(fields[12])) / TICK, int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024

    def end(self):
        os.write(self.tty, b"q")
        while self.read(5):
            pass
        os.waitpid(self.pid, 0)
        os.close(self.tty)


def start_up(*arguments):
    times = []
    for _ in range(RUNS):
        screen = Screen(*arguments)
        times.append(screen.until(rb"tripwatch") * 1000)
        screen.end()
    print(f"start to first frame, {' '.join(arguments):10} {statistics.median(times):6.0f} ms  ({min(times):.0f} to {max(times):.0f}, {RUNS} runs)")


def following():
    server = subprocess.Popen([PROGRAM, "serve", "--grpc-port", "0", "--http-port", "0"], stdout=subprocess.PIPE, text=True)
    words = dict(word.split("=") for word in server.stdout.readline().split()[1:])
    connection = ["--endpoint", words["grpc"], "--plaintext", "--provider", "demo"]
    driver = subprocess.Popen(
        [PROGRAM, "drive", "--vehicle", "car", "--simulate", "--create", "--route", "-36.012,-20.012;-36.011,-20.011", *connection],
        stdout=subprocess.DEVNULL)
    try:
        request = urllib.request.Request(
            f"http://{words['http']}/trip/new", json.dumps(PLACES).encode(), {"content-type": "application/json"}, method="POST")
        trip = json.load(urllib.request.urlopen(request, timeout=10))["name"]
        screen = Screen("follow", trip, *connection, "--basemap", "demo")
        screen.until(rb"min")
        settle = time.monotonic() + 5
        while time.monotonic() < settle:
            screen.read(max(0, settle - time.monotonic()))
        (cpu, _), drawn, began = screen.usage(), len(screen.bytes), time.monotonic()
        while time.monotonic() < began + SECONDS:
            screen.read(max(0, began + SECONDS - time.monotonic()))
        took = time.monotonic() - began
        (end, resident), count = screen.usage(), len(screen.bytes) - drawn
        print(f"following at {COLUMNS}x{ROWS} for {took:.0f} s: {count / took:.0f} bytes a second to the terminal, "
              f"{100 * (end - cpu) / took:.2f} % of a core, {resident:.0f} MB resident")
        screen.end()
    finally:
        for process in (driver, server):
            process.terminate()
            process.wait()


def resident():
    """The memory of a map of real tiles, after a walk through it; skipped with a word where the project's test data is absent."""
    tiles = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../shared/data/map/tiles/omt_paris_ruhr.pmtiles")
    if not os.path.exists(tiles):
        return print("Paris is left out: there is no omt_paris_ruhr.pmtiles in ../shared")
    screen = Screen("map", "48.8701,2.3424,15", "--basemap", tiles)
    screen.until(rb"OpenStreetMap")
    before = None
    for key in b"l" * 10 + b"j" * 10:
        os.write(screen.tty, bytes([key]))
        while screen.read(0.3):
            pass
        before = before or screen.usage()[1]
    print(f"Paris z15 open at {COLUMNS}x{ROWS}: {before:.0f} MB resident, {screen.usage()[1]:.0f} MB after a walk of 20 steps")
    screen.end()


start_up("map")
start_up("demo")
resident()
following()
