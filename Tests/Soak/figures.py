"""Measures each program's memory, descriptors, threads, processor time and database, and how fast these values grow."""
import asyncio
import os
import re
import statistics
import time

EVERY, MOST_POINTS = 5, 250
# Kilobytes that the engine may use for a trip or a task, in memory and in the file. The engine deletes trips and tasks after a week.
RECORD_MEMORY, RECORD_FILE = 12, 12
# Kilobytes that a link may use while its ride goes on. A link keeps 1,000 events for viewers, and two event logs of 500 entries each. When
# these are full, new entries replace the oldest.
LINK_MEMORY = 520
# The allowed growth of each value between the warm-up and the end: a fixed amount, which covers noise, and a share of the first value.
ROOM = {"memory MB": (4, 0.05), "descriptors": (4, 0.1), "threads": (2, 0), "CPU %": (2, 0.5), "database MB": (5, 0)}


def read(pid):
    """Returns the memory in megabytes, the descriptors, the threads and the CPU seconds of a process; None after its end."""
    try:
        status = open(f"/proc/{pid}/status").read()
        return {
            "memory MB": int(re.search(r"RssAnon:\s+(\d+)", status)[1]) / 1024, "descriptors": len(os.listdir(f"/proc/{pid}/fd")),
            "threads": int(re.search(r"Threads:\s+(\d+)", status)[1]), "CPU %": time.clock_gettime((~pid << 3) | 2)}
    except (OSError, TypeError):
        return None


def megabytes(database):
    """Returns the size of a database and its write-ahead log in megabytes."""
    files = [database, f"{database}-wal"]
    return sum(os.stat(file).st_size for file in files if os.path.exists(file)) / 1e6


def slope(points):
    """Returns the change per hour: the median of the slopes between all pairs of points, on which a spike has no effect."""
    points = points[::max(1, len(points) // MOST_POINTS)]
    pairs = [(b - a) / (u - t) for i, (t, a) in enumerate(points) for u, b in points[i + 1:]]
    return 3600 * statistics.median(pairs) if pairs else 0.0


class Figures:
    """The measurements of all long-lived programs."""

    def __init__(self, database, records, links):
        self.database, self.records, self.links, self.samples, self.pids = database, records, links, {}, {}
        self.counted, self.latest = [], 0.0

    def watch(self, kind, pid):
        self.pids[pid] = kind
        self.samples[pid] = []

    async def take(self):
        while True:
            for pid in self.pids:
                values = read(pid)
                if values and self.pids[pid] == "serve":
                    values["database MB"] = megabytes(self.database)
                if values:
                    self.samples[pid].append((time.monotonic(), values))
            self.counted.append((time.monotonic(), self.records()))
            due = time.monotonic() + EVERY
            await asyncio.sleep(EVERY)
            self.latest = max(self.latest, time.monotonic() - due)

    def points(self, pid, figure, since):
        samples = [(t, values[figure]) for t, values in self.samples[pid] if t >= since and figure in values]
        if figure == "CPU %":
            samples = [(u, 100 * (b - a) / (u - t)) for (t, a), (u, b) in zip(samples, samples[1:])]
        return samples

    def row(self, pid, figure, since):
        """Returns the value at the start and at the end (medians of a tenth of the samples), slope per hour, growth and allowed growth."""
        points = self.points(pid, figure, since)
        if len(points) < 4:
            return None
        part, per_hour = max(1, len(points) // 10), slope(points)
        first, last = (statistics.median(value for _, value in side) for side in (points[:part], points[-part:]))
        fixed, share = ROOM[figure]
        room = fixed + share * first
        if self.pids[pid] == "serve":
            made = self.counted[-1][1] - next(count for t, count in self.counted if t >= since)
            room += made * {"memory MB": RECORD_MEMORY, "database MB": RECORD_FILE}.get(figure, 0) / 1024
        if self.pids[pid] == "share" and figure == "memory MB":
            room += self.links * LINK_MEMORY / 1024
        return first, last, per_hour, per_hour * (points[-1][0] - points[0][0]) / 3600, room

    def table(self, since):
        """Prints one row for each value of each kind of program, for the process in which it grows most. Returns the failures."""
        print("\n| program | figure | at first | at last | slope per hour | room in this time | verdict |\n|---|---|---|---|---|---|---|")
        failures = []
        for kind in dict.fromkeys(self.pids.values()):
            pids = [pid for pid in self.pids if self.pids[pid] == kind]
            for figure in ROOM:
                rows = [row for row in (self.row(pid, figure, since) for pid in pids) if row]
                if not rows:
                    # Only the server has a database.
                    if figure != "database MB":
                        failures.append(f"{kind}: too few samples of {figure}; run for longer")
                    continue
                first, last, per_hour, grown, room = max(rows, key=lambda row: row[3] - row[4])
                verdict = "flat" if grown <= room else "grows"
                name = kind if len(pids) == 1 else f"{kind}, worst of {len(pids)}"
                print(f"| {name} | {figure} | {first:.1f} | {last:.1f} | {per_hour:+.1f} | {room:.1f} | {verdict} |")
                if grown > room:
                    failures.append(f"{name}: {figure} grows by {per_hour:.1f} an hour")
        return failures
