"""Functional coherence: references per CPU-second of jumpnet under each encoding, of its naive twin and of pycachesim.

`reading` fills memory from the file, the rows after it run from there, `streamed` does both in a process of its own,
whose peak memory it tells. pycachesim (C, one processor, where it is installed) gets the first byte of all references
as if of one processor, and so does the row `one cache` of jumpnet. The naive twin gets the first records only.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from jumpnet.coherence.encoding import encodings
from jumpnet.coherence.functional import Functional
from jumpnet.machine.trace import Block, Trace, open_trace
from jumpnet.machine.traffic import coherence_traffic, processors_of

STREAM = """
import re, sys, time
from jumpnet.machine.trace import open_trace
from jumpnet.machine.traffic import coherence_traffic
before = time.process_time()
words = {"encoding_name": sys.argv[2], "network": sys.argv[3]}
found = coherence_traffic(open_trace(sys.argv[1]), clusters_of=int(sys.argv[4]), **words)
seconds = time.process_time() - before
peak = re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())
print(found.references, seconds, peak[1] if peak else 0)
"""
ONE_CACHE = (16384, 4)


def _naive() -> Any:
    place = Path(__file__).parents[1] / "tests" / "naive" / "functional.py"
    spec = importlib.util.spec_from_file_location("naive_functional", place)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _best(work: Callable[[], Any], rounds: int) -> tuple[float, Any]:
    seconds, found = np.inf, None
    for _ in range(rounds):
        before = time.process_time()
        found = work()
        seconds = min(seconds, time.process_time() - before)
    return seconds, found


def _row(name: str, references: int, seconds: float, how: str) -> dict[str, Any]:
    return {"name": name, "references": references, "cpu_seconds": seconds, "how": how}


def _peer(data: list[Block]) -> tuple[int, float] | None:
    """(misses, CPU seconds) of pycachesim with ONE_CACHE, None where it is not installed."""
    try:
        import cachesim
    except ImportError:
        print("pycachesim is not installed, left out", file=sys.stderr)
        return None
    size, ways = ONE_CACHE
    cache = cachesim.Cache("L1", size // 32 // ways, ways, 32, "LRU")
    memory = cachesim.MainMemory()
    memory.load_to(cache)
    memory.store_from(cache)
    simulator = cachesim.CacheSimulator(cache, memory)
    rows = [pair for b in data for pair in zip(b.address.tolist(), b.is_write.tolist(), strict=True)]
    before = time.process_time()
    for address, is_write in rows:
        if is_write:
            simulator.store(address)
        else:
            simulator.load(address)
    seconds = time.process_time() - before
    return cache.stats()["MISS_count"], seconds


def _one_cache(blocks: list[Block]) -> Functional:
    engine = Functional(1, caches=ONE_CACHE)
    for block in blocks:
        engine.feed(*block._replace(proc=np.zeros_like(block.proc), size=np.ones_like(block.size)))
    return engine


def measure(options: argparse.Namespace) -> list[dict[str, Any]]:
    """One row per contender: name, references, CPU seconds, and how they were measured."""
    source = open_trace(options.trace)
    processors = processors_of(source)
    seconds, blocks = _best(lambda: list(source.blocks()), 1)
    records = sum(len(block.proc) for block in blocks)
    rows = [_row("reading", records, seconds, "records of the trace, into memory")]
    held = Trace(source.name, processors, lambda: iter(blocks))
    machine = {"protocol": options.protocol, "directory": options.directory, "clusters_of": options.clusters_of}
    best = f"best of {options.rounds}"

    def run(name: str, **more: Any) -> None:
        spent, found = _best(lambda: coherence_traffic(held, **machine, **more), options.rounds)
        rows.append(_row(name, found.references, spent, f"run, {best}"))

    run("no encoding")
    for name in encodings():
        run(name, encoding_name=name, network=options.network)
    run("caches 16K,4", caches=ONE_CACHE)
    spent, engine = _best(lambda: _one_cache(blocks), options.rounds)
    rows.append(_row("one cache", engine.references, spent, f"all as one processor's, 16K,4, {best}"))

    data = [Block(*(column[block.kind < 2] for column in block)) for block in blocks]
    peer = _peer(data)
    if peer is not None:
        misses = f"{peer[0]:,} misses, {engine.machine['cache_misses']:,} in the row above"
        rows.append(_row("pycachesim", engine.references, peer[1], f"the same, one call a reference; {misses}"))
    few = blocks[0]
    sample = list(zip(*(column[: options.sample].tolist() for column in few), strict=True))
    naive = _naive()
    spent, _ = _best(lambda: naive.messages(sample, options.protocol, options.directory, options.clusters_of), 1)
    rows.append(_row("naive twin", len(sample), spent, f"no encoding, first {len(sample):,} records"))
    return rows


def streamed(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Reading and running in a process of its own, with an encoding: CPU seconds and peak memory."""
    words = [options.trace, "SM", options.network, str(options.clusters_of)]
    done = subprocess.run([sys.executable, "-c", STREAM, *words], capture_output=True, text=True, check=True)
    references, seconds, kilobytes = done.stdout.split()
    memory = f"peak memory {int(kilobytes) / 1024:.0f} MiB" if int(kilobytes) else "peak memory unknown here"
    how = f"read and run with SM in a process of its own, {memory}"
    return [_row("streamed", int(references), float(seconds), how)]


def main(words: list[str]) -> None:
    """Parse the options, measure, print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks coherence", description=__doc__)
    parser.add_argument("trace", nargs="?", default="workload:water", help="a trace file or workload:NAME,key=value")
    parser.add_argument("--network", default="rdt:16")
    parser.add_argument("--protocol", default="invalidate")
    parser.add_argument("--directory", default="page")
    parser.add_argument("--clusters-of", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sample", type=int, default=20_000, help="records for the naive twin")
    parser.add_argument("--json", type=Path, help="write the rows to this file as well")
    options = parser.parse_args(words)
    rows = [*measure(options), *streamed(options)]
    print(f"{options.trace}, {options.protocol}, {options.directory}, clusters of {options.clusters_of}")
    print(f"{'':20}{'references':>12}{'CPU s':>10}{'million/s':>11}  how")
    for row in rows:
        rate = row["references"] / max(row["cpu_seconds"], 1e-9) / 1e6
        print(f"{row['name']:20}{row['references']:12,}{row['cpu_seconds']:10.3f}{rate:11.2f}  {row['how']}")
    if options.json:
        options.json.write_text(json.dumps({**vars(options), "json": None, "rows": rows}, indent=1), encoding="utf-8")
