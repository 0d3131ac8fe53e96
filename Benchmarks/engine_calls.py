"""The engine's calls, asked by clients of others: searches by Google's Python client's messages over grpcio, GetTrip a second by h2load."""
import os
import re
import shutil
import statistics
import struct
import subprocess
import tempfile
import time

import harness

try:
    import google.maps.fleetengine_v1 as fleetengine
    import google.type.latlng_pb2 as latlng
    import grpc
except ImportError:
    grpc = None

TRIPS, VEHICLES, CALLS, IN_FLIGHT, LOAD_SECONDS = 99_000, 20_000, 40, 64, 5
PARENT, MIDDLE = "providers/demo", (-36.0, -20.0)
WITHOUT = "the engine's searches are left out: this Python has no grpcio with google-maps-fleetengine (.venv/bin/python may)"


class Client:
    """Fleet Engine's calls over one channel."""

    def __init__(self, address):
        self.channel = grpc.insecure_channel(address, options=[("grpc.max_receive_message_length", -1)])
        self.calls = {}

    def call(self, service, name):
        if name not in self.calls:
            self.calls[name] = self.channel.unary_unary(f"/maps.fleetengine.v1.{service}/{name}")
        return self.calls[name]

    def all(self, service, name, messages):
        """One call for each message, several at once."""
        call, flying = self.call(service, name), []
        for message in messages:
            flying.append(call.future(message))
            if len(flying) >= IN_FLIGHT:
                flying.pop(0).result()
        for left in flying:
            left.result()

    def milliseconds(self, service, name, message):
        """The median of one call after another."""
        call, taken = self.call(service, name), []
        for _ in range(CALLS):
            began = time.perf_counter()
            call(message)
            taken.append(1e3 * (time.perf_counter() - began))
        return statistics.median(taken)


def place(number):
    """Places spread evenly over about 60 by 60 km, by steps that share no factor with their count."""
    latitude = MIDDLE[0] + (number * 7919 % 1000 / 1000 - 0.5) * 0.54
    return {"latitude": latitude, "longitude": MIDDLE[1] + (number * 104729 % 997 / 997 - 0.5) * 0.67}


def trip_messages():
    make = fleetengine.CreateTripRequest
    for number in range(TRIPS):
        stop = fleetengine.TerminalLocation(point=latlng.LatLng(**place(number)))
        trip = {"trip_type": "EXCLUSIVE", "pickup_point": stop, "dropoff_point": stop, "number_of_passengers": 1}
        if number % 10_000 == 0:
            trip |= {"vehicle_id": "car-0", "trip_status": "NEW"}
        yield make.serialize(make(parent=PARENT, trip_id=f"trip-{number}", trip=trip))


def vehicle_messages():
    make = fleetengine.CreateVehicleRequest
    for number in range(VEHICLES):
        vehicle = {
            "vehicle_state": "ONLINE", "supported_trip_types": ["EXCLUSIVE"], "maximum_capacity": 4,
            "vehicle_type": {"category": "AUTO"}, "last_location": {"location": latlng.LatLng(**place(number))},
        }
        yield make.serialize(make(parent=PARENT, vehicle_id=f"car-{number}", vehicle=vehicle))


def position_messages():
    make = fleetengine.UpdateVehicleRequest
    for number in range(VEHICLES):
        name = f"{PARENT}/vehicles/car-{number}"
        vehicle = {"name": name, "last_location": {"location": latlng.LatLng(**place(number))}}
        yield make.serialize(make(name=name, vehicle=vehicle, update_mask={"paths": ["last_location"]}))


def searches(table, program):
    if grpc is None:
        return print(WITHOUT)
    with harness.server(program) as (_, addresses):
        client = Client(addresses["grpc"])
        client.all("VehicleService", "CreateVehicle", vehicle_messages())
        client.all("VehicleService", "UpdateVehicle", position_messages())
        make, middle = fleetengine.SearchVehiclesRequest, latlng.LatLng(latitude=MIDDLE[0], longitude=MIDDLE[1])
        near = make(
            parent=PARENT, pickup_point={"point": middle}, pickup_radius_meters=10_000, count=10, minimum_capacity=1,
            trip_types=["EXCLUSIVE"], vehicle_types=[{"category": "AUTO"}], order_by="PICKUP_POINT_STRAIGHT_DISTANCE")
        table.row(f"SearchVehicles 10 km among {VEHICLES:,}", "ms", client.milliseconds("VehicleService", "SearchVehicles", make.serialize(near)), 2, 0.8, cpu=True)
        make = fleetengine.ListVehiclesRequest
        page = make.serialize(make(parent=PARENT, page_size=50, vehicle_type_categories=["AUTO"]))
        table.row(f"ListVehicles, a page of 50 of {VEHICLES:,}", "ms", client.milliseconds("VehicleService", "ListVehicles", page), 2, 0.8, cpu=True)
        client.all("TripService", "CreateTrip", trip_messages())
        make = fleetengine.SearchTripsRequest
        of_one = make.serialize(make(parent=PARENT, vehicle_id="car-0"))
        table.row(f"SearchTrips by vehicle among {TRIPS:,}", "ms", client.milliseconds("TripService", "SearchTrips", of_one), 2, 0.8, cpu=True)


def get_trip_load(table, program):
    if not shutil.which("h2load"):
        return print("GetTrip a second is left out: there is no h2load (Debian: nghttp2-client)")
    with harness.server(program) as (_, addresses), tempfile.NamedTemporaryFile() as body:
        name = harness.book(addresses["http"])[0].encode()
        # GetTripRequest: name is field 3; a message of gRPC has its length before it.
        message = b"\x1a" + bytes([len(name)]) + name
        body.write(b"\0" + struct.pack(">I", len(message)) + message)
        body.flush()
        for connections, limit, aim in ((1, 5_000, 10_000), (16, 20_000, 35_000), (64, 24_000, 40_000)):
            command = ["h2load", "-D", str(LOAD_SECONDS), "--warm-up-time=1", "-c", str(connections), "-m", "1", "-d", body.name,
                       "-H", "content-type: application/grpc", "-H", "te: trailers",
                       f"http://{addresses['grpc']}/maps.fleetengine.v1.TripService/GetTrip"]
            told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60, env=dict(os.environ, LC_ALL="C.UTF-8")).stdout
            table.rate(f"GetTrip, {connections} connections", float(re.search(r"([\d.]+) req/s", told)[1]), limit, aim)
