"""Pipes, devices and folders in the place of files: every reader says so at once, and waits for nothing."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from jumpnet.cli._options.machine import number_lines
from jumpnet.errors import JumpnetError
from jumpnet.fault.array import WaferArray
from jumpnet.fault.defects import from_file
from jumpnet.files import read_bytes, read_text
from jumpnet.machine.trace import formats, open_trace
from jumpnet.machine.trace.netrace import open_netrace
from jumpnet.study.booksim.run import configuration
from jumpnet.study.results import open_plan
from jumpnet.study.store import Store
from jumpnet.topology import build
from jumpnet.traffic import read_packets

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
ANSWER = 30
"""Seconds after which a reader counts as blocked; each answers in milliseconds."""

READERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "network": ("x.graphml", lambda path: build(f"file:{path}")),
    "study": ("x.toml", open_plan),
    "store": ("x.db", Store),
    "packets": ("x.csv", lambda path: read_packets(path, 4)),
    "booksim": ("x.cfg", lambda path: configuration(path, {})),
    "pages": ("x.txt", lambda path: number_lines(str(path), 2, "PAGE NODE")),
    "netrace": ("x.tra.bz2", open_netrace),
    **{
        f"defects {end}": (f"x{end}", lambda path: from_file(WaferArray(4, 4), str(path)))
        for end in (".csv", ".json", ".png")
    },
    **{
        f"trace {name}": (f"x{found.endings[0]}", lambda path, name=name: list(open_trace(path, name).blocks()))
        for name, found in formats().items()
    },
}
"""A name for each and how it reads; trace formats are found in their registry."""


def answer(read: Callable[[Path], object], path: Path) -> str:
    """The line of a reader that refuses a file, asked in a thread so that a blocked one is seen."""
    told: list[object] = []

    def ask() -> None:
        try:
            told.append(read(path))
        except Exception as error:
            told.append(error)

    asked = threading.Thread(target=ask, daemon=True)
    asked.start()
    asked.join(ANSWER)
    assert told, "the reader waits"
    assert isinstance(told[0], JumpnetError), repr(told[0])
    assert "\n" not in str(told[0])
    return str(told[0])


@pytest.mark.parametrize("what", ["pipe", "device", "folder", "nothing"])
@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_file_is_refused(tmp_path: Path, reader: str, what: str) -> None:
    name, read = READERS[reader]
    path = tmp_path / name
    if what == "pipe":
        os.mkfifo(path)
    elif what == "device":
        path.symlink_to("/dev/zero")
    elif what == "folder":
        path.mkdir()
    elif reader == "store":
        return  # a new one is made
    assert name.partition(".")[0] in answer(read, path)


@pytest.mark.parametrize("beside", ["-journal", "-wal", "-shm"])
def test_a_pipe_beside_a_store_is_not_waited_for(tmp_path: Path, beside: str) -> None:
    path = tmp_path / "s.sqlite"
    Store(path).close()
    os.mkfifo(tmp_path / f"s.sqlite{beside}")
    assert f"s.sqlite{beside}: not a regular file" in answer(Store, path)


def test_sizes_are_bounded(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_bytes(b"a\r\nb\rc\n")
    assert read_text(path, 7, "a text expected") == "a\nb\nc\n"
    with pytest.raises(JumpnetError, match="more than 6 bytes found, at most 6 expected"):
        read_bytes(path, 6, "a text expected")
    path.write_bytes(np.arange(200, dtype=np.uint8).tobytes())
    with pytest.raises(JumpnetError, match="is no UTF-8 text, a text expected"):
        read_text(path, 1000, "a text expected")


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="Linux tells there of a process")
def test_a_file_that_says_it_is_empty_and_is_not_is_read_to_its_bound() -> None:
    with pytest.raises(JumpnetError, match="/proc/self/maps: more than 100 bytes found, at most 100 expected"):
        read_bytes("/proc/self/maps", 100, "a study file expected")
