"""Calls that hold Python's lock, and so delay the watch: `python -m tests.attack.ends.gaps --longest 2`.

A thread wakes ten times a second beside each command. Where it could not for longer than asked, that is said, with the
calls that were under way (they are written by C, which needs no lock). Sizes are the largest that answer within some
minutes. On a busy machine a process may also just not have its turn.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.attack.command_line.command import HANGS

BESIDE = """
import faulthandler, sys, threading, time
import jumpnet.cli
log, longest = open("gaps", "w+"), float(sys.argv.pop(1))
def wake():
    before = time.monotonic()
    while True:
        faulthandler.dump_traceback_later(longest, file=log)
        time.sleep(0.1)
        now = time.monotonic()
        if now - before > longest:
            log.write(f"gap {now - before:.1f}\\n")
            log.flush()
        before = now
threading.Thread(target=wake, daemon=True).start()
jumpnet.cli.main()
"""
COMMANDS = """
metrics mesh:1000000 --structure
metrics mesh:1000x1000 --structure
metrics torus:1024x1024 --structure
metrics random:100000,d=4 --structure
metrics hypercube:17 --structure
metrics debruijn:2,n=18 --structure
metrics file:big.edges --structure
export torus:512x512 --format graphml --out big.graphml
export torus:512x512 --format edgelist --out other.edges
metrics file:big.graphml
route mesh:1000x1000 0 999999
draw torus:128x128 --out a.svg
prove rdt:64
prove torus:64x64
prove random:1000,d=4 --routing lash
simulate torus:256x256 --load 0.1 --set measure_cycles=200 --set warmup_cycles=0
simulate random:4096,d=4 --load 0.05 --set measure_cycles=200 --set warmup_cycles=0
multicast rdt:256 --scheme SM --source 5,7 --to 6,7 --to 9,3
degrade torus:32x32 --no-simulate
reconfigure srt2d:32 --density 0.03
search rdt:64 --top 3
protocol mesi --caches 3
workload lu:n=128 --processors 16
chip trace rdt:16 --source 0 --to 1 --to 20
paper li2009rdn --json
"""


def beside(words: list[str], folder: Path, longest: float) -> tuple[str, float]:
    """The thread's notes of a command, and the seconds it took."""
    begin = time.monotonic()
    command = [sys.executable, "-c", BESIDE, str(longest), *words]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=HANGS, check=False)
        if done.returncode:
            print(f"{' '.join(words)}: status {done.returncode}: {done.stderr.strip()[-200:]}", flush=True)
    except subprocess.TimeoutExpired:
        print(f"{' '.join(words)}: ended after {HANGS} s", flush=True)
    return (folder / "gaps").read_text(), time.monotonic() - begin


def told(notes: str) -> list[str]:
    """The seconds of each gap, and the innermost calls of ours that were under way."""
    found, under_way = [], ""
    for part in re.split(r"^(?=Timeout|gap)", notes, flags=re.MULTILINE):
        if part.startswith("gap"):
            found.append(f"{part.split()[1]} s within {under_way}")
        else:
            main = part.partition("Current thread")[2] or part.rpartition("Thread 0x")[2]
            lines = re.findall(r'File "(.*)", line (\d+) in (\S+)', main)
            ours = [f"{Path(file).name}:{line} {name}" for file, line, name in lines if "jumpnet/" in file]
            first = [f"{Path(file).name}:{line} {name}" for file, line, name in lines[:1]]
            under_way = ", ".join([*first, *ours[:3]])
    return found


def main() -> int:
    """Run what the options name, and say where the thread could not wake."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--longest", type=float, default=2.0, help="Seconds that may pass between two awakenings.")
    options.add_argument("--only", default="", help="Commands that hold this text.")
    given = options.parse_args()
    count = 0
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        side = 300_000
        links = "".join(f"{k} {(k * 7 + 1) % side}\n{k} {(k + 1) % side}\n" for k in range(side))
        (folder / "big.edges").write_text(links)
        for line in COMMANDS.strip().splitlines():
            if given.only in line:
                notes, took = beside(line.split(), folder, given.longest)
                found = told(notes)
                count += len(found)
                print(f"{line} ({took:.0f} s): {'; '.join(found) or 'none'}", flush=True)
    print(f"{count} gaps of more than {given.longest:g} s")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
