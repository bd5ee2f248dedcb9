"""Sweeps ended at random instants, stores on a full disk: `python -m tests.attack.ends.kills --kills 200 --full 50`.

Every PER_STORE ends hit sweeps on one store, one after the other; a last sweep then finishes it. After each end the
store must be whole, at the last every point must equal that of a sweep that nobody disturbed, bit by bit. A full disk
is a limit on the size of files, drawn anew each time. Exit status 1 when anything was not so.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from jumpnet.study.repair import check
from jumpnet.study.store import Store

STUDY = """[study]
name = "s"
[settings]
warmup_cycles = 500
measure_cycles = 500
[[sweep]]
network = ["torus:4x4", "mesh:4x4", "hypercube:4"]
seed = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
load = [0.05, 0.1, 0.15, 0.2]
"""
PER_STORE = 10
LONGEST_S = 3.0
"""A sweep of 120 points takes about as long."""
ENDS_S = 240.0
"""Far more than a sweep takes, kernels compiled anew included."""
ENDED = (-9, -2, -15, 130, 143)
"""Statuses of a sweep that a signal has ended; those of the signal itself before the command has begun."""
LAST_WORDS = {130: "jumpnet: interrupted\n", 143: "jumpnet: terminated\n"}
WAYS = ("SIGKILL", "SIGKILL to all", "SIGKILL to a worker", "SIGTERM", "Ctrl-C", "Ctrl-C twice")


SWEEP = ("sweep", "s.toml", "--workers", "2", "--json")


def begin(folder: Path, limit: int | None = None, words: Sequence[str] = SWEEP) -> subprocess.Popen[str]:
    """A sweep, or what the words say, in a group of processes of its own; limit: bytes that a file may have."""

    def prepare() -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    command = [sys.executable, "-m", "jumpnet", *words]
    return subprocess.Popen(
        command, cwd=folder, text=True, errors="replace", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        start_new_session=True, preexec_fn=prepare,
    )  # fmt: skip


def workers_of(parent: int) -> list[int]:
    """Workers that a sweep has started; not what watches over its shared memory."""
    try:
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        return [int(word) for word in children if b"spawn_main" in Path(f"/proc/{word}/cmdline").read_bytes()]
    except OSError:
        return []


def strike(sweep: subprocess.Popen[str], way: str, draw: random.Random) -> None:
    """End a sweep in one of WAYS, or one of its workers; nothing where it has just ended by itself."""
    with suppress(ProcessLookupError):
        _strike(sweep, way, draw)


def _strike(sweep: subprocess.Popen[str], way: str, draw: random.Random) -> None:
    if way == "SIGKILL":
        sweep.kill()
    elif way == "SIGKILL to all":
        os.killpg(sweep.pid, signal.SIGKILL)
    elif way == "SIGKILL to a worker":
        workers = workers_of(sweep.pid)
        if workers:
            os.kill(draw.choice(workers), signal.SIGKILL)
    elif way == "SIGTERM":
        sweep.terminate()
    else:
        os.killpg(sweep.pid, signal.SIGINT)
        if way == "Ctrl-C twice":
            time.sleep(draw.uniform(0, 0.3))
            if sweep.poll() is None:
                os.killpg(sweep.pid, signal.SIGINT)


def end_of(sweep: subprocess.Popen[str], statuses: tuple[int, ...]) -> list[str]:
    """Wait for a sweep; what is wrong with how it ended."""
    try:
        _, said = sweep.communicate(timeout=ENDS_S)
    except subprocess.TimeoutExpired:
        os.killpg(sweep.pid, signal.SIGKILL)
        sweep.communicate()
        return ["it does not end"]
    wrong = [] if sweep.returncode in statuses else [f"status {sweep.returncode}: {said[-300:]!r}"]
    last = LAST_WORDS.get(sweep.returncode, "")
    fine = said.endswith(last) and not any(word in said for word in ("Traceback", "Warning", "Exception ignored"))
    return wrong if fine else [*wrong, f"more than its last line: {said[-600:]!r}"]


def damage(folder: Path) -> list[str]:
    """What is wrong with a store; nothing where there is none yet."""
    if not (folder / "s.sqlite").exists():
        return []
    found = check(folder / "s.sqlite")
    return [] if found.whole else [f"damaged: {[*found.file, *found.damaged][:3]}"]


def rows_of(folder: Path) -> list[Any]:
    """Every point with its result."""
    with Store(folder / "s.sqlite") as store:
        return sorted((row.hash, str(row.config), str(row.result)) for row in store.rows())


def finished(folder: Path) -> list[Any]:
    """The points, after a sweep that nobody disturbs."""
    (folder / "s.toml").write_text(STUDY)
    wrong = end_of(begin(folder), (0,))
    assert not wrong, wrong
    return rows_of(folder)


def attack(kills: int, full: int, seed: int, stop_at: float) -> tuple[Counter[str], list[str], int]:
    """Ends by their way, what was wrong, and stores compared; until time.monotonic() is `stop_at`."""
    draw, done, wrong, stores = random.Random(seed), Counter[str](), [], 0
    ways = [draw.choice(WAYS) for _ in range(kills)] + ["full disk"] * full
    with tempfile.TemporaryDirectory() as place:
        (calm := Path(place) / "calm").mkdir()
        want = finished(calm)
        size = (calm / "s.sqlite").stat().st_size
        for first in range(0, len(ways), PER_STORE):
            (folder := Path(place) / str(first)).mkdir()
            (folder / "s.toml").write_text(STUDY)
            for way in ways[first : first + PER_STORE]:
                if time.monotonic() > stop_at:
                    break
                if way == "full disk":
                    said = end_of(begin(folder, draw.randrange(2 * size)), (0, 2))
                else:
                    sweep = begin(folder)
                    time.sleep(draw.uniform(0, LONGEST_S))
                    ended = sweep.poll() is not None
                    strike(sweep, way, draw)
                    way = "ended before" if ended else way
                    said = end_of(sweep, (0, *ENDED))
                done[way] += 1
                wrong += [f"{way}, store {first}: {why}" for why in (*said, *damage(folder))]
            else:
                stores += 1
                if finished(folder) != want:
                    wrong.append(f"store {first} is not that of an undisturbed sweep")
    return done, wrong, stores


def main() -> int:
    """Attack what the options name, and say what fell."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--kills", type=int, default=20, help="Sweeps that are ended.")
    options.add_argument("--full", type=int, default=10, help="Sweeps on a full disk.")
    options.add_argument("--seed", type=int, default=0, help="Another seed, other instants.")
    options.add_argument("--minutes", type=float, default=1e9, help="Stop after so many minutes.")
    given = options.parse_args()
    done, wrong, stores = attack(given.kills, given.full, given.seed, time.monotonic() + 60 * given.minutes)
    print(*wrong, sep="\n")
    print(", ".join(f"{count} {way}" for way, count in sorted(done.items())))
    print(f"{done.total()} ends, {stores} stores compared, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
