"""A proof that was killed goes on from its file: the same bits as an undisturbed one, and no other proof's file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from jumpnet.analysis.deadlock.conditions import escape_numbers as escapes
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.walks import limits
from jumpnet.analysis.deadlock.walks import shared as shared_walks
from jumpnet.analysis.deadlock.walks.checkpoint import KeptSearch, KeptWalks, ProofCheckpoint
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.errors import JumpnetError
from jumpnet.routings import bind
from jumpnet.topology import build

CASES = [("rdt.duato", "rdt:16"), ("mesh.odd_even", "mesh:6x5"), ("star.sort", "star:4"), ("lash", "torus:5x4")]


class Struck(Exception):
    """What ends a proof in the middle."""


def struck(monkeypatch: pytest.MonkeyPatch, kind: type, name: str, after: int) -> None:
    """Let a method end so, once it was called so many times."""
    inner, left = getattr(kind, name), [after]

    def once(self, *given):
        left[0] -= 1
        if left[0] < 0:
            raise Struck
        return inner(self, *given)

    monkeypatch.setattr(kind, name, once)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("name", "spec"), CASES)
def test_the_same_graph_wherever_it_was_struck(
    name: str, spec: str, threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "CHUNK", 4)
    bound, file = bind(name, build(spec)), tmp_path / "proof.npz"
    whole = dependencies(bound, apart=False)
    for after in (1, 3, 4):
        with monkeypatch.context() as during:
            struck(during, KeptWalks, "add", after)
            with pytest.raises(Struck):
                dependencies(bound, threads, apart=False, checkpoint=ProofCheckpoint(file, 0.0))
    assert file.exists()
    walked = np.zeros(0)

    def watch(self, *of, inner=ProofCheckpoint.walks):
        nonlocal walked
        kept = inner(self, *of)
        walked = self._held["walked"].copy()
        return kept

    monkeypatch.setattr(ProofCheckpoint, "walks", watch)
    again = dependencies(bound, threads, apart=False, checkpoint=ProofCheckpoint(file, 0.0))
    assert 0 < walked.sum() < len(walked)
    for part in ("bits", "used", "escape"):
        assert np.array_equal(getattr(again, part), getattr(whole, part)), part
    for part in ("states", "adaptive", "choices", "has_escape"):
        assert getattr(again, part) == getattr(whole, part), part


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("name", "spec"), [("torus.valiant", "torus:5x4"), ("mesh.valiant", "mesh:4x5")])
def test_the_phases_of_a_routing_are_kept_too(
    name: str, spec: str, threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_walks, "CHUNK", 4)
    bound, file = bind(name, build(spec)), tmp_path / "proof.npz"
    whole = dependencies(bound)
    for after in (1, 2):
        with monkeypatch.context() as during:
            struck(during, KeptWalks, "add", after)
            with pytest.raises(Struck):
                dependencies(bound, threads, checkpoint=ProofCheckpoint(file, 0.0))
    before = ProofCheckpoint(file)._find(bound)["walked"].any(axis=1).sum()
    added, inner = [0], KeptWalks.add

    def counted(self, worker, chunk, graph):
        added[0] += not self.is_done(chunk)
        inner(self, worker, chunk, graph)

    monkeypatch.setattr(KeptWalks, "add", counted)
    again = dependencies(bound, threads, checkpoint=ProofCheckpoint(file, 0.0))
    assert whole.phased and again.phased and before > 0 and added[0] == 5 - before
    for part in ("bits", "used", "escape"):
        assert np.array_equal(getattr(again, part), getattr(whole, part)), part
    for part in ("states", "adaptive", "choices", "has_escape"):
        assert getattr(again, part) == getattr(whole, part), part


def test_walks_that_come_after_the_phases_are_not_lost(tmp_path: Path) -> None:
    """Where all ways in two phases have a cycle, those that are taken are walked: a file of these stays one."""
    bound, file = bind("torus.valiant", build("torus:5x4")), tmp_path / "proof.npz"
    walked = dependencies(bound, apart=False, checkpoint=ProofCheckpoint(file, 0.0))
    held = ProofCheckpoint(file)
    assert held.phases(bound, 1, 1) is None and held._find(bound)["walked"].ndim == 1
    assert np.array_equal(held._find(bound)["bits"], walked.bits)


def test_rounds_of_numbers_go_on_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By Duato's condition with numbers, whose second round is struck: it alone is done again."""
    monkeypatch.setattr("jumpnet.analysis.deadlock.prove.is_large", lambda made: True)
    searched, inner, most = [0], escapes.search, [9]

    def counted(*given):
        searched[0] += 1
        if searched[0] > most[0]:
            raise Struck
        return inner(*given)

    monkeypatch.setattr(escapes, "search", counted)
    bound, file = bind("rdt.duato", build("rdt:8")), tmp_path / "proof.npz"
    whole = prove(bound)
    assert searched == [2]
    searched[0], most[0] = 0, 1
    with pytest.raises(Struck):
        prove(bound, checkpoint=ProofCheckpoint(file, 0.0))
    searched[0] = 0
    again = prove(bound, checkpoint=ProofCheckpoint(file, 0.0))
    assert searched == [1] and again.verdict == whole.verdict == "free" and again.method == whole.method
    assert again.certificate is not None and whole.certificate is not None
    assert np.array_equal(again.certificate, whole.certificate) and again.states == whole.states


