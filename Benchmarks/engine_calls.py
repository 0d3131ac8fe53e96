"""Measures calls of other clients to the engine: searches by Google's Python client over grpcio, and calls per second by h2load."""
import base64
import math
import os
import re
import shutil
import statistics
import struct
import subprocess
import sys
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
ROUTE_POINTS = 200
PARENT, MIDDLE = "providers/demo", (-36.0, -20.0)
WITHOUT_LOAD = "the load of calls is left out: there is no h2load (Debian: nghttp2-client)"
WITHOUT = "the engine's searches are left out: this Python has no grpcio with google-maps-fleetengine (.venv/bin/python may)"


def path(service, name):
    """Returns the HTTP/2 path of a call."""
    package = "maps.fleetengine.delivery.v1" if service == "DeliveryService" else "maps.fleetengine.v1"
    return f"/{package}.{service}/{name}"


class Client:
    """A client that makes Fleet Engine's calls over one gRPC channel."""

    def __init__(self, address):
        self.channel = grpc.insecure_channel(address, options=[("grpc.max_receive_message_length", -1)])
        self.calls = {}

    def call(self, service, name):
        if name not in self.calls:
            self.calls[name] = self.channel.unary_unary(path(service, name))
        return self.calls[name]

    def all(self, service, name, messages):
        """Makes one call for each message. Several calls run at the same time."""
        call, flying = self.call(service, name), []
        for message in messages:
            flying.append(call.future(message))
            if len(flying) >= IN_FLIGHT:
                flying.pop(0).result()
        for left in flying:
            left.result()

    def finds_nothing(self, service, name, message, metadata):
        """Makes a call that must be allowed and find nothing. Exits the script if the call finds something."""
        try:
            self.call(service, name)(message, metadata=metadata)
        except grpc.RpcError as error:
            if error.code() == grpc.StatusCode.NOT_FOUND:
                return
            raise
        sys.exit(f"{name} found something")

    def milliseconds(self, service, name, message):
        """Makes calls one after another. Returns their median duration in milliseconds."""
        call, taken = self.call(service, name), []
        for _ in range(CALLS):
            began = time.perf_counter()
            call(message)
            taken.append(1e3 * (time.perf_counter() - began))
        return statistics.median(taken)


def place(number):
    """Returns the place with this number. The places are spread evenly over an area of about 60 by 60 km."""
    latitude = MIDDLE[0] + (number * 7919 % 1000 / 1000 - 0.5) * 0.54
    return {"latitude": latitude, "longitude": MIDDLE[1] + (number * 104729 % 997 / 997 - 0.5) * 0.67}


def trip_messages(count=TRIPS, has_vehicle=True):
    make = fleetengine.CreateTripRequest
    for number in range(count):
        stop = fleetengine.TerminalLocation(point=latlng.LatLng(**place(number)))
        trip = {"trip_type": "EXCLUSIVE", "pickup_point": stop, "dropoff_point": stop, "number_of_passengers": 1}
        if has_vehicle and number % 10_000 == 0:
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


def load(address, service, name, message, connections, seconds, *options):
    """Returns the command of h2load, and the file with the request, which must exist until h2load exits. Each connection makes one call at a time."""
    body = tempfile.NamedTemporaryFile()
    # In gRPC, a prefix of five bytes states the length of the message.
    body.write(b"\0" + struct.pack(">I", len(message)) + message)
    body.flush()
    command = ["h2load", "-D", str(seconds), "--warm-up-time=1", "-c", str(connections), "-m", "1", "-d", body.name, *options,
               "-H", "content-type: application/grpc", "-H", "te: trailers", f"http://{address}{path(service, name)}"]
    return command, body


def rate(address, service, name, message, connections, seconds=LOAD_SECONDS):
    """Returns the number of calls per second. Each connection makes one call at a time."""
    command, _body = load(address, service, name, message, connections, seconds)
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60, env=dict(os.environ, LC_ALL="C.UTF-8")).stdout
    return float(re.search(r"([\d.]+) req/s", told)[1])


def calls(address, service, name, message, connections, count, *options):
    """Makes `count` calls. Each connection makes one call at a time. Exits the script if a call is not answered."""
    command, _body = load(address, service, name, message, connections, 0, *options)
    command[1:4] = ["-n", str(count)]
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120, env=dict(os.environ, LC_ALL="C.UTF-8")).stdout
    if f" {count} done, {count} succeeded" not in told:
        sys.exit(f"not all {count} calls were answered:\n{told}")


def get_trip_load(table, program):
    if not shutil.which("h2load"):
        return print(WITHOUT_LOAD)
    with harness.server(program) as (_, addresses):
        name = harness.book(addresses["http"])[0].encode()
        # The bytes of a GetTripRequest: `name` is field 3.
        message = b"\x1a" + bytes([len(name)]) + name
        for connections, limit, aim in ((1, 5_000, 10_000), (16, 20_000, 35_000), (64, 24_000, 40_000)):
            table.rate(f"GetTrip, {connections} connections", rate(addresses["grpc"], "TripService", "GetTrip", message, connections), limit, aim)


