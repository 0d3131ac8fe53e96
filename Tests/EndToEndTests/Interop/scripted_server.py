"""Runs commands against a scripted server that uses Google's own message types. It sends every status code, positions that are 300 s old, an
estimate that does not change, and stops of other riders."""
import concurrent.futures
import datetime
import json
import subprocess
import sys
import threading

import grpc
import jsonschema
from google.maps import fleetengine_v1 as fe

BINARY, SCHEMA = sys.argv[1], sys.argv[2]
VALIDATOR = jsonschema.Draft202012Validator(json.load(open(SCHEMA)))
RETRYABLE = {"CANCELLED", "UNKNOWN", "DEADLINE_EXCEEDED", "ABORTED", "INTERNAL", "UNAVAILABLE"}
EXITS = {"NOT_FOUND": 3, "UNAUTHENTICATED": 4, "PERMISSION_DENIED": 4}
WAITS = {"RESOURCE_EXHAUSTED"}
START = datetime.datetime.now(datetime.timezone.utc)
calls = {}


def place(longitude):
    return {"latitude": -36.0, "longitude": longitude}


def answer(request, context):
    name = request.name
    trip_id = name.rsplit("/", 1)[-1]
    calls[trip_id] = calls.get(trip_id, 0) + 1
    now = datetime.datetime.now(datetime.timezone.utc)
    if trip_id.startswith("code-"):
        context.abort(next(c for c in grpc.StatusCode if c.name == trip_id[5:]), "said " + trip_id)
    trip = fe.Trip(name=name, vehicle_id="demo-car", trip_status="ENROUTE_TO_PICKUP", pickup_point={"point": place(-19.99)})
    if trip_id == "old":
        then = now - datetime.timedelta(seconds=300)
        trip.last_location = fe.VehicleLocation(location=place(-20.0 + calls[trip_id] * 1e-4), update_time=then, server_time=then)
    if trip_id == "frozen":
        trip.last_location = fe.VehicleLocation(location=place(-20.0 + calls[trip_id] * 1e-4), update_time=now, server_time=now)
        trip.pickup_time = START
        trip.remaining_distance_meters = 900 - calls[trip_id]
    if trip_id == "shared":
        trip.trip_type = "SHARED"
        trip.remaining_distance_meters = 300
        trip.eta_to_first_waypoint = now + datetime.timedelta(seconds=30)
        trip.remaining_waypoints = [
            {"trip_id": "another", "waypoint_type": "DROP_OFF_WAYPOINT_TYPE", "location": {"point": place(-11.11)}},
            {"trip_id": "shared", "waypoint_type": "PICKUP_WAYPOINT_TYPE", "location": {"point": place(-19.99)}, "distance_meters": 700,
             "eta": now + datetime.timedelta(seconds=200)},
        ]
    return fe.Trip.pb(trip)


def serve():
    server = grpc.server(concurrent.futures.ThreadPoolExecutor(4))
    handler = grpc.unary_unary_rpc_method_handler(
        answer, request_deserializer=fe.GetTripRequest.pb(fe.GetTripRequest()).FromString,
        response_serializer=lambda message: message.SerializeToString())
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("maps.fleetengine.v1.TripService", {"GetTrip": handler}),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    return server, port


def follow(port, trip, enough):
    """Follows a trip until a JSON line satisfies `enough`, or the program ends. Returns the lines, and the exit code if it ended."""
    process = subprocess.Popen(
        [BINARY, "follow", f"providers/demo/trips/{trip}", "--endpoint", f"127.0.0.1:{port}", "--plaintext", "--interval", "1",
         "--output", "json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    watchdog = threading.Timer(40, process.kill)
    watchdog.start()
    entries, code = [], None
    for line in process.stdout:
        entry = json.loads(line)
        VALIDATOR.validate(entry)
        entries.append(entry)
        if enough(entry):
            break
    else:
        code = process.wait()
    process.kill()
    process.wait()
    watchdog.cancel()
    return entries, code


server, port = serve()
for status in grpc.StatusCode:
    if status.name == "OK":
        continue
    stays = status.name in RETRYABLE | WAITS
    entries, code = follow(port, "code-" + status.name, lambda e: stays and e["event"] == "error")
    error = next(e for e in entries if e["event"] == "error")
    assert error["code"] == status.name, (status, error)
    assert error["class"] == ("retryable" if status.name in RETRYABLE else "action_required"), error
    assert code == (None if stays else EXITS.get(status.name, 1)), (status, code)

entries, _ = follow(port, "old", lambda e: calls.get("old", 0) >= 6)
states = [e["state"] for e in entries if e["event"] == "freshness"]
assert states and "live" not in states, states
assert all(e["age_s"] >= 299 for e in entries if e["event"] == "location"), entries

entries, _ = follow(port, "frozen", lambda e: calls.get("frozen", 0) >= 6)
etas = [e for e in entries if e["event"] == "eta"]
assert etas and all(e["remaining_s"] == 0 for e in etas), etas

entries, _ = follow(port, "shared", lambda e: e["event"] == "eta")
waypoints = next(e for e in entries if e["event"] == "waypoints")
assert waypoints["stops_before"] == 1 and [w["type"] for w in waypoints["remaining"]] == ["PICKUP"], waypoints
eta = next(e for e in entries if e["event"] == "eta")
assert eta["remaining_m"] == 1000 and 150 < eta["remaining_s"] <= 200, eta
assert "-11.11" not in json.dumps(entries), "another rider's stop was told"
server.stop(None)
print("every code, old positions, a frozen estimate and other riders' stops were told as they should be")
