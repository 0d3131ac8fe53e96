"""Checks `serve backup` during writes, `serve restore` after more writes, and copies of the files of a server that is paused while it works."""
import ledger
from scene import check_integrity, copy, serving
from writers import everyone, wait_for_calls, working


def storm(scene, rounds):
    file, writers = scene.folder / "engine.db", everyone(scene)
    for number in range(rounds):
        with scene.round(number):
            during(scene, file, writers, f"round {number}")
            restored(scene, file, writers, f"round {number}")
    return f"{sum(writer.count for writer in writers)} acknowledged calls"


def forget(file):
    """Removes a database and its logs."""
    for ending in ("", "-wal", "-shm"):
        file.with_name(file.name + ending).unlink(missing_ok=True)


def during(scene, file, writers, where):
    """Checks two copies that are made while callers write: one made by the program, and one of the files."""
    made, held = scene.folder / "made.db", scene.folder / "held.db"
    forget(made)
    with serving(scene, file) as server:
        with working(writers, server):
            wait_for_calls(writers, scene.random.randrange(10, 60))
            with server.stopped():
                copy(file, held)
                kept = [writer.now() for writer in writers]
            cars = {key: int(value) for key, value in kept[0].ledger.told.items() if key.startswith("vehicles/")}
            scene.must_run("serve", "backup", made, "--database", file, "--quiet")
            last = writers[0].number
    check_integrity(held, scene.folder)
    with serving(scene, held) as server:
        ledger.check(kept, server.state(), scene, f"{where}, copy of the files")
    check_integrity(made, scene.folder)
    with serving(scene, made) as server:
        found = ledger.figures(server.records())
        for car, number in cars.items():
            if not number <= int(found.get(car, -1)) <= last:
                scene.lost.append(f"{where}, backup: {car} is {found.get(car)}, outside of {number} to {last}")


def restored(scene, file, writers, where):
    """Checks a backup of an idle server that is restored after more writes: the server's data must be exactly as before."""
    made = scene.folder / "rest.db"
    forget(made)
    with serving(scene, file) as server:
        ledger.check(writers, server.state(), scene, where)
        scene.must_run("serve", "backup", made, "--database", file, "--quiet")
        state, kept = server.state(), [writer.ledger.copy() for writer in writers]
        with working(writers, server):
            wait_for_calls(writers, scene.random.randrange(10, 60))
    scene.must_run("serve", "restore", made, "--database", file, "--quiet")
    check_integrity(file, scene.folder)
    with serving(scene, file) as server:
        if server.state() != state:
            scene.lost.append(f"{where}: the restored store differs from the store at the backup")
    for writer, then in zip(writers, kept):
        writer.return_to(then)
    for former in scene.folder.glob("engine.db.before-restore-*"):
        former.unlink()
