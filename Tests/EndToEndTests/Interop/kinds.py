"""Makes complete trips of each kind with Google's own clients, over TLS and with minted tokens: with one destination, with intermediate stops, two
trips one after the other, two shared trips, and a cancelled trip. A server's token books the trips, a driver's token reports the drives, and
each rider's token reads the stops before the rider's own."""
import sys
import tempfile

import grpc
from google.api_core import exceptions
from google.maps import fleetengine_v1 as fe
from google.protobuf import timestamp_pb2

sys.dont_write_bytecode = True
from tokens import Caller, denied, refused, run, start

CAR, POOL = "providers/demo/vehicles/car", "providers/demo/vehicles/pool"


def place(step):
    """Returns the place after a number of steps to the north. A step is 0.01 degrees or 1,112 m."""
    return {"latitude": 1.0 + step * 0.01, "longitude": 1.0}


def stop(step):
    return {"point": place(step)}


class Ride:
    """A booked trip, and the client of its rider."""

    def __init__(self, fleet, trip, stops, **more):
        self.fleet, self.trip, self.name = fleet, trip, "providers/demo/trips/" + trip
        self.rider = Caller(fleet.link, fleet.mint("consumer", "--trip", trip))
        first, *between, last = (stop(step) for step in stops)
        answer = fleet.server.trips.create_trip(request={
            "parent": "providers/demo", "trip_id": trip,
            "trip": {"trip_type": "EXCLUSIVE", "number_of_passengers": 1, "pickup_point": first, "intermediate_destinations": between,
                     "dropoff_point": last} | more}, **fleet.server.more)
        assert answer.trip_status.name == "NEW" and answer.name == self.name

    def seen(self):
        return self.rider.get_trip(self.trip)

    def update(self, by, **fields):
        return by.trips.update_trip(
            request={"name": self.name, "trip": fields, "update_mask": {"paths": list(fields)}}, **by.more)

    def expect(self, status, *stops, first_meters=None):
        """Checks the trip that the rider reads: its status, and the remaining stops with their trips and kinds."""
        trip = self.seen()
        assert trip.trip_status.name == status, trip.trip_status
        told = [(one.trip_id, one.waypoint_type.name.split("_")[0]) for one in trip.remaining_waypoints]
        assert told == list(stops), f"{self.trip} {status}: {told}"
        if first_meters is not None:
            assert abs(trip.remaining_distance_meters - first_meters) <= 0.02 * first_meters + 5, trip.remaining_distance_meters
        assert bool(trip.eta_to_first_waypoint) == bool(stops) == bool(trip.route)
        return trip


class Fleet:
    def __init__(self, link, mint):
        self.link, self.mint = link, mint
        self.server = Caller(link, mint("server", "--account", "x"))
        self.admin = Caller(link, mint("admin"))

    def vehicle(self, name, *kinds):
        bare = name.rsplit("/", 1)[1]
        self.server.cars.create_vehicle(request={
            "parent": "providers/demo", "vehicle_id": bare,
            "vehicle": {"vehicle_state": "ONLINE", "supported_trip_types": kinds, "maximum_capacity": 4, "vehicle_type": {"category": "AUTO"}}},
            **self.server.more)
        return Caller(self.link, self.mint("driver", "--vehicle", bare))

    def report(self, driver, name, step, status="ENROUTE_TO_DESTINATION"):
        return driver.cars.update_vehicle(request={
            "name": name, "update_mask": {"paths": ["vehicle_state", "last_location"]},
            "vehicle": {"vehicle_state": "ONLINE", "last_location": {"location": place(step)}}}, **driver.more)


def over(ride, dropoff_step):
    """Checks that a complete trip contains only the place and the time at which it ended."""
    trip = ride.expect("COMPLETE")
    assert trip.dropoff_time and not trip.remaining_distance_meters and not trip.current_route_segment
    assert abs(trip.last_location.location.latitude - place(dropoff_step)["latitude"]) < 1e-9


