"""Measures calls of the deliveries API with the messages of Google's Python client: tracking a shipment, reordering a van's stops, listing tasks."""
import shutil
import statistics
import time

import engine_calls
import harness
from engine_calls import PARENT, Client, place, rate, ridden

try:
    import google.maps.fleetengine_delivery_v1 as deliveries
    import google.type.latlng_pb2 as latlng
except ImportError:
    deliveries = None

SERVICE = "DeliveryService"
STOPS, TRACKED, TASKS, TASKS_A_STOP, TASKS_A_BATCH, REORDERINGS = 100, 20, 100_000, 5, 500, 40
SHOWN = (
    "route_polyline_points", "estimated_arrival_time", "estimated_task_completion_time", "remaining_driving_distance", "remaining_stop_count",
    "vehicle_location")
WITHOUT = "the deliveries are left out: this Python has no grpcio with google-maps-fleetengine-delivery (.venv/bin/python may)"


def create_tasks(client, count):
    """Creates open tasks without a vehicle: `task-0` with the tracking id `parcel-0`, and so on."""
    make, one = deliveries.BatchCreateTasksRequest, deliveries.CreateTaskRequest
    client.all(SERVICE, "BatchCreateTasks", (
        make.serialize(make(parent=PARENT, requests=[
            one(parent=PARENT, task_id=f"task-{number}", task=task(number)) for number in range(start, min(start + TASKS_A_BATCH, count))]))
        for start in range(0, count, TASKS_A_BATCH)))


def task(number):
    return {
        "type_": "DELIVERY", "state": "OPEN", "tracking_id": f"parcel-{number}", "task_duration": {"seconds": 60},
        "planned_location": {"point": latlng.LatLng(**place(number))},
        # Without these rules, the fields are shown only while at most five stops remain.
        "task_tracking_view_config": {f"{field}_visibility": {"always": True} for field in SHOWN},
    }


def create_vans(client, count):
    make = deliveries.CreateDeliveryVehicleRequest
    client.all(SERVICE, "CreateDeliveryVehicle", (
        make.serialize(make(parent=PARENT, delivery_vehicle_id=f"van-{number}", delivery_vehicle={
            "last_location": {"location": latlng.LatLng(**place(number))}})) for number in range(count)))


def stops_of(van, first, tasks_a_stop, is_reversed=False):
    """Returns the request that sets the stops of a van. The numbers of their tasks start at `first`."""
    stops = [
        {"stop": {
            "planned_location": {"point": latlng.LatLng(**place(first + stop * tasks_a_stop))}, "state": "NEW",
            "tasks": [{"task_id": f"task-{first + stop * tasks_a_stop + number}"} for number in range(tasks_a_stop)]}}
        for stop in range(STOPS)]
    make = deliveries.UpdateDeliveryVehicleRequest
    vehicle = {
        "name": f"{PARENT}/deliveryVehicles/van-{van}", "remaining_vehicle_journey_segments": stops[::-1] if is_reversed else stops}
    return make.serialize(make(delivery_vehicle=vehicle, update_mask={"paths": ["remaining_vehicle_journey_segments"]}))


def tracking(table, program):
    """Compares GetTaskTrackingInfo for a task at the 20th of 100 stops with GetTrip for a current ride. The two calls alternate on the same server."""
    if missing(needs_load=True):
        return
    with harness.server(program) as (_, addresses):
        client = Client(addresses["grpc"])
        ride, _report = ridden(client)
        create_tasks(client, STOPS)
        create_vans(client, 1)
        client.call(SERVICE, "UpdateDeliveryVehicle")(stops_of(0, 0, 1))
        time.sleep(2)  # The router needs time to answer.
        make = deliveries.GetTaskTrackingInfoRequest
        shipment = make.serialize(make(name=f"{PARENT}/taskTrackingInfo/parcel-{TRACKED - 1}"))
        told = deliveries.TaskTrackingInfo.deserialize(client.call(SERVICE, "GetTaskTrackingInfo")(shipment))
        if told.remaining_stop_count != TRACKED:
            raise SystemExit(f"the shipment is {told.remaining_stop_count} stops away instead of {TRACKED}")
        pairs = [
            (rate(addresses["grpc"], SERVICE, "GetTaskTrackingInfo", shipment, 16, 2), rate(addresses["grpc"], "TripService", "GetTrip", ride, 16, 2))
            for _ in range(5)]
        ratio = statistics.median(one / other for one, other in pairs)
        table.row(f"GetTaskTrackingInfo, {TRACKED}th of {STOPS} stops", "x GetTrip", ratio, 0.5, 0.9, more_is_better=True)


def reordering(table, program):
    """Reverses the order of a van's 100 stops again and again, on a server that keeps everything in memory."""
    if missing():
        return
    with harness.server(program) as (_, addresses):
        client = Client(addresses["grpc"])
        create_tasks(client, STOPS)
        create_vans(client, 1)
        call, taken = client.call(SERVICE, "UpdateDeliveryVehicle"), []
        orders = [stops_of(0, 0, 1), stops_of(0, 0, 1, is_reversed=True)]
        call(orders[0])
        for number in range(REORDERINGS):
            time.sleep(0.1)  # The router needs time to answer.
            began = time.perf_counter()
            call(orders[(number + 1) % 2])
            taken.append(1e3 * (time.perf_counter() - began))
        table.row(f"UpdateDeliveryVehicle, {STOPS} stops re-ordered", "ms", statistics.median(taken), 15, 5, cpu=True)


def list_of_tasks(table, program):
    """Lists one page of a van's open tasks. The server has 100,000 tasks of 200 vans."""
    if missing():
        return
    with harness.server(program) as (_, addresses):
        client, load = Client(addresses["grpc"]), STOPS * TASKS_A_STOP
        create_tasks(client, TASKS)
        create_vans(client, TASKS // load)
        client.all(SERVICE, "UpdateDeliveryVehicle", (stops_of(van, van * load, TASKS_A_STOP) for van in range(TASKS // load)))
        make = deliveries.ListTasksRequest
        page = make.serialize(make(parent=PARENT, page_size=50, filter='state = OPEN AND delivery_vehicle_id = "van-7"'))
        told = deliveries.ListTasksResponse.deserialize(client.call(SERVICE, "ListTasks")(page))
        if (len(told.tasks), told.total_size) != (50, load):
            raise SystemExit(f"the list has {len(told.tasks)} of {told.total_size} tasks instead of 50 of {load}")
        table.row(f"ListTasks, a page of 50 of {TASKS:,}", "ms", client.milliseconds(SERVICE, "ListTasks", page), 3, 1, cpu=True)


def missing(needs_load=False):
    """Whether a program or package that the calls need is missing. Prints which one."""
    if engine_calls.grpc is None or deliveries is None:
        print(WITHOUT)
        return True
    if needs_load and not shutil.which("h2load"):
        print(engine_calls.WITHOUT_LOAD)
        return True
    return False
