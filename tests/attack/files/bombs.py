"""Files made by hand to be too much for a reader: `python -m tests.attack.files.bombs`.

Each of `BOMBS` makes a file of a good one, for the readers that it names, else for all of them; a reader gets
eight at least. Memory, seconds and what counts as a fall are as in `mutate`; one that is still read after so many
seconds gets a Ctrl-C, and falls when it does not hear it. Exit status 1 when one fell.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import io
import os
import re
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from tests.attack.files.mutate import SILENT_S, Fall, inside, limit_memory, lines_of, packed, why_it_falls

MANY = 1_000_000
MOST_BYTES = 40_000_000
"""The largest file, but for those that are packed or full of holes."""


class Bomb(NamedTuple):
    """A file that is too much."""

    make: Callable[[bytes], bytes] | None
    """Its bytes, from those of a good file, or what is packed in it; None where `put` makes something else."""
    only: str = ""
    """A regular expression: the names of readers that get it."""
    put: Callable[[Path], object] = Path.touch
    """Makes what is no usual file."""
    unpacked: bool = False
    """It is given as it is, and not packed as the good file is."""


def _numbers(text: bytes) -> Callable[[bytes], bytes]:
    """Every number another one."""
    return lambda good: re.sub(rb"\d+", text, good)[:MOST_BYTES]


def _last_number(text: bytes) -> Callable[[bytes], bytes]:
    """The last number another one."""
    return lambda good: re.sub(rb"\d+(?=\D*\Z)", text, good)


def _words(at: int, size: int, value: int) -> Callable[[bytes], bytes]:
    """A count or size in a header."""
    return lambda good: good[:at] + (value % (1 << 8 * size)).to_bytes(size, "little") + good[at + size :]


def _again(good: bytes) -> bytes:
    """All of it, very often: keys, headers and tables several times."""
    return good * max(2, min(MANY // 10, MOST_BYTES // (len(good) + 1)))


def _first_line_again(good: bytes) -> bytes:
    line = good.partition(b"\n")[0] + b"\n"
    return line * min(MANY, MOST_BYTES // len(line)) + good


def _recoded(name: str) -> Callable[[bytes], bytes]:
    return lambda good: good.decode("latin-1").encode(name)


def _hole(path: Path) -> None:
    """64 GB that take no place."""
    path.touch()
    os.truncate(path, 64 << 30)


def _chain(path: Path) -> None:
    """Links to links, none of which ends."""
    other = path.with_name("other")
    other.symlink_to(path)
    path.symlink_to(other)


def _zeros(pack: Callable[[bytes], bytes], times: int) -> Callable[[bytes], bytes]:
    """64 MB of zeros, packed, over and over: what unpacks one member after another unpacks all."""
    return lambda good: pack(bytes(64 << 20)) * times


def _zip_of_zeros(good: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(64):
            archive.writestr(f"chunk.{number:04}", bytes(64 << 20))
    return file.getvalue()


def _zip_of_names(good: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for number in range(60_000):
            archive.writestr(f"chunk.{number:05}", b"")
    return file.getvalue()


def _png(wide: int, high: int, data: bytes) -> bytes:
    def chunk(name: bytes, inner: bytes) -> bytes:
        return struct.pack(">I", len(inner)) + name + inner + struct.pack(">I", zlib.crc32(name + inner))

    head = struct.pack(">IIBBBBB", wide % 2**32, high % 2**32, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")


def _in_store(*statements: str) -> Callable[[bytes], bytes]:
    """A good store that somebody has worked on."""

    def make(good: bytes) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "s"
            path.write_bytes(good)
            db = sqlite3.connect(path)
            for statement in statements:
                db.execute(statement)
            db.commit()
            db.close()
            return path.read_bytes()

    return make


def _nested_xml(good: bytes) -> bytes:
    return b"<graphml>" + b"<graph>" * MANY


def _laughs(good: bytes) -> bytes:
    """Entities of entities, a billion when they are all written out."""
    entities = b'<!ENTITY a0 "ha">' + b"".join(
        b'<!ENTITY a%d "%s">' % (k, b"&a%d;" % (k - 1) * 10) for k in range(1, 10)
    )
    return b"<!DOCTYPE g [" + entities + b"]><graphml><graph><node id='&a9;'/></graph></graphml>"


def _large_entity(good: bytes) -> bytes:
    """One large entity, many times."""
    return b'<!DOCTYPE g [<!ENTITY a "%s">]><graphml>%s</graphml>' % (b"h" * 100_000, b"&a;" * 100_000)


TEXT = r"^(?!.*(Parquet|parquet|drmemtrace|netrace|checkpoint|proof|store|\.png|packed))"
"""Readers of text."""
BINARY = r"Parquet|parquet|drmemtrace|netrace|checkpoint|proof|store|\.png"
"""Others."""
JSON = r"defects \.json|remembered"
BOMBS: dict[str, Bomb] = {
    # What is no file.
    "a pipe": Bomb(None, "", os.mkfifo),
    "/dev/zero": Bomb(None, "", lambda path: path.symlink_to("/dev/zero")),
    "a chain of links": Bomb(None, "", _chain),
    "a folder": Bomb(None, "", Path.mkdir),
    "64 GB of holes": Bomb(None, "", _hole),
    "nothing": Bomb(lambda good: b""),
    # Texts, given to all.
    "zeros": Bomb(lambda good: bytes(MOST_BYTES)),
    "one line of a digit": Bomb(lambda good: b"9" * MOST_BYTES),
    "one line of numbers": Bomb(lambda good: b"1 " * (MOST_BYTES // 2)),
    "lines without anything": Bomb(lambda good: b"\n" * MOST_BYTES),
    "nested lists": Bomb(lambda good: b"[" * MANY),
    "nested tables": Bomb(lambda good: b'{"a":' * MANY),
    "all of it very often": Bomb(_again),
    "a good file and zeros behind it": Bomb(lambda good: good + bytes(MOST_BYTES)),
    # Texts, given to readers of texts.
    "numbers of a million digits": Bomb(_last_number(b"9" * MANY), TEXT),
    "numbers of 4,000 digits": Bomb(_numbers(b"9" * 4000), TEXT),
    "negative numbers": Bomb(_numbers(b"-1"), TEXT),
    "numbers beyond 64 bits": Bomb(_numbers(b"18446744073709551617"), TEXT),
    "numbers that end at 63 bits": Bomb(_numbers(b"9223372036854775807"), TEXT),
    "no numbers": Bomb(_numbers(b"nan"), TEXT),
    "numbers without end": Bomb(_numbers(b"1e999"), TEXT),
    "a count of two billion": Bomb(_last_number(b"2147483647"), TEXT),
    "the first line again and again": Bomb(_first_line_again, TEXT),
    "two bytes a letter": Bomb(_recoded("utf-16"), TEXT),
    "four bytes a letter": Bomb(_recoded("utf-32"), TEXT),
    "a mark of the order of bytes": Bomb(lambda good: b"\xef\xbb\xbf" + good, TEXT),
    "zeros between letters": Bomb(lambda good: b"\0".join(good[k : k + 1] for k in range(len(good))), TEXT),
    "quotes without end": Bomb(lambda good: good + b'"' + b"a," * MANY, TEXT),
    "returns instead of lines": Bomb(lambda good: good.replace(b"\n", b"\r") * 1000, TEXT),
    "fields without end": Bomb(lambda good: good + b"," * MANY + b"\n", TEXT),
    "blanks without end": Bomb(lambda good: good + b" " * MOST_BYTES + b"x\n", TEXT),
    # Sizes in headers.
    **{
        f"{value} in {size} bytes at {at}": Bomb(_words(at, size, value), BINARY)
        for at in (4, 8, 16, 24)
        for size, value in ((4, -1), (4, 2**31 - 1), (8, -1), (8, 2**63 - 1), (8, 2**40))
    },
    **{
        f"{value} in {size} bytes at the end": Bomb(
            lambda good, size=size, value=value: _words(len(good) - 8, size, value)(good), BINARY
        )
        for size, value in ((4, -1), (4, 2**31 - 1), (4, 16))
    },
    # What unpacks to much.
    "4 GB in gzip": Bomb(_zeros(gzip.compress, 64), r"gz|packed", unpacked=True),
    "4 GB in bzip2": Bomb(_zeros(bz2.compress, 64), "netrace", unpacked=True),
    "4 GB in zip": Bomb(_zip_of_zeros, "zip", unpacked=True),
    "60,000 names in zip": Bomb(_zip_of_names, "zip", unpacked=True),
    "4 GB in a picture": Bomb(lambda good: _png(1 << 15, 1 << 15, bytes(1 << 30)), "png"),
    "a picture without end": Bomb(lambda good: _png(-1, -1, b""), "png"),
    "a picture of one high line": Bomb(lambda good: _png(1, 2**31 - 1, bytes(1 << 20)), "png"),
    # By format.
    "nested elements": Bomb(_nested_xml, "graphml"),
    "entities of entities": Bomb(_laughs, "graphml"),
    "a large entity often": Bomb(_large_entity, "graphml"),
    "attributes without end": Bomb(
        lambda good: b"<graphml " + b" ".join(b"a%d='1'" % k for k in range(MANY // 5)) + b"/>", "graphml"
    ),
    "a key in a key in a key": Bomb(lambda good: b"a" + b".a" * (MANY // 50) + b" = 1\n", "study"),
    "tables in tables": Bomb(lambda good: b"[a" + b".a" * 20_000 + b"]\n", "study"),
    "keys without end": Bomb(lambda good: good + b"".join(b"k%d = 1\n" % k for k in range(MANY // 5)), "study"),
    "axes of a hundred values": Bomb(
        lambda good: good + b"".join(b"vcs%d = %s\n" % (k, str(list(range(100))).encode()) for k in range(50)), "study"
    ),
    "loads without end": Bomb(lambda good: good.replace(b"points = 3", b"points = 1000000000"), "study"),
    "a key twice": Bomb(lambda good: b"{" + b'"a": 1,' * MANY + b'"a": 2}', JSON),
    "lists in a list": Bomb(lambda good: b"[" + b"[]," * MANY + b"[]]", JSON),
    "a number of a million digits": Bomb(lambda good: b"[[" + b"1" * MANY + b", 2]]", JSON),
    "rows of zeros": Bomb(
        _in_store(
            "CREATE TABLE more AS WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n LIMIT 100000)"
            " SELECT k, zeroblob(100) FROM n"
        ),
        "store",
    ),
    "a view without end": Bomb(
        _in_store(
            "ALTER TABLE results RENAME TO other",
            "CREATE VIEW results AS WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n)"
            " SELECT * FROM other, n",
        ),
        "store",
    ),
}  # fmt: skip


def bombs_of(name: str) -> list[str]:
    """The names of the bombs that a reader gets."""
    return [bomb for bomb, about in BOMBS.items() if re.search(about.only, name)]


def _stop(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def work(pairs: list[tuple[str, str]]) -> None:
    """What the process that reads does: a line before each file, and one for each that falls or had to be ended."""
    from tests.attack.files.readers import SABOTAGE, readers

    known = readers() | SABOTAGE
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    signal.signal(signal.SIGALRM, _stop)
    for name in dict(pairs):  # what is compiled is compiled before there is a limit
        out.write(f"next\t{name}\t\n")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / known[name].file
            path.write_bytes(known[name].samples()[0])
            if why := why_it_falls(known[name].read, path, good=True):
                out.write(f"fall\t{name}\ta good file\t{why}\n")
    files: list[tuple[str, str, bytes | None]] = []
    for name, bomb in pairs:
        reader, about = known[name], BOMBS[bomb]
        out.write(f"next\t{name}\t{bomb}\n")
        packing = "none" if about.unpacked else reader.packing
        good = reader.samples()[0]
        data = about.make and packed(about.make(inside(good, packing) if packing != "none" else good), packing)
        files.append((name, bomb, data))
    limit_memory()
    for name, bomb, data in files:
        out.write(f"at\t{name}\t{bomb}\n")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / known[name].file
            if data is None:
                BOMBS[bomb].put(path)
            else:
                path.write_bytes(data)
            signal.setitimer(signal.ITIMER_REAL, SILENT_S / 2)
            try:
                why = why_it_falls(known[name].read, path)
            except KeyboardInterrupt:
                out.write(f"slow\t{name}\t{bomb}\n")
                continue
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            if why:
                out.write(f"fall\t{name}\t{bomb}\t{why}\n")


def _groups(pairs: list[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    """A few at a time: their files are in memory before it is limited."""
    for first in range(0, len(pairs), 12):
        yield pairs[first : first + 12]


def attack(pairs: list[tuple[str, str]]) -> tuple[list[Fall], list[str]]:
    """Let readers read bombs; those that fell, and those that were ended by Ctrl-C after a while."""
    falls: list[Fall] = []
    slow: list[str] = []
    for group in _groups(pairs):
        left = group
        while left:
            words = [word for pair in left for word in ("--pair", "\t".join(pair))]
            command = [sys.executable, "-m", "tests.attack.files.bombs", "--work", *words]
            at, why = -1, ""
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
                for line in lines_of(process):
                    if line is None:
                        process.kill()
                        why = "no answer"
                        break
                    what, name, bomb, *rest = line.split("\t")
                    at += what == "at"
                    if what == "slow":
                        slow.append(f"{name}, {bomb}")
                    elif what == "fall":
                        falls.append(Fall(name, 0, f"{bomb}: {rest[0]}"))
            if not why and process.returncode == 0:
                break
            at = max(at, 0)
            falls.append(Fall(left[at][0], 0, f"{left[at][1]}: {why or f'ended with status {process.returncode}'}"))
            left = left[at + 1 :]
    return falls, slow


def main() -> int:
    """Attack what the options name, and say what fell."""
    from tests.attack.files.readers import readers

    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--only", action="append", default=[], help="A reader; all if left out; may be repeated.")
    options.add_argument("--pair", action="append", default=[], help=argparse.SUPPRESS)
    options.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.work:
        work([(name, bomb) for name, bomb in (pair.split("\t") for pair in given.pair)])
        return 0
    names = given.only or list(readers())
    pairs = [(name, bomb) for name in names for bomb in bombs_of(name)]
    falls, slow = attack(pairs)
    for fall in falls:
        print(f"{fall.reader}, {fall.why}")
    for line in slow:
        print(f"ended by Ctrl-C after {SILENT_S / 2:.0f} s: {line}")
    least = min(len(bombs_of(name)) for name in names)
    print(
        f"{len(pairs)} bombs for {len(names)} readers, {least} at least for each; {len(falls)} fell, {len(slow)} slow"
    )
    return 1 if falls else 0


if __name__ == "__main__":
    sys.exit(main())
