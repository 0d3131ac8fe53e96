"""Checks that faults of connections over TLS never end a command. Sixteen faults happen at the same time, in front of the real `serve`.

Each fault has a proxy of its own, and a `follow` that connects through it. Some faults also have a `wait` or a `drive`. All faults start at the
same time and last 10 s, but one outage lasts 50 s. After a fault, news must arrive in time, and every command must end with the right exit code."""
import asyncio
import datetime
import json
import os
import shutil
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import time

import grpc
import jsonschema
from google.maps import fleetengine_v1 as fe
from google.maps.fleetengine_v1.services.trip_service.transports import TripServiceGrpcTransport
from google.maps.fleetengine_v1.services.vehicle_service.transports import VehicleServiceGrpcTransport

sys.dont_write_bytecode = True
from ports import free_port

BINARY, SCHEMA = sys.argv[1], sys.argv[2]
VALIDATOR = jsonschema.Draft202012Validator(json.load(open(SCHEMA)))
FOLDER = tempfile.mkdtemp(prefix="tripwatch-faults-")
TRIP = "providers/demo/trips/made-up-ride"
# During the outage, the pauses between attempts grow longer than 15 s. After the outage, news must arrive within 15 s nevertheless.
INTERVAL, FAULT, OUTAGE = 5.0, 10.0, 50.0
# The time that a busy machine may add to every measured time, seconds.
SLACK = 6.0
processes = []


async def run_program(*arguments, **streams):
    process = await asyncio.create_subprocess_exec(BINARY, *arguments, limit=1 << 24, **streams)
    processes.append(process)
    return process


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], cwd=FOLDER, check=True, capture_output=True)


def path(name):
    return os.path.join(FOLDER, name)


def certificates():
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    openssl("req", "-x509", *key, "-days", "2", "-subj", "/CN=made-up authority", "-keyout", "ca.key", "-out", "ca.pem")
    openssl("req", *key, "-subj", "/CN=localhost", "-keyout", "server.key", "-out", "server.csr")
    with open(path("server.ext"), "w") as file:
        file.write("subjectAltName=DNS:localhost,IP:127.0.0.1,IP:0:0:0:0:0:0:0:1")
    openssl(
        "x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "1", "-extfile", "server.ext",
        "-out", "server.pem")


class Engine:
    """A `serve` that uses TLS and has one trip with a car."""

    def __init__(self):
        self.port = free_port()

    async def start(self):
        self.process = await run_program(
            "serve", "--grpc-port", str(self.port), "--http-port", "0", "--tls-cert", path("server.pem"), "--tls-key",
            path("server.key"), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL)
        words = (await asyncio.wait_for(self.process.stdout.readline(), 60)).decode().split()
        self.port = int(next(w for w in words if w.startswith("grpc=")).rsplit(":", 1)[1])
        link = grpc.secure_channel(f"localhost:{self.port}", grpc.ssl_channel_credentials(open(path("ca.pem"), "rb").read()))
        self.link = link
        self.trips = fe.TripServiceClient(transport=TripServiceGrpcTransport(channel=link))
        self.cars = fe.VehicleServiceClient(transport=VehicleServiceGrpcTransport(channel=link))
        await asyncio.to_thread(self.make)

    def make(self):
        self.cars.create_vehicle(
            request={
                "parent": "providers/demo", "vehicle_id": "demo-car",
                "vehicle": {
                    "vehicle_state": "ONLINE", "supported_trip_types": ["EXCLUSIVE"], "maximum_capacity": 4,
                    "vehicle_type": {"category": "AUTO"},
                },
            }, retry=None)
        self.move(0)
        self.trips.create_trip(
            request={
                "parent": "providers/demo", "trip_id": "made-up-ride",
                "trip": {
                    "trip_type": "EXCLUSIVE", "pickup_point": {"point": {"latitude": -30.0, "longitude": -14.99}},
                    "dropoff_point": {"point": {"latitude": -30.0, "longitude": -14.95}}, "vehicle_id": "demo-car",
                },
            }, retry=None)

    def move(self, step):
        now = datetime.datetime.now(datetime.timezone.utc)
        place = {"latitude": -30.0, "longitude": -15.0 + step * 1e-5}
        self.cars.update_vehicle(
            request={
                "name": "providers/demo/vehicles/demo-car",
                "vehicle": {"vehicle_state": "ONLINE", "last_location": {"location": place, "update_time": now}},
                "update_mask": {"paths": ["vehicle_state", "last_location"]},
            }, retry=None)

    def finish(self):
        for status in ("ENROUTE_TO_PICKUP", "COMPLETE"):
            self.trips.update_trip(
                request={"name": TRIP, "trip": {"trip_status": status}, "update_mask": {"paths": ["trip_status"]}}, retry=None)

    async def stop(self):
        self.link.close()
        self.process.terminate()
        await self.process.wait()

    async def restart(self):
        """Stops the server. When the fault ends, starts another server on the same port."""
        await self.stop()
        await asyncio.sleep(FAULT)
        await self.start()


