"""The Dask pool: the same results as in one process, with a worker killed on the way."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.study.study_evaluate import evaluate, resolve
from tests.study.test_run import _InlinePool, _plan

from jumpnet.coherence.functional.design import FunctionalDesign
from jumpnet.errors import JumpnetError
from jumpnet.machine.closed_loop import closed_loop
from jumpnet.machine.timed.design import Costs
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.workload import workload
from jumpnet.study import point
from jumpnet.study.cluster import DaskPool
from jumpnet.study.plan import read_plan
from jumpnet.study.run import Progress, run_plan
from jumpnet.study.settings import PRESETS, settings
from jumpnet.study.store import Store

pytest.importorskip("distributed")


def test_a_killed_worker_costs_no_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    plan = _plan(10, seconds=0.02)
    pool = DaskPool(evaluate, workers=2)
    killed: list[int] = []

    def kill_one(progress: Progress) -> None:
        if progress.finished == 5 and not killed:
            pid = next(iter(pool._client.run(os.getpid).values()))
            killed.append(pid)
            os.kill(pid, signal.SIGKILL)

    try:
        with Store(tmp_path / "dask") as store:
            run_plan(plan, store, pool, resolve, "m", {}, kill_one)
            got = list(store.rows())
    finally:
        pool.close()
    with Store(tmp_path / "one") as store:
        run_plan(plan, store, _InlinePool(), resolve, "m", {})
        assert got == list(store.rows())
    assert killed and len(got) == 20


def test_a_scheduler_that_does_not_answer_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jumpnet.study.cluster.ANSWER_S", 1.0)
    with pytest.raises(JumpnetError, match=r"scheduler 'tcp://127\.0\.0\.1:9': no answer"):
        DaskPool(evaluate, "tcp://127.0.0.1:9")


def test_a_cluster_started_here_listens_on_this_machine_alone(
    recwarn: pytest.WarningsRecorder, capfd: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as taken:
        with suppress(OSError):  # Dask's port of a dashboard, by whomsoever it is taken
            taken.bind(("127.0.0.1", 8787))
            taken.listen()
        pool = DaskPool(evaluate, workers=1)
    try:
        about = pool._client.scheduler_info()
        addresses = [pool.address, *about["workers"], *(worker["nanny"] for worker in about["workers"].values())]
    finally:
        pool.close()
    assert len(addresses) == 3 and all(address.startswith("tcp://127.0.0.1:") for address in addresses)
    assert not [each for each in recwarn if "already in use" in str(each.message)]
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("address", ["tcp://far:8786", "10.1.2.3:8786", "tcp://[fe80::1]:9", "ws://far:80", "tcp://["])
def test_another_machine_without_tls_is_refused_unless_trusted(address: str) -> None:
    with pytest.raises(JumpnetError, match="on another machine and without TLS"):
        DaskPool(evaluate, address)


def test_a_trusted_machine_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jumpnet.study.cluster.ANSWER_S", 1.0)
    with pytest.raises(JumpnetError, match="no answer"):
        DaskPool(evaluate, "tcp://no.such.machine.invalid:8786", trusted=True)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make certificates")
def test_certificates_as_on_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import dask
    import distributed

    monkeypatch.chdir(tmp_path)
    words = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=cluster -keyout key.pem -out cert.pem"
    subprocess.run(["openssl", *words.split()], check=True, capture_output=True)
    keys = {
        f"tls_{side}_{part}": f"{part}.pem" for side in ("client", "worker", "scheduler") for part in ("cert", "key")
    }
    security = distributed.Security(tls_ca_file="cert.pem", require_encryption=True, **keys)
    tls = {"ca-file": "cert.pem", "client.cert": "cert.pem", "client.key": "key.pem"}
    with distributed.LocalCluster(
        n_workers=1, processes=False, protocol="tls://", host="127.0.0.1", security=security, dashboard_address=None
    ) as cluster:
        with dask.config.set({f"distributed.comm.tls.{name}": file for name, file in tls.items()}):
            pool = DaskPool(evaluate, cluster.scheduler_address)
        pool.submit(("p", {"network": "ring", "load": 0.1}))
        assert [name for name, _ in pool.wait()] == ["p"]
        pool.close()
        with pytest.raises(JumpnetError, match="no answer"):
            DaskPool(evaluate, cluster.scheduler_address)


ALL_KINDS = """
[[sweep]]
kind = "yield"
network = "mesh:8x8"
density = [0.02, 0.05]
link_density = 0.001
pattern = "clustered"
wafers = 100

[[sweep]]
kind = "degrade"
network = "torus:4x4"
routing = "up_down"
simulate = false
faults = [0, 1]

[[sweep]]
kind = "multicast"
preset = "jump1"
network = "torus:4x4"
destinations = 2
packet_flits = "4"
warmup_cycles = 100
measure_cycles = 300
load = [0.01]

[[sweep]]
network = "torus:4x4"
warmup_cycles = 100
measure_cycles = 300
more_classes = [[{load = 0.02, traffic = "transpose"}]]
load = [0.01]
"""


def test_points_of_every_kind_and_machines_are_the_same_on_a_cluster(tmp_path: Path) -> None:
    """Records of options cross to the workers: those of points, and of machines that a caller sends there itself."""
    (tmp_path / "all.toml").write_text(ALL_KINDS)
    plan = read_plan(tmp_path / "all.toml", settings(), PRESETS)
    streams = streams_of(workload("lu:processors=4,n=16").trace())
    how: dict[str, Any] = {"network": "torus:2x2", "caches": (1024, 2), "costs": Costs(handlers={"data": 12})}
    found: dict[str, Any] = {}
    pool = DaskPool(point.evaluate, workers=1)
    try:
        with Store(tmp_path / "dask") as store:
            run_plan(plan, store, pool, point.resolve, "m", {})
            found["dask"] = [row._replace(provenance_text="") for row in store.rows()]
        timed = pool._client.submit(closed_loop, streams, **how).result()
        design = pool._client.submit(FunctionalDesign, update_pages={7, 3}, protocol="mixed", homes={1: 0}).result()
    finally:
        pool.close()
    with Store(tmp_path / "one") as store:
        run_plan(plan, store, _InlinePool(point.evaluate), point.resolve, "m", {})
        found["one"] = [row._replace(provenance_text="") for row in store.rows()]
    assert found["dask"] == found["one"] and len(found["one"]) == 6
    assert timed == closed_loop(streams, **how)
    assert (list(design.update_pages), design.homes) == ([3, 7], {1: 0})