@pytest.mark.parametrize("threads", [1, 2])
def test_walks_of_searches_go_on_too(threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search for circles and both rounds of numbers, struck four times: each chunk of walks ends once in each."""
    monkeypatch.setattr(limits, "CHUNK", 8)
    monkeypatch.setattr("jumpnet.analysis.deadlock.prove.is_large", lambda made: True)
    bound, file = bind("rdt.duato", build("rdt:8")), tmp_path / "proof.npz"
    whole = prove(bound)
    ended = [0]
    monkeypatch.setattr("jumpnet.analysis.deadlock.walks.search.processors", lambda jobs, given: given or threads)

    def counted(self, *given, inner=KeptSearch.add):
        ended[0] += 1
        inner(self, *given)

    monkeypatch.setattr(KeptSearch, "add", counted)
    for after in (3, 8, 4, 6):
        with monkeypatch.context() as during:
            struck(during, KeptSearch, "add", after)
            with pytest.raises(Struck):
                prove(bound, threads, checkpoint=ProofCheckpoint(file, 0.0))
    again = prove(bound, threads, checkpoint=ProofCheckpoint(file, 0.0))
    assert ended == [3 * 64 // 8]
    assert again.verdict == whole.verdict == "free" and again.method == whole.method
    assert again.certificate is not None and whole.certificate is not None
    assert np.array_equal(again.certificate, whole.certificate)


def test_numbers_that_another_thread_raised_are_not_forgotten(tmp_path: Path) -> None:
    """A round that went on after a kill is followed by one more where a number differs from those it began with."""
    bound, number = bind("rdt.duato", build("rdt:8")), np.zeros(12, np.int64)
    for raised in (False, True):
        file = ProofCheckpoint(tmp_path / f"{raised}.npz", 0.0)
        kept = file.search(bound, 0, number, 4, 2)
        now = number.copy()
        now[7] += raised
        kept.add(1, 3, now)
        later = ProofCheckpoint(tmp_path / f"{raised}.npz", 0.0)
        rounds, found = later.numbers(bound, number)
        again = later.search(bound, rounds, found, 4, 1)
        assert rounds == 0 and np.array_equal(found, now) and again.raised == raised
        assert [again.is_done(k) for k in range(4)] == [False, False, False, True]
        again.add(0, 1, found)  # nothing is raised any more, and what was before still counts
        last = ProofCheckpoint(tmp_path / f"{raised}.npz", 0.0)
        assert last.search(bound, 0, found, 4, 1).raised == raised
        assert not last.search(bound, 1, found, 4, 1).raised


def test_long_walks_are_taken_one_at_a_time() -> None:
    """So many as are triples enough, whatever the threads; those of one source where they are followed apart."""
    job = job_of(bind("torus.valiant", build("torus:8x8")))
    assert job.draws == 64 and limits.walks_at_once(job) == limits.CHUNK
    for draws, many in ((1 << 10, 16), (1 << 12, 4), (1 << 22, 1)):
        assert limits.walks_at_once(job._replace(draws=draws)) == many
    assert limits.walks_at_once(job._replace(draws=1 << 14, by_source=True)) == limits.CHUNK


def test_another_proofs_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "proof.npz"
    dependencies(bind("lash", build("torus:5x4")), apart=False, checkpoint=ProofCheckpoint(file, 0.0))
    for name, spec in (("lash", "torus:4x5"), ("up_down", "torus:5x4")):
        with pytest.raises(JumpnetError, match="a checkpoint of another proof or version found"):
            dependencies(bind(name, build(spec)), apart=False, checkpoint=ProofCheckpoint(file, 0.0))
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    with pytest.raises(JumpnetError, match="damaged, its digest differs"):
        dependencies(bind("lash", build("torus:5x4")), apart=False, checkpoint=ProofCheckpoint(file, 0.0))