def single(fleet, driver):
    ride = Ride(fleet, "single", (2, 4))
    ride.expect("NEW")
    ride.update(fleet.server, vehicle_id="car")
    mine = [("single", "PICKUP"), ("single", "DROP")]
    ride.expect("NEW", *mine, first_meters=2_224)
    ride.update(driver, trip_status="ENROUTE_TO_PICKUP")
    fleet.report(driver, CAR, 1)
    ride.expect("ENROUTE_TO_PICKUP", *mine, first_meters=1_112)
    fleet.report(driver, CAR, 2)
    ride.update(driver, trip_status="ARRIVED_AT_PICKUP")
    ride.expect("ARRIVED_AT_PICKUP", *mine)
    ride.update(driver, trip_status="ENROUTE_TO_DROPOFF")
    ride.expect("ENROUTE_TO_DROPOFF", mine[1], first_meters=2_224)
    fleet.report(driver, CAR, 4)
    ride.update(driver, trip_status="COMPLETE")
    over(ride, 4)
    denied(driver.get_trip, "single")


def multi(fleet, driver):
    """A trip with two intermediate stops. Each status names the next stop and the version of the list of stops."""
    fleet.report(driver, CAR, 0)
    ride = Ride(fleet, "multi", (1, 2, 3, 4), vehicle_id="car")
    left = [("multi", kind) for kind in ("PICKUP", "INTERMEDIATE", "INTERMEDIATE", "DROP")]
    ride.expect("NEW", *left, first_meters=1_112)
    ride.update(driver, trip_status="ENROUTE_TO_PICKUP")
    fleet.report(driver, CAR, 1)
    version = ride.update(driver, trip_status="ARRIVED_AT_PICKUP").intermediate_destinations_version
    for index in (0, 1):
        fields = {"trip_status": "ENROUTE_TO_INTERMEDIATE_DESTINATION", "intermediate_destination_index": index}
        if index == 0:
            old = timestamp_pb2.Timestamp(seconds=1)
            refused(exceptions.FailedPrecondition, "intermediate_destinations_version", lambda: ride.update(
                driver, **fields, intermediate_destinations_version=old))
        ride.update(driver, **fields, intermediate_destinations_version=version)
        seen = ride.expect("ENROUTE_TO_INTERMEDIATE_DESTINATION", *left[1 + index:], first_meters=1_112)
        assert seen.intermediate_destination_index == index
        fleet.report(driver, CAR, 2 + index)
        ride.update(driver, trip_status="ARRIVED_AT_INTERMEDIATE_DESTINATION")
        ride.expect("ARRIVED_AT_INTERMEDIATE_DESTINATION", *left[1 + index:])
    ride.update(driver, trip_status="ENROUTE_TO_DROPOFF")
    ride.expect("ENROUTE_TO_DROPOFF", left[3], first_meters=1_112)
    fleet.report(driver, CAR, 4)
    ride.update(driver, trip_status="COMPLETE")
    over(ride, 4)


def back_to_back(fleet, driver):
    """The car serves the second trip after the first one. The rider of the second trip sees the stops of the first one."""
    fleet.report(driver, CAR, 0)
    first = Ride(fleet, "first", (1, 2), vehicle_id="car")
    second = Ride(fleet, "second", (3, 4), vehicle_id="car")
    one, two = ([(ride, "PICKUP"), (ride, "DROP")] for ride in ("first", "second"))
    first.expect("NEW", *one)
    second.expect("NEW", *one, *two, first_meters=1_112)
    first.update(driver, trip_status="ENROUTE_TO_PICKUP")
    fleet.report(driver, CAR, 1)
    first.update(driver, trip_status="ARRIVED_AT_PICKUP")
    first.update(driver, trip_status="ENROUTE_TO_DROPOFF")
    second.expect("NEW", one[1], *two)
    assert list(fleet.server.get_vehicle("car").current_trips) == ["first", "second"]
    fleet.report(driver, CAR, 2)
    first.update(driver, trip_status="COMPLETE")
    over(first, 2)
    second.expect("NEW", *two, first_meters=1_112)
    denied(second.rider.get_trip, "first")
    for status, step in (("ENROUTE_TO_PICKUP", 3), ("ARRIVED_AT_PICKUP", 3), ("ENROUTE_TO_DROPOFF", 4), ("COMPLETE", 4)):
        second.update(driver, trip_status=status)
        fleet.report(driver, CAR, step)
    over(second, 4)
    assert not fleet.server.get_vehicle("car").current_trips


