"""Trace readers: records per CPU-second and peak memory of each format, each file read in a process of its own.

Addresses are drawn within 64 MiB; a stretch of lines is repeated. drmemtrace has an instruction before every access and
a timestamp every 5000; netrace alternates requests and answers that wait for them, and its rate is that of packets.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from jumpnet.machine.trace import Trace, block_of
from jumpnet.machine.trace.drmemtrace import HEADER, MARKER, RECORD, TIMESTAMP
from jumpnet.machine.trace.parquet_writer import write_parquet

READ = """
import re, sys, time
from jumpnet.machine.trace import open_trace
from jumpnet.machine.trace.netrace import open_netrace
path = sys.argv[1]
trace = open_netrace(path) if path.endswith(".bz2") else open_trace(path)
for _ in trace.blocks():
    break  # kernels are loaded, files opened
before, records = time.process_time(), 0
for block in trace.blocks():
    records += len(block[0])
seconds = time.process_time() - before
peak = re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())
print(records, seconds, peak[1] if peak else 0)
"""
STRETCH = 100_000
THREADS = 4
INSTRUCTION = 10


def _text(folder: Path, address: np.ndarray, records: int) -> list[Path]:
    spelled = {
        "lackey": [f" {'LS'[k % 3 == 0]} {a:08x},8\n" for k, a in enumerate(address.tolist())],
        "din": [f"{int(k % 3 == 0)} {a:x}\n" for k, a in enumerate(address.tolist())],
        "dinp": [f"{int(k % 3 == 0)} {a:x} {k % 32}\n" for k, a in enumerate(address.tolist())],
    }
    paths = []
    for ending, lines in spelled.items():
        paths.append(folder / f"trace.{ending}")
        with paths[-1].open("w") as file:
            for first in range(0, records, STRETCH):
                file.writelines(lines[: records - first])
    return paths


def _parquet(folder: Path, address: np.ndarray, records: int) -> Path:
    def blocks():
        for first in range(0, records, STRETCH):
            at = address[: records - first]
            yield block_of(np.arange(len(at)) % 32, at, 8, np.arange(len(at)) % 3 == 0)

    path = folder / "trace.parquet"
    write_parquet(Trace("made here", 32, blocks), path)
    return path


def _drmemtrace(folder: Path, address: np.ndarray, records: int) -> Path:
    both = np.zeros(2 * len(address), RECORD)
    both["type"], both["size"] = INSTRUCTION, 4
    both["type"][1::2], both["size"][1::2], both["value"][1::2] = np.arange(len(address)) % 3 == 0, 8, address
    home = folder / "drmemtrace"
    home.mkdir()
    for thread in range(THREADS):
        with gzip.open(home / f"{thread}.trace.gz", "wb", compresslevel=4) as file:
            file.write(np.array([(HEADER, 0, 6)], RECORD).tobytes())
            for first in range(0, 2 * (records // THREADS), 10_000):
                file.write(np.array([(MARKER, TIMESTAMP, 1000 + first + thread)], RECORD).tobytes())
                at = first % len(both)
                file.write(both[at : at + min(10_000, 2 * (records // THREADS) - first)].tobytes())
    return home


def _netrace(folder: Path, packets: int) -> Path:
    path, draw = folder / "trace.tra.bz2", np.random.default_rng(1)
    source, to = draw.integers(0, 64, (2, packets)).tolist()
    with bz2.open(path, "wb") as file:
        file.write(struct.pack("<If30sBBQQII8x", 0x484A5455, 1.0, b"made here", 64, 0, packets, packets, 0, 0))
        for k in range(0, packets - 1, 2):
            a, b = source[k], to[k]
            file.write(struct.pack("<QIIBBBBBI", k, k + 1, 0, 1, a, b, 0, 1, k + 2))
            file.write(struct.pack("<QIIBBBBB", k + 1, k + 2, 0, 2, b, a, 0, 0))
    return path


def main(words: list[str]) -> None:
    """Parse the options, make the files, read each, print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks traces", description=__doc__)
    parser.add_argument("--records", type=int, default=1_000_000, help="of each file; netrace has a tenth")
    options = parser.parse_args(words)
    records = options.records // THREADS * THREADS
    address = np.random.default_rng(1).integers(0, 1 << 23, STRETCH) * 8
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = [*_text(folder, address, records), _parquet(folder, address, records)]
        paths += [_drmemtrace(folder, address, records), _netrace(folder, records // 20 * 2)]
        print(f"{'file':16}{'records':>12}{'CPU s':>10}{'million/s':>11}{'peak MiB':>10}")
        for path in paths:
            done = subprocess.run([sys.executable, "-c", READ, path], capture_output=True, text=True, check=True)
            found, seconds, kilobytes = done.stdout.split()
            rate = int(found) / max(float(seconds), 1e-9) / 1e6
            print(f"{path.name:16}{int(found):12,}{float(seconds):10.3f}{rate:11.2f}{int(kilobytes) / 1024:10.0f}")
