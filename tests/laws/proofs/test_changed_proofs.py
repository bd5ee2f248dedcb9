"""Words, pictures and runs of a proof that somebody has changed: what is not true of its routing is refused."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from jumpnet.analysis.deadlock.changes.changeover import Changeover, prove_changeover
from jumpnet.analysis.deadlock.changes.words import explain_changeover
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.errors import JumpnetError
from jumpnet.plot.cycle import draw_cycle
from jumpnet.replay.deadlock import replay_deadlock
from jumpnet.routings import bind
from jumpnet.topology import build

FREE = prove(bind("torus.dateline", build("torus:4x4")))
WRONG = prove(bind("torus.dimension_order", build("torus:4x4")))
LOOSE = prove(bind("mesh.duato", build("mesh:3x3"), 1))
OTHER = bind("torus.dimension_order", build("torus:4x4"))

CHANGED = {
    "a deadlock that is none": (replace(FREE, verdict="deadlock", cycle=WRONG.cycle, certificate=None), "verdict"),
    "free though it deadlocks": (replace(WRONG, verdict="free", cycle=None, certificate=FREE.certificate), "verdict"),
    "unproved though it deadlocks": (replace(LOOSE, verdict="unproved"), "verdict"),
    "another condition": (replace(FREE, condition="rings"), "condition"),
    "more dependencies": (
        replace(FREE, dependencies=FREE.dependencies + 1),
        f"dependencies {FREE.dependencies + 1} found, {FREE.dependencies} is proved",
    ),
    "part of a cycle": (replace(WRONG, cycle=WRONG.cycle[:3]), "another cycle"),
    "a channel that is not there": (replace(WRONG, cycle=(replace(WRONG.cycle[0], port=2),)), "another cycle"),
    "no cycle": (replace(WRONG, cycle=None), "cycle None"),
    "numbers that fall": (replace(FREE, certificate=FREE.certificate[::-1].copy()), "other numbers"),
    "fewer numbers": (replace(FREE, certificate=FREE.certificate[:-1]), "other numbers"),
    "another routing": (replace(FREE, bound=OTHER, network=OTHER.network), "routing 'torus.dateline' found"),
    "another network": (replace(FREE, network=build("torus:4x4")), "another network"),
    "another size": (replace(FREE, spec="torus:64x64"), "spec 'torus:64x64' found, 'torus:4x4'"),
    "more channels": (replace(FREE, vcs=3), "vcs 3 found, 2"),
}


@pytest.mark.parametrize("case", CHANGED)
def test_what_is_not_true_is_refused_in_one_line(case, tmp_path):
    proof, why = CHANGED[case]
    for ask in (
        proof.explain,
        lambda: replay_deadlock(proof),
        lambda: draw_cycle(build("torus:4x4"), proof, tmp_path / "c.svg"),
    ):
        with pytest.raises(JumpnetError, match=why) as told:
            ask()
        assert "\n" not in str(told.value) and "changed proof" in str(told.value)
    assert not list(tmp_path.iterdir())


def test_a_certificate_that_is_written_into_is_refused():
    proof = prove(bind("torus.duato", build("torus:4x4")))
    words = proof.explain()
    before = proof.certificate.copy()
    proof.certificate[proof.certificate >= 0] = 5
    with pytest.raises(JumpnetError, match="other numbers"):
        proof.explain()
    proof.certificate[:] = before
    assert proof.explain() == words


@pytest.mark.parametrize("proof", [FREE, WRONG, LOOSE], ids=str)
def test_a_copy_says_the_same(proof):
    assert (
        replace(proof, certificate=np.array(proof.certificate) if proof.deadlock_free else None).explain()
        == proof.explain()
    )


def test_a_proof_from_elsewhere_is_proved_again():
    assert pickle.loads(pickle.dumps(FREE)).explain() == FREE.explain()


def test_the_words_of_a_change_are_of_this_change():
    net = build("mesh:3x3")
    change = Changeover(bind("mesh.west_first", net), bind("mesh.north_last", net))
    back = Changeover(bind("mesh.dimension_order", net), bind("mesh.west_first", net))
    proof, free = prove_changeover(change), prove_changeover(back)
    assert explain_changeover(change, replace(proof)).turned == explain_changeover(change, proof).turned
    for wrong in (free, replace(proof, verdict="free", cycle=None), replace(proof, cycle=proof.cycle[1:])):
        with pytest.raises(JumpnetError, match="changed proof"):
            explain_changeover(change, wrong)
