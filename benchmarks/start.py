"""CPU seconds of the first and the second run of every verb in an environment: what a user waits for the compiler.

`python -m benchmarks start [--python ENV/bin/python] [WORD ...]`: each command runs twice, as a process of its own
with an empty cache of kernels and an empty home folder; given words, only commands that hold one of them. `compiled`
counts the kernels that the first run had to compile and keep; `--names` says which. With `--parts` only the parts that
every start has are measured.
"""

from __future__ import annotations

import argparse
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

__all__ = ["COMMANDS", "main"]

SHORT = "--set warmup_cycles=200 --set measure_cycles=400"
COMMANDS = (
    "--help",
    "simulate torus:8x8 --load 0.1",
    "simulate rdt:8 --load 0.1",
    "simulate mesh:8x8 --load 0.1 --traffic transpose",
    "simulate torus:8x8 --load 0.1 --set vcs=8",
    "simulate torus:8x8 --load 0.1 --set vcs=3 --set allocator=islip",
    "simulate torus:8x8 --load 0.1 --packet-flits 1 --set allocator=wavefront",
    "simulate torus:8x8 --load 0.1 --routing torus.duato --set vcs=4",
    "simulate torus:8x8 --load 0.1 --routing torus.bubble --set vcs=1 --set flow_control=cut_through --packet-flits 4",
    "simulate dragonfly:2 --load 0.1 --routing dragonfly.ugal --traffic bad_dragonfly",
    "simulate dragonfly:2 --load 0.1 --routing dragonfly.ugal_g",
    "simulate hyperx:4x4 --load 0.1 --routing hyperx.ugal",
    "simulate fattree:2,n=3 --load 0.1",
    "simulate random:64,d=4,seed=1 --load 0.1",
    "simulate file:own.edges --load 0.1",
    f"simulate torus:8x8 --load 0.9 {SHORT}",
    f"simulate torus:8x8 --find-saturation {SHORT}",
    f"simulate torus:8x8 --load 0.1 --fault cycle=300,link=3-4 --reroute lash {SHORT}",
    f"simulate rdt:8 --load 0.02 --multicast chip {SHORT}",
    f"simulate torus:8x8 --load 0.02 --multicast paths {SHORT}",
    f"simulate torus:8x8 --load 0.1 --threads 2 {SHORT}",
    "simulate torus:8x8 --load 0.1 --events events.csv --cycles 400",
    "booksim own.cfg",
    "sweep own.toml --workers 1",
    "prove rdt:8",
    "prove torus:8x8 --routing torus.duato",
    "prove mesh:8x8 --least-vcs",
    "prove random:32,d=3,seed=1",
    "route rdt:64 1,2 5,9",
    "metrics rdt:64 torus:16x16",
    "metrics rdt:16 --structure",
    "search rdt:16 --top 3",
    "degrade rdt:8 --faults 0,1 --seeds 1 --no-simulate",
    "degrade torus:4x4 --faults 0,1 --seeds 1",
    "multicast rdt:128 --scheme SM --source 5,7 --to 6,7 --to 9,3",
    "multicast torus:8x8 --source 0 --broadcast bfs",
    "chip trace rdt:16 --source 0 --to 1 --to 20",
    "chip load rdt:16 --clocks 200",
    "machine workload:water,processors=16 --clusters-of 4 --network rdt:4 --encoding SM",
    "machine workload:lu,n=16,processors=4 --network rdt:8 --timed",
    "protocol mesi --caches 2",
    "workload lu:n=32 --processors 4",
    "reconfigure srt2d:16 --density 0.03 --seed 4",
    "reconfigure torus:8x8 --method all --wafers 5",
    "draw rdt:8 --out own.svg",
)
"""One of each kind that a user may try first."""
FILES = {
    "own.edges": "".join(f"{k} {(k + step) % 16}\n" for k in range(16) for step in (1, 5)),
    "own.cfg": "topology = mesh;\nk = 8;\nn = 2;\nrouting_function = dor;\nnum_vcs = 8;\nvc_buf_size = 8;\n"
    "vc_allocator = islip;\nsw_allocator = islip;\ninput_speedup = 2;\ntraffic = transpose;\npacket_size = 20;\n"
    "injection_rate = 0.005;\n",
    "own.toml": '[study]\nname = "own"\n[[sweep]]\nnetwork = "torus:8x8"\nvcs = 2\nload = [0.1, 0.2]\n'
    "warmup_cycles = 200\nmeasure_cycles = 400\n",
}
"""What the commands read."""

