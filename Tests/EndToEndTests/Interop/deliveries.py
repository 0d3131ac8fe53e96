"""Runs Google's own client for deliveries against `serve --auth on`, over gRPC and over REST. Tests a van's day, and the calls that each role may
make.

usage: deliveries.py PROGRAM
"""
import datetime
import subprocess
import sys
import tempfile

import grpc
from google.api_core import exceptions
from google.auth import exceptions as auth_exceptions
from google.auth.credentials import AnonymousCredentials
from google.maps import fleetengine_delivery_v1 as fd
from google.maps.fleetengine_delivery_v1.services.delivery_service.transports import (
    DeliveryServiceGrpcTransport, DeliveryServiceRestTransport)
from google.protobuf import field_mask_pb2
from google.type import latlng_pb2

PARENT = "providers/demo"
NEW, ENROUTE, ARRIVED = fd.VehicleStop.State.NEW, fd.VehicleStop.State.ENROUTE, fd.VehicleStop.State.ARRIVED
OPEN, CLOSED = fd.Task.State.OPEN, fd.Task.State.CLOSED


def run(*arguments):
    return subprocess.run([sys.argv[1], *arguments], check=True, capture_output=True, text=True).stdout.strip()


def place(east):
    return fd.LocationInfo(point=latlng_pb2.LatLng(latitude=-36.0, longitude=-20.0 + east / 100))


def task(tracking, **more):
    return fd.Task(
        **{"type_": fd.Task.Type.DELIVERY, "state": OPEN, "tracking_id": tracking, "planned_location": place(1),
           "task_duration": datetime.timedelta(minutes=1), **more})


def stop(east, state, *ids):
    return fd.VehicleJourneySegment(
        stop=fd.VehicleStop(planned_location=place(east), state=state, tasks=[fd.VehicleStop.TaskInfo(task_id=i) for i in ids]))


def mask(*paths):
    return field_mask_pb2.FieldMask(paths=paths)


def refused(status, call, request, **more):
    try:
        call(request=request, **more)
    except auth_exceptions.InvalidOperation:
        # After a 401, the REST transport refreshes its credentials. Anonymous credentials cannot be refreshed.
        assert status == "UNAUTHENTICATED"
    except exceptions.GoogleAPICallError as error:
        body = getattr(error.response, "json", None)
        found = body()["error"]["status"] if body else error.grpc_status_code.name
        assert found == status, f"{found} in place of {status}: {error}"
    else:
        sys.exit(f"{request} was not refused")


def tracking(client, parcel, token):
    return client.get_task_tracking_info(request={"name": f"{PARENT}/taskTrackingInfo/{parcel}"}, **token)


