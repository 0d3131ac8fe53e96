"""Runs Google's own clients against `serve --auth on` over TLS. Tests tokens from `token mint`, tokens that Google's auth library makes with one of
our service-account files, every role, a whole ride, and the provider API over HTTPS."""
import datetime
import json
import os
import ssl
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

import grpc
from google.api_core import exceptions
from google.auth import crypt, jwt
from google.maps import fleetengine_v1 as fe
from google.maps.fleetengine_v1.services.trip_service.transports import TripServiceGrpcTransport
from google.maps.fleetengine_v1.services.vehicle_service.transports import VehicleServiceGrpcTransport

BINARY = sys.argv[1]
AUDIENCE = "https://fleetengine.googleapis.com/"


def run(*arguments):
    return subprocess.run([BINARY, *arguments], check=True, capture_output=True, text=True).stdout.strip()


def start(folder):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost", "-addext",
         "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem"],
        cwd=folder, check=True, capture_output=True)
    run("token", "keys", "new", "server", "--name", "google", "--google", "--keys", folder + "/keys")
    for role in ["consumer", "driver", "server", "admin"]:
        run("token", "keys", "new", role, "--name", "x", "--keys", folder + "/keys")
    server = subprocess.Popen(
        [BINARY, "serve", "--grpc-port", "0", "--http-port", "0", "--auth", "on", "--keys", folder + "/keys", "--tls-cert",
         folder + "/cert.pem", "--tls-key", folder + "/key.pem"], stdout=subprocess.PIPE, text=True)
    words = dict(word.split("=") for word in server.stdout.readline().split()[1:])
    return server, words["grpc"].rsplit(":", 1)[1], "https://" + words["https"]


class Caller:
    """Google's clients, which send a token with each call."""

    def __init__(self, link, token):
        self.trips = fe.TripServiceClient(transport=TripServiceGrpcTransport(channel=link))
        self.cars = fe.VehicleServiceClient(transport=VehicleServiceGrpcTransport(channel=link))
        self.more = dict(metadata=[("authorization", "Bearer " + token)] if token else [], timeout=30)

    def create_vehicle(self, car):
        return self.cars.create_vehicle(request={
            "parent": "providers/demo", "vehicle_id": car,
            "vehicle": {"vehicle_state": "ONLINE", "supported_trip_types": ["EXCLUSIVE"], "maximum_capacity": 4,
                        "vehicle_type": {"category": "AUTO"}, "attributes": [{"key": "colour", "value": "red"}]}}, **self.more)

    def create_trip(self, trip, car=""):
        return self.trips.create_trip(request={
            "parent": "providers/demo", "trip_id": trip,
            "trip": {"trip_type": "EXCLUSIVE", "number_of_passengers": 1, "vehicle_id": car,
                     "pickup_point": {"point": {"latitude": 1.0, "longitude": 1.0}},
                     "dropoff_point": {"point": {"latitude": 1.01, "longitude": 1.0}}}}, **self.more)

    def get_trip(self, trip):
        return self.trips.get_trip(request={"name": "providers/demo/trips/" + trip}, **self.more)

    def set_status(self, trip, status):
        return self.trips.update_trip(
            request={"trip": {"trip_status": status}, "name": "providers/demo/trips/" + trip, "update_mask": {"paths": ["trip_status"]}},
            **self.more)

    def search_trips(self, car):
        return list(self.trips.search_trips(
            request={"parent": "providers/demo", "vehicle_id": car, "active_trips_only": True}, **self.more))

    def delete_trip(self, trip):
        return self.trips.delete_trip(request={"name": "providers/demo/trips/" + trip}, **self.more)

    def get_vehicle(self, car):
        return self.cars.get_vehicle(request={"name": "providers/demo/vehicles/" + car}, **self.more)

    def report(self, car):
        return self.cars.update_vehicle(
            request={"name": "providers/demo/vehicles/" + car, "update_mask": {"paths": ["vehicle_state", "last_location"]},
                     "vehicle": {"vehicle_state": "ONLINE", "last_location": {"location": {"latitude": 1.0, "longitude": 0.99}}}},
            **self.more)

    def update_attributes(self, car):
        return self.cars.update_vehicle_attributes(
            request={"name": "providers/demo/vehicles/" + car, "attributes": [{"key": "colour", "value": "blue"}]}, **self.more)

    def list_vehicles(self):
        return list(self.cars.list_vehicles(
            request={"parent": "providers/demo", "vehicle_type_categories": ["AUTO"]}, **self.more))

    def search_vehicles(self):
        return self.cars.search_vehicles(
            request={"parent": "providers/demo", "pickup_point": {"point": {"latitude": 1.0, "longitude": 1.0}},
                     "pickup_radius_meters": 5000, "count": 5, "minimum_capacity": 1, "trip_types": ["EXCLUSIVE"],
                     "vehicle_types": [{"category": "AUTO"}], "order_by": "PICKUP_POINT_DISTANCE"}, **self.more)


