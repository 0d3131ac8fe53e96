#!/usr/bin/env python3
"""What following many trips on the screen costs, and how soon it answers a key: the program on a real pty, a local server, loopback only.

usage: many_pages.py PROGRAM [TRIPS] [SECONDS]

The server comes from the same program, the trips are booked at its desk and stay without a vehicle. PROGRAM may be two, the server's and the
screen's, with a comma between them, so that two screens can be compared on one server.
"""
import fcntl
import http.client
import json
import os
import pty
import random
import re
import select
import statistics
import struct
import subprocess
import sys
import termios
import threading
import time

SERVER, SCREEN = (sys.argv[1].split(",") * 2)[:2]
TRIPS = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
SECONDS = float(sys.argv[3]) if len(sys.argv) > 3 else 20.0
COLUMNS, ROWS, KEYS = 80, 24, 40
INTERVAL = 5.0
# What a key draws is more than this, what the clock draws by itself is less, bytes.
ANSWER = 150
TICK = os.sysconf("SC_CLK_TCK")
ENVIRONMENT = dict(os.environ, TERM="xterm-256color", LC_ALL="C.UTF-8", XDG_CONFIG_HOME="/nonexistent")
PLACES = {"pickup": {"latitude": -36.0, "longitude": -20.0}, "dropoff": {"latitude": -36.01, "longitude": -19.985}}


def book(address, count):
    connection = http.client.HTTPConnection(address)
    for _ in range(count):
        connection.request("POST", "/trip/new", json.dumps(PLACES), {"content-type": "application/json"})
        yield json.load(connection.getresponse())["name"]


def cpu(pid):
    """CPU seconds so far."""
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


class Screen:
    """The program on a terminal of its own; what it draws is read at once and kept with its times."""

    def __init__(self, *arguments):
        self.began = time.monotonic()
        self.drawn = []  # (when, bytes)
        self.pid, self.tty = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
            os.execve(SCREEN, [SCREEN, *arguments], ENVIRONMENT)

    def read(self, seconds):
        if not select.select([self.tty], [], [], max(0, seconds))[0]:
            return False
        try:
            self.drawn.append((time.monotonic(), os.read(self.tty, 1 << 16)))
        except OSError:
            return False
        return True

    def wait(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read(end - time.monotonic())

    def until(self, pattern, seconds=120):
        while not re.search(pattern, b"".join(data for _, data in self.drawn)):
            if time.monotonic() > self.began + seconds:
                sys.exit(f"{SCREEN} drew no {pattern!r} in {seconds} s")
            self.read(1)
        return self.drawn[-1][0] - self.began

    def key(self, key):
        """Seconds from a key to the first byte of what it draws."""
        pressed, count = time.monotonic(), len(self.drawn)
        os.write(self.tty, key)
        while time.monotonic() < pressed + 10:
            self.read(0.5)
            # Bytes of one frame come within milliseconds; a frame of the clock's own has few of them.
            began, size, last = None, 0, pressed
            for when, data in self.drawn[count:]:
                if began is None or when - last > 0.05:
                    began, size = when, 0
                size, last = size + len(data), when
                if size > ANSWER:
                    return began - pressed
        sys.exit("no answer to a key in 10 s")

    def end(self):
        os.write(self.tty, b"q")
        while self.read(5):
            pass
        os.waitpid(self.pid, 0)
        os.close(self.tty)


server = subprocess.Popen([SERVER, "serve", "--grpc-port", "0", "--http-port", "0"], stdout=subprocess.PIPE, text=True)
screen = None
try:
    words = dict(word.split("=") for word in server.stdout.readline().split()[1:])
    threading.Thread(target=server.stdout.read, daemon=True).start()
    names = list(book(words["http"], TRIPS))
    screen = Screen("follow", *names, "--endpoint", words["grpc"], "--plaintext", "--output", "screen", "--basemap", "none")
    first = screen.until(rb"tripwatch")
    known = screen.until(rb"LOOKING|Looking")
    screen.wait(3 * INTERVAL)
    before, server_before, began, size = cpu(screen.pid), cpu(server.pid), time.monotonic(), len(screen.drawn)
    screen.wait(SECONDS)
    took = time.monotonic() - began
    used, server_used = cpu(screen.pid) - before, cpu(server.pid) - server_before
    drawn = sum(len(data) for _, data in screen.drawn[size:])
    times = []
    for number in range(KEYS):
        screen.wait(random.uniform(0.1, 0.6))
        times.append(1000 * screen.key(b"?"))
    times.sort()
    resident = int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{screen.pid}/status").read())[1]) / 1024
    print(f"{TRIPS} trips on a screen of {COLUMNS}x{ROWS} for {took:.0f} s: {100 * used / took:.1f} % of a core, {drawn / took:.0f} bytes a "
          f"second to the terminal, {resident:.0f} MB resident; the server {100 * server_used / took:.1f} % of a core")
    print(f"first byte after {first:.1f} s, the trip in front known after {known:.1f} s; key to first byte {statistics.median(times):.1f} ms "
          f"({times[0]:.1f} to {times[-1]:.1f}, nine in ten under {times[int(0.9 * KEYS)]:.1f}; {KEYS} keys)")
    screen.end()
    screen = None
finally:
    if screen:
        os.kill(screen.pid, 9)
    server.kill()
    server.wait()