def day(client, face, tokens):
    """Makes all twelve calls in the order of a van's day. Ids begin with the name of the interface, gRPC or REST."""
    server, admin = tokens["server"], tokens["admin"]
    van, name = f"{face}-van", f"{PARENT}/deliveryVehicles/{face}-van"
    t = {i: f"{face}-t{i}" for i in range(1, 7)}
    at = fd.DeliveryVehicle(last_location=fd.DeliveryVehicleLocation(location=place(0).point))
    made = {"parent": PARENT, "delivery_vehicle_id": van, "delivery_vehicle": at}
    assert client.create_delivery_vehicle(request=made, **server).name == name
    refused("ALREADY_EXISTS", client.create_delivery_vehicle, made, **server)
    late = fd.DeliveryVehicle(remaining_duration=datetime.timedelta(seconds=5))
    refused("INVALID_ARGUMENT", client.create_delivery_vehicle, {**made, "delivery_vehicle_id": "x", "delivery_vehicle": late}, **server)
    batch = [fd.CreateTaskRequest(parent=PARENT, task_id=t[i], task=task(f"{face}-p{i}")) for i in range(1, 5)]
    assert len(client.batch_create_tasks(request={"parent": PARENT, "requests": batch}, **server).tasks) == 4
    wrong = task("p", type_=fd.Task.Type.UNAVAILABLE)
    refused("INVALID_ARGUMENT", client.create_task, {"parent": PARENT, "task_id": "x", "task": wrong}, **server)

    def drive(*segments):
        vehicle = fd.DeliveryVehicle(name=name, remaining_vehicle_journey_segments=segments)
        return {"delivery_vehicle": vehicle, "update_mask": mask("remaining_vehicle_journey_segments")}

    def change(id, *paths, **values):
        return {"task": fd.Task(name=f"{PARENT}/tasks/{id}", **values), "update_mask": mask(*paths)}

    def get(id):
        return client.get_task(request={"name": f"{PARENT}/tasks/{id}"}, **server)

    client.update_delivery_vehicle(request=drive(stop(1, NEW, t[1], t[2]), stop(2, NEW, t[3])), **server)
    assert get(t[3]).delivery_vehicle_id == van and len(get(t[3]).journey_sharing_info.remaining_vehicle_journey_segments) == 2
    parcel = tokens[face + "-p3"]
    seen = tracking(client, f"{face}-p3", parcel)
    assert seen.remaining_stop_count == 2 and seen.estimated_arrival_time and seen.vehicle_location, seen
    refused("INVALID_ARGUMENT", client.update_delivery_vehicle, drive(stop(1, NEW, t[1]), stop(2, ENROUTE, t[3])), **server)
    client.update_delivery_vehicle(request=drive(stop(1, ENROUTE, t[1], t[2]), stop(2, NEW, t[3])), **server)
    there = client.update_delivery_vehicle(request=drive(stop(1, ARRIVED, t[1], t[2]), stop(2, NEW, t[3])), **server)
    assert not there.remaining_vehicle_journey_segments[0].path
    done = client.update_task(request=change(t[1], "task_outcome", task_outcome=fd.Task.TaskOutcome.SUCCEEDED), **server)
    assert done.state == OPEN and done.task_outcome_location_source == fd.Task.TaskOutcomeLocationSource.LAST_VEHICLE_LOCATION
    refused(
        "FAILED_PRECONDITION", client.update_task, change(t[1], "task_outcome", task_outcome=fd.Task.TaskOutcome.FAILED), **server)
    client.update_delivery_vehicle(request=drive(stop(2, NEW, t[3])), **server)
    assert get(t[1]).state == CLOSED and get(t[2]).state == CLOSED and not get(t[2]).task_outcome
    refused("FAILED_PRECONDITION", client.delete_delivery_vehicle, {"name": name}, **admin)
    refused("FAILED_PRECONDITION", client.update_task, change(t[3], "state", state=CLOSED), **server)
    assert client.update_task(request=change(t[4], "state", state=CLOSED), **server).state == CLOSED
    refused("FAILED_PRECONDITION", client.update_task, change(t[4], "state", state=OPEN), **server)

    option = fd.TaskTrackingViewConfig.VisibilityOption
    config = fd.TaskTrackingViewConfig(
        remaining_stop_count_visibility=option(never=True), vehicle_location_visibility=option(always=True),
        estimated_arrival_time_visibility=option(remaining_stop_count_threshold=1))
    client.update_task(request=change(t[3], "task_tracking_view_config", task_tracking_view_config=config), **server)
    seen = tracking(client, f"{face}-p3", parcel)
    assert seen.remaining_stop_count is None and seen.vehicle_location and seen.estimated_arrival_time
    pause = fd.Task(
        type_=fd.Task.Type.UNAVAILABLE, state=OPEN, task_duration=datetime.timedelta(minutes=30))
    client.create_task(request={"parent": PARENT, "task_id": t[5], "task": pause}, **server)
    client.update_delivery_vehicle(request=drive(stop(1, NEW, t[5]), stop(2, NEW, t[3])), **server)
    seen = tracking(client, f"{face}-p3", parcel)
    assert not seen.vehicle_location and not seen.route_polyline_points and not seen.estimated_arrival_time and seen.state == OPEN
    again = task(f"{face}-p3", attributes=[fd.TaskAttribute(key="try", string_value="second")])
    client.update_delivery_vehicle(request=drive(), **server)
    client.create_task(request={"parent": PARENT, "task_id": t[6], "task": again}, **server)
    assert get(t[3]).state == CLOSED and tracking(client, f"{face}-p3", parcel).attributes[0].string_value == "second"
    own = [one.name for one in client.list_tasks(
        request={"parent": PARENT, "page_size": 2, "filter": f'delivery_vehicle_id="{van}"'}, **server)]
    assert len(own) == 4, own
    vans = client.list_delivery_vehicles(request={"parent": PARENT}, **server)
    assert name in [one.name for one in vans]
    assert client.get_delivery_vehicle(request={"name": name}, **server).type_ == fd.DeliveryVehicle.DeliveryVehicleType.AUTO

    roles(client, face, tokens, name, t)
    refused("PERMISSION_DENIED", client.delete_task, {"name": f"{PARENT}/tasks/{t[6]}"}, **server)
    for id in t.values():
        client.delete_task(request={"name": f"{PARENT}/tasks/{id}"}, **admin)
    client.delete_delivery_vehicle(request={"name": name}, **admin)
    refused("NOT_FOUND", client.get_delivery_vehicle, {"name": name}, **server)