AS_JUMPNET = "import atexit, gc; gc.set_threshold(10000); atexit.register(gc.freeze)"
"""What `jumpnet` does first, too, for less work on garbage."""
REFRESH = "from numba.core.registry import cpu_target; cpu_target.target_context.refresh()"
PARTS = {
    "Python": "-c pass",
    "and NumPy": "-c 'import numpy'",
    "and the loader of kernels": f"-c '{AS_JUMPNET}; import jumpnet.jit.linked'",
    "and Numba": f"-c '{AS_JUMPNET}; import numba'",
    "and Numba ready to load a kernel": f"-c '{AS_JUMPNET}; import jumpnet.jit.decorator; {REFRESH}'",
    "`simulate torus:8x8 --load 0.1`": "-m jumpnet simulate torus:8x8 --load 0.1",
    "`--help`": "-m jumpnet --help",
}
"""What a start consists of. Numba, with all above it but the loader, is loaded where something must be compiled."""


def parts(python: str, rounds: int = 11) -> None:
    """Print the least and the median CPU seconds of the parts of a start, measured in turns."""
    with tempfile.TemporaryDirectory() as name:
        found = [[cpu_seconds(python, command, Path(name)) for command in PARTS.values()] for _ in range(rounds)]
    print("| part | least, CPU s | median |\n|---|---|---|")
    for part, seconds in zip(PARTS, zip(*found, strict=True), strict=True):
        print(f"| {part} | {min(seconds):.2f} | {statistics.median(seconds):.2f} |")


def cpu_seconds(python: str, command: str, folder: Path) -> float:
    """Run Python in a folder, with its home and cache of kernels there: its CPU time and that of its children."""
    given = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")}
    given |= {"HOME": str(folder), "JUMPNET_CACHE_DIR": str(folder / "cache")}
    words = [python, *shlex.split(command)]
    with open(folder / "said", "w+", encoding="utf-8") as said:
        process = subprocess.Popen(words, cwd=folder, env=given, stdout=said, stderr=said)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            print(f"  `{command}`: {said.read().strip()[-300:]}", file=sys.stderr)
    return used.ru_utime + used.ru_stime


def first_and_second(python: str, command: str) -> tuple[float, float, list[str]]:
    """CPU seconds of the first and of the second run in a new folder; names of the kernels that were compiled."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in FILES.items():
            (folder / file).write_text(text, encoding="utf-8")
        first = cpu_seconds(python, f"-m jumpnet {command}", folder)
        made = sorted(path.name.rsplit("-", 1)[0] for path in (folder / "cache").rglob("*.kernel"))
        for store in folder.glob("*.sqlite"):  # a sweep's points are to be run again
            store.unlink()
        return first, cpu_seconds(python, f"-m jumpnet {command}", folder), made


def main(words: list[str]) -> None:
    """Parse the options, measure, print a line for each command."""
    parser = argparse.ArgumentParser(prog="benchmarks start", description=__doc__)
    parser.add_argument("--python", default=sys.executable, help="interpreter of the environment that has jumpnet")
    parser.add_argument("--names", action="store_true", help="name the kernels that were compiled")
    parser.add_argument("words", nargs="*", help="only commands that hold one of these")
    parser.add_argument("--parts", action="store_true", help="measure the parts of a start instead")
    given = parser.parse_args(words)
    if given.parts:
        return parts(os.path.abspath(given.python))
    print("| command | first, CPU s | second, CPU s | compiled |\n|---|---|---|---|")
    for command in COMMANDS:
        if given.words and not any(word in command for word in given.words):
            continue
        first, second, made = first_and_second(os.path.abspath(given.python), command)
        print(f"| `{command}` | {first:.2f} | {second:.2f} | {len(made)} |", flush=True)
        if given.names and made:
            print("  " + " ".join(made), flush=True)