class Link:
    """A connection through a proxy. A dead connection drops all bytes, and neither side gets an error."""

    def __init__(self, writers):
        self.writers = writers
        self.is_dead = False
        self.sent = 0

    def abort(self, reset=False):
        for writer in self.writers:
            if reset:
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()


class Proxy:
    """Forwards bytes between a client and the server. While the fault is on, the proxy changes or drops the bytes."""

    # At the beginning of these faults, the existing connections are cut.
    CUTTING = {"refuse", "close before", "close in handshake", "close after handshake", "http1", "goaway", "other program", "outage"}

    def __init__(self, fault, upstream, instead=None):
        self.fault, self.upstream, self.instead = fault, upstream, instead
        self.is_on = False
        self.links = set()
        self.port = 0

    async def listen(self):
        self.port = self.port or free_port()
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", self.port)

    async def begin(self):
        self.is_on = True
        if self.fault in ("refuse", "outage"):
            self.server.close()
        for link in list(self.links):
            if self.fault in self.CUTTING:
                link.abort()
            elif self.fault == "half-open":
                link.is_dead = True

    async def end(self):
        self.is_on = False
        if self.fault in ("refuse", "outage"):
            await self.listen()

    async def serve(self, reader, writer):
        if self.is_on and self.fault == "close before":
            return writer.close()
        if self.is_on and self.fault == "close in handshake":
            await reader.read(1)
            return writer.close()
        port = self.instead if self.is_on and self.instead else self.upstream()
        try:
            up_reader, up_writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            return writer.close()
        link = Link([writer, up_writer])
        self.links.add(link)
        await asyncio.gather(self.relay(link, reader, up_writer, False), self.relay(link, up_reader, writer, True))
        self.links.discard(link)

    async def relay(self, link, reader, writer, is_answer):
        try:
            while data := await reader.read(65536):
                if not await self.forward(link, data, writer, is_answer):
                    return
        except OSError:
            pass
        finally:
            # If the connection is dead, the other side does not learn that this side has closed it.
            if not link.is_dead:
                link.abort()

    async def forward(self, link, data, writer, is_answer):
        """Forwards the received bytes. Returns False if the connection has ended."""
        fault = self.fault if self.is_on else ""
        if fault == "black hole":
            link.is_dead = True
        if link.is_dead:
            return True
        if is_answer:
            link.sent += len(data)
        if fault == "delay":
            await asyncio.sleep(3)
        elif fault == "reset":
            link.abort(reset=True)
            return False
        elif fault == "close after handshake" and is_answer and link.sent > 3000:
            return False
        elif fault == "cut" and is_answer:
            writer.write(data[: len(data) // 2])
            await writer.drain()
            return False
        elif fault == "corrupt" and is_answer:
            data = bytes(byte ^ 0x5A if place % 7 == 6 else byte for place, byte in enumerate(data))
        elif fault == "drip":
            for place in range(len(data)):
                if not self.is_on:
                    data = data[place:]
                    break
                writer.write(data[place : place + 1])
                await writer.drain()
                await asyncio.sleep(0.05)
            else:
                return True
        writer.write(data)
        await writer.drain()
        return True


def tls():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path("server.pem"), path("server.key"))
    context.set_alpn_protocols(["h2"])
    return context


async def impostor(answer, is_secure):
    """Starts a server that gives every connection the same answer. Returns its port."""

    async def serve(reader, writer):
        try:
            if is_secure:
                await reader.read(1)
            writer.write(answer)
            await writer.drain()
            await reader.read(1000)
            writer.close()
        except OSError:
            pass

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls() if is_secure else None)
    return server.sockets[0].getsockname()[1]