def ridden(client):
    """Creates a trip with a route of 200 points. Returns a GetTrip request with the versions that the rider has, and a position report of the vehicle."""
    vehicle = {"vehicle_state": "ONLINE", "supported_trip_types": ["EXCLUSIVE"], "maximum_capacity": 4, "vehicle_type": {"category": "AUTO"}}
    make = fleetengine.CreateVehicleRequest
    client.call("VehicleService", "CreateVehicle")(make.serialize(make(parent=PARENT, vehicle_id="car-1", vehicle=vehicle)))
    make, name = fleetengine.UpdateVehicleRequest, f"{PARENT}/vehicles/car-1"
    position = {"location": latlng.LatLng(latitude=-36.03, longitude=-20.0)}
    report = make.serialize(make(name=name, vehicle={"name": name, "last_location": position}, update_mask={"paths": ["last_location"]}))
    client.call("VehicleService", "UpdateVehicle")(report)
    ends = [fleetengine.TerminalLocation(point=latlng.LatLng(latitude=latitude, longitude=-20.0)) for latitude in (-36.0, -35.97)]
    trip = {"trip_type": "EXCLUSIVE", "pickup_point": ends[0], "dropoff_point": ends[1], "vehicle_id": "car-1", "trip_status": "NEW"}
    make = fleetengine.CreateTripRequest
    client.call("TripService", "CreateTrip")(make.serialize(make(parent=PARENT, trip_id="t1", trip=trip)))
    time.sleep(1)  # The router needs time to answer.
    make = fleetengine.UpdateVehicleRequest
    on_way = {"name": name, "last_location": position, "current_route_segment": polyline(way(ROUTE_POINTS))}
    client.call("VehicleService", "UpdateVehicle")(
        make.serialize(make(name=name, vehicle=on_way, update_mask={"paths": ["last_location", "current_route_segment"]})))
    make, name = fleetengine.GetTripRequest, f"{PARENT}/trips/t1"
    known = fleetengine.Trip.deserialize(client.call("TripService", "GetTrip")(make.serialize(make(name=name))))
    if len(known.route) != ROUTE_POINTS:
        sys.exit("the trip does not have the route that its driver uploaded")
    ask = make(
        name=name, current_route_segment_version=known.current_route_segment_version, remaining_waypoints_version=known.remaining_waypoints_version,
        remaining_waypoints_route_version=known.remaining_waypoints_route_version,
        current_route_segment_traffic_version=known.current_route_segment_traffic_version)
    return make.serialize(ask), report


def way(count):
    """Returns the route from the vehicle to the pickup. It bends slightly at each point, so that no point is dropped as redundant."""
    return [(-36.03 + 0.03 * number / (count - 1), -20.0 + 0.0001 * (number % 2)) for number in range(count)]


def polyline(points):
    """Returns an uncompressed S2 polyline, as drivers upload it: version, number of points, and the points on the unit sphere."""
    data = struct.pack("<BI", 1, len(points))
    for latitude, longitude in (map(math.radians, point) for point in points):
        data += struct.pack("<3d", math.cos(latitude) * math.cos(longitude), math.cos(latitude) * math.sin(longitude), math.sin(latitude))
    return base64.urlsafe_b64encode(data).decode()


def against_an_empty_call(table, program):
    """Compares the rate of a call with the rate of a call that finds nothing. The two alternate on the same server."""
    if grpc is None or not shutil.which("h2load"):
        return print(WITHOUT if grpc is None else WITHOUT_LOAD)
    make = fleetengine.GetTripRequest
    empty = make.serialize(make(name=f"{PARENT}/trips/nobody"))
    with tempfile.TemporaryDirectory() as folder:
        for options, what, bars in (
            ((), "GetTrip, its route known", {1: (0.7, 0.9), 64: (0.7, 0.9)}),
            (("--database", f"{folder}/rides.db"), "durable UpdateVehicle", {1: (0.25, 0.5), 64: (0.4, 0.7)}),
        ):
            with harness.server(program, *options) as (_, addresses):
                ask, report = ridden(Client(addresses["grpc"]))
                call = ("VehicleService", "UpdateVehicle", report) if options else ("TripService", "GetTrip", ask)
                for connections, (limit, aim) in bars.items():
                    pairs = [(rate(addresses["grpc"], *call, connections, 2), rate(addresses["grpc"], "TripService", "GetTrip", empty, connections, 2)) for _ in range(5)]
                    ratio = statistics.median(one / other for one, other in pairs)
                    table.row(f"{what}, {connections} connections", "x empty call", ratio, limit, aim, more_is_better=True)
                if options:
                    print(f"one transaction takes {1e3 * stored_seconds(addresses):.2f} ms here, most of it for the disk")


def stored_seconds(addresses):
    """Returns the average duration of the store's transactions so far, in seconds."""
    told = dict(line.rsplit(" ", 1) for line in harness.text(addresses["http"], "/metrics").splitlines() if line.startswith("tripwatch_store_seconds_"))
    return float(told["tripwatch_store_seconds_sum"]) / float(told["tripwatch_store_seconds_count"])
