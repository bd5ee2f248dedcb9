"""Every verb that reads a file, as a reader for the mutator: `python -m tests.attack.files.mutate --verbs 100`.

A verb that is refused in one line has refused the file; any other end than an answer is an error.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from tests.attack.command_line.verbs import fall_of, say
from tests.attack.files.readers import Reader, readers

from jumpnet.errors import JumpnetError
from jumpnet.study.names import point_hash
from jumpnet.study.point import MODEL, evaluate, resolve
from jumpnet.study.store import Store

__all__ = ["NO_FILE", "verb_files"]

POINT = {"network": "torus:4x4", "warmup_cycles": 100, "measure_cycles": 100}
STUDY = """[study]
name = "s"
[[sweep]]
network = ["torus:4x4"]
load = [0.1, 0.2]
warmup_cycles = 100
measure_cycles = 100
"""

WORDS: dict[str, tuple[str, ...]] = {
    "network anynet": (
        "metrics file:FILE --structure", "prove file:FILE", "simulate file:FILE --load 0.1 --cycles 100",
        "explore file:FILE --out BESIDE/page", "route file:FILE 0 1", "draw file:FILE --out BESIDE/d.svg",
        "export file:FILE --format json --out BESIDE/e",
        "multicast file:FILE --source 0 --broadcast bfs",
        "degrade file:FILE --faults 0,1 --seeds 1 --no-simulate",
    ),
    "network edgelist": ("metrics file:FILE", "prove file:FILE --json"),
    "network graphml": ("metrics file:FILE", "export file:FILE --format graphml --out BESIDE/e"),
    "network matrix": ("metrics file:FILE", "simulate file:FILE --load 0.1 --cycles 100 --json"),
    "packets": ("simulate torus:4x4 --trace FILE",),
    "netrace": ("simulate torus:4x4 --trace FILE",),
    "certificate": ("check FILE",),
    "packed certificate": ("check FILE --json",),
    "pages": ("machine workload:lu,n=8,processors=4 --homes FILE --network rdt:4",),
    "booksim": ("booksim FILE k=4 n=2 sample_period=100",),
    "study": ("sweep FILE --dry-run", "results FILE --store STORE"),
    "store": ("store check FILE", "store repair FILE"),
    "defects .csv": ("reconfigure torus:4x4 --defects FILE",),
    "defects .json": ("reconfigure torus:4x4 --defects FILE --draw BESIDE/d.svg",),
    "defects .png": ("reconfigure torus:4x4 --defects FILE --method graph",),
    "checkpoint": ("simulate torus:4x4 --load 0.2 --set warmup_cycles=100 --set measure_cycles=100 "
                   "--set batch_cycles=50 --checkpoint FILE",),
}  # fmt: skip
"""What reads the good files of each reader, FILE being the file, BESIDE its folder; traces and stores come below."""
NO_FILE = {"chip", "compile", "list", "new", "paper", "protocol", "search", "workload"}
"""Verbs that read no file from outside."""
DIFFERS = ("store check", "replay")
"""Whose status 1 is an answer."""


@cache
def _place() -> Path:
    """A folder for what lies beside the files, as long as this process lives."""
    place = Path(tempfile.mkdtemp(prefix="jumpnet-verbs-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    (place / "s.toml").write_text(STUDY)
    return place


@cache
def _store() -> bytes:
    """A store with the points of STUDY."""
    path = _place() / "made.sqlite"
    with Store(path) as store:
        for load in (0.1, 0.2):
            config = resolve(dict(POINT), load)
            store.finish(point_hash(config, MODEL), config, evaluate(config)["result"], {"seed": 1})
    return path.read_bytes()


def _run(words: str, path: Path) -> None:
    """Run a verb on a file; JumpnetError where it is refused, another error where it falls."""
    given = words.replace("BESIDE", str(path.parent)).replace("FILE", str(path)).replace("STUDY", f"{_place()}/s.toml")
    if "STORE" in words and not (store := _place() / "made.sqlite").exists():
        store.write_bytes(_store())
    given = given.replace("STORE", f"{_place()}/made.sqlite")
    if words.startswith("replay"):
        given = given.replace("HASH", point_hash(resolve(dict(POINT), 0.1), MODEL))
    said = say(given.split())
    if said.status == 1 and words.startswith(DIFFERS):
        return
    if why := fall_of(said):
        raise RuntimeError(why)
    if said.status == 2:
        raise JumpnetError(said.err.strip())


@cache
def verb_files() -> dict[str, Reader]:
    """Every verb that reads a file, by its words."""
    known = readers()
    found = {f"jumpnet {words}": (name, words, known[name].samples) for name, many in WORDS.items() for words in many}
    for words in ("replay HASH --store FILE", "results STUDY --store FILE --csv",
                  "plot STUDY --store FILE --out BESIDE/p.svg"):  # fmt: skip
        found[f"jumpnet {words}"] = "store", words, lambda: [_store()]
    found["jumpnet plot FILE"] = "study", "plot FILE --store STORE --out BESIDE/p.svg", lambda: [STUDY.encode()]
    for name in known:
        if name.startswith("trace "):
            words = "machine FILE --processors 4 --network rdt:4"
            found[f"jumpnet machine FILE, {name}"] = name, words, known[name].samples
    return {
        title: known[name]._replace(samples=samples, read=lambda path, words=words: _run(words, path), modules=())
        for title, (name, words, samples) in found.items()
    }
