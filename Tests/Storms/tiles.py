"""Kills programs that write the map's cache at the same time. The file must stay valid, and maps that were shown must need no network."""
import contextlib
import http.server
import os
import sqlite3
import threading
import time

from scene import Broken, check_integrity, copy, kill_at

AT_ONCE = 4


def storm(scene, rounds):
    folder, seconds, shown, kills = scene.folder / ".cache/tripwatch", 1.0, 0, 0
    with tile_server() as port:
        for number in range(rounds):
            with scene.round(number):
                if number % 5 == 0:
                    # Without these files, the next programs create the cache again, and they do so at the same time.
                    for ending in ("", "-wal", "-shm"):
                        (folder / f"tiles.sqlite{ending}").unlink(missing_ok=True)
                maps = [view(port, AT_ONCE * number + place) for place in range(AT_ONCE)]
                began = time.monotonic()
                processes = [scene.start(*words) for words in maps]
                for process in processes[:AT_ONCE - 1]:
                    kill_at(process, max(0, began + scene.random.uniform(0, seconds) - time.monotonic()))
                outputs = [process.communicate(timeout=120) for process in processes]
                seconds = time.monotonic() - began
                check_tiles(find(folder), scene)
                kills += sum(process.returncode == -9 for process in processes)
                for words, process, (output, errors) in zip(maps, processes, outputs):
                    if process.returncode == -9:
                        continue
                    if process.returncode or errors:
                        raise Broken(f"map ended with {process.returncode}: {errors.strip()}")
                    shown += 1
                    if scene.must_run(*words, "--offline") != output:
                        scene.lost.append(f"round {number}: a map that was shown differs without the network")
    return f"{shown} maps shown, {kills} programs killed"


def view(port, number):
    """Returns the arguments for drawing a map. Each number gives a map with other tiles."""
    place = f"{number % 100 / 10 - 5:.3f},{number // 100 / 10:.3f},14"
    return ("map", place, "--dump", "--size", "60x20", "--format", "text", "--basemap", f"http://127.0.0.1:{port}/{{z}}/{{x}}/{{y}}.mvt")


def find(folder):
    return os.path.join(folder, "tiles.sqlite")


def check_tiles(file, scene):
    """Checks that the file is valid, and that each tile in it equals the one that the server sent."""
    if not os.path.exists(file) or os.path.getsize(file) == 0:
        return
    check_integrity(file, scene.folder)
    seen = f"{scene.folder}/seen.db"
    copy(file, seen)
    with contextlib.closing(sqlite3.connect(seen)) as database:
        if not database.execute("SELECT COUNT(*) FROM sqlite_master WHERE name = 'tiles'").fetchone()[0]:
            return
        for zoom, x, y, body in database.execute("SELECT zoom, x, y, body FROM tiles WHERE zoom IS NOT NULL"):
            if body != tile(zoom, x, y):
                raise Broken(f"the tile {zoom}/{x}/{y} in the cache differs from the server's")


def field(number, kind, value):
    """Returns a field of a protocol buffer. Kind 0 is a number, kind 2 is bytes."""
    return varint(number << 3 | kind) + (varint(value) if kind == 0 else varint(len(value)) + value)


def varint(number):
    data = b""
    while number > 127:
        data, number = data + bytes([number & 127 | 128]), number >> 7
    return data + bytes([number])


def tile(zoom, x, y):
    """Returns a vector tile. Ferry routes cross it at positions that depend on the tile, and an empty layer has the tile's name."""
    there, back = [10, 8_192, 2 * 100], [9, 8_191, 2 * 300]
    ways = [9, 0, 2 * (60 * (x % 5) + 12 * (y % 5))] + (there + back) * 9 + there
    feature = field(3, 0, 2) + field(4, 2, b"".join(map(varint, ways)))
    ferries = field(15, 0, 2) + field(1, 2, b"ferries") + field(2, 2, feature) + field(5, 0, 4096)
    name = field(15, 0, 2) + field(1, 2, f"{zoom}/{x}/{y}".encode()) + field(5, 0, 4096)
    return field(3, 2, ferries) + field(3, 2, name)


class Answers(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = tile(*map(int, self.path.removesuffix(".mvt").split("/")[1:]))
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "max-age=86400")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class TileServer(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        # A killed program breaks its connection.
        pass


@contextlib.contextmanager
def tile_server():
    with TileServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()
