"""Kills some of ten programs that write `trips.json` at the same time. The list must have each trip whose booking was acknowledged."""
import json
import time

from scene import Broken, kill_at, serving

AT_ONCE, REMEMBERED = 10, 300


def storm(scene, rounds):
    file, told, seconds = scene.folder / ".local/state/tripwatch/trips.json", [], 1.0
    kills = 0
    with serving(scene, scene.folder / "engine.db") as server:
        grpc, http = server.addresses["grpc"], server.addresses["http"]
        book = ("book", "--endpoint", grpc, "--plaintext", "--provider", "demo", "--provider-url", f"http://{http}",
                "--from", "-36.005,-19.99", "--to", "-36.01,-19.98")
        for number in range(rounds):
            with scene.round(number):
                began = time.monotonic()
                processes = [scene.start(*book) for _ in range(AT_ONCE)]
                for process in scene.random.sample(processes, AT_ONCE // 2):
                    kill_at(process, max(0, began + scene.random.uniform(0, seconds) - time.monotonic()))
                # A program does not print a trip's name before the trip is in the list. So a printed name counts even if the program is
                # killed later.
                outputs = [process.communicate(timeout=60) for process in processes]
                seconds = time.monotonic() - began
                told += [output.strip() for output, _ in outputs if output.endswith("\n")]
                kills += sum(process.returncode == -9 for process in processes)
                errors = [errors for (_, errors), process in zip(outputs, processes) if process.returncode not in (0, -9) or errors]
                if errors:
                    raise Broken(f"book said {errors[0].strip()}")
                check(file, told[-REMEMBERED:], scene, f"round {number}")
    with scene.noting("at the end"):
        scene.must_run("list")
    return f"{len(told)} acknowledged bookings, {kills} programs killed"


def check(file, told, scene, where):
    try:
        known = {entry.get("name") for entry in json.loads(file.read_bytes() if file.exists() else b"[]")}
    except ValueError as error:
        raise Broken(f"{file.name} is not JSON: {error}") from error
    scene.lost += [f"{where}: {name} is not in {file.name}" for name in told if name not in known]
