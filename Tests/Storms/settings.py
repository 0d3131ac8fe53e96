"""Kills `config set`. The file must equal the old one or the new one, byte for byte."""
import time

from scene import kill_at, kill_at_draft

# The comments and blank lines show whether the whole file is kept.
START = "# My settings\n\ninterval = 5 # seconds\n\n[profiles.lab]\n" + "# a comment of some length that fills the file\n" * 200


def storm(scene, rounds):
    twin, drafts, news = scene.folder / "twin", 0, 0
    file, other = (home / ".config/tripwatch/config.toml" for home in (scene.folder, twin))
    for path in (file, other):
        path.parent.mkdir(parents=True)
    file.write_text(START)
    for number in range(rounds):
        with scene.round(number):
            old, words = file.read_bytes(), ("config", "set", "interval", 6 + number % 50)
            other.write_bytes(old)
            began = time.monotonic()
            scene.must_run(*words, home=twin)
            seconds = time.monotonic() - began
            process = scene.start(*words)
            if number % 2:
                kill_at(process, scene.random.uniform(0, seconds))
            else:
                kill_at_draft(process, file.parent, scene.random.uniform(0, 0.003))
            process.communicate()
            found, new = file.read_bytes() if file.exists() else b"", other.read_bytes()
            drafts, news = drafts + any(file.parent.glob("*.draft")), news + (found == new)
            if found not in (old, new):
                scene.lost.append(f"round {number}: the file is neither old nor new: {found[:80]!r}")
            elif process.returncode == 0 and found != new:
                scene.lost.append(f"round {number}: the change was acknowledged, but the file is the old one")
    with scene.noting("at the end"):
        scene.must_run("config", "check")
    return f"{drafts} kills left a draft, {news} files were new"
