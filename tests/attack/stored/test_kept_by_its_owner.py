"""What the cache folder keeps for its owner alone: points that were simulated before, and the key for them."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from jumpnet._seal import key_file, owners_key
from jumpnet.errors import JumpnetError
from jumpnet.sim.config import preset
from jumpnet.sim.result import Point
from jumpnet.sim.result.point_cache import recall, remember

FIGURES = {"saturated": False, "accepted_load": 0.25, "packet_latency_mean_cycles": 9.5}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JUMPNET_CACHE_DIR", str(tmp_path))
    remember(tmp_path / "points", "p", Point("torus:4", "torus.dateline", preset("booksim", load=0.1), FIGURES))
    return tmp_path


@pytest.mark.parametrize("odd", [0.9, "x", None, [1], {"1": "x"}])
def test_a_remembered_point_that_was_made_by_hand_is_not_there(folder: Path, odd: object) -> None:
    """Its name and all of its words fit; a figure is another."""
    assert recall(folder / "points", "p") is not None
    path = folder / "points" / "p.json"
    kept = json.loads(path.read_text().partition("\n")[2])
    kept["figures"]["accepted_load"] = odd
    text = json.dumps(kept)
    path.write_text(hashlib.sha256(f"p\n{text}".encode()).hexdigest() + "\n" + text)
    assert recall(folder / "points", "p") is None


def test_a_remembered_point_of_another_owner_is_not_there(folder: Path) -> None:
    key_file().write_bytes(bytes(32))
    assert recall(folder / "points", "p") is None


def test_without_a_key_nothing_is_kept(folder: Path) -> None:
    key_file().write_bytes(b"short")
    remember(folder / "points", "q", Point("torus:4", "torus.dateline", preset("booksim", load=0.1), FIGURES))
    assert recall(folder / "points", "p") is None and not (folder / "points" / "q.json").exists()


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_a_key_that_is_no_file_is_not_waited_for(folder: Path, make: object) -> None:
    key_file().unlink()
    make(key_file())  # type: ignore[operator]
    with pytest.raises(JumpnetError, match="not a regular file; a key expected"):
        owners_key()
