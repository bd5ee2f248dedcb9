"""A point that ends the worker which runs it, under Dask: one line, and nothing of Dask's own; no workers: a notice."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest

from jumpnet.errors import JumpnetError
from jumpnet.study import cluster
from jumpnet.study.cluster import DaskPool

pytest.importorskip("distributed")


def ends(config: dict[str, Any]) -> dict[str, Any]:
    """What a family's `build` of one's own may do."""
    if config["ends"]:
        os._exit(3)
    return config


@pytest.fixture
def pool() -> Iterator[DaskPool]:
    made = DaskPool(ends, workers=1)
    yield made
    made.close()


def test_a_point_that_ends_its_workers_is_one_line(
    pool: DaskPool, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pool.submit(("good", {"ends": False}))
    while not (found := pool.wait(60)):
        pass
    assert found == [("good", {"ends": False})]
    pool.submit(("bad", {"ends": True}))
    with pytest.raises(JumpnetError, match="point bad lost its worker too often"):
        for _ in range(60):
            pool.wait(2.0)
    assert capfd.readouterr().err == ""

    monkeypatch.setattr(cluster, "ALONE_S", 0.0)
    assert pool._cluster is not None
    pool._cluster.scale(0)
    while pool.workers:
        pass
    with monkeypatch.context() as patch:
        patch.setattr(pool, "_cluster", None)  # as if others had started it
        _waits_with_a_word(pool, capfd)


def _waits_with_a_word(pool: DaskPool, capfd: pytest.CaptureFixture[str]) -> None:
    pool.submit(("waits", {"ends": False}))
    for _ in range(4):
        assert pool.wait(0.3) == []
    said = capfd.readouterr().err
    assert said.count("has no workers, its points wait for one") == 1


@pytest.mark.parametrize("error", [RuntimeError("Nanny failed to start."), OSError(24, "Too many open files")])
def test_workers_that_end_while_they_begin_are_one_line(error: Exception) -> None:
    """A worker killed in its first second was status 70."""
    import distributed

    with (
        mock.patch.object(distributed, "LocalCluster", side_effect=error),
        pytest.raises(JumpnetError, match="cluster of 2 workers not started"),
    ):
        DaskPool(len, None, 2)  # type: ignore[arg-type]
