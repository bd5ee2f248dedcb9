"""Spoils good files of every reader and lets them be read: `python -m tests.attack.files.mutate --count 20000`.

A file is named by reader, seed and number, and made anew with `--only NAME --first NUMBER --count 1 --keep FILE`. Files
are read in one process after the other, with a limit on memory and on the seconds without an answer; a signal, a hang,
memory beyond the limit, a warning or any error but JumpnetError is a fall. Exit status 1 when there was one.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import io
import os
import random
import select
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

SILENT_S = 20.0
"""Seconds after which a file that is still read counts as a hang."""
START_S = 300.0
"""The same for the first one: kernels may be compiled before it."""
MORE_BYTES = 2 << 30
"""Address space that reading may take, beyond what the libraries have."""
NUMBERS = (b"0", b"-1", b"1", b"255", b"65536", b"2147483648", b"9223372036854775808", b"1e400", b"nan", b"9" * 400)
WORDS = (
    b"", b"\0", b"\xff\xfe", b"\r", b"\n", b"\t", b'"', b"'", b",", b"{", b"}", b"[", b"]", b"<", b">", b"=", b"#",
    b"$", b"\xef\xbb\xbf", b"[" * 3000, b'{"a":' * 3000, b"x" * 200_000, b"&lt;", b"null", b"true", b"\xed\xa0\x80",
    b"\x1b[2J",
)  # fmt: skip
INTEGERS = (0, 1, 127, 128, 255, 2**15, 2**16 - 1, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1)


class Fall(NamedTuple):
    """A file that was neither read nor refused in one line."""

    reader: str
    number: int
    why: str


def inside(data: bytes, packing: str) -> bytes:
    """What is packed in a good file."""
    if packing == "gzip":
        return gzip.decompress(data)
    if packing == "bz2":
        return bz2.decompress(data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(archive.namelist()[0])


def packed(data: bytes, packing: str) -> bytes:
    """The opposite of `inside`; not packed at all where the packing is "none"."""
    if packing == "none":
        return data
    if packing == "gzip":
        return gzip.compress(data, mtime=0)
    if packing == "bz2":
        return bz2.compress(data)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("chunk.0000", data)
    return file.getvalue()


def _spoil_once(data: bytearray, draw: random.Random, other: bytes) -> None:
    """One change in place."""
    at = draw.randrange(len(data) + 1)
    stop = min(len(data), at + draw.choice([1, 1, 2, 4, 8, 30, 300]))
    way = draw.randrange(9)
    if way == 0 and data:
        data[at % len(data)] ^= 1 << draw.randrange(8)
    elif way == 1:
        del data[at:stop]
    elif way == 2:
        data[at:at] = draw.choice(WORDS)
    elif way == 3:
        data[at:stop] = draw.choice(NUMBERS)
    elif way == 4:
        data[at:at] = data[at:stop] * draw.choice([1, 2, 50])
    elif way == 5:
        size = draw.choice([1, 2, 4, 8])
        data[at : at + size] = (draw.choice(INTEGERS) % (1 << 8 * size)).to_bytes(size, draw.choice(["little", "big"]))
    elif way == 6:
        begin = draw.randrange(len(other) + 1)
        data[at:stop] = other[begin : begin + draw.randrange(60)]
    elif way == 7 and draw.random() < 0.3:
        del data[at:]
    else:
        data[at:stop] = bytes(draw.randrange(256) for _ in range(stop - at))


def spoiled(samples: list[bytes], packing: str, seed: str) -> bytes:
    """A good file with one to eight changes, some of them inside what is packed; equal for equal seeds."""
    draw = random.Random(seed)
    whole, other = draw.choice(samples), draw.choice(samples)
    within = packing != "none" and draw.random() < 0.7
    data = bytearray(inside(whole, packing) if within else whole)
    for _ in range(draw.choice([1, 1, 1, 2, 3, 8])):
        _spoil_once(data, draw, other)
    return packed(bytes(data), packing) if within else bytes(data)


def why_it_falls(read: Callable[[Path], object], path: Path, good: bool = False) -> str:
    """Why reading a file is a fall; empty when it is none. good: it may not be refused."""
    from jumpnet.errors import JumpnetError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            read(path)
    except JumpnetError as error:
        return f"refused: {error}" if good else "several lines" if "\n" in str(error) else ""
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return " ".join(f"{type(error).__name__}: {error} ({Path(last.filename).name}:{last.lineno})".split())[:300]
    return ""


def work(names: list[str], start: int, first: int, count: int, seed: int) -> None:
    """What the process that reads does: a line before each file, and one for each fall.

    The first reader begins at file `start`, each other one at `first`.
    """
    from tests.attack.command_line.verb_files import verb_files
    from tests.attack.files.readers import SABOTAGE, readers

    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    limited = False
    for name in names:
        reader = (readers() | SABOTAGE | verb_files())[name]
        out.write(f"next\t{name}\n")
        samples = reader.samples()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / reader.file
            for sample in samples:  # what is compiled is compiled before there is a limit
                path.write_bytes(sample)
                if why := why_it_falls(reader.read, path, good=True):
                    out.write(f"fall\t{name}\t-1\ta good file is not read: {why}\n")
            limited = limited or limit_memory()
            for number in range(start, first + count):
                out.write(f"at\t{name}\t{number}\n")
                for old in Path(folder).iterdir():
                    with suppress(OSError):
                        old.unlink()
                path.write_bytes(spoiled(samples, reader.packing, f"{seed}/{name}/{number}"))
                if why := why_it_falls(reader.read, path):
                    out.write(f"fall\t{name}\t{number}\t{why}\n")
        start = first


def limit_memory() -> bool:
    """From here on this process gets no more than MORE_BYTES of address space."""
    import resource

    used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (used + MORE_BYTES, resource.RLIM_INFINITY))
    return True


def lines_of(process: subprocess.Popen[bytes]) -> Iterator[str | None]:
    """Lines of a process as they come; None when it says nothing for too long."""
    assert process.stdout is not None
    handle, rest, patience = process.stdout.fileno(), b"", START_S
    while True:
        if not select.select([handle], [], [], patience)[0]:
            yield None
            return
        data = os.read(handle, 1 << 16)
        if not data:
            return
        *whole, rest = (rest + data).split(b"\n")
        patience = START_S if whole and whole[-1].startswith(b"next") else SILENT_S
        yield from (line.decode() for line in whole)


def attack(names: list[str], count: int, seed: int = 0, first: int = 0, stop_at: float = 0.0) -> tuple[list[Fall], int]:
    """Read `count` spoiled files of each reader, until time.monotonic() is `stop_at`; the falls, and the files read."""
    falls: list[Fall] = []
    left, start, read = list(names), first, 0
    while left:
        command = [sys.executable, "-m", "tests.attack.files.mutate", "--work", "--seed", str(seed)]
        command += ["--start", str(start), "--first", str(first), "--count", str(count)]
        command += [f"--only={name}" for name in left]
        name, number, why = left[0], start - 1, ""
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            for line in lines_of(process):
                if line is None or (stop_at and time.monotonic() > stop_at):
                    process.kill()
                    if line is not None:
                        return falls, read
                    why = "no answer"
                    break
                what, *parts = line.split("\t")
                name, read = parts[0], read + (what == "at")
                if what == "next":
                    number = first - 1
                elif what == "at":
                    number = int(parts[1])
                else:
                    falls.append(Fall(name, int(parts[1]), parts[2]))
        if not why and process.returncode == 0:
            break
        falls.append(Fall(name, number, why or f"ended with status {process.returncode}"))
        left, start = left[left.index(name) :], number + 1
        if start >= first + count or number < first:
            left, start = left[1:], first
    return falls, read


def main() -> int:
    """Attack what the options name, and say what fell."""
    from tests.attack.command_line.verb_files import verb_files
    from tests.attack.files.readers import readers

    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=100, help="Files of each reader.")
    options.add_argument("--verbs", type=int, default=0, help="Instead: so many files of each verb that reads one.")
    options.add_argument("--first", type=int, default=0, help="Number of the first one.")
    options.add_argument("--seed", type=int, default=0, help="Another seed, other files.")
    options.add_argument("--only", action="append", default=[], help="A reader; all if left out; may be repeated.")
    options.add_argument("--minutes", type=float, default=0.0, help="Stop after so many minutes.")
    options.add_argument("--keep", type=Path, help="Write the first file there and read nothing.")
    options.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options.add_argument("--start", type=int, default=0, help=argparse.SUPPRESS)
    given = options.parse_args()
    known = readers() | verb_files()
    names = given.only or list(verb_files() if given.verbs else readers())
    if given.keep:
        reader = known[names[0]]
        given.keep.write_bytes(spoiled(reader.samples(), reader.packing, f"{given.seed}/{names[0]}/{given.first}"))
        return 0
    if given.work:
        work(names, given.start, given.first, given.count, given.seed)
        return 0
    end = time.monotonic() + 60 * given.minutes if given.minutes else 0.0
    falls, read = attack(names, given.verbs or given.count, given.seed, given.first, end)
    for fall in falls:
        print(f"{fall.reader}, number {fall.number}: {fall.why}")
    print(f"{read} files of {len(names)} {'verbs' if given.verbs else 'readers'} read, {len(falls)} fell")
    return 1 if falls else 0


if __name__ == "__main__":
    sys.exit(main())
