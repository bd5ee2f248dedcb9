"""A search that was ended goes on from its folder to the same answer; what is not its own, or damaged, is refused."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from jumpnet.coherence.check import Checked, check_protocol
from jumpnet.coherence.protocol import protocol
from jumpnet.coherence.search import states as search
from jumpnet.coherence.search.checkpoint import SearchCheckpoint
from jumpnet.coherence.search.model import Model
from jumpnet.coherence.search.states import States
from jumpnet.errors import JumpnetError


class Struck(Exception):
    """The end of a search."""


def _strike(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Let a search end after so many chunks."""
    whole, left = States._go_on, [after]

    def go_on(self: States, first: int, end: int) -> tuple[str, int] | None:
        left[0] -= 1
        if left[0] < 0:
            raise Struck
        return whole(self, first, end)

    monkeypatch.setattr(States, "_go_on", go_on)


def _states(bits: int, threads: int, kept: SearchCheckpoint | None = None) -> States:
    return States(Model(protocol("dragon"), 4, True, False), 4, threads, bits=bits, kept=kept)


@cache
def _whole(bits: int) -> tuple[States, tuple[str, int]]:
    """A search that nobody strikes, and its answer."""
    whole = _states(bits, 1)
    return whole, whole.run()


@pytest.mark.parametrize("bits", [0, 14, 60])
@pytest.mark.parametrize("chunks", [0, 1, 60])
def test_a_search_goes_on_and_comes_to_the_same(
    bits: int, chunks: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Struck after so many chunks, then again, each time taken up by another number of threads."""
    monkeypatch.setattr(search, "CHUNK", 97)
    whole, answer = _whole(bits)
    for threads in (2, 1):
        with monkeypatch.context() as patch:
            _strike(patch, chunks)
            struck = _states(bits, threads, SearchCheckpoint(tmp_path / "s", 0.0))
            with pytest.raises(Struck):
                struck.run()
            del struck
    again = _states(bits, 3, SearchCheckpoint(tmp_path / "s", 0.0))
    assert (again.begin > 0) == (chunks > 0) and again.begin >= chunks
    assert again.run() == answer
    for name in ("count", "steps", "levels"):
        assert getattr(again, name) == getattr(whole, name)
    for name in ("states", "parent"):
        one, other = (getattr(made.found, name)[: whole.count] for made in (whole, again))
        assert np.array_equal(one, other)
    assert np.array_equal(again.found.slots, whole.found.slots) and again.found.met == whole.found.met
    assert again.model.records == whole.model.records and again.model.used == whole.model.used
    assert np.array_equal(again.filled.tables.used, whole.filled.tables.used)


def _checked(folder: Path, **words: object) -> Checked:
    return check_protocol(protocol("mesi"), 3, checkpoint=SearchCheckpoint(folder, 0.0), **words)  # type: ignore[arg-type]


def test_a_search_that_has_ended_is_not_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = _checked(tmp_path / "s")
    assert first == check_protocol(protocol("mesi"), 3)
    _strike(monkeypatch, 0)
    assert _checked(tmp_path / "s") == first


def test_what_is_not_its_own_is_refused(tmp_path: Path) -> None:
    _checked(tmp_path / "s")
    for words in ({"order": "fifo"}, {"acknowledges": "combined"}, {"compact": 40}):
        with pytest.raises(JumpnetError, match="another search or version found, one of this search expected"):
            _checked(tmp_path / "s", **words)
    changed = replace(protocol("mesi"), home=protocol("mesi").home + "X GetS X -\n")
    with pytest.raises(JumpnetError, match="another search"):
        check_protocol(changed, 3, checkpoint=SearchCheckpoint(tmp_path / "s"))
    with pytest.raises(JumpnetError, match="another search"):
        check_protocol(protocol("mesi"), 2, checkpoint=SearchCheckpoint(tmp_path / "s"))
    (tmp_path / "s" / "letter").write_text("mine")
    with pytest.raises(JumpnetError, match="letter found, a folder for the states of one search expected"):
        SearchCheckpoint(tmp_path / "s")
    with pytest.raises(JumpnetError, match="file exists, a folder for states expected"):
        SearchCheckpoint(tmp_path / "s" / "letter")
    with pytest.raises(JumpnetError, match=r"-1\.0 CPU seconds between checkpoints found, 0 or more expected"):
        SearchCheckpoint(tmp_path / "t", -1.0)


@pytest.mark.parametrize(
    ("name", "said"),
    [("states", "are damaged, those kept expected"), ("parents", "are damaged, those kept expected"),
     ("search.npz", "damaged, its digest differs")],
)  # fmt: skip
def test_a_flipped_bit_is_seen(name: str, said: str, tmp_path: Path) -> None:
    _checked(tmp_path / "s")
    file = tmp_path / "s" / name
    data = bytearray(file.read_bytes())
    data[100] ^= 4
    file.write_bytes(data)
    with pytest.raises(JumpnetError, match=said):
        _checked(tmp_path / "s")


def test_states_that_were_cut_off_are_seen(tmp_path: Path) -> None:
    _checked(tmp_path / "s")
    os.truncate(tmp_path / "s" / "states", 64)
    with pytest.raises(JumpnetError, match="are damaged"):
        _checked(tmp_path / "s")


def test_two_searches_in_one_folder_are_refused(tmp_path: Path) -> None:
    model = Model(protocol("msi"), 2, False, False)
    first = States(model, 2, kept=SearchCheckpoint(tmp_path / "s"))
    with pytest.raises(JumpnetError, match="another search is under way there"):
        States(Model(protocol("msi"), 2, False, False), 2, kept=SearchCheckpoint(tmp_path / "s"))
    assert first.run() == ("", 0)


KILLED = """
import os, signal, sys
from jumpnet.coherence.check import check_protocol
from jumpnet.coherence.protocol import protocol
from jumpnet.coherence.search import checkpoint, states
states.CHUNK, left, write = 97, [int(sys.argv[2])], checkpoint.SearchCheckpoint.write
def and_end(self, *words):
    write(self, *words)
    left[0] -= 1
    if left[0] < 0:
        os.kill(os.getpid(), signal.SIGKILL)
checkpoint.SearchCheckpoint.write = and_end
check_protocol(protocol("mesi"), 4, checkpoint=checkpoint.SearchCheckpoint(sys.argv[1], 0.0))
"""


def test_a_process_that_was_killed_goes_on(tmp_path: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "s"), "20"], check=False)
    assert ended.returncode == -signal.SIGKILL
    kept = SearchCheckpoint(tmp_path / "s")
    states = States(Model(protocol("mesi"), 4, False, False), 4, kept=kept)
    assert 0 < states.begin < states.count
    del states
    assert check_protocol(protocol("mesi"), 4, checkpoint=kept) == check_protocol(protocol("mesi"), 4)


def test_states_go_to_disk_where_memory_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The slots of 32,187 states take half a megabyte, the arrays of states more than the limit."""
    usual = check_protocol(protocol("dragon"), 4)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("JUMPNET_MEMORY_LIMIT", str((1 << 19) + 1000))
    assert check_protocol(protocol("dragon"), 4) == usual
    said = capsys.readouterr().err
    assert "the check of 4 caches needs about" in said and f"its states go to {tmp_path}" in said
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setenv("JUMPNET_MEMORY_LIMIT", "500000")
    with pytest.raises(
        JumpnetError, match=r"the check of 4 caches needs about 524\.3 kB of memory, 500\.0 kB available"
    ):
        check_protocol(protocol("dragon"), 4)


def test_a_disk_that_is_too_small_is_told_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: shutil._ntuple_diskusage(0, 0, 5000))
    with pytest.raises(JumpnetError, match=r"the check of 3 caches needs 196\.6 kB more in .*, 5\.0 kB available"):
        _checked(tmp_path / "s")


def test_a_disk_that_fills_up_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: int, begin: int, size: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full, raising=False)
    with pytest.raises(JumpnetError, match=r"no space left on device, 196\.6 kB more for the check"):
        _checked(tmp_path / "s")
