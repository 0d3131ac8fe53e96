"""A proxy on loopback that cuts connections. Each second it cuts one in a hundred: by a reset, by closing it, or by a reset after silence."""
import asyncio
import contextlib
import socket
import struct

SHARE_A_SECOND, SILENCE = 0.01, 10
KINDS = ("reset", "end", "silence")


class Cutter:
    """A port that forwards to a server's port. No connections are cut while `is_calm`."""

    is_calm, count = False, 0

    def __init__(self, target, random):
        self.host, port = target.rsplit(":", 1)
        self.port, self.random, self.tasks = int(port), random, set()

    async def start(self):
        """Starts to listen. Returns the address."""
        self.server = await asyncio.start_server(self.accept, "127.0.0.1", 0)
        return "127.0.0.1:%d" % self.server.sockets[0].getsockname()[1]

    async def accept(self, reader, writer):
        try:
            far_reader, far_writer = await asyncio.open_connection(self.host, self.port)
        except OSError:
            return writer.close()
        flow = asyncio.Event()
        flow.set()
        pumps = [asyncio.create_task(pump(*ends, flow)) for ends in ((reader, far_writer), (far_reader, writer))]
        fault = asyncio.create_task(self.fault((writer, far_writer), flow))
        try:
            await asyncio.wait([*pumps, fault], return_when=asyncio.FIRST_COMPLETED)
            if not fault.done():
                # There may still be bytes to transmit in the other direction.
                await asyncio.wait(pumps, timeout=1)
        except asyncio.CancelledError:
            # The soak has ended. Without this handler, a cancelled connection would print a traceback.
            pass
        finally:
            for task in (*pumps, fault):
                task.cancel()
            for end in (writer, far_writer):
                end.close()

    async def fault(self, ends, flow):
        """Waits for a random time, then cuts the connection."""
        kind = self.random.choice(KINDS)
        await asyncio.sleep(self.random.expovariate(SHARE_A_SECOND))
        while Cutter.is_calm:
            await asyncio.sleep(3600)
        Cutter.count += 1
        if kind == "silence":
            flow.clear()
            await asyncio.sleep(SILENCE)
        if kind != "end":
            for end in ends:
                with contextlib.suppress(OSError):
                    end.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                end.transport.abort()


async def pump(reader, writer, flow):
    with contextlib.suppress(OSError):
        while data := await reader.read(1 << 16):
            await flow.wait()
            writer.write(data)
            await writer.drain()
    with contextlib.suppress(OSError, RuntimeError):
        writer.write_eof()
