"""HTTP/1.1 over asyncio, for many clients in one process. A request that fails because of a fault is repeated, as an app would do."""
import asyncio
import json

RETRIES, TIMEOUT = 40, 20
DISTURBED = (OSError, EOFError, asyncio.TimeoutError, ValueError, asyncio.LimitOverrunError)


class Refused(Exception):
    """The error for an answer that would be the same if the request was repeated."""


async def read_head(reader):
    """Reads the status and the header fields of an answer."""
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    return int(lines[0].split()[1]), fields


class Web:
    """A client with one connection at a time. `host` is the value of the Host field, by default the address."""

    retried = 0

    def __init__(self, address, host=None):
        self.address, self.host = address, host or address
        self.reader = self.writer = None

    async def open(self):
        name, port = self.address.rsplit(":", 1)
        self.reader, self.writer = await asyncio.open_connection(name, int(port), limit=1 << 22)

    def close(self):
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None

    def send(self, method, path, body=b"", accept="application/json"):
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}\r\nAccept: {accept}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        self.writer.write(head.encode() + body)

    async def once(self, method, path, body, accept):
        """Sends a request once. Returns the status and the body."""
        if self.writer is None:
            await self.open()
        self.send(method, path, body, accept)
        status, fields = await read_head(self.reader)
        if fields.get("transfer-encoding") == "chunked":
            data = b""
            while size := int(await self.reader.readline(), 16):
                data += await self.reader.readexactly(size)
                await self.reader.readline()
            await self.reader.readline()
        else:
            data = await self.reader.readexactly(int(fields.get("content-length", 0)))
        if fields.get("connection") == "close":
            self.close()
        return status, data

    async def ask(self, method, path, value=None, accept="application/json"):
        """Sends a request, and repeats it after faults. Returns the body. Accepts status 409: an earlier attempt may have created the record."""
        body, last = b"" if value is None else json.dumps(value).encode(), None
        for attempt in range(RETRIES):
            try:
                status, data = await asyncio.wait_for(self.once(method, path, body, accept), TIMEOUT)
            except DISTURBED as error:
                last = repr(error)
                self.close()
            else:
                if status < 300 or status == 409:
                    return data
                if status not in (429, 500, 503, 504):
                    raise Refused(f"{method} {path}: {status} {data[:300].decode(errors='replace')}")
                last = f"{status} {data[:200]!r}"
            Web.retried += 1
            await asyncio.sleep(min(5, 0.2 * (attempt + 1)))
        raise Refused(f"{method} {path} did not succeed in {RETRIES} tries: {last}")

    async def json(self, method, path, value=None):
        return json.loads(await self.ask(method, path, value))