class Command:
    """A command of the program, and the lines that it printed, with their times."""

    def __init__(self, *arguments):
        self.arguments = arguments
        self.lines = []
        self.news = asyncio.Condition()

    async def start(self):
        self.errors = open(path(f"stderr-{time.monotonic_ns()}"), "w+")
        self.process = await run_program(*self.arguments, stdout=asyncio.subprocess.PIPE, stderr=self.errors)
        self.reading = asyncio.create_task(self.read())
        return self

    async def read(self):
        async for line in self.process.stdout:
            self.lines.append((time.monotonic(), line.decode().rstrip("\n")))
            async with self.news:
                self.news.notify_all()
        await self.process.wait()
        async with self.news:
            self.news.notify_all()

    async def first(self, wanted, since=0.0):
        """Waits for the first line that satisfies `wanted`. Returns its time."""
        async with self.news:
            while True:
                for moment, line in self.lines:
                    if moment >= since and wanted(line):
                        return moment
                assert not self.reading.done(), f"{self.arguments} ended with {self.process.returncode}: {self.said()}"
                await self.news.wait()

    def said(self):
        self.errors.seek(0)
        return [line for _, line in self.lines[-5:]], self.errors.read()[-1000:]


def is_location(line):
    return json.loads(line)["event"] == "location"


class Case:
    """A fault, and the commands that connect through its proxy."""

    def __init__(self, proxy, seconds=FAULT, others=()):
        self.proxy, self.seconds, self.others = proxy, seconds, others
        self.name = proxy.fault

    async def start(self):
        if not self.proxy.port:
            await self.proxy.listen()
        end = ["--endpoint", f"localhost:{self.proxy.port}", "--ca", path("ca.pem")]
        # The server's IP address. The certificate contains it, but TLS must not send an IP address as the server's name.
        address = ["--endpoint", f"127.0.0.1:{self.proxy.port}", "--ca", path("ca.pem")]
        self.follow = await Command("follow", TRIP, *end, "--output", "json", "--interval", str(INTERVAL)).start()
        self.wait = self.drive = None
        if "wait" in self.others:
            self.wait = await Command("wait", TRIP, "--until", "complete", *address, "--interval", str(INTERVAL)).start()
        if "drive" in self.others:
            self.car = "car-" + self.name.replace(" ", "-")
            self.drive = await Command(
                "drive", "--vehicle", f"providers/demo/vehicles/{self.car}", "--simulate", "--create", "--route", "-30,-15;-30,-15.01",
                "--report-interval", "5", *address).start()
        await asyncio.wait_for(self.follow.first(is_location), 90)
        if self.drive:
            await asyncio.wait_for(self.drive.first(lambda line: line.endswith(" online")), 90)

    def limit(self, until):
        """The maximum time from the end of the fault to the news, seconds: an interval, the command's last pause, and slack."""
        waits = [json.loads(line).get("retry_in_s") or 0 for moment, line in self.follow.lines if moment <= until]
        return INTERVAL + max([6.0] + waits[-1:]) + SLACK

    async def run(self, begin, end):
        await begin()
        await asyncio.sleep(self.seconds)
        await end()
        over = time.monotonic()
        moment = await asyncio.wait_for(self.follow.first(is_location, over), 120)
        took, limit = moment - over, 15.0 if self.seconds > FAULT else self.limit(over)
        errors = [json.loads(line) for _, line in self.follow.lines if json.loads(line)["event"] == "error"]
        told = ", ".join(f"{e['code']}/{e['origin']} {e['message']!r} +{e['retry_in_s']}" for e in errors)
        print(f"{self.name:22} news after {took:5.1f} s of {limit:.1f}  {told}", flush=True)
        assert took <= limit, f"{self.name}: {took:.1f} s of {limit:.1f}"
        for error in errors:
            VALIDATOR.validate(error)
            assert error["class"] == "retryable" or error["code"] == "NOT_FOUND" and self.name == "restart", (self.name, error)
            assert error["origin"] in ("network", "local") or self.name == "restart", (self.name, error)
            assert "wait for ready" not in error["message"], error

    async def finish(self):
        for command, code in ((self.follow, 0), (self.wait, 0)):
            if command:
                await asyncio.wait_for(command.reading, 60)
                assert command.process.returncode == code, (self.name, command.arguments, command.process.returncode, command.said())
        if self.drive:
            assert not self.drive.reading.done(), (self.name, self.drive.said())
            self.drive.process.terminate()
            await self.drive.process.wait()


