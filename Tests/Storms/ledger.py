"""The answers that a writer got from a server, compared with the server's data after a restart."""
import contextlib
import json

GONE = "gone"


class Ledger:
    """What one writer was told, and what it has asked for without an answer."""

    def __init__(self):
        self.told, self.asked = {}, {}

    @contextlib.contextmanager
    def change(self, key, value):
        """Around a call that gives `key` this value. If the call fails, the change may or may not have happened."""
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
        """The first of the records of a kind, if there are more than `keep`."""
        keys = [key for key in self.told if key.startswith(kind)]
        return keys[0] if len(keys) > keep else None

    def copy(self):
        other = Ledger()
        # In this order, because an answer that arrives between both moves a value from `asked` to `told`.
        other.asked = dict(self.asked)
        other.told = dict(self.told)
        return other

    def check(self, found):
        """Takes the writer's records out of `found`. Returns a sentence for each one that is not as the writer was told."""
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
    """The value of each record that the writers change, by the record's name without its provider."""
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
    """Compares a server's data with the ledgers of all writers. Only bookings without an answer may have appeared besides."""
    found = figures(json.loads(records) if isinstance(records, str) else records)
    for writer in writers:
        scene.lost += [f"{where}: {wrong}" for wrong in writer.ledger.check(found)]
    for key, value in found.items():
        keeper = next((writer for writer in writers if writer.may_own(key)), None)
        if keeper is None:
            scene.lost.append(f"{where}: {key} has appeared with {value}")
        else:
            keeper.ledger.settle(key, value)