def refused(kind, words, call, *arguments):
    try:
        call(*arguments)
    except kind as error:
        assert words in error.message, error.message
        return
    raise AssertionError(f"{call.__name__}{arguments} was not refused")


def denied(call, *arguments):
    refused(exceptions.PermissionDenied, "", call, *arguments)


def check_tokens(link, mint, folder):
    """Checks that each fault of a token is found, and that tokens made by Google's library are valid."""
    account = json.load(open(folder + "/keys/server-google.json"))
    signer = crypt.RSASigner.from_service_account_info(account)
    now = int(datetime.datetime.now().timestamp())
    good = {"iss": account["client_email"], "sub": account["client_email"], "aud": AUDIENCE, "iat": now, "exp": now + 3600,
            "authorization": {"tripid": "*", "vehicleid": "*"}}

    def caller(key_id=None, **claims):
        payload = {key: value for key, value in (good | claims).items() if value is not None}
        return Caller(link, jwt.encode(signer, payload, key_id=key_id).decode())

    assert caller().get_vehicle("car").name.endswith("car")
    for words, broken in [
        ("iss", dict(iss="other@example.com")), ("sub", dict(sub=None)), ("aud", dict(aud="https://fleetengine.googleapis.com")),
        ("expired", dict(exp=now - 1)), ("60 minutes", dict(exp=now + 3611)), ("iat", dict(iat=None)),
        ("not valid yet", dict(iat=now + 900, exp=now + 1000)),
    ]:
        refused(exceptions.Unauthenticated, words, caller(**broken).get_trip, "t1")
    for nothing in (None, {}):
        refused(exceptions.PermissionDenied, "JWT does not contain any scopes.", caller(authorization=nothing).get_trip, "t1")
    refused(exceptions.Unauthenticated, "kid", caller(key_id="other").get_trip, "t1")
    refused(exceptions.Unauthenticated, "no token", Caller(link, None).get_trip, "t1")
    cut = mint("server", "--account", "x")[:-8] + "AAAAAAAA"
    refused(exceptions.Unauthenticated, "signature", Caller(link, cut).get_trip, "t1")
    credentials = jwt.Credentials.from_service_account_file(
        folder + "/keys/server-google.json", audience=AUDIENCE, additional_claims={"authorization": good["authorization"]})
    credentials.refresh(None)
    assert Caller(link, credentials.token.decode()).get_vehicle("car").name.endswith("car")


