"""Checkpoints: a killed run that goes on equals an undisturbed one, bit by bit; what does not fit is refused."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jumpnet.sim.measure.checkpoint
from jumpnet.errors import JumpnetError
from jumpnet.sim.measure.checkpoint import Checkpoint
from jumpnet.sim.result import Result
from jumpnet.sim.simulate import simulate
from jumpnet.study.names import point_hash
from jumpnet.study.point import MODEL, TIMING, evaluate, resolve
from jumpnet.study.store import Store
from jumpnet.traffic import PacketList

SETTINGS: dict[str, Any] = {"load": 0.3, "packet_flits": "1..6", "max_cycles": 12000, "precision": 0.001, "seed": 3}


class _Stopped(Exception):
    """A run that ends right after a checkpoint."""


def _bits(result: Result) -> list[Any]:
    """Everything that must be equal."""
    row = {key: value for key, value in result.row().items() if key not in TIMING}
    arrays = (
        result.latency_histogram,
        result.flit_latency_histogram,
        result.channel_load,
        result.buffer_occupancy,
        result.events,
    )
    return [row, *(None if a is None else np.nan_to_num(np.asarray(a, float), nan=-1.0).tolist() for a in arrays)]


def _stop_after(monkeypatch: pytest.MonkeyPatch, writes: int) -> list[str]:
    """Make the run stop after every `writes` checkpoints; returns the phases in which they were written."""
    whole, phases = jumpnet.sim.measure.checkpoint.keep_arrays, []

    def write(path: Path, arrays: dict[str, Any], key: bytes) -> None:
        whole(path, arrays, key)
        phases.append(json.loads(arrays["about"].tobytes())["facts"]["phase"])
        if len(phases) % writes == 0:
            raise _Stopped

    monkeypatch.setattr(jumpnet.sim.measure.checkpoint, "keep_arrays", write)
    return phases


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"events": True, "max_cycles": 3000, "reply_flits": 3, "reply_delay_cycles": 40},
        {
            "warmup_cycles": 1200,
            "measure_cycles": 2700,
            "source_queue_packets": 2,
            "injection": "onoff:alpha=0.1,beta=0.1",
        },
        {"load": 0.05, "packet_flits": "300", "measure_cycles": 2000, "warmup_cycles": 500},
    ],
)
def test_a_run_stopped_at_every_few_checkpoints_equals_an_undisturbed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any]
) -> None:
    settings = {**SETTINGS, **changes}
    want = _bits(simulate("torus:4x4", "torus.valiant", **settings))
    phases = _stop_after(monkeypatch, 3)
    for _ in range(200):
        try:
            found = simulate("torus:4x4", "torus.valiant", checkpoint=Checkpoint(tmp_path / "c", 0.0), **settings)
        except _Stopped:
            continue
        break
    assert _bits(found) == want
    assert len(phases) >= 5 and "window" in phases
    if settings.get("packet_flits") == "300":
        assert "drain" in phases


def test_a_trace_goes_on_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    n = np.arange(400)
    packets = PacketList(n * 5, (n % 16).astype(np.int32), ((n * 7 + 3) % 16).astype(np.int32), n % 9 + 1)
    settings = {"warmup_cycles": 0, "measure_cycles": 2500, "trace": packets, "batch_cycles": 200}
    want = _bits(simulate("torus:4x4", **settings))
    _stop_after(monkeypatch, 5)
    with pytest.raises(_Stopped):
        simulate("torus:4x4", checkpoint=Checkpoint(tmp_path / "c", 0.0), **settings)
    other = PacketList(*(packets._replace(flits=packets.flits + 1)))
    with pytest.raises(JumpnetError, match="of another point or version"):
        simulate("torus:4x4", checkpoint=Checkpoint(tmp_path / "c", 0.0), **{**settings, "trace": other})
    again = Checkpoint(tmp_path / "c", 1e9)
    assert _bits(simulate("torus:4x4", checkpoint=again, **settings)) == want
    assert again.resumed_cycle == 800  # the first step opens the window, four batches follow


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    """SIGKILL at random instants, some of them while the file is written; the answer of the verb is the same."""
    settings = {"load": 0.3, "precision": 0.0001, "max_cycles": 20000, "seed": 5}
    want = simulate("torus:4x4", **settings).row()
    words = [f"--set={key}={value}" for key, value in settings.items()]
    file, draw, killed = tmp_path / "run.npz", random.Random(1), 0
    command = [sys.executable, "-c", "from jumpnet.cli import main; main()", "simulate", "torus:4x4", "--json", *words,
               "--checkpoint", str(file), "--checkpoint-every", "0"]  # fmt: skip
    for _ in range(2):
        before = file.stat().st_mtime_ns if file.exists() else 0
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
            while run.poll() is None and (not file.exists() or file.stat().st_mtime_ns == before):
                time.sleep(0.002)
            time.sleep(draw.uniform(0.0, 0.05))
            run.send_signal(signal.SIGKILL)
        killed += run.returncode == -signal.SIGKILL
    last = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert killed >= 1
    want = json.loads(json.dumps(want))
    assert {k: v for k, v in last.items() if k not in TIMING} == {k: v for k, v in want.items() if k not in TIMING}
    assert list(tmp_path.iterdir()) == []


def _kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    with monkeypatch.context() as patch:
        _stop_after(patch, 2)
        with pytest.raises(_Stopped):
            simulate("torus:4x4", checkpoint=Checkpoint(tmp_path / "c", 0.0), **SETTINGS)
    return tmp_path / "c"


def test_what_does_not_fit_is_refused_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _kept(tmp_path, monkeypatch)
    whole = path.read_bytes()

    def refused(words: str, **changes: Any) -> None:
        with pytest.raises(JumpnetError, match=words) as caught:
            simulate("torus:4x4", checkpoint=Checkpoint(path), **{**SETTINGS, **changes})
        assert "\n" not in str(caught.value)

    refused("of another point or version found", seed=4)
    refused("of another point or version found", routing="torus.duato")
    with monkeypatch.context() as patch:
        patch.setattr(jumpnet.sim.measure.checkpoint, "source_key", lambda file: "edited")
        refused("of another point or version found")
    for place in (len(whole) // 3, len(whole) // 2, len(whole) - 40):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        refused("damaged")
    for text in (b"", b"nonsense", whole[: len(whole) // 2]):
        path.write_bytes(text)
        refused("not whole, or nothing that was sealed")
    with pytest.raises(JumpnetError, match=r"folder .* not found"):
        Checkpoint(tmp_path / "absent" / "c")


def test_a_full_disk_is_said_and_the_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*words: object, **named: object) -> None:
        raise OSError(28, "No space left on device")

    want = _bits(simulate("torus:4x4", **SETTINGS))
    monkeypatch.setattr(np, "savez", full)
    found = simulate("torus:4x4", checkpoint=Checkpoint(tmp_path / "c", 0.0), **SETTINGS)
    assert _bits(found) == want and list(tmp_path.iterdir()) == []
    assert "No space left on device; the run goes on without a new checkpoint" in capsys.readouterr().err


def test_a_long_point_of_a_study_goes_on_in_the_next_sweep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = resolve({"network": "torus:4x4", "max_cycles": 12000, "precision": 0.001}, 0.3)
    name = point_hash(config, MODEL)
    want = evaluate(config)
    with Store(tmp_path / "s") as store:
        store.checkpoints.mkdir()
        work = partial(evaluate, checkpoints=store.checkpoints)
        assert work(config)["result"] == want["result"] and not list(store.checkpoints.iterdir())  # short: none written
        monkeypatch.setattr(jumpnet.study.point, "CHECKPOINT_CPU_SECONDS", 0.0)
        with monkeypatch.context() as patch:
            _stop_after(patch, 7)
            with pytest.raises(_Stopped):
                work(config)
        assert [file.name for file in store.checkpoints.iterdir()] == [f"{name}.npz"]
        again = work(config)
        assert again["result"] == want["result"] and again["about"]["resumed_cycle"] == 3500
        store.finish(name, config, again["result"], again["about"])
        assert not list(store.checkpoints.iterdir())
        (store.checkpoints / f"{name}.npz").write_bytes(b"damaged")
        anew = work(config)
        assert anew["result"] == want["result"] and anew["about"]["resumed_cycle"] == 0


def test_a_warm_up_can_be_saved_however_late_deadlocks_are_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    phases = _stop_after(monkeypatch, 1000)
    words = {"load": 0.1, "packet_flits": "1", "warmup_cycles": 4000, "measure_cycles": 100, "batch_cycles": 100}
    simulate("mesh:2x2", "mesh.dimension_order", checkpoint=Checkpoint(tmp_path / "run.npz", 0.0), **words)
    assert phases.count("warm-up") == 3
    late = Checkpoint(tmp_path / "late.npz", 0.0)
    simulate("mesh:2x2", "mesh.dimension_order", checkpoint=late, deadlock_cycles=10**6, **words)
    assert phases.count("warm-up") == 6
