"""Writers that change a server's data in each possible way: gRPC, REST, reports of phones, and the provider API."""
import contextlib
import copy
import http.client
import json
import threading
import time

import grpc
from google.maps import fleetengine_delivery_v1 as delivery
from google.maps import fleetengine_v1 as ride
from google.protobuf import field_mask_pb2
from google.type import latlng_pb2

from ledger import GONE, Ledger

PARENT = "providers/demo"
KEPT = 10
PLACE = {"point": {"latitude": -36.0, "longitude": -20.0}}
TRIP = {"tripType": "EXCLUSIVE", "pickupPoint": PLACE, "dropoffPoint": PLACE, "numberOfPassengers": 1}
VEHICLE = {
    "vehicleState": "ONLINE", "maximumCapacity": 4, "vehicleType": {"category": "AUTO"}, "supportedTripTypes": ["EXCLUSIVE"],
    "attributes": [{"key": "n", "value": "0"}],
}
# If the server is killed, a call fails with one of these errors.
ENDED = (OSError, http.client.HTTPException, json.JSONDecodeError)


class Refused(Exception):
    """The error for a server that refuses a valid call."""


class Writer:
    """A caller that makes one change after another until the server has ended or `rest` is called."""

    def __init__(self, scene):
        self.scene, self.ledger, self.number, self.count = scene, Ledger(), 0, 0
        self.resting = threading.Event()

    def may_own(self, key):
        return False

    def now(self):
        """Returns a copy of the writer's state at this moment, while its calls continue."""
        other = copy.copy(self)
        other.ledger = self.ledger.copy()
        return other

    def return_to(self, ledger):
        """Continues from an earlier ledger, because the server has the data of that time again."""
        self.ledger = ledger

    def work(self, server):
        self.connection = http.client.HTTPConnection(server.addresses["http"], timeout=60)
        try:
            while not self.resting.is_set():
                self.number += 1
                self.step()
        except ENDED:
            pass
        except Refused as refusal:
            self.scene.lost.append(f"{type(self).__name__}: {refusal}")

    def ask(self, method, path, body=None, allowed=(200,)):
        self.connection.request(method, path, None if body is None else json.dumps(body), {"content-type": "application/json"})
        answer = self.connection.getresponse()
        data = answer.read()
        if answer.status not in allowed:
            raise Refused(f"{method} {path} got {answer.status}: {data[:200]!r}")
        self.count += 1
        return json.loads(data) if data.startswith(b"{") else answer.status

    def rest(self, method, path, body=None):
        return self.ask(method, f"/v1/{PARENT}/{path}", body)

    def tidy(self):
        """Deletes the oldest trip. An active trip cannot be deleted; if a kill has prevented its cancellation, cancels it first."""
        old = self.ledger.oldest("trips/", KEPT)
        if old is None:
            return
        if self.ledger.told[old] != "CANCELED":
            with self.ledger.change(old, "CANCELED"):
                self.rest("PUT", f"{old}?updateMask=tripStatus", {"tripStatus": "CANCELED"})
        with self.ledger.change(old, GONE):
            self.rest("DELETE", old)


class REST(Writer):
    """A writer that makes Fleet Engine's calls over REST, with JSON."""

    def step(self):
        car, number, ledger = f"vehicles/rest-{self.number % 3}", str(self.number), self.ledger
        if car not in ledger.told:
            with ledger.change(car, "0"):
                self.rest("POST", f"vehicles?vehicleId={car.split('/')[1]}", VEHICLE)
        with ledger.change(car, number):
            self.rest("POST", f"{car}:updateAttributes", {"attributes": [{"key": "n", "value": number}]})
        with ledger.change(f"trips/rest-{number}", "1"):
            self.rest("POST", f"trips?tripId=rest-{number}", TRIP)
        with ledger.change(f"trips/rest-{number}", "CANCELED"):
            self.rest("PUT", f"trips/rest-{number}?updateMask=tripStatus", {"tripStatus": "CANCELED"})
        self.tidy()