def check_roles(link, mint):
    server = Caller(link, mint("server", "--account", "x"))
    rider = Caller(link, mint("consumer", "--trip", "t1"))
    driver = Caller(link, mint("driver", "--vehicle", "car"))
    admin = Caller(link, mint("admin"))
    server.create_vehicle("other")
    server.create_trip("t1", "car")
    server.create_trip("t2", "other")
    assert rider.get_trip("t1").vehicle_id == "car"
    for trip in ["t2", "unknown"]:
        denied(rider.get_trip, trip)
        denied(driver.get_trip, trip)
        denied(driver.set_status, trip, "ENROUTE_TO_PICKUP")
    own, other = rider.get_vehicle("car"), rider.get_vehicle("other")
    assert own.current_trips and own.attributes and own.waypoints
    assert not other.current_trips and not other.attributes and not other.waypoints
    rider.search_vehicles()
    denied(rider.set_status, "t1", "COMPLETE")
    denied(rider.create_trip, "t9")
    for call in [rider.list_vehicles, driver.list_vehicles, driver.search_vehicles]:
        denied(call)
    for call in [rider.report, rider.update_attributes, driver.update_attributes, driver.create_vehicle]:
        denied(call, "car")
    for car in ["other", "unknown"]:
        denied(driver.get_vehicle, car)
        denied(driver.report, car)
        denied(driver.search_trips, car)
    denied(driver.search_trips, "")
    assert [trip.name for trip in driver.search_trips("car")] == ["providers/demo/trips/t1"]
    server.update_attributes("other")
    assert len(server.list_vehicles()) == 2
    for caller in [server, driver, rider]:
        denied(caller.delete_trip, "t2")
    narrow = Caller(link, mint("server", "--account", "x", "--trip", "t1"))
    narrow.get_trip("t1")
    denied(narrow.get_trip, "t2")
    denied(narrow.list_vehicles)
    ride(driver, rider)
    denied(driver.get_trip, "t1")
    server.set_status("t2", "CANCELED")
    admin.delete_trip("t2")
    refused(exceptions.NotFound, "", admin.get_trip, "t2")
    denied(rider.get_trip, "t2")


def ride(driver, rider):
    driver.report("car")
    for status in ["ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF", "COMPLETE"]:
        driver.set_status("t1", status)
        driver.report("car")
        assert rider.get_trip("t1").trip_status.name == status


def check_desk(link, desk, folder):
    context = ssl.create_default_context(cafile=folder + "/cert.pem")

    def ask(path, key=None, data=None, headers={}):
        request = urllib.request.Request(desk + path, data=data, headers=dict(headers))
        if key:
            request.add_header("Authorization", "Bearer " + key)
        try:
            with urllib.request.urlopen(request, context=context) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    key = open(folder + "/keys/desk.key").read().strip()
    assert ask("/healthz") == (200, b"ok\n")
    for path in ["/token/server", "/trip/unknown", "/nowhere"]:
        for wrong in [None, "wrong", key + "x"]:
            status, body = ask(path, wrong)
            assert status == 401 and json.loads(body)["status"] == 401 and json.loads(body)["message"], (path, body)
    assert ask("/trip/unknown", key)[0] == 404
    assert ask("/healthz", headers={"Host": "rides.example"})[0] == 421
    assert ask("/trip/unknown", key, headers={"Origin": "https://else.example"})[0] == 403
    error = json.loads(ask("/v1/providers/demo/trips/t1", key)[1])["error"]
    assert error["code"] == 401 and error["status"] == "UNAUTHENTICATED" and error["message"], error
    place = json.dumps({"pickup": {"latitude": 1.0, "longitude": 1.0}, "dropoff": {"latitude": 1.01, "longitude": 1.0}}).encode()
    assert ask("/trip/new", None, place)[0] == 401
    status, body = ask("/trip/new", key, place)
    trip = json.loads(body)["name"].rsplit("/", 1)[1]
    token = json.loads(ask("/token/consumer/" + trip, key)[1])
    rider = Caller(link, token["jwt"])
    assert rider.get_trip(trip).name.endswith(trip)
    denied(rider.get_trip, "t1")
    status, body = ask("/v1/providers/demo/trips/" + trip, token["jwt"])
    assert status == 200 and json.loads(body)["name"].endswith(trip), body
    for other in ["t1", "unknown"]:
        status, body = ask("/v1/providers/demo/trips/" + other, token["jwt"])
        assert status == 403 and json.loads(body)["error"]["status"] == "PERMISSION_DENIED", body


def main():
    with tempfile.TemporaryDirectory() as folder:
        server, port, desk = start(folder)
        try:
            roots = grpc.ssl_channel_credentials(open(folder + "/cert.pem", "rb").read())
            link = grpc.secure_channel("localhost:" + port, roots)

            def mint(role, *more):
                return run("token", "mint", "--role", role, "--keys", folder + "/keys", *more)

            Caller(link, mint("server", "--account", "x")).create_vehicle("car")
            check_tokens(link, mint, folder)
            check_roles(link, mint)
            check_desk(link, desk, folder)
        finally:
            server.terminate()
            server.wait()
        assert server.returncode == 0, server.returncode


if __name__ == "__main__":
    main()
