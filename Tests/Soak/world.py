"""The clients of the server: cars with rides, phones, vans with parcels, and viewers of links."""
import asyncio
import json
import math
import time

from web import DISTURBED, Web, read_head

PARENT, MIDDLE, METERS_PER_DEGREE, EVERY = "/v1/providers/demo", (-36.0, -20.0), 111_195, 5
STOPS = 20


def circle(number, turn, radius=300):
    """Returns a position on a circle in the town. Each number has its own circle."""
    angle = turn + number
    latitude = MIDDLE[0] + (number * 7919 % 100 / 100 - 0.5) * 0.02 + radius * math.cos(angle) / METERS_PER_DEGREE
    longitude = MIDDLE[1] + (number * 104729 % 97 / 97 - 0.5) * 0.02 + radius * math.sin(angle) / METERS_PER_DEGREE
    return {"latitude": round(latitude, 6), "longitude": round(longitude, 6)}


class World:
    """The data that all clients share: the address of the provider's port, the end of the run, and the number of records created."""

    def __init__(self, address, speed, random):
        self.address, self.speed, self.random, self.records = address, speed, random, 0
        self.began, self.rides, self.parcels, self.fixes = time.time(), 0, 0, 0
        self.is_over = asyncio.Event()

    def now(self):
        """Returns the engine's time."""
        return self.began + (time.time() - self.began) * self.speed

    async def pause(self, seconds=EVERY):
        """Waits for `seconds`, but at most until the end of the run."""
        try:
            await asyncio.wait_for(self.is_over.wait(), seconds)
        except asyncio.TimeoutError:
            pass


class Car:
    """A car that reports its positions over Fleet Engine's REST API."""

    def __init__(self, world, name, number):
        self.world, self.name, self.number, self.web, self.turn = world, name, number, Web(world.address), 0.0

    async def create(self):
        await self.web.ask("POST", f"{PARENT}/vehicles?vehicleId={self.name}", {
            "vehicleState": "ONLINE", "supportedTripTypes": ["EXCLUSIVE"], "maximumCapacity": 4, "vehicleType": {"category": "AUTO"},
            "lastLocation": {"location": circle(self.number, 0)}})

    async def report(self):
        self.turn += 0.1
        position = {"lastLocation": {"location": circle(self.number, self.turn), "heading": int(math.degrees(self.turn)) % 360}}
        await self.web.ask("PUT", f"{PARENT}/vehicles/{self.name}?updateMask=lastLocation", position)
        self.world.fixes += 1

    async def book(self, trip, car=None):
        ends = {key: {"point": circle(self.number + step, 0)} for key, step in (("pickupPoint", 1), ("dropoffPoint", 2))}
        await self.web.ask("POST", f"{PARENT}/trips?tripId={trip}", {
            "tripType": "EXCLUSIVE", "vehicleId": car or self.name, "tripStatus": "NEW", "numberOfPassengers": 1, **ends})
        self.world.records += 1

    async def set(self, trip, status):
        await self.web.ask("PUT", f"{PARENT}/trips/{trip}?updateMask=tripStatus", {"tripStatus": status})

    async def trip(self, trip):
        return await self.web.json("GET", f"{PARENT}/trips/{trip}")


async def drive_one_ride(car):
    """Reports the car's positions until the end of the run."""
    while not car.world.is_over.is_set():
        await car.report()
        await car.world.pause()


async def drive_rides(car, seconds, follow):
    """Drives one ride after another, and cancels every seventh. `follow(trip)` may return a function that checks the ride's follower."""
    world, count = car.world, 0
    await car.create()
    await world.pause(world.random.uniform(0, seconds))
    while not world.is_over.is_set():
        count += 1
        trip = f"{car.name}-{count}"
        await car.book(trip)
        await car.set(trip, "ENROUTE_TO_PICKUP")
        judged = await follow(trip)
        for status in ("ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF", "CANCELED" if count % 7 == 6 else "COMPLETE"):
            until = time.monotonic() + (seconds / 2 if status != "ENROUTE_TO_DROPOFF" else EVERY)
            while time.monotonic() < until and not world.is_over.is_set():
                await car.report()
                await world.pause()
            await car.set(trip, status)
        world.rides += 1
        if judged:
            await judged((await car.trip(trip))["tripStatus"])