def roles(client, face, tokens, name, t):
    parcel, driver, trusted = tokens[face + "-p3"], tokens[face + "-driver"], tokens[face + "-trusted"]
    for id in (f"{face}-p1", "unknown"):
        refused("PERMISSION_DENIED", client.get_task_tracking_info, {"name": f"{PARENT}/taskTrackingInfo/{id}"}, **parcel)
    refused("PERMISSION_DENIED", client.get_task, {"name": f"{PARENT}/tasks/{t[3]}"}, **parcel)
    refused("UNAUTHENTICATED", client.get_task, {"name": f"{PARENT}/tasks/{t[3]}"}, retry=None, timeout=30)
    report = fd.DeliveryVehicle(name=name, last_location=fd.DeliveryVehicleLocation(location=place(0.001).point))
    client.update_delivery_vehicle(request={"delivery_vehicle": report, "update_mask": mask("last_location")}, **driver)
    stops = {"delivery_vehicle": fd.DeliveryVehicle(name=name), "update_mask": mask("remaining_vehicle_journey_segments")}
    refused("PERMISSION_DENIED", client.update_delivery_vehicle, stops, **driver)
    attributes = {"delivery_vehicle": fd.DeliveryVehicle(name=name), "update_mask": mask("attributes")}
    refused("PERMISSION_DENIED", client.update_delivery_vehicle, attributes, **driver)
    client.update_delivery_vehicle(request=stops, **trusted)
    refused("PERMISSION_DENIED", client.get_delivery_vehicle, {"name": f"{PARENT}/deliveryVehicles/other"}, **driver)
    outcome = {"task": fd.Task(name=f"{PARENT}/tasks/{t[3]}", task_outcome=fd.Task.TaskOutcome.SUCCEEDED),
               "update_mask": mask("task_outcome")}
    refused("PERMISSION_DENIED", client.update_task, outcome, **driver)
    client.update_task(request=outcome, **trusted)


with tempfile.TemporaryDirectory() as folder:
    for role in ["consumer", "driver", "server", "admin"]:
        run("token", "keys", "new", role, "--name", "x", "--keys", folder)

    def token(*arguments):
        jwt = run("token", "mint", "--keys", folder, *arguments)
        return dict(metadata=[("authorization", "Bearer " + jwt)], retry=None, timeout=30)

    server = subprocess.Popen(
        [sys.argv[1], "serve", "--grpc-port", "0", "--http-port", "0", "--auth", "on", "--keys", folder, "--router", "straight"],
        stdout=subprocess.PIPE, text=True)
    try:
        ports = dict(word.split("=") for word in server.stdout.readline().split()[1:])
        faces = {
            "grpc": DeliveryServiceGrpcTransport(channel=grpc.insecure_channel(ports["grpc"])),
            "rest": DeliveryServiceRestTransport(host=ports["http"], url_scheme="http", credentials=AnonymousCredentials()),
        }
        for face, transport in faces.items():
            van = ["--role", "driver", "--delivery-vehicle", f"{face}-van"]
            day(fd.DeliveryServiceClient(transport=transport), face, {
                "server": token("--role", "server"), "admin": token("--role", "admin"),
                f"{face}-p3": token("--role", "consumer", "--tracking", f"{face}-p3"), f"{face}-driver": token(*van),
                f"{face}-trusted": token(*van, "--trusted"),
            })
    finally:
        server.terminate()
        server.wait(30)