class GRPC(Writer):
    """A writer that makes Fleet Engine's calls over gRPC, with Google's client."""

    def work(self, server):
        with grpc.insecure_channel(server.addresses["grpc"]) as self.channel:
            super().work(server)

    def call(self, service, make, answer=None, **request):
        package = "maps.fleetengine.delivery.v1" if service == "DeliveryService" else "maps.fleetengine.v1"
        path = f"/{package}.{service}/{make.__name__.removesuffix('Request')}"
        try:
            self.channel.unary_unary(path, make.serialize)(make(**request), timeout=60)
        except grpc.RpcError as error:
            if error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED):
                raise ConnectionError from error
            raise Refused(f"{path} got {error.code().name}: {error.details()}") from error
        self.count += 1

    def step(self):
        trip, task, number, ledger = f"trips/grpc-{self.number}", f"tasks/grpc-{self.number}", str(self.number), self.ledger
        place = latlng_pb2.LatLng(latitude=-36, longitude=-20)
        mask = field_mask_pb2.FieldMask(paths=["trip_status"])
        with ledger.change(trip, "1"):
            self.call("TripService", ride.CreateTripRequest, parent=PARENT, trip_id=trip.split("/")[1], trip={
                "trip_type": "EXCLUSIVE", "number_of_passengers": 1, "pickup_point": {"point": place}, "dropoff_point": {"point": place}})
        with ledger.change(trip, "CANCELED"):
            self.call("TripService", ride.UpdateTripRequest, name=f"{PARENT}/{trip}", trip={"trip_status": "CANCELED"}, update_mask=mask)
        with ledger.change(task, number):
            self.call("DeliveryService", delivery.CreateTaskRequest, parent=PARENT, task_id=task.split("/")[1], task={
                "type_": "DELIVERY", "state": "OPEN", "tracking_id": number, "planned_location": {"point": place}, "task_duration": {"seconds": 60}})
        if old := ledger.oldest("trips/", KEPT):
            with ledger.change(old, GONE):
                self.call("TripService", ride.DeleteTripRequest, name=f"{PARENT}/{old}")
        if old := ledger.oldest("tasks/", KEPT):
            with ledger.change(old, GONE):
                self.call("DeliveryService", delivery.DeleteTaskRequest, name=f"{PARENT}/{old}")


class Phone(Writer):
    """A phone app that reports positions. After every twentieth report its car gets a new key, and the old key becomes invalid."""

    CAR = "vehicles/phone"
    key = old = None

    def step(self):
        if self.key is None or self.number % 20 == 0:
            self.renew()
        elif self.old:
            self.ask("GET", f"/car/{self.old}/osmand?lat=1&lon=8&timestamp={time.time()}", allowed=(401,))
            self.old = None
        latitude = 50 + self.number % 100_000 / 100_000
        with self.ledger.change(self.CAR, f"{latitude:.5f}"):
            self.ask("GET", f"/car/{self.key}/osmand?lat={latitude:.5f}&lon=8&speed=0&timestamp={time.time()}")

    def renew(self):
        """Requests a new key. If there is no answer, the car may have the old or the new key, so the next step requests another key."""
        known, self.key = self.key, None
        with self.change_of_car():
            self.key = self.ask("POST", "/car/new", {"vehicleId": "phone"})["key"]
        self.old = known

    def return_to(self, ledger):
        super().return_to(ledger)
        self.key = self.old = None

    def change_of_car(self):
        # The request for the first key creates the car. The car has no position yet.
        return contextlib.nullcontext() if self.CAR in self.ledger.told else self.ledger.change(self.CAR, "")


class Desk(Writer):
    """A writer that books and cancels trips over the provider API."""

    booking = False

    def may_own(self, key):
        """Handles a booking without an answer. The writer does not know the trip's name. There is at most one such booking."""
        is_own, self.booking = self.booking and key.startswith("trips/trip-"), False
        return is_own

    def step(self):
        ledger, self.booking = self.ledger, True
        name = self.ask("POST", "/trip/new", {"pickup": PLACE["point"], "dropoff": PLACE["point"]})["name"].split("/", 2)[2]
        ledger.settle(name, "1")
        self.booking = False
        with ledger.change(name, "CANCELED"):
            self.ask("PUT", f"/trip/{name.split('/')[1]}", {"status": "CANCELED"})
        self.tidy()


def everyone(scene):
    return [kind(scene) for kind in (REST, GRPC, Phone, Desk)]


def wait_for_calls(writers, count, seconds=30):
    """Waits until the writers have received `count` more answers in total."""
    enough, deadline = sum(writer.count for writer in writers) + count, time.monotonic() + seconds
    while sum(writer.count for writer in writers) < enough and time.monotonic() < deadline:
        time.sleep(0.001)


@contextlib.contextmanager
def working(writers, server):
    """Runs all writers at the same time. The block must kill the server or stop the writers."""
    threads = [threading.Thread(target=writer.work, args=(server,)) for writer in writers]
    for writer in writers:
        writer.resting.clear()
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for writer in writers:
            writer.resting.set()
        for thread in threads:
            thread.join()
