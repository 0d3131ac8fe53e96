"""Starts the real programs: followers, drivers, and the server. The last objects that a follower prints are kept."""
import asyncio
import collections
import json
import os
import signal

ENVIRONMENT = {key: value for key, value in os.environ.items() if not key.startswith(("SSH_", "TRIPWATCH_", "XDG_"))}
ENDED = {"COMPLETE": 0, "CANCELED": 2, "SUCCEEDED": 0, "FAILED": 2}


class Program:
    """A process of tripwatch. The last lines of its standard error are kept."""

    path, folder = "tripwatch", "/tmp"

    @classmethod
    async def start(cls, *arguments):
        self = cls()
        environment = ENVIRONMENT | {
            "LC_ALL": "C.UTF-8", "XDG_STATE_HOME": cls.folder + "/state", "XDG_CONFIG_HOME": "/proc/absent", "XDG_CACHE_HOME": cls.folder + "/cache"}
        self.words, self.errors, self.arguments = {}, collections.deque(maxlen=3), arguments
        self.process = await asyncio.create_subprocess_exec(
            cls.path, *arguments, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            env=environment, limit=1 << 24)
        self.reading = [asyncio.create_task(self.read_errors())]
        return self

    async def read_errors(self):
        async for line in self.process.stderr:
            self.errors.append(line.decode(errors="replace").strip())

    async def lines(self, count):
        return [(await asyncio.wait_for(self.process.stdout.readline(), 60)).decode() for _ in range(count)]

    def discard_output(self):
        self.reading.append(asyncio.create_task(self.process.stdout.read()))

    def keep_words(self):
        """Keeps the last object that the program prints for each trip and event."""
        self.reading.append(asyncio.create_task(self.read_words()))

    async def read_words(self):
        async for line in self.process.stdout:
            word = json.loads(line)
            self.words[word.get("trip") or word.get("tracking"), word["event"]] = word

    def said(self, name, event, key):
        return self.words.get((name, event), {}).get(key)

    def last(self):
        """Returns the newest object that the program printed."""
        return max(self.words.values(), key=lambda word: word["t"], default=None)

    async def ends(self, seconds):
        """Waits for the program's end and returns the exit code; None if it still runs after `seconds`."""
        try:
            code = await asyncio.wait_for(self.process.wait(), seconds)
            await asyncio.wait(self.reading, timeout=5)
            return code
        except asyncio.TimeoutError:
            return None

    async def stop(self, seconds=15):
        """Sends TERM, and KILL if the program does not end. Returns the exit code."""
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
        code = await self.ends(seconds)
        if code is None:
            self.process.kill()
            await self.process.wait()
        return code

    def describe(self, what):
        return f"{' '.join(self.arguments[:6])}: {what}; stderr: {' / '.join(self.errors) or 'empty'}"


class Judge:
    """The failures of the run, and the number of checks that succeeded."""

    def __init__(self):
        self.failures, self.right = [], 0

    def check(self, is_right, failure):
        if is_right:
            self.right += 1
        else:
            self.failures.append(failure)
            print(f"wrong: {failure}", flush=True)

    async def last_word(self, follower, name, event_key, expected, seconds):
        """Checks that the last status a follower prints is the server's, and that the exit code matches it."""
        code = await follower.ends(seconds)
        said = follower.said(name, "end", event_key)
        self.check(
            (said, code) == (expected, ENDED.get(expected)),
            follower.describe(f"the server says {expected} of {name}, the last line {said} and {follower.last()}, the exit code is {code}"))
        if code is None:
            await follower.stop()