async def reports(engine, case, since):
    """Waits until the driver behind a fault reports again."""
    while True:
        car = await asyncio.to_thread(
            engine.cars.get_vehicle, request={"name": f"providers/demo/vehicles/{case.car}"}, retry=None)
        if car.last_location.server_time.timestamp() > since:
            return
        assert not case.drive.reading.done(), (case.name, case.drive.said())
        await asyncio.sleep(0.5)


async def keep_moving(engines):
    step = 0
    while True:
        step += 1
        for engine in engines:
            try:
                await asyncio.to_thread(engine.move, step)
            except Exception:  # The one that is being restarted.
                pass
        await asyncio.sleep(1)


async def main():
    certificates()
    engine, other = Engine(), Engine()
    await asyncio.gather(engine.start(), other.start())
    moving = asyncio.create_task(keep_moving([engine, other]))
    instead = {
        "http1": await impostor(b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n", True),
        # A server sends these frames when it shuts down: SETTINGS, and a GOAWAY that names no stream.
        "goaway": await impostor(b"\0\0\0\4\0\0\0\0\0" + b"\0\0\x08\7\0\0\0\0\0" + b"\0" * 8, True),
        "other program": await impostor(b"SSH-2.0-OpenSSH_9.6\r\n", False),
    }
    names = [
        "refuse", "close before", "close in handshake", "close after handshake", "black hole", "delay", "drip", "cut", "corrupt", "http1",
        "reset", "half-open", "goaway", "other program",
    ]
    with_others = {"close in handshake": ("wait", "drive"), "corrupt": ("wait",), "http1": ("wait",), "half-open": ("drive",)}
    cases = [Case(Proxy(name, lambda: engine.port, instead.get(name)), others=with_others.get(name, ())) for name in names]
    cases.append(Case(Proxy("outage", lambda: engine.port), OUTAGE, ("wait",)))
    restart = Case(Proxy("restart", lambda: other.port), 0)
    restart.proxy.port = other.port
    await asyncio.gather(*(case.start() for case in cases + [restart]))
    runs = [case.run(case.proxy.begin, case.proxy.end) for case in cases]

    async def nothing():
        pass

    began = time.time()
    results = await asyncio.gather(*runs, restart.run(nothing, other.restart), return_exceptions=True)
    faults = [result for result in results if isinstance(result, BaseException)]
    driven = [asyncio.wait_for(reports(engine, case, began + FAULT), 60) for case in cases if case.drive]
    faults += [result for result in await asyncio.gather(*driven, return_exceptions=True) if result]
    for engine in (engine, other):
        await asyncio.to_thread(engine.finish)
    for case in cases + [restart]:
        try:
            await case.finish()
        except (AssertionError, asyncio.TimeoutError) as fault:
            faults.append(fault)
    moving.cancel()
    await asyncio.gather(engine.stop(), other.stop())
    return faults


async def cleaned_up():
    try:
        return await main()
    finally:
        for process in processes:
            if process.returncode is None:
                process.kill()
                await process.wait()
        shutil.rmtree(FOLDER)


found = asyncio.run(cleaned_up())
for fault in found:
    print("FAULT", repr(fault))
sys.exit(1 if found else 0)
