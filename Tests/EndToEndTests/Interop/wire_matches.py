"""Checks that our .proto files describe the same messages on the wire as Google's client: every message, field number, type and enum value."""
import subprocess
import sys
import tempfile

from google.maps.fleetengine_v1.types import trip_api, trips, vehicle_api, vehicles
from google.protobuf import descriptor_pb2

PROTOS = sys.argv[1]
PACKAGE = "maps.fleetengine.v1"
# The types of some fields are named differently in our files and in Google's, but are the same on the wire.
RENAMED = {f"{PACKAGE}.LatLng": "google.type.LatLng", f"{PACKAGE}.Viewport": "google.geo.type.Viewport"}


def collect(prefix, messages, enums, found):
    for message in messages:
        name = f"{prefix}.{message.name}"
        found[name] = {
            f.number: (f.name, f.type, f.label, RENAMED.get(f.type_name.lstrip("."), f.type_name.lstrip("."))) for f in message.field
        }
        collect(name, message.nested_type, message.enum_type, found)
    for enum in enums:
        found[f"{prefix}.{enum.name}"] = sorted((v.name, v.number) for v in enum.value)


def ours():
    with tempfile.NamedTemporaryFile() as out:
        files = [f"maps/fleetengine/v1/{name}.proto" for name in ("trip_api", "vehicle_api")]
        subprocess.check_call(["protoc", "-I", PROTOS, "--include_imports", "-o", out.name, *files])
        files = descriptor_pb2.FileDescriptorSet.FromString(open(out.name, "rb").read())
    found = {}
    for file in files.file:
        if file.package == PACKAGE:
            collect(PACKAGE, file.message_type, file.enum_type, found)
    return found


def googles():
    found, seen = {}, set()

    def add(file):
        if file.name in seen:
            return
        seen.add(file.name)
        for needed in file.dependencies:
            add(needed)
        if file.package == PACKAGE:
            copy = descriptor_pb2.FileDescriptorProto()
            file.CopyToProto(copy)
            collect(PACKAGE, copy.message_type, copy.enum_type, found)

    for message in (trip_api.GetTripRequest, vehicle_api.UpdateVehicleRequest, trips.Trip, vehicles.Vehicle):
        add(message.pb().DESCRIPTOR.file)
    return found


mine, theirs = ours(), googles()
wrong = [name for name in sorted(set(mine) | set(theirs)) if name not in RENAMED and mine.get(name) != theirs.get(name)]
assert len(theirs) > 50, len(theirs)
for name in wrong:
    print(name, "ours:", mine.get(name), "Google's:", theirs.get(name))
print(f"{len(theirs)} messages and enums compared, {len(wrong)} differ")
sys.exit(1 if wrong else 0)