def pooled(fleet, driver):
    """Two riders in one car, picked up one after the other and dropped off in the requested order."""
    fleet.report(driver, POOL, 0)
    order = [("ann", "PICKUP", 1), ("bob", "PICKUP", 2), ("ann", "DROP_OFF", 3), ("bob", "DROP_OFF", 4)]
    told = [(trip, kind.split("_")[0]) for trip, kind, _ in order]
    ann = Ride(fleet, "ann", (1, 3), trip_type="SHARED", vehicle_id="pool")
    waypoints = [{"trip_id": trip, "waypoint_type": kind + "_WAYPOINT_TYPE", "location": stop(step)} for trip, kind, step in order]
    bob = Ride(fleet, "bob", (2, 4), trip_type="SHARED")
    given = bob.update(fleet.server, vehicle_id="pool", vehicle_waypoints=waypoints)
    assert [one.trip_id for one in given.vehicle_waypoints] == ["ann", "bob", "ann", "bob"]
    ann.expect("NEW", *told[:3])
    assert not bob.expect("NEW", *told).vehicle_waypoints
    ann.update(driver, trip_status="ENROUTE_TO_PICKUP")
    for ride, statuses, step, left in (
        (ann, ("ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF"), 1, 1), (bob, ("ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF"), 2, 2),
        (ann, ("COMPLETE",), 3, 3),
    ):
        fleet.report(driver, POOL, step)
        for status in statuses:
            ride.update(driver, trip_status=status)
        bob.expect(bob.seen().trip_status.name, *told[left:])
    over(ann, 3)
    fleet.report(driver, POOL, 4)
    bob.update(driver, trip_status="COMPLETE")
    over(bob, 4)


def cancelled(fleet, driver):
    fleet.report(driver, CAR, 0)
    ride = Ride(fleet, "called-off", (1, 2), vehicle_id="car")
    ride.update(driver, trip_status="ENROUTE_TO_PICKUP")
    refused(exceptions.FailedPrecondition, "cancel", fleet.admin.delete_trip, "called-off")
    ride.update(fleet.server, trip_status="CANCELED")
    trip = ride.expect("CANCELED")
    assert not trip.dropoff_time and not trip.last_location
    car = fleet.server.get_vehicle("car")
    assert not car.current_trips and not car.waypoints and not car.eta_to_first_waypoint
    fleet.admin.delete_trip("called-off")
    refused(exceptions.NotFound, "", ride.rider.get_trip, "called-off")


def main():
    with tempfile.TemporaryDirectory() as folder:
        server, port, _ = start(folder)
        try:
            roots = grpc.ssl_channel_credentials(open(folder + "/cert.pem", "rb").read())
            fleet = Fleet(
                grpc.secure_channel("localhost:" + port, roots),
                lambda role, *more: run("token", "mint", "--role", role, "--keys", folder + "/keys", *more))
            car, pool = fleet.vehicle(CAR, "EXCLUSIVE"), fleet.vehicle(POOL, "SHARED")
            fleet.report(car, CAR, 0)
            for kind in (single, multi, back_to_back, cancelled):
                kind(fleet, car)
            pooled(fleet, pool)
        finally:
            server.terminate()
            server.wait()
        assert server.returncode == 0, server.returncode


main()
