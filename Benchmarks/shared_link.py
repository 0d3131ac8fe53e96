"""Measures the cost of `tripwatch share` for a link with many viewers. It is a part of whole.py."""
import asyncio
import contextlib
import socket
import statistics
import subprocess
import threading
import time
import urllib.parse

import harness

VIEWERS, SLOW_READERS, SETTLE_SECONDS, SECONDS = 100, 1_000, 8, 30


@contextlib.contextmanager
def shared(program):
    """Shares the trip of a car on a long route. Yields the process that shares the trip, and the link."""
    with harness.server(program) as (_, addresses):
        connection = ["--endpoint", addresses["grpc"], "--plaintext", "--provider", "demo"]
        route = "-36.050,-20.050;-36.011,-20.011"
        with harness.running(program, "drive", "--vehicle", "car", "--simulate", "--create", "--auto", "--route", route, *connection):
            trip = harness.book(addresses["http"])[0]
            command = [program, "share", trip, "--http-port", "0", *connection]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=harness.ENVIRONMENT)
            try:
                link = process.stdout.readline().split()[1]
                threading.Thread(target=process.stdout.read, daemon=True).start()
                yield process, urllib.parse.urlsplit(link)
            finally:
                process.kill()
                process.wait()


async def fetch(link, path, accept):
    """Requests a path on a new connection. Returns the size of the answer in bytes."""
    reader, writer = await asyncio.open_connection(link.hostname, link.port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {link.netloc}\r\nAccept: {accept}\r\nConnection: close\r\n\r\n".encode())
    size = len(await reader.read(-1))
    writer.close()
    return size


async def view(link):
    """Makes the same requests as a viewer's page: it listens to events, and after each event it fetches the page and then the map."""
    reader, writer = await asyncio.open_connection(link.hostname, link.port)
    writer.write(f"GET {link.path}/events HTTP/1.1\r\nHost: {link.netloc}\r\nAccept: text/event-stream\r\n\r\n".encode())
    news = asyncio.Event()

    async def refresh():
        while True:
            await news.wait()
            news.clear()
            await fetch(link, link.path, "text/html")
            await fetch(link, f"{link.path}/map.svg?cols=52&rows=24", "image/svg+xml")
            await asyncio.sleep(0.7)

    work = asyncio.create_task(refresh())
    try:
        while line := await reader.readline():
            if line.startswith(b"data:"):
                news.set()
    finally:
        work.cancel()
        writer.close()


async def used_by_viewers(process, link, count):
    """Returns the CPU time of the sharing process for `count` viewers, in percent of a core."""
    tasks = [asyncio.create_task(view(link)) for _ in range(count)]
    await asyncio.sleep(SETTLE_SECONDS)
    used, since = harness.cpu(process.pid), time.monotonic()
    await asyncio.sleep(SECONDS)
    share = 100 * (harness.cpu(process.pid) - used) / (time.monotonic() - since)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return share


def slow_readers(link, count):
    """Opens connections that request events but do not read them."""
    readers = []
    for _ in range(count):
        reader = socket.create_connection((link.hostname, link.port))
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
        reader.sendall(f"GET {link.path}/events HTTP/1.1\r\nHost: {link.netloc}\r\n\r\n".encode())
        readers.append(reader)
    return readers


def shared_link(table, program):
    """Measures 100 viewers of a moving car, and then 1,000 clients that keep a connection open and read nothing."""
    with shared(program) as (process, link):
        table.row("a link with 100 viewers, CPU", "% of a core", asyncio.run(used_by_viewers(process, link, VIEWERS)), 5, 2, cpu=True)
        table.row("the same, resident", "MB", harness.memory(process.pid), 90, 60)
        readers = slow_readers(link, SLOW_READERS)
        used, since = harness.cpu(process.pid), time.monotonic()
        waits = []
        while time.monotonic() - since < SECONDS / 2:
            began = time.monotonic()
            asyncio.run(fetch(link, f"{link.path}.json", "application/json"))
            waits.append(1e3 * (time.monotonic() - began))
            time.sleep(0.25)
        share = 100 * (harness.cpu(process.pid) - used) / (time.monotonic() - since)
        table.row("with 1,000 readers who read nothing, CPU", "% of a core", share, 5, 2, cpu=True)
        table.row("the same, LINK.json of another", "ms", statistics.median(waits), 20, 10, cpu=True)
        table.row("the same, resident", "MB", harness.memory(process.pid), 150, 100)
        for reader in readers:
            reader.close()