async def book_for_program(car, driver, follow):
    """Books one trip after another for a vehicle that `tripwatch drive` drives."""
    world, count = car.world, 0
    while not world.is_over.is_set():
        count += 1
        trip = f"{driver}-{count}"
        await car.book(trip, driver)
        judged = await follow(trip)
        while (status := (await car.trip(trip))["tripStatus"]) not in ("COMPLETE", "CANCELED"):
            if world.is_over.is_set():
                # The driver's shift ends, so the provider cancels the trip.
                await car.set(trip, "CANCELED")
            await world.pause()
            await asyncio.sleep(0.5)
        world.rides += 1
        await judged(status)


async def phone(world, number):
    """Reports the positions of a phone every five seconds, as OwnTracks does."""
    web, turn = Web(world.address), 0.0
    key = (await web.json("POST", "/car/new", {"vehicleId": f"phone-{number}"}))["key"]
    while not world.is_over.is_set():
        turn += 0.1
        place = circle(number + 50, turn)
        await web.ask("POST", f"/car/{key}/owntracks", {
            "_type": "location", "lat": place["latitude"], "lon": place["longitude"], "tst": int(world.now()), "acc": 8, "vel": 25,
            "batt": 80, "t": "u", "tid": "SK"})
        world.fixes += 1
        await world.pause()


async def drive_van(world, number, seconds, follow):
    """Drives a van in rounds of twenty parcels. A follower watches one parcel of each round."""
    web, name, count = Web(world.address), f"van-{number}", 0
    await web.ask("POST", f"{PARENT}/deliveryVehicles?deliveryVehicleId={name}", {"lastLocation": {"location": circle(number, 0)}})
    while not world.is_over.is_set():
        count += 1
        tasks = [f"parcel-{number}-{count}-{stop}" for stop in range(STOPS)]
        for stop, task in enumerate(tasks):
            await web.ask("POST", f"{PARENT}/tasks?taskId={task}", {
                "type": "DELIVERY", "state": "OPEN", "trackingId": task, "taskDuration": "60s",
                "plannedLocation": {"point": circle(number + stop, 1)}})
            world.records += 1
        await send_stops(web, name, number, tasks, 0, "NEW")
        watched = tasks[world.random.randrange(2, STOPS // 2)]
        judged = await follow(watched)
        await deliver(world, web, name, number, tasks, seconds / STOPS)
        told = await web.json("GET", f"{PARENT}/taskTrackingInfo/{watched}")
        await judged(told.get("taskOutcome"))


async def send_stops(web, name, number, tasks, first, state):
    """Reports the van's position and its remaining stops. `state` is that of the first remaining stop."""
    stops = [
        {"stop": {"plannedLocation": {"point": circle(number + stop, 1)}, "state": state if stop == first else "NEW",
                  "tasks": [{"taskId": tasks[stop]}]}} for stop in range(first, len(tasks))]
    vehicle = {"lastLocation": {"location": circle(number + first, 1)}, "remainingVehicleJourneySegments": stops}
    await web.ask("PATCH", f"{PARENT}/deliveryVehicles/{name}?updateMask=lastLocation,remainingVehicleJourneySegments", vehicle)


async def deliver(world, web, name, number, tasks, seconds):
    for stop, task in enumerate(tasks):
        await send_stops(web, name, number, tasks, stop, "ENROUTE")
        await world.pause(seconds)
        await send_stops(web, name, number, tasks, stop, "ARRIVED")
        outcome = "FAILED" if stop % 5 == 4 else "SUCCEEDED"
        await web.ask("PATCH", f"{PARENT}/tasks/{task}?updateMask=taskOutcome", {"taskOutcome": outcome})
        await send_stops(web, name, number, tasks, stop + 1, "NEW")
        world.parcels += 1


class Viewer:
    """A browser that shows a link's page. It listens to events, fetches the page and the map after each event, and reconnects after a fault."""

    def __init__(self, address, link):
        self.web, self.events, self.path, self.news, self.count = Web(address, link.netloc), Web(address, link.netloc), link.path, asyncio.Event(), 0

    async def listen(self):
        while True:
            try:
                await self.events.open()
                self.events.send("GET", f"{self.path}/events", accept="text/event-stream")
                await read_head(self.events.reader)
                while line := await asyncio.wait_for(self.events.reader.readline(), 60):
                    if b"data:" in line:
                        self.count += 1
                        self.news.set()
            except DISTURBED:
                pass
            self.events.close()
            await asyncio.sleep(1)

    async def look(self):
        while True:
            await self.news.wait()
            self.news.clear()
            await self.web.ask("GET", self.path, accept="text/html")
            await self.web.ask("GET", f"{self.path}/map.svg?cols=52&rows=24", accept="image/svg+xml")
            await asyncio.sleep(2)

    async def last_word(self):
        return json.loads(await self.web.ask("GET", f"{self.path}.json"))
