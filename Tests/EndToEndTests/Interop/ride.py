"""Makes a ride on `serve` with Google's own client, google-maps-fleetengine, and checks the output of a `follow` of that ride.

Also tests a server that is killed and starts again (events error and recovered), a trip that does not exist (exit code 3), and an invalid name
(exit code 64)."""
import datetime
import json
import os
import queue
import subprocess
import sys
import threading

import grpc
import jsonschema
from google.maps import fleetengine_v1 as fe
from google.maps.fleetengine_v1.services.trip_service.transports import TripServiceGrpcTransport
from google.maps.fleetengine_v1.services.vehicle_service.transports import VehicleServiceGrpcTransport

sys.dont_write_bytecode = True
from ports import free_port

BINARY, SCHEMA = sys.argv[1], sys.argv[2]
VALIDATOR = jsonschema.Draft202012Validator(json.load(open(SCHEMA)))
STATUS = jsonschema.Draft202012Validator(json.load(open(os.path.join(os.path.dirname(SCHEMA), "status.schema.json"))))
TRIP = "providers/demo/trips/made-up-ride"
CAR = "providers/demo/vehicles/demo-car"


class Lines:
    """A process, and the lines that it prints. Each wait for a line has a deadline."""

    def __init__(self, *arguments):
        environment = dict(os.environ, TRIPWATCH_TOKEN="a-secret-that-is-never-told")
        self.process = subprocess.Popen([BINARY, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        self.lines = queue.Queue()
        self.seen = []
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def next(self, seconds=30):
        line = self.lines.get(timeout=seconds)
        assert line is not None, f"it ended: {self.process.stderr.read()}"
        self.seen.append(line)
        return line

    def event(self, wanted, **fields):
        while True:
            line = self.next()
            assert "a-secret" not in line
            entry = json.loads(line)
            VALIDATOR.validate(entry)
            if entry["event"] == wanted and all(entry[k] == v for k, v in fields.items()):
                return entry


def serve(port):
    server = Lines("serve", "--grpc-port", str(port), "--http-port", "0")
    words = server.next()
    assert words.startswith("listening grpc=127.0.0.1:"), words
    return server, int(words.split()[1].rsplit(":", 1)[1])


def clients(port):
    link = grpc.insecure_channel(f"127.0.0.1:{port}")
    return (
        fe.TripServiceClient(transport=TripServiceGrpcTransport(channel=link)),
        fe.VehicleServiceClient(transport=VehicleServiceGrpcTransport(channel=link)),
    )


def paths(*names):
    return {"paths": list(names)}


def make(port):
    trips, cars = clients(port)
    cars.create_vehicle(
        request={
            "parent": "providers/demo", "vehicle_id": "demo-car",
            "vehicle": {
                "vehicle_state": "ONLINE", "supported_trip_types": ["EXCLUSIVE"], "maximum_capacity": 4, "vehicle_type": {"category": "AUTO"},
            },
        }, retry=None)
    trips.create_trip(
        request={
            "parent": "providers/demo", "trip_id": "made-up-ride",
            "trip": {
                "trip_type": "EXCLUSIVE", "pickup_point": {"point": {"latitude": -30.0, "longitude": -14.99}},
                "dropoff_point": {"point": {"latitude": -30.0, "longitude": -14.95}},
            },
        }, retry=None)
    return trips, cars


def move(cars, longitude):
    now = datetime.datetime.now(datetime.timezone.utc)
    cars.update_vehicle(
        request={
            "name": CAR,
            "vehicle": {
                "vehicle_state": "ONLINE",
                "last_location": {"location": {"latitude": -30.0, "longitude": longitude}, "heading": 90, "speed": 8.3, "update_time": now},
            }, "update_mask": paths("vehicle_state", "last_location"),
        }, retry=None)


def told_now(port, wanted):
    told = subprocess.run(
        [BINARY, "status", TRIP, "--json", "--endpoint", f"127.0.0.1:{port}", "--plaintext"], capture_output=True, text=True, timeout=30)
    entry = json.loads(told.stdout)
    STATUS.validate(entry)
    assert entry["status"] == wanted, entry
    return entry


def status(trips, name):
    trips.update_trip(request={"name": TRIP, "trip": {"trip_status": name}, "update_mask": paths("trip_status")}, retry=None)


server, port = serve(free_port())
trips, cars = make(port)
try:
    cars.update_vehicle(request={"name": CAR, "vehicle": {}}, retry=None)
    sys.exit("an empty mask was taken")
except Exception as error:
    assert "update_mask cannot be empty" in str(error), error

endpoint = ["--endpoint", f"127.0.0.1:{port}", "--plaintext", "--interval", "1"]
follow = Lines("follow", TRIP, *endpoint, "--output", "json")
follow.event("status", status="NEW")
move(cars, -15.0)
trips.update_trip(request={"name": TRIP, "trip": {"vehicle_id": "demo-car"}, "update_mask": paths("vehicle_id")}, retry=None)
follow.event("vehicle", vehicle="demo-car")
assert follow.event("location")["longitude"] == -15.0
assert follow.event("route")["length_m"] > 900
follow.event("eta", waypoint="pickup")
status(trips, "ENROUTE_TO_PICKUP")
follow.event("status", status="ENROUTE_TO_PICKUP")
move(cars, -14.995)
assert follow.event("location")["longitude"] == -14.995
now = told_now(port, "ENROUTE_TO_PICKUP")
assert now["freshness"] == "live" and 0 < now["remaining_m"] < 1000 and now["age_s"] < 30, now

server.process.kill()
server.process.wait()
error = follow.event("error")
assert error["class"] == "retryable" and error["code"] == "UNAVAILABLE" and 4 <= error["retry_in_s"] <= 6, error
server, _ = serve(port)
trips, cars = make(port)
follow.event("recovered")
for name in ("ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF", "COMPLETE"):
    status(trips, name)
    follow.event("status", status=name)
follow.event("end", status="COMPLETE")
assert follow.process.wait(timeout=20) == 0
assert told_now(port, "COMPLETE")["remaining_s"] is None

missing = subprocess.run([BINARY, "follow", "never-was", "--provider", "demo", *endpoint], capture_output=True, text=True, timeout=30)
assert missing.returncode == 3, missing
malformed = subprocess.run([BINARY, "follow", "bogus/name", *endpoint], capture_output=True, text=True, timeout=30)
assert malformed.returncode == 64 and "providers/{provider}/trips/{trip}" in malformed.stderr, malformed
server.process.terminate()
server.process.wait()
print("the ride was told as it happened")
