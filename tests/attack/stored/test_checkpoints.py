"""Checkpoints whose arrays lie: nothing of a file reaches compiled code unless this user's program sealed it."""

from __future__ import annotations

import hashlib
import io
import json
import os
import random
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jumpnet.sim.measure.checkpoint
import jumpnet.study.point
from jumpnet import _seal
from jumpnet.analysis.deadlock.walks import checkpoint as proofs
from jumpnet.errors import JumpnetError
from jumpnet.routings import Routing, bind
from jumpnet.sim.config import preset
from jumpnet.sim.engine import Engine
from jumpnet.sim.measure.checkpoint import Checkpoint
from jumpnet.sim.simulate import simulate
from jumpnet.study.names import point_hash
from jumpnet.study.point import MODEL, evaluate, resolve
from jumpnet.topology import build
from jumpnet.traffic import Pattern

SETTINGS: dict[str, Any] = {"load": 0.3, "warmup_cycles": 200, "measure_cycles": 300, "batch_cycles": 100, "seed": 3}
LIES = (-1, -(2**31), 2**31 - 1, 7, 10**6)


class _Stopped(Exception):
    """A run that ends right after a checkpoint."""


def _stopping(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = jumpnet.sim.measure.checkpoint.keep_arrays

    def write(path: Path, arrays: dict[str, Any], key: bytes) -> None:
        whole(path, arrays, key)
        raise _Stopped

    monkeypatch.setattr(jumpnet.sim.measure.checkpoint, "keep_arrays", write)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("written") / "c"
    with pytest.MonkeyPatch.context() as patch:
        _stopping(patch)
        with pytest.raises(_Stopped):
            simulate("torus:4x4", checkpoint=Checkpoint(path, 0.0), **SETTINGS)
    return path.read_bytes()


@pytest.fixture
def kept(tmp_path: Path, written: bytes) -> Path:
    path = tmp_path / "c"
    path.write_bytes(written)
    return path


def _go_on(path: Path) -> Any:
    return simulate("torus:4x4", checkpoint=Checkpoint(path, 1e9), **SETTINGS)


def _forged(body: bytes, draw: random.Random) -> bytes:
    """The archive with one number of one of the simulator's arrays changed."""
    with np.load(io.BytesIO(body)) as archive:
        arrays = {name: archive[name] for name in archive.files}
    name = draw.choice(sorted(name for name, array in arrays.items() if name.startswith("state.") and array.size))
    flat = arrays[name].reshape(-1)
    info = np.iinfo(flat.dtype) if flat.dtype.kind in "iu" else None
    lie = draw.choice(LIES)
    flat[draw.randrange(flat.size)] = lie if info is None else min(max(lie, info.min), info.max)
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


@pytest.mark.parametrize("seed", range(40))
def test_a_forged_array_is_refused_unread(kept: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The forger knows the format and sets the digest right; only the key is not his."""
    draw, key = random.Random(seed), _seal.owners_key()
    body = _seal.sealed(kept, key, "a checkpoint expected")
    other = draw.choice([bytes(32), key[::-1], hashlib.sha256(b"guess").digest()])
    forged = _forged(body, draw)
    with kept.open("w+b") as file:
        file.write(forged)
        _seal.put_seal(file, other)
    monkeypatch.setattr(jumpnet.sim.measure.checkpoint, "_put", lambda *words: pytest.fail("its arrays were used"))
    with pytest.raises(JumpnetError, match=r"sealed with another key than .*checkpoint\.key, or forged") as told:
        _go_on(kept)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("seed", range(100))
def test_a_flipped_bit_is_seen(kept: Path, seed: int) -> None:
    draw, data = random.Random(seed), bytearray(kept.read_bytes())
    at = draw.choice([draw.randrange(len(data)), len(data) - 1 - draw.randrange(_seal.SEAL_BYTES)])
    data[at] ^= 1 << draw.randrange(8)
    kept.write_bytes(data)
    with pytest.raises(JumpnetError, match=r"damaged|not whole|forged"):
        _seal.sealed(kept, _seal.owners_key(), "a checkpoint expected")


ABOUT: list[tuple[str, Any]] = [
    ("cycle", -1), ("cycle", 10**30), ("cycle", "x"), ("cycle", None), ("cycle", 1.5), ("facts", {}), ("facts", 5),
    ("facts", {"deadlock": 3}), ("facts", {"deadlock": None, "other": 1}), ("facts", {"deadlock": None, "start": "x"}),
]  # fmt: skip


@pytest.mark.parametrize("key, value", [("", None), *ABOUT])
def test_an_edited_checkpoint_under_the_own_seal_is_damaged(kept: Path, key: str, value: Any) -> None:
    own = _seal.owners_key()
    arrays = _seal.kept_arrays(kept, own, "a checkpoint expected")
    about = json.loads(arrays["about"].tobytes()) | {key: value} if key else [1]
    arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    _seal.keep_arrays(kept, arrays, own)
    with pytest.raises(JumpnetError, match="is damaged") as told:
        _go_on(kept)
    assert "\n" not in str(told.value)


def test_what_is_whole_goes_on(kept: Path) -> None:
    again = Checkpoint(kept, 1e9)
    found = simulate("torus:4x4", checkpoint=again, **SETTINGS)
    assert again.resumed_cycle > 0
    assert found.latency_histogram.tolist() == simulate("torus:4x4", **SETTINGS).latency_histogram.tolist()


def test_a_sweep_starts_the_point_over_with_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config = resolve({"network": "torus:4x4", **SETTINGS}, 0.3)
    work = partial(evaluate, config, checkpoints=tmp_path)
    want = work()["result"]
    monkeypatch.setattr(jumpnet.study.point, "CHECKPOINT_CPU_SECONDS", 0.0)
    with monkeypatch.context() as patch:
        _stopping(patch)
        with pytest.raises(_Stopped):
            work()
    file = tmp_path / f"{point_hash(config, MODEL)}.npz"
    *rest, last = file.read_bytes()
    file.write_bytes(bytes([*rest, last ^ 1]))
    found = work()
    assert found["result"] == want and found["about"]["resumed_cycle"] == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert str(file) in line and line.endswith("the point starts over")


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs owners of files")
def test_a_key_that_others_know_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUMPNET_CACHE_DIR", str(tmp_path / "own"))
    key = _seal.owners_key()
    assert key == _seal.owners_key() and len(key) == 32
    assert _seal.key_file().stat().st_mode & 0o077 == 0
    _seal.key_file().chmod(0o644)
    with pytest.raises(JumpnetError, match="others may read"):
        Checkpoint(tmp_path / "c")
    _seal.key_file().write_bytes(b"short")
    with pytest.raises(JumpnetError, match="is no key"):
        Checkpoint(tmp_path / "c")
    (tmp_path / "all" / "keys").mkdir(parents=True)
    (tmp_path / "all" / "keys").chmod(0o777)
    monkeypatch.setenv("JUMPNET_CACHE_DIR", str(tmp_path / "all"))
    with pytest.raises(JumpnetError, match="others may write there"):
        Checkpoint(tmp_path / "c")


def test_without_a_key_a_sweep_keeps_no_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JUMPNET_CACHE_DIR", os.devnull)
    file = Checkpoint(tmp_path / "c", 0.0, optional=True)
    assert "keeps no checkpoint" in capsys.readouterr().err
    file.keep(None)  # type: ignore[arg-type]  # it looks at nothing
    assert file.restore(None) is False  # type: ignore[arg-type]


AWAY = 1


def round_the_ring(net, here, head, out):
    """By what stands beside it, as it may stand in another file."""
    out[0, 0] = AWAY - 1
    out[0, 1] = out[0, 2] = out[0, 3] = 0
    return 0 if here == head[1] else 1


def some_way_off(own, source, terminals, draw):
    """Likewise."""
    return (source + AWAY) % terminals


def test_what_own_functions_read_tells_checkpoints_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their text stays the same; a run or proof that went on would be of two functions."""
    own = bind(Routing(name="own.round", relation=round_the_ring), build("torus:5"))
    shipped = bind("torus.dateline", build("torus:5"))
    pattern = Pattern(name="off", destination=some_way_off, prepare=lambda net, options: np.zeros(0, np.int64))

    def named() -> list[str]:
        routed = Engine(shipped.network, shipped.routing, preset("booksim", load=0.1))
        routed.patterns = [replace(routed.patterns[0], pattern=pattern)]
        return [proofs.identity(own), jumpnet.sim.measure.checkpoint.identity(routed)]

    before = named()
    assert named() == before
    monkeypatch.setitem(globals(), "AWAY", 2)
    assert all(one != two for one, two in zip(before, named(), strict=True))


def by_the_longest(net, head, draw, queue):
    """Looks at all queues that it is told."""
    head[2] = int(queue[len(queue) - 1] > 0)


def test_queues_that_a_start_hook_is_told_tell_proofs_apart() -> None:
    """The walks that were kept began with no packet that saw the other queues."""
    proof = [
        Routing("own.sees", round_the_ring, start=by_the_longest, sees=lambda net, n=n: n).bind(build("torus:6"))
        for n in (1, 2)
    ]
    assert len(set(map(proofs.identity, proof))) == 2
