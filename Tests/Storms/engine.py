"""Kills `serve --database` with -9 while callers of all kinds write. After each restart, all acknowledged data must be there."""
import ledger
from scene import Server, check_integrity, kill_at, serve
from writers import everyone, wait_for_calls, working


def storm(scene, rounds):
    file, writers, start_seconds = scene.folder / "engine.db", everyone(scene), 0.5
    for number in range(rounds):
        with scene.round(number):
            if number % 4 == 3:
                # This kill comes during the start, while the server reads and checkpoints the log that the last kill left.
                process = scene.start(*serve(file))
                kill_at(process, scene.random.uniform(0, start_seconds))
                process.communicate()
            server = Server(scene, file)
            start_seconds = server.seconds
            with server.ending():
                ledger.check(writers, server.state(), scene, f"round {number}")
                with working(writers, server):
                    wait_for_calls(writers, scene.random.randrange(60))
                    scene.random_pause(0, 0.01)
                    server.kill()
            check_integrity(file, scene.folder)
    with scene.noting("at the end"):
        server = Server(scene, file)
        with server.ending():
            ledger.check(writers, server.state(), scene, "at the end")
            server.kill()
    return f"{sum(writer.count for writer in writers)} acknowledged calls"
