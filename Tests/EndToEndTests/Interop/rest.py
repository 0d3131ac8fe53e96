"""Checks that Fleet Engine's API over HTTP and over gRPC is the same API. Google's client reads all data that urllib has written, and both read the
same values.

usage: rest.py PROGRAM
"""
import json
import subprocess
import sys
import urllib.error
import urllib.request

import grpc
from google.maps import fleetengine_v1 as fe
from google.maps.fleetengine_v1.services.trip_service.transports import TripServiceGrpcTransport
from google.maps.fleetengine_v1.services.vehicle_service.transports import VehicleServiceGrpcTransport
from google.protobuf import json_format

PARENT = "providers/demo"
VEHICLE = {
    "vehicleState": "ONLINE", "supportedTripTypes": ["EXCLUSIVE", "SHARED"], "maximumCapacity": 4, "vehicleType": {"category": "TAXI"},
    "attributes": [{"key": "plate", "stringValue": "DEMO 7"}, {"key": "seats", "numberValue": 3.5}, {"key": "quiet", "boolValue": True}],
    "licensePlate": {"countryCode": "AT", "lastCharacter": "7"},
}
TRIP = {
    "tripType": "EXCLUSIVE", "pickupPoint": {"point": {"latitude": -36.0, "longitude": -20.0}},
    "dropoffPoint": {"point": {"latitude": -36.01, "longitude": -19.985}}, "numberOfPassengers": 2,
    "intermediateDestinations": [{"point": {"latitude": -36.005, "longitude": -19.99}}],
}
POSITION = {
    "location": {"latitude": -36.001, "longitude": -20.001}, "speed": 7.5, "heading": 90, "updateTime": "2026-01-31T12:00:00.250Z",
    "locationSensor": "GPS",
}
server = subprocess.Popen([sys.argv[1], "serve", "--grpc-port", "0", "--http-port", "0", "--router", "straight"], stdout=subprocess.PIPE, text=True)


def ask(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"http://{ports['http']}/v1/{path}", data, {"content-type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.read().decode()


def refused(method, path, body=None):
    try:
        ask(method, path, body)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)["error"]
    sys.exit(f"{method} {path} was not refused")


def same(text, answer):
    """Checks that Google's JSON mapping reads the same message as gRPC returned, and writes the same JSON."""
    wire = type(answer).pb(answer)
    read = json_format.Parse(text, type(wire)())
    assert json.loads(text) == json.loads(json_format.MessageToJson(read)), text
    for message in (read, wire):
        clear_moment(message)
    assert read == wire, f"\n{read}\n-- over gRPC --\n{wire}"


def clear_moment(message):
    """Clears the fields whose values are relative to the time of the call, because they differ between two calls."""
    for field, value in message.ListFields():
        if field.name in ("duration", "remaining_time_to_first_waypoint"):
            message.ClearField(field.name)
        elif field.name in ("remaining_waypoints", "waypoints"):
            for waypoint in value:
                clear_moment(waypoint)


try:
    ports = dict(word.split("=") for word in server.stdout.readline().split()[1:])
    channel = grpc.insecure_channel(ports["grpc"])
    trips = fe.TripServiceClient(transport=TripServiceGrpcTransport(channel=channel))
    vehicles = fe.VehicleServiceClient(transport=VehicleServiceGrpcTransport(channel=channel))
    ask("POST", f"{PARENT}/vehicles?vehicleId=car", VEHICLE)
    ask("POST", f"{PARENT}/trips?tripId=ride", TRIP)
    ask("PUT", f"{PARENT}/trips/ride?updateMask=vehicle_id,tripStatus", {"vehicleId": "car", "tripStatus": "ENROUTE_TO_PICKUP"})
    ask("PUT", f"{PARENT}/vehicles/car?updateMask=lastLocation", {"lastLocation": POSITION})
    name = f"{PARENT}/trips/ride"
    same(ask("GET", f"{name}?view=JOURNEY_SHARING_V1S"), trips.get_trip(request={"name": name, "view": "JOURNEY_SHARING_V1S"}))
    same(ask("GET", f"{PARENT}/vehicles/car"), vehicles.get_vehicle(request={"name": f"{PARENT}/vehicles/car"}))
    found = json.loads(ask("POST", f"{PARENT}/trips:search", {"vehicleId": "car"}))
    assert [trip["name"] for trip in found["trips"]] == [name], found
    page = vehicles.list_vehicles(request={"parent": PARENT, "vehicle_type_categories": ["TAXI"]})
    listed = json_format.Parse(ask("GET", f"{PARENT}/vehicles?vehicleTypeCategories=TAXI"), fe.ListVehiclesResponse.pb()())
    assert [v.name for v in listed.vehicles] == [v.name for v in page] and listed.total_size == 1

    code, error = refused("GET", f"{PARENT}/trips/nobody")
    assert (code, error["code"], error["status"]) == (404, 404, "NOT_FOUND"), error
    code, error = refused("POST", f"{PARENT}/trips?tripId=ride", TRIP)
    assert (code, error["status"]) == (409, "ALREADY_EXISTS"), error
    code, error = refused("POST", f"{PARENT}/trips?tripId=other", dict(TRIP, tripType="FLYING"))
    assert (code, error["status"]) == (400, "INVALID_ARGUMENT"), error
    assert error["details"][0]["fieldViolations"][0]["field"] == "trip.tripType", error
finally:
    server.kill()
    server.wait()
