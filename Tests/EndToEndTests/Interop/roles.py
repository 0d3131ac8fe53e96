"""Compares a real `serve` over TLS with the whole table of roles, which is written here a second time, from Google's documents.

Every kind of token calls every rpc for each kind of object (its own, another's, and one that does not exist), over gRPC and as JSON. A call that
is not listed as allowed must be PERMISSION_DENIED, even for an object that does not exist. An allowed call must get the answer that follows from
the state of the server. Then every invalid token is tried with every rpc."""
import base64
import hashlib
import hmac
import http.client
import json
import os
import ssl
import subprocess
import sys
import tempfile
import time

import grpc
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from google.maps import fleetengine_v1 as fe

BINARY = sys.argv[1]
AUDIENCE = "https://fleetengine.googleapis.com/"
HTTP = {"OK": 200, "INVALID_ARGUMENT": 400, "FAILED_PRECONDITION": 400, "UNAUTHENTICATED": 401, "PERMISSION_DENIED": 403, "NOT_FOUND": 404,
        "ALREADY_EXISTS": 409}

# The state of the server: car-1 drives trip-1, car-2 drives trip-2, car-1 has driven trip-over, trip-free has no car, and car-3 is free.
# Each call is an rpc with the objects that it names. The answers are those for a caller with all rights.
ANSWERS = {
    "CreateTrip": {"trip-1": "ALREADY_EXISTS", "trip-2": "ALREADY_EXISTS", "trip-1 to car-1": "ALREADY_EXISTS", "fresh": "OK",
                   "fresh to car-none": "NOT_FOUND"},
    "GetTrip": {"trip-1": "OK", "trip-2": "OK", "trip-free": "OK", "trip-over": "OK", "trip-none": "NOT_FOUND", "bad:id": "INVALID_ARGUMENT"},
    "UpdateTrip": {"trip-1": "OK", "trip-2": "OK", "trip-free": "OK", "trip-none": "NOT_FOUND", "trip-1 to car-1": "OK",
                   "trip-1 to car-none": "NOT_FOUND"},
    "SearchTrips": {"all": "OK", "car-1": "OK", "car-2": "OK"},
    "ReportBillableTrip": {"trip-1": "OK", "trip-2": "OK", "trip-none": "OK"},
    "DeleteTrip": {"trip-1": "FAILED_PRECONDITION", "trip-none": "NOT_FOUND", "fresh": "OK"},
    "CreateVehicle": {"car-1": "ALREADY_EXISTS", "car-2": "ALREADY_EXISTS", "fresh": "OK"},
    "GetVehicle": {"car-1": "OK", "car-2": "OK", "car-3": "OK", "car-none": "NOT_FOUND", "bad:id": "INVALID_ARGUMENT"},
    "UpdateVehicle": {"car-1": "OK", "car-2": "OK", "car-3": "OK", "car-none": "NOT_FOUND"},
    "UpdateVehicleAttributes": {"car-1": "OK", "car-2": "OK", "car-none": "NOT_FOUND"},
    "ListVehicles": {"all": "OK"},
    "SearchVehicles": {"all": "OK"},
    "DeleteVehicle": {"car-1": "FAILED_PRECONDITION", "car-none": "NOT_FOUND", "fresh": "OK"},
}
# All rpcs, each with all its objects.
ANY = {rpc: list(about) for rpc, about in ANSWERS.items()}


def any_of(*rpcs):
    return {rpc: ANY[rpc] for rpc in rpcs}


def just(about, *rpcs):
    return {rpc: about for rpc in rpcs}


A_RIDERS = any_of("GetVehicle", "SearchVehicles")
A_CARS = just(["car-1"], "GetVehicle", "UpdateVehicle", "SearchTrips")
OF_TRIPS = ("CreateTrip", "GetTrip", "UpdateTrip", "ReportBillableTrip")
OF_CARS = ("CreateVehicle", "GetVehicle", "UpdateVehicle", "UpdateVehicleAttributes")

