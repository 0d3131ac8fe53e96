"""Makes the requests of a van's day on `serve --auth on`, as the apps of Google's last-mile sample make them. A form sends the plan. A phone gets a
manifest, drives, and sets outcomes. A shipment's page and an operator's page read the state. Google's client calls Fleet Engine.

usage: sample_van.py PROGRAM
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

import grpc
from google.api_core import exceptions
from google.maps import fleetengine_delivery_v1 as fd
from google.maps.fleetengine_delivery_v1.services.delivery_service.transports import DeliveryServiceGrpcTransport
from google.protobuf import field_mask_pb2
from google.type import latlng_pb2

PARENT = "providers/demo"


def waypoint(north, words):
    return {"description": words, "lat": -36.0 + north / 100, "lng": -20.0}


def parcel(id, north):
    return {
        "task_id": id, "tracking_id": "p-" + id, "task_type": "DELIVERY", "duration_seconds": 60, "contact_name": "N. " + id,
        "planned_waypoint": waypoint(north, f"{id} Mill Lane"), "description": "a box",
    }


PLAN = {"description": "a day", "manifests": [{
    "vehicle": {"vehicle_id": "van", "provider_id": "another", "start_location": waypoint(0, "depot")},
    "tasks": [parcel("t1", 1), parcel("t2", 1), parcel("t3", 2)],
    "stops": [
        {"stop_id": "s1", "planned_waypoint": waypoint(1, "Mill Lane"), "tasks": ["t1", "t2"]},
        {"stop_id": "s2", "planned_waypoint": waypoint(2, "Mill Lane"), "tasks": ["t3"]},
    ],
}]}


def mask(*paths):
    return field_mask_pb2.FieldMask(paths=paths)


class Backend:
    def __init__(self, address, key):
        self.address, self.key = address, key

    def ask(self, method, path, body=None, type="application/json"):
        """Sends a request. Returns the status, and the object in the answer."""
        headers = {"content-type": type, "authorization": "Bearer " + self.key}
        request = urllib.request.Request(f"http://{self.address}{path}", body, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def get(self, path):
        status, answer = self.ask("GET", path)
        assert status == 200, (path, status, answer)
        return answer

    def post(self, path, **members):
        status, answer = self.ask("POST", path, json.dumps(members).encode())
        assert status == 200, (path, status, answer)
        return answer

    def upload(self, plan):
        head = '--sample\r\nContent-Disposition: form-data; name="file"; filename="plan.json"\r\nContent-Type: application/json\r\n\r\n'
        body = head.encode() + json.dumps(plan, indent=2).encode() + b"\r\n--sample--\r\n"
        status, answer = self.ask("POST", "/backend_config", body, "multipart/form-data; boundary=sample")
        assert status == 200, (status, answer)
        return answer["manifests"]

    def token(self, path):
        answer = self.get("/token/" + path)
        assert sorted(answer) == ["creation_timestamp_ms", "expiration_timestamp_ms", "token"], sorted(answer)
        assert answer["expiration_timestamp_ms"] - answer["creation_timestamp_ms"] == 3_600_000
        return dict(metadata=[("authorization", "Bearer " + answer["token"])], retry=None, timeout=30)


def denied(call, request, token):
    try:
        call(request=request, **token)
    except exceptions.PermissionDenied:
        return
    sys.exit(f"{request} was not refused")


def day(backend, client):
    (planned,) = backend.upload(PLAN)
    van, tasks = planned["vehicle"]["vehicle_id"], [task["task_id"] for task in planned["tasks"]]
    assert van.startswith("van_") and planned["vehicle"]["provider_id"] == "demo", planned["vehicle"]
    name, path = f"{PARENT}/deliveryVehicles/{van}", f"/manifest/{van}"

    mine = backend.post("/manifest", client_id="phone-1")
    assert mine["vehicle"]["vehicle_id"] == van and mine["remaining_stop_id_list"] == ["s1", "s2"], mine
    assert backend.ask("POST", "/manifest", b'{"client_id":"phone-2"}')[0] == 404
    assert backend.ask("POST", path, b'{"client_id":"phone-2"}')[0] == 403

    driver = backend.token(f"delivery_driver/{van}")
    here = fd.DeliveryVehicle(
        name=name, last_location=fd.DeliveryVehicleLocation(location=latlng_pb2.LatLng(latitude=-36.00001, longitude=-20.0)))
    client.update_delivery_vehicle(request={"delivery_vehicle": here, "update_mask": mask("last_location")}, **driver)
    stops = {"delivery_vehicle": here, "update_mask": mask("remaining_vehicle_journey_segments")}
    denied(client.update_delivery_vehicle, stops, driver)

    shipment = planned["tasks"][2]["tracking_id"]
    words = backend.get(f"/taskInfoByTrackingId/{shipment}")
    assert words["planned_waypoint"]["description"] == "t3 Mill Lane" and words["contact_name"] == "N. t3", words
    consumer = backend.token(f"delivery_consumer/{shipment}")

    def seen():
        return client.get_task_tracking_info(request={"name": f"{PARENT}/taskTrackingInfo/{shipment}"}, **consumer)

    assert seen().remaining_stop_count == 2 and seen().vehicle_location.location.latitude == -36.00001, seen()
    denied(client.get_task_tracking_info, {"name": f"{PARENT}/taskTrackingInfo/{planned['tasks'][0]['tracking_id']}"}, consumer)

    for state in ("ENROUTE", "ARRIVED"):
        assert backend.post(path, current_stop_state=state)["current_stop_state"] == state
    for task in tasks[:2]:
        assert backend.post(f"/task/{task}", task_outcome="SUCCEEDED")["task_outcome"] == "SUCCEEDED"
    assert backend.get(path)["stops"][0]["tasks"] == []
    assert backend.post(path, remaining_stop_id_list=["s2"])["remaining_stop_id_list"] == ["s2"]
    assert backend.get(f"/task/{tasks[0]}")["state"] == "CLOSED"
    assert [task["name"] for task in backend.get(f"/tasks?vehicleId={van}")] == [f"{PARENT}/tasks/{tasks[2]}"]
    assert seen().remaining_stop_count == 1

    backend.post(path, current_stop_state="ENROUTE")
    backend.post(path, current_stop_state="ARRIVED")
    assert backend.post(f"/task/{tasks[2]}", task_outcome="FAILED")["task_outcome"] == "FAILED"
    assert backend.post(path, remaining_stop_id_list=[])["remaining_stop_id_list"] == []
    last = seen()
    assert last.state == fd.Task.State.CLOSED and last.task_outcome == fd.Task.TaskOutcome.FAILED, last

    reader = backend.token("fleet_reader")
    assert len(list(client.list_tasks(request={"parent": PARENT}, **reader))) == 3
    assert client.get_delivery_vehicle(request={"name": name}, **reader).name == name
    denied(client.update_delivery_vehicle, {"delivery_vehicle": here, "update_mask": mask("last_location")}, reader)
    assert [one["vehicle"]["vehicle_id"] for one in backend.upload(PLAN)] != [van]


with tempfile.TemporaryDirectory() as folder:
    server = subprocess.Popen(
        [sys.argv[1], "serve", "--grpc-port", "0", "--http-port", "0", "--auth", "on", "--keys", folder, "--router", "straight"],
        stdout=subprocess.PIPE, text=True)
    try:
        ports = dict(word.split("=") for word in server.stdout.readline().split()[1:])
        key = pathlib.Path(folder, "desk.key").read_text().split()[0]
        transport = DeliveryServiceGrpcTransport(channel=grpc.insecure_channel(ports["grpc"]))
        day(Backend(ports["http"], key), fd.DeliveryServiceClient(transport=transport))
    finally:
        server.terminate()
        server.wait(30)
