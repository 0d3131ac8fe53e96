"""Shared parts of the scripts: a program on a pseudo-terminal, the resources of a process, a local server with trips."""
import contextlib
import fcntl
import glob
import http.client
import json
import os
import pty
import random
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
import urllib.request

ENVIRONMENT = {key: value for key, value in os.environ.items() if not key.startswith(("SSH_", "TRIPWATCH_"))}
ENVIRONMENT |= {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "XDG_CONFIG_HOME": "/proc/absent"}
# Questions that the program sends to the terminal before the screen opens, and the answers of a dark terminal. The program waits for the
# last answer.
QUESTIONS, ANSWERS = b"\x1b]11;?\x1b\\\x1b[?996n\x1b[c", b"\x1b]11;rgb:1010/1010/1010\x1b\\\x1b[?997;1n\x1b[?62;22c"
SEQUENCE = re.compile(rb"\x1b\[[0-9;:?]*[A-Za-z]")
PLACES = {"pickup": {"latitude": -36.0, "longitude": -20.0}, "dropoff": {"latitude": -36.01, "longitude": -19.985}}


def cpu(pid):
    """Returns the CPU seconds that all threads of a process have used. The kernel's clock for a process has a resolution of nanoseconds."""
    return time.clock_gettime((~pid << 3) | 2)


def wake_ups(pid):
    """Returns the number of voluntary context switches of each thread since its start."""
    counts = {}
    for path in glob.glob(f"/proc/{pid}/task/*/status"):
        try:
            counts[path] = int(re.search(r"\nvoluntary_ctxt_switches:\s+(\d+)", open(path).read())[1])
        except FileNotFoundError:
            pass
    return counts


def wake_ups_since(before, pid):
    """Returns the number of voluntary context switches of all threads since `before`. Threads that have ended since then are not counted."""
    return sum(count - before.get(path, 0) for path, count in wake_ups(pid).items())


def memory(pid, what="VmRSS"):
    """Returns the resident memory in megabytes. `what` is the name of a line in the process's status file, such as RssAnon."""
    return int(re.search(rf"{what}:\s+(\d+)", open(f"/proc/{pid}/status").read())[1]) / 1024


def bytes_read(pid):
    """Returns the number of bytes that the process has read from files and sockets since its start."""
    return int(re.search(r"rchar: (\d+)", open(f"/proc/{pid}/io").read())[1])


def cpu_of(*command, environment=ENVIRONMENT):
    """Runs a command until it ends, and returns the CPU seconds that it has used."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)} exited with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


class Screen:
    """A program on a pseudo-terminal of its own. Its output is read and counted."""

    def __init__(self, *command, columns=80, rows=24, environment=ENVIRONMENT):
        self.command, self.text, self.size = command, b"", 0
        self.began = self.last = time.monotonic()
        self.pid, self.tty = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execve(command[0], command, environment)

    def read(self, seconds):
        """Reads output once. Returns whether any came within `seconds`."""
        if not select.select([self.tty], [], [], max(0, seconds))[0]:
            return False
        try:
            data = os.read(self.tty, 1 << 16)
        except OSError:
            return False
        self.last, self.size = time.monotonic(), self.size + len(data)
        self.text = (self.text + data)[-(1 << 20):]
        if QUESTIONS in data:
            os.write(self.tty, ANSWERS)
        return bool(data)

    def wait(self, seconds):
        """Reads for `seconds`."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read(end - time.monotonic())

    def quiet(self, seconds):
        """Reads until there has been no output for `seconds`."""
        while self.read(seconds):
            pass

    def until(self, pattern, seconds=60):
        """Reads until the output contains `pattern`, in any colours. Returns the seconds since the start."""
        while not re.search(pattern, SEQUENCE.sub(b"", self.text)):
            left = self.began + seconds - time.monotonic()
            if left <= 0 or not self.read(left):
                sys.exit(f"{' '.join(self.command[:3])} drew no {pattern!r} in {seconds} s")
        return self.last - self.began

    def press(self, key, quiet):
        """Presses a key. Returns the seconds from the key to the last byte of its output; 0 without output."""
        pressed = time.monotonic()
        self.last = pressed
        os.write(self.tty, key)
        self.quiet(quiet)
        return self.last - pressed

    def first_byte(self, key, size=150):
        """Presses a key. Returns the seconds to the first byte of the first burst of output larger than `size`. A tick of the clock causes less."""
        self.wait(random.uniform(0.1, 0.6))
        pressed, bursts = time.monotonic(), []
        os.write(self.tty, key)
        while time.monotonic() < pressed + 10:
            before = self.size
            if not self.read(0.5):
                continue
            if not bursts or self.last - bursts[-1][1] > 0.05:
                bursts.append([self.last, self.last, 0])
            bursts[-1][1:] = self.last, bursts[-1][2] + self.size - before
            if bursts[-1][2] > size:
                return bursts[-1][0] - pressed
        sys.exit("the screen did not react to a key in 10 s")

    def end(self, key=b"q"):
        os.write(self.tty, key)
        while self.read(5):
            pass
        os.waitpid(self.pid, 0)
        os.close(self.tty)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        else:
            self.end()


@contextlib.contextmanager
def running(*command):
    """Runs a process until the end of the `with` block. Its standard output is discarded."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def server(program, *options):
    """Runs `program` as a local server. Yields its process and its addresses, `grpc` and `http`."""
    process = subprocess.Popen([program, "serve", "--grpc-port", "0", "--http-port", "0", *options], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
    try:
        addresses = dict(word.split("=") for word in process.stdout.readline().split()[1:])
        threading.Thread(target=process.stdout.read, daemon=True).start()
        yield process, addresses
    finally:
        process.kill()
        process.wait()


def book(address, count=1):
    """Books `count` new trips over the provider API. Returns their names."""
    connection = http.client.HTTPConnection(address)
    names = []
    for _ in range(count):
        connection.request("POST", "/trip/new", json.dumps(PLACES), {"content-type": "application/json"})
        names.append(json.load(connection.getresponse())["name"])
    return names


def book_phone(address, vehicle="car-1"):
    """Creates a phone for a vehicle. Returns the phone's key."""
    connection = http.client.HTTPConnection(address)
    connection.request("POST", "/car/new", json.dumps({"vehicleId": vehicle}), {"content-type": "application/json"})
    return json.load(connection.getresponse())["key"]


def text(address, path):
    """Returns the text of the HTTP port's answer for a path."""
    with urllib.request.urlopen(f"http://{address}{path}", timeout=10) as answer:
        return answer.read().decode()


def ask(address, path):
    """Returns the JSON of the provider API's answer for a path."""
    return json.loads(text(address, path))