# Each row has a role, the claims of its token, and the calls that the token allows, with their objects. All other calls are PERMISSION_DENIED.
MAY = [
    ("consumer", {"tripid": "trip-1"}, A_RIDERS | {"GetTrip": ["trip-1"]}),
    ("consumer", {"tripid": "trip-none"}, A_RIDERS | {"GetTrip": ["trip-none"]}),
    ("consumer", {"tripid": "trip-over"}, A_RIDERS | {"GetTrip": ["trip-over"]}),
    ("consumer", {"tripid": "*"}, A_RIDERS | any_of("GetTrip")),
    ("consumer", {"vehicleid": "car-1"}, A_RIDERS),
    # A driver may read and change the trips that the vehicle has now, here trip-1. A driver cannot assign them to another vehicle.
    ("driver", {"vehicleid": "car-1"}, A_CARS | {"GetTrip": ["trip-1"], "UpdateTrip": ["trip-1", "trip-1 to car-1"]}),
    ("driver", {"vehicleid": "car-3"}, just(["car-3"], "GetVehicle", "UpdateVehicle")),
    ("driver", {"vehicleid": "car-none"}, just(["car-none"], "GetVehicle", "UpdateVehicle")),
    ("driver", {"vehicleid": "*"}, any_of("GetVehicle", "UpdateVehicle") | {
        "GetTrip": ["trip-1", "trip-2"], "UpdateTrip": ["trip-1", "trip-2", "trip-1 to car-1", "trip-1 to car-none"],
        "SearchTrips": ["car-1", "car-2"]}),
    # If the token names a trip, it allows only calls for this trip.
    ("driver", {"vehicleid": "car-1", "tripid": "trip-2"}, A_CARS | just(["trip-2"], "GetTrip", "UpdateTrip")),
    ("driver", {"vehicleid": "car-1", "tripid": "trip-none"}, A_CARS | just(["trip-none"], "GetTrip", "UpdateTrip")),
    ("driver", {"vehicleid": "car-1", "tripid": "*"}, A_CARS | any_of("GetTrip") | {
        "UpdateTrip": ["trip-1", "trip-2", "trip-free", "trip-none", "trip-1 to car-1"]}),
    ("driver", {"tripid": "trip-2"}, just(["trip-2"], "GetTrip", "UpdateTrip")),
    ("driver", {"tripid": "*"}, any_of("GetTrip", "UpdateTrip")),
    ("server", {"tripid": "*", "vehicleid": "*"}, {rpc: about for rpc, about in ANY.items() if not rpc.startswith("Delete")}),
    ("server", {"tripid": "*"}, any_of("SearchTrips", *OF_TRIPS)),
    ("server", {"vehicleid": "*"}, any_of("ListVehicles", "SearchVehicles", *OF_CARS) | {"SearchTrips": ["car-1", "car-2"]}),
    ("server", {"tripid": "trip-1", "vehicleid": "car-1"}, just(["trip-1", "trip-1 to car-1"], *OF_TRIPS) | just(["car-1"], "SearchTrips", *OF_CARS)),
    ("admin", {}, ANY),
    ("admin", None, ANY),
    ("admin", {"tripid": "trip-2", "vehicleid": "car-2"}, ANY),
]


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value):
    return base64url(value.to_bytes((value.bit_length() + 7) // 8, "big"))


def thumbprint(key):
    numbers = key.public_key().public_numbers()
    members = json.dumps({"e": number(numbers.e), "kty": "RSA", "n": number(numbers.n)}, separators=(",", ":"), sort_keys=True)
    return base64url(hashlib.sha256(members.encode()).digest())


class Account:
    def __init__(self, folder, role):
        with open(os.path.join(folder, role + ".pem"), "rb") as file:
            self.key = serialization.load_pem_private_key(file.read(), None)
        self.kid, self.email = thumbprint(self.key), f"{role}@tripwatch.local"

    def claims(self, authorization, lifetime=3600):
        now = int(time.time())
        claims = {"iss": self.email, "sub": self.email, "aud": AUDIENCE, "iat": now, "exp": now + lifetime}
        return claims if authorization is None else claims | {"authorization": authorization}

    def sign(self, claims, key=None, **header):
        header = {"alg": "RS256", "typ": "JWT", "kid": self.kid} | header
        header = {name: value for name, value in header.items() if value is not None}
        claims = {name: value for name, value in claims.items() if value is not None}
        text = ".".join(base64url(json.dumps(part).encode()) for part in (header, claims))
        if header["alg"] == "none":
            return text + "."
        if header["alg"] == "HS256":
            secret = self.key.public_key().public_bytes(
                serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
            return text + "." + base64url(hmac.new(secret, text.encode(), hashlib.sha256).digest())
        return text + "." + base64url((key or self.key).sign(text.encode(), padding.PKCS1v15(), hashes.SHA256()))

    def token(self, authorization):
        return self.sign(self.claims(authorization))


def terminal(latitude, longitude):
    return {"point": {"latitude": latitude, "longitude": longitude}}


TRIP = {"tripType": "EXCLUSIVE", "pickupPoint": terminal(48.5, 9.1), "dropoffPoint": terminal(48.52, 9.15)}
CAR = {"vehicleState": "ONLINE", "supportedTripTypes": ["EXCLUSIVE"], "maximumCapacity": 4, "vehicleType": {"category": "AUTO"}}
COUNTER = iter(range(1_000_000))


def address(name):
    return "/v1/" + name.replace(":", "%3A")


def call(rpc, about, prepare):
    """Returns the members of a gRPC request, and the method, path and body of the same call as JSON. `prepare` creates the objects to delete."""
    about, _, vehicle = about.partition(" to ")
    if about == "fresh":
        about = f"fresh-{next(COUNTER)}"
        if rpc.startswith("Delete"):
            prepare(rpc.replace("Delete", "Create"), about)
    trip, car = f"providers/demo/trips/{about}", f"providers/demo/vehicles/{about}"
    given = {"vehicleId": vehicle} if vehicle else {}
    mask = "tripStatus,vehicleId" if vehicle else "tripStatus"
    search = {"pickupPoint": terminal(48.5, 9.1), "pickupRadiusMeters": 5000, "count": 5, "minimumCapacity": 1, "tripTypes": ["EXCLUSIVE"],
              "orderBy": "PICKUP_POINT_DISTANCE", "vehicleTypes": [{"category": "AUTO"}]}
    attributes = {"attributes": [{"key": "colour", "value": "red"}]}
    of_vehicle = {} if about == "all" else {"vehicleId": about}
    at = "/v1/providers/demo"
    return {
        "CreateTrip": ({"parent": "providers/demo", "tripId": about, "trip": TRIP | given},
                       "POST", f"{at}/trips?tripId={about}", TRIP | given),
        "GetTrip": ({"name": trip}, "GET", address(trip), None),
        "UpdateTrip": ({"name": trip, "trip": {"tripStatus": "NEW"} | given, "updateMask": mask},
                       "PUT", f"/v1/{trip}?updateMask={mask}", {"tripStatus": "NEW"} | given),
        "SearchTrips": ({"parent": "providers/demo", **of_vehicle}, "POST", f"{at}/trips:search", of_vehicle),
        "ReportBillableTrip": ({"name": f"providers/demo/billableTrips/{about}", "countryCode": "DE"},
                               "POST", f"{at}/billableTrips/{about}:report", {"countryCode": "DE"}),
        "DeleteTrip": ({"name": trip}, "DELETE", "/v1/" + trip, None),
        "CreateVehicle": ({"parent": "providers/demo", "vehicleId": about, "vehicle": CAR}, "POST", f"{at}/vehicles?vehicleId={about}", CAR),
        "GetVehicle": ({"name": car}, "GET", address(car), None),
        "UpdateVehicle": ({"name": car, "vehicle": {"vehicleState": "ONLINE"}, "updateMask": "vehicleState"},
                          "PUT", f"/v1/{car}?updateMask=vehicleState", {"vehicleState": "ONLINE"}),
        "UpdateVehicleAttributes": ({"name": car, **attributes}, "POST", f"/v1/{car}:updateAttributes", attributes),
        "ListVehicles": ({"parent": "providers/demo", "vehicleTypeCategories": ["AUTO"]},
                         "GET", f"{at}/vehicles?vehicleTypeCategories=AUTO", None),
        "SearchVehicles": ({"parent": "providers/demo", **search}, "POST", f"{at}/vehicles:search", search),
        "DeleteVehicle": ({"name": car}, "DELETE", "/v1/" + car, None),
    }[rpc]


class Server:
    def __init__(self, folder):
        self.keys, self.certificate = os.path.join(folder, "keys"), os.path.join(folder, "cert.pem")
        private = os.path.join(folder, "key.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
             "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", private, "-out", self.certificate], check=True, capture_output=True)
        self.process = subprocess.Popen(
            [BINARY, "serve", "--grpc-port", "0", "--http-port", "0", "--auth", "on", "--keys", self.keys, "--tls-cert", self.certificate,
             "--tls-key", private, "--provider", "demo"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        words = self.process.stdout.readline().split()
        assert words and words[0] == "listening", f"it says {words}"
        ports = dict(word.split("=", 1) for word in words[1:3])
        with open(self.certificate, "rb") as file:
            self.channel = grpc.secure_channel(ports["grpc"], grpc.ssl_channel_credentials(file.read()))
        # All calls use one connection, because a handshake takes longer than a call.
        self.desk = http.client.HTTPSConnection(
            ports["https"], timeout=30, context=ssl.create_default_context(cafile=self.certificate))

    def grpc(self, rpc, members, token):
        service = "TripService" if "Trip" in rpc else "VehicleService"
        kind = getattr(fe, rpc + "Request")
        ask = self.channel.unary_unary(
            f"/maps.fleetengine.v1.{service}/{rpc}", request_serializer=kind.serialize, response_deserializer=bytes)
        try:
            return "OK", ask(kind.from_json(json.dumps(members)), timeout=30, metadata=token and [("authorization", "Bearer " + token)])
        except grpc.RpcError as error:
            return error.code().name, error.details()

    def rest(self, method, path, body, token):
        headers = {"Authorization": "Bearer " + token} if token else {}
        self.desk.request(
            method, path, None if body is None else json.dumps(body).encode(), headers | {"Content-Type": "application/json"})
        with self.desk.getresponse() as answer:
            status, told = answer.status, json.loads(answer.read())
        if status == 200:
            return "OK", told
        told = told["error"]
        assert HTTP.get(told["status"]) == status == told["code"], f"{method} {path}: {status} {told}"
        return told["status"], told["message"]


def walk(server, accounts):
    """Makes the calls of each token over gRPC and as JSON. Returns the wrong answers, and the number of calls."""
    everything = accounts["admin"].token(None)

    def prepare(rpc, about):
        status, told = server.grpc(rpc, call(rpc, about, None)[0], everything)
        assert status == "OK", f"{rpc} {about}: {status} {told}"

    wrong, made = [], 0
    for role, claims, allowed in MAY:
        token = accounts[role].token(claims)
        for rpc, answers in ANSWERS.items():
            for about, answer in answers.items():
                expected = answer if about in allowed.get(rpc, []) else "PERMISSION_DENIED"
                for face in ("gRPC", "JSON"):
                    members, method, path, body = call(rpc, about, prepare)
                    got = server.grpc(rpc, members, token) if face == "gRPC" else server.rest(method, path, body, token)
                    made += 1
                    if got[0] != expected:
                        wrong.append(f"{role} {claims}: {rpc} {about} over {face}: {got}, not {expected}")
    return wrong, made


def main():
    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder)
        try:
            accounts = {role: Account(server.keys, role) for role in ("consumer", "driver", "server", "admin")}
            fill(server, accounts["admin"].token(None))
            wrong, made = walk(server, accounts)
            for check in (consumers_vehicle, proofs):
                more, calls = check(server, accounts)
                wrong, made = wrong + more, made + calls
        finally:
            server.process.terminate()
            server.process.wait(30)
        print(*wrong, sep="\n")
        print(f"{made} calls, {len(wrong)} not as stated")
        sys.exit(1 if wrong else 0)


def fill(server, token):
    def must(method, path, body=None):
        status, told = server.rest(method, path, body, token)
        assert status == "OK", f"{method} {path}: {status} {told}"

    at = "/v1/providers/demo"
    for number, car in enumerate(("car-1", "car-2", "car-3")):
        place = {"location": {"latitude": 48.5 + number / 1000, "longitude": 9.1}}
        must("POST", f"{at}/vehicles?vehicleId={car}", CAR | {"attributes": [{"key": "seat", "value": "child"}]})
        must("PUT", f"{at}/vehicles/{car}?updateMask=lastLocation", {"lastLocation": place})
    for trip, car in {"trip-1": "car-1", "trip-2": "car-2", "trip-free": None, "trip-over": "car-1"}.items():
        must("POST", f"{at}/trips?tripId={trip}", TRIP | ({"vehicleId": car} if car else {}))
    must("PUT", f"{at}/trips/trip-over?updateMask=tripStatus", {"tripStatus": "COMPLETE"})


def consumers_vehicle(server, accounts):
    """A rider sees all fields of a vehicle that has the rider's trip. Of other vehicles, the rider sees only the position and the kind."""
    wrong, made = [], 0
    hidden = {"waypoints", "currentTrips", "attributes"}
    for claims, car, sees in [({"tripid": "trip-1"}, "car-1", True), ({"tripid": "trip-1"}, "car-2", False),
                              ({"tripid": "trip-over"}, "car-1", False), ({"tripid": "trip-free"}, "car-2", False)]:
        token = accounts["consumer"].token(claims)
        members, method, path, body = call("GetVehicle", car, None)
        as_json = server.rest(method, path, body, token)[1]
        as_message = fe.Vehicle.to_json(fe.Vehicle.deserialize(server.grpc("GetVehicle", members, token)[1]))
        for face, told in (("JSON", as_json), ("gRPC", json.loads(as_message))):
            made += 1
            seen = {name for name in hidden if told.get(name)}
            if seen != (hidden if sees else set()) or "lastLocation" not in told:
                wrong.append(f"consumer {claims} sees of {car} over {face}: {sorted(told)}")
    return wrong, made


def proofs(server, accounts):
    """Invalid tokens get UNAUTHENTICATED for every rpc, before anything is looked up. Tokens just inside the limits are valid."""
    account, stranger = accounts["server"], rsa.generate_private_key(65537, 2048)
    both, now = {"tripid": "*", "vehicleid": "*"}, int(time.time())
    good = account.claims(both)
    none = {
        "no token": None,
        "no token at all": "nonsense",
        "not signed": account.sign(good, alg="none"),
        "signed with the public key as a secret": account.sign(good, alg="HS256"),
        "signed by a stranger": account.sign(good, key=stranger),
        "a stranger's kid": account.sign(good, key=stranger, kid=thumbprint(stranger)),
        "another account's kid": account.sign(good, kid=accounts["admin"].kid),
        "no kid": account.sign(good, kid=None),
        "another's iss": account.sign(good | {"iss": accounts["admin"].email}),
        "another's sub": account.sign(good | {"sub": accounts["admin"].email}),
        "both another's": account.sign(good | {"iss": accounts["admin"].email, "sub": accounts["admin"].email}),
        "another audience": account.sign(good | {"aud": "https://example.com/"}),
        "an audience without its slash": account.sign(good | {"aud": AUDIENCE[:-1]}),
        "expired": account.sign(good | {"iat": now - 3000, "exp": now - 1}),
        "expired before it was issued": account.sign(good | {"iat": now + 100, "exp": now + 50}),
        "an hour and eleven seconds long": account.sign(good | {"exp": good["iat"] + 3611}),
        "issued eleven minutes ahead": account.sign(good | {"iat": now + 660, "exp": now + 1200}),
        **{f"no {name}": account.sign(good | {name: None}) for name in ("iss", "sub", "aud", "iat", "exp")},
        "no authorization": account.token(None),
        "an empty authorization": account.token({}),
        "a consumer's without ids": accounts["consumer"].token({}),
        "a driver's without ids": accounts["driver"].token(None),
    }
    held = {
        "an hour": account.token(both),
        "an hour and a moment": account.sign(good | {"exp": good["iat"] + 3600.00002}),
        "issued nine minutes ahead": account.sign(good | {"iat": now + 540, "exp": now + 1200}),
        "the last seconds": account.sign(good | {"iat": now - 3000, "exp": now + 300}),
    }
    wrong, made = [], 0
    for words, token in (none | held).items():
        for rpc, answers in ANSWERS.items():
            about = next(iter(answers))
            members, method, path, body = call(rpc, about, None)
            names_nothing = "authorization" in words or "without ids" in words
            is_denied = names_nothing or rpc.startswith("Delete") and words not in none
            expected = "PERMISSION_DENIED" if is_denied else "UNAUTHENTICATED" if words in none else answers[about]
            for face, got in (("gRPC", server.grpc(rpc, members, token)), ("JSON", server.rest(method, path, body, token))):
                made += 1
                if got[0] != expected or names_nothing and "JWT does not contain any scopes." not in got[1]:
                    wrong.append(f"{words}: {rpc} {about} over {face}: {got}, not {expected}")
    return wrong, made


main()
