"""Kills `follow --record` and `demo --record`. A replay must print the same lines, up to the recording's last complete line."""
import contextlib
import http.client
import json
import threading
import time

from scene import Broken, kill_at, serving

AT_ONCE = 5
UNFINISHED = "tripwatch: the recording ends before the trip does.\n"


def storm(scene, rounds):
    answers = 0
    with serving(scene, scene.folder / "engine.db", "--speed", "20") as server, driving(server) as trip:
        follow = ("follow", trip, "--endpoint", server.addresses["grpc"], "--plaintext", "--interval", "1")
        demo = ("demo", "--speed", "400")
        for first in range(0, rounds, AT_ONCE):
            numbers = range(first, min(rounds, first + AT_ONCE))
            programs = [Recorder(scene, number, follow if number % 2 else demo) for number in numbers]
            for program in programs:
                program.end()
            for program in programs:
                with scene.round(program.number):
                    answers += program.check()
    return f"{answers} recorded lines"


@contextlib.contextmanager
def driving(server):
    """A booked trip. Its vehicle reports a new position ten times a second."""
    connection, over = http.client.HTTPConnection(server.addresses["http"]), threading.Event()

    def ask(method, path, body=None):
        connection.request(method, path, body and json.dumps(body))
        return json.loads(connection.getresponse().read() or b"{}")

    def drive():
        place = 0
        while not over.wait(0.1):
            place += 1
            connection.request("GET", f"/car/{key}/osmand?lat={50 + place / 1e5:.5f}&lon=8&speed=10&timestamp={time.time()}")
            connection.getresponse().read()

    key = ask("POST", "/car/new", {"vehicleId": "car"})["key"]
    ask("GET", f"/car/{key}/osmand?lat=50&lon=8&speed=0&timestamp={time.time()}")
    places = {"pickup": {"latitude": 50.5, "longitude": 8}, "dropoff": {"latitude": 50.6, "longitude": 8}}
    name = ask("POST", "/trip/new", places)["name"]
    thread = threading.Thread(target=drive)
    thread.start()
    try:
        yield name
    finally:
        over.set()
        thread.join()


class Recorder:
    """A program that records a trip, and the lines that it printed."""

    def __init__(self, scene, number, words):
        self.scene, self.number, self.file = scene, number, scene.folder / f"ride-{number}.trip"
        self.printed = scene.folder / f"printed-{number}"
        with open(self.printed, "w") as output:
            self.process = scene.start(*words, "--record", self.file, "--output", "json", "--quiet", stdout=output)

    def end(self):
        deadline = time.monotonic() + 60
        while not self.file.exists() and self.process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        kill_at(self.process, self.scene.random.uniform(0, 2.5))
        self.process.communicate()

    def check(self):
        """Compares the recording with the printed lines. Then cuts the file inside a line. Returns the number of complete lines."""
        data = self.file.read_bytes() if self.file.exists() else b""
        whole = data[:data.rfind(b"\n") + 1]
        if whole.count(b"\n") < 2:
            # The first line has only the trip's name.
            return 0
        for line in whole.splitlines():
            json.loads(line)
        told, printed = self.replay(self.file), without_silence(whole_lines(self.printed.read_text()))
        # The last answer may have been recorded but not printed.
        if told[:len(printed)] != printed:
            self.scene.lost.append(f"round {self.number}: the replay differs from the {len(printed)} printed lines")
        cut = self.scene.folder / "cut.trip"
        second = whole.index(b"\n", whole.index(b"\n") + 1) + 1
        cut.write_bytes(data[:self.scene.random.randrange(second, len(data) + 1)])
        part = self.replay(cut)
        cut.write_bytes(cut.read_bytes().rpartition(b"\n")[0] + b"\n")
        if not part or told[:len(part)] != part or self.replay(cut) != part:
            self.scene.lost.append(f"round {self.number}: the replay of a cut recording differs from its whole lines")
        return whole.count(b"\n")

    def replay(self, file):
        _, output, errors = self.scene.run("replay", file, "--output", "json", "--speed", "1000")
        if errors not in ("", UNFINISHED):
            raise Broken(f"replay of {file.name} said {errors.strip()}")
        return without_silence(whole_lines(output))


def without_silence(lines):
    """Returns the lines that answers caused. Lines about a position's age depend on when the program looked at its clock."""
    return [line for line in lines if json.loads(line)["event"] != "freshness"]


def whole_lines(text):
    return text[:text.rfind("\n") + 1].splitlines()
