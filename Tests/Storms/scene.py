"""Code that the storms share: the program with its own folder, a server with a database, kills, and checks of SQLite files."""
import contextlib
import ctypes
import http.client
import json
import os
import pathlib
import select
import shutil
import signal
import sqlite3
import subprocess
import threading
import time

START_SECONDS = 120
# SQLite writes the header of a change's last page before the page. If a kill comes between the two, the next server prints this warning.
# The storms check that no acknowledged change is lost.
UNFINISHED_CHANGE = "tripwatch: warning: the last change in the database's log cannot be read: "


class Broken(Exception):
    """The error for a file that cannot be opened, or for a program that reports a fault."""


class Scene:
    """A folder for one storm, the program under test, and the faults that the storm found."""

    def __init__(self, program, folder, random):
        self.program, self.folder, self.random = program, pathlib.Path(folder), random
        self.rounds, self.lost, self.broken = 0, [], []
        own = {key: value for key, value in os.environ.items() if not key.startswith(("TRIPWATCH_", "XDG_", "SSH_"))}
        self.environment = own | {"HOME": str(folder), "LC_ALL": "C.UTF-8", "TERM": "dumb", "SWIFT_BACKTRACE": "enable=no"}

    def start(self, *arguments, home=None, **streams):
        """Starts the program. Its configuration, state and cache are below `home`, by default the storm's folder."""
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
        environment = self.environment if home is None else self.environment | {"HOME": str(home)}
        return subprocess.Popen([self.program, *map(str, arguments)], text=True, env=environment, **streams)

    def run(self, *arguments, home=None):
        """Runs the program to its end. Returns its exit code, output and errors."""
        process = self.start(*arguments, home=home)
        output, errors = process.communicate(timeout=START_SECONDS)
        return process.returncode, output, errors

    def must_run(self, *arguments, home=None):
        """Runs the program, which must succeed and print no message. Returns its output."""
        code, output, errors = self.run(*arguments, home=home)
        if code or errors:
            raise Broken(f"{' '.join(map(str, arguments))} ended with {code}: {errors.strip()}")
        return output

    def random_pause(self, least, most):
        time.sleep(self.random.uniform(least, most))

    @contextlib.contextmanager
    def noting(self, where):
        """Records a broken file or program, and continues."""
        try:
            yield
        except (Broken, sqlite3.Error, subprocess.TimeoutExpired, OSError, http.client.HTTPException, ValueError, KeyError) as fault:
            self.broken.append(f"{where}: {fault}")

    @contextlib.contextmanager
    def round(self, number):
        """Counts a round that was not interrupted."""
        with self.noting(f"round {number}"):
            yield
        self.rounds += 1


class Server:
    """A running `serve` with a database. It must start without printing a message."""

    def __init__(self, scene, file, *options):
        began = time.monotonic()
        self.process = scene.start(*serve(file), *options)
        watch = threading.Timer(START_SECONDS, self.process.kill)
        watch.start()
        line = self.process.stdout.readline()
        watch.cancel()
        if not line.startswith("listening "):
            self.process.kill()
            raise Broken(f"serve did not start: {line}{self.process.communicate()[1].strip()}")
        self.seconds = time.monotonic() - began
        self.addresses = dict(word.split("=") for word in line.split()[1:])

    def state(self):
        """Returns all trips, vehicles and tasks, as the text of an export."""
        connection = http.client.HTTPConnection(self.addresses["http"], timeout=START_SECONDS)
        connection.request("GET", "/_tripwatch/state")
        return connection.getresponse().read().decode()

    def records(self):
        return json.loads(self.state())

    def kill(self):
        """Kills the server. Raises an error if the server has reported a fault."""
        self.process.kill()
        errors = [line for line in self.process.communicate()[1].splitlines() if not line.startswith(UNFINISHED_CHANGE)]
        if errors:
            raise Broken(f"serve said: {' '.join(errors)}")

    @contextlib.contextmanager
    def ending(self):
        """Ends the server after a failure, too, so that the next one can open the database."""
        try:
            yield
        finally:
            self.process.kill()

    @contextlib.contextmanager
    def stopped(self):
        """Pauses the server while it works. Its files are then as a kill at this moment would leave them."""
        self.process.send_signal(signal.SIGSTOP)
        # Threads inside a system call stop a moment after the signal.
        time.sleep(0.05)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)


def serve(file):
    # The storms read the server's state under `/_tripwatch`, which needs `--test-hooks`. The positions that a storm's phones report are
    # farther apart than a real car could drive in the time, so `--keep-jumps` makes the server accept them.
    return ("serve", "--grpc-port", "0", "--http-port", "0", "--database", file, "--test-hooks", "--keep-jumps", "--router", "straight", "--quiet")


@contextlib.contextmanager
def serving(scene, file, *options):
    """Starts a server, and kills it at the end of the block."""
    server = Server(scene, file, *options)
    try:
        yield server
    finally:
        server.kill()


def copy(file, to):
    """Copies a database and its write-ahead log, which has the newest changes."""
    for ending in ("", "-wal"):
        pathlib.Path(f"{to}{ending}").unlink(missing_ok=True)
        if os.path.exists(f"{file}{ending}"):
            shutil.copyfile(f"{file}{ending}", f"{to}{ending}")
    pathlib.Path(f"{to}-shm").unlink(missing_ok=True)


def check_integrity(file, folder):
    """Runs SQLite's full check on a copy. Opening the file itself would move the log's changes into it before the program reads the log."""
    whole = f"{folder}/integrity.db"
    copy(file, whole)
    with contextlib.closing(sqlite3.connect(whole)) as database:
        found = [row[0] for row in database.execute("PRAGMA integrity_check")]
    if found != ["ok"]:
        raise Broken(f"integrity_check of {os.path.basename(file)}: {found[:3]}")


def kill_at(process, seconds):
    """Waits for `seconds`, and kills the process if it has not ended by then."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()


def kill_at_draft(process, folder, seconds):
    """Kills a process `seconds` after it began to write a draft of a file in `folder`."""
    libc, is_created = ctypes.CDLL(None), 0x100
    with open(libc.inotify_init(), "rb", buffering=0) as watch:
        libc.inotify_add_watch(watch.fileno(), str(folder).encode(), is_created)
        while process.poll() is None:
            if select.select([watch], [], [], 0.02)[0]:
                time.sleep(seconds)
                return process.kill()
