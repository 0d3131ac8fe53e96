"""Compares the answers that a writer got from a server with the server's data after a restart."""
import contextlib
import json

GONE = "gone"


class Ledger:
    """The values that the server acknowledged to one writer, and the values of the writer's calls without an answer."""

    def __init__(self):
        self.told, self.asked = {}, {}

    @contextlib.contextmanager
    def change(self, key, value):
        """Records the call in its block, which sets `key` to this value. If the call fails, the change may or may not have happened."""
        self.asked[key] = value
        yield
        self.settle(key, value)
        del self.asked[key]

    def settle(self, key, value):
        if value == GONE:
            self.told.pop(key, None)
        else:
            self.told[key] = value

    def oldest(self, kind, keep):
        """Returns the first record of a kind, if there are more than `keep`."""
        keys = [key for key in self.told if key.startswith(kind)]
        return keys[0] if len(keys) > keep else None

    def copy(self):
        other = Ledger()
        # `asked` is copied first, because an answer that arrives in between moves a value from `asked` to `told`.
        other.asked = dict(self.asked)
        other.told = dict(self.told)
        return other

    def check(self, found):
        """Removes the writer's records from `found`. Returns a sentence for each record that differs from the answers to the writer."""
        wrong = []
        for key in list(self.told | self.asked):
            allowed = {self.told.get(key, GONE), self.asked.get(key, self.told.get(key, GONE))}
            value = found.pop(key, GONE)
            if value not in allowed:
                wrong.append(f"{key} is {value} instead of {' or '.join(sorted(allowed))}")
            self.settle(key, value)
        self.asked.clear()
        return wrong


def figures(records):
    """Returns the values of the records that the writers change. The keys are the records' names without the provider."""
    found = {}
    for vehicle in records.get("vehicles", []):
        numbers = [attribute["value"] for attribute in vehicle.get("attributes", []) if attribute["key"] == "n"]
        place = vehicle.get("lastLocation", {}).get("location", {})
        found[name(vehicle)] = numbers[0] if numbers else f"{place['latitude']:.5f}" if place else ""
    for trip in records.get("trips", []):
        status = trip["tripStatus"]
        found[name(trip)] = status if status == "CANCELED" else str(trip.get("numberOfPassengers", 0))
    for task in records.get("tasks", []):
        found[name(task)] = task["trackingId"]
    return found


def name(record):
    return record["name"].split("/", 2)[2]


def check(writers, records, scene, where):
    """Compares a server's data with the ledgers of all writers. The only other records may be those of bookings without an answer."""
    found = figures(json.loads(records) if isinstance(records, str) else records)
    for writer in writers:
        scene.lost += [f"{where}: {wrong}" for wrong in writer.ledger.check(found)]
    for key, value in found.items():
        keeper = next((writer for writer in writers if writer.may_own(key)), None)
        if keeper is None:
            scene.lost.append(f"{where}: {key} has appeared with {value}")
        else:
            keeper.ledger.settle(key, value)
