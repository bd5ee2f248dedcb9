"""Words, pictures and runs of a proof that somebody has changed: what is not true of its routing is refused."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from jumpnet.analysis.deadlock.as_made import is_as_made
from jumpnet.analysis.deadlock.certificates.text import write_certificate, write_changeover_certificate
from jumpnet.analysis.deadlock.changes.changeover import Changeover, prove_changeover
from jumpnet.analysis.deadlock.changes.words import explain_changeover
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.explain import explain
from jumpnet.analysis.deadlock.prove import prove, proved
from jumpnet.errors import JumpnetError
from jumpnet.plot.cycle import draw_cycle
from jumpnet.replay.deadlock import replay_deadlock
from jumpnet.routings import Routing, bind
from jumpnet.routings.view import DESTINATION
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


@pytest.mark.parametrize(
    ("case", "why"),
    [(case, CHANGED[case][1]) for case in CHANGED if CHANGED[case][0].certificate is not None]
    + [("no certificate", "no certificate")],
)
def test_no_certificate_is_written_of_what_is_not_true(case, why, tmp_path):
    proof = CHANGED[case][0] if case in CHANGED else replace(FREE, certificate=None)
    bound = OTHER if case.startswith("free") else FREE.bound
    why = {"another routing": None, "another network": None}.get(case, why)
    if why is None:  # the routing that is given counts, and these proofs are true of it
        assert write_certificate(tmp_path / "c.cert", bound, proof).dependencies == FREE.dependencies
        return
    with pytest.raises(JumpnetError, match=why):
        write_certificate(tmp_path / "c.cert", bound, proof)
    assert not list(tmp_path.iterdir())


def test_no_certificate_of_a_routing_is_written_by_the_proof_of_another(tmp_path):
    with pytest.raises(JumpnetError, match="a changed proof with routing"):
        write_certificate(tmp_path / "c.cert", OTHER, FREE)
    assert not list(tmp_path.iterdir())
    elsewhere = bind("torus.dateline", build("torus:4x4"))
    assert write_certificate(tmp_path / "c.cert", elsewhere, FREE).dependencies == FREE.dependencies


def test_a_proof_without_its_certificate_is_refused_in_one_line():
    with pytest.raises(JumpnetError, match="a changed proof with certificate None found, of 128 numbers is proved"):
        replace(FREE, certificate=None).explain()
    with pytest.raises(JumpnetError, match="a changed proof with basis None found"):
        replace(FREE, basis=None).explain()


@pytest.mark.parametrize(
    "ask",
    [
        lambda made: prove(OTHER, made=made),
        lambda made: explain(WRONG, made),
        lambda made: replay_deadlock(WRONG, made),
        lambda made: write_certificate("c.cert", OTHER, FREE, made=made),
        lambda made: write_certificate("c.cert", FREE.bound, FREE, made=dependencies(OTHER)),
    ],
)
def test_dependencies_of_another_routing_are_refused(ask, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(JumpnetError, match=r"dependencies of .* expected|changed proof with routing"):
        ask(dependencies(bind("mesh.dimension_order", build("mesh:4x4"))))
    assert not list(tmp_path.iterdir())


def _named(order):
    def relation(net, here, head, out):
        out[0, 1] = out[0, 2] = out[0, 3] = 0
        for d in order:
            ahead = net.coord[head[DESTINATION], d] - net.coord[here, d]
            if ahead != 0:
                out[0, 0] = 2 * d if ahead > 0 else 2 * d + 1
                return 1
        return 0

    return Routing(name="test.same", relation=relation)


def test_a_change_of_the_same_names_is_another_change(tmp_path):
    net = build("mesh:3x3")
    old = bind("mesh.dimension_order", net)
    free, loose = (Changeover(old, _named(order).bind(net)) for order in ((0, 1), (1, 0)))
    proof = prove_changeover(free)
    assert proof.deadlock_free and prove_changeover(loose).verdict == "unproved"
    assert write_changeover_certificate(tmp_path / "a.cert", free, proof).condition == "acyclic"
    for ask in (
        lambda: explain_changeover(loose, proof),
        lambda: write_changeover_certificate(tmp_path / "b.cert", loose, proof),
        lambda: write_changeover_certificate(tmp_path / "b.cert", free, replace(proof, certificate=-proof.certificate)),
    ):
        with pytest.raises(JumpnetError, match="changed proof"):
            ask()
    assert [file.name for file in tmp_path.iterdir()] == ["a.cert"]


@pytest.mark.parametrize(("field", "value"), [("bound", OTHER), ("network", build("torus:4x4"))])
def test_a_proof_that_is_written_into_is_no_longer_as_made(field, value):
    proof = prove(bind("torus.dateline", build("torus:4x4")))
    object.__setattr__(proof, field, value)
    with pytest.raises(JumpnetError, match="changed proof"):
        proof.explain()


def test_what_a_routing_has_prepared_stays_as_it_was_proved():
    proof = prove(bind("torus.booksim", build("torus:5"), 3))
    assert proof.deadlock_free and proof.bound is not None
    for array in (proof.bound.view.own, bind("lash", build("torus:4")).view.table):  # with own[0] = 2 nothing is proved
        with pytest.raises(ValueError, match="read-only"):
            array[:1] = 2
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True


@pytest.mark.parametrize("bound", [1, "torus.dateline", build])
def test_a_proof_of_what_is_no_routing_is_refused_in_one_line(bound, tmp_path):
    proof = replace(FREE, bound=bound)
    for ask in (
        proof.explain,
        lambda: replay_deadlock(proof),
        lambda: draw_cycle(FREE.network, proof, tmp_path / "c.svg"),
    ):
        with pytest.raises(
            JumpnetError, match=r"dateline on torus:4x4: bound .* found, a routing on a network expected"
        ):
            ask()


@pytest.mark.parametrize("change", [lambda numbers: numbers.reshape(2, -1), lambda numbers: numbers.view(np.uint64)])
def test_the_same_bytes_of_another_shape_or_type_are_not_as_made(change):
    proof = prove(bind("torus.dateline", build("torus:4x4")))
    before = proof.certificate
    object.__setattr__(proof, "certificate", change(before))
    assert not is_as_made(proof)
    object.__setattr__(proof, "certificate", before.copy())
    assert is_as_made(proof)


def test_dependencies_with_more_channels_are_others():
    net = build("torus:4x4")
    with pytest.raises(JumpnetError, match=r"dependencies of torus\.dateline on torus:4x4, 2 vcs, .*found"):
        prove(bind("torus.dateline", net, 1), made=dependencies(bind("torus.dateline", net)))


def test_kinds_are_whole_numbers_and_no_truth_values():
    with pytest.raises(JumpnetError, match=r"with kinds \(False, 2\) found"):
        replace(FREE, basis=replace(FREE.basis, kinds=(False, 2)), routing="torus.dateline").explain()


def assert_refused(bound, proof, path):
    """Neither proofs nor their words and certificates are of a routing that was written into."""
    for ask in (lambda: prove(bound), proof.explain, lambda: write_certificate(path, bound, proof)):
        with pytest.raises(JumpnetError, match=f"on {proof.spec}: changed since it was bound; bind it anew"):
            ask()


@pytest.mark.parametrize(("field", "value"), [("vcs", 1), ("vcs", 3), ("network", build("torus:5x5"))])
def test_a_routing_that_is_written_into_is_refused_in_one_line(field, value, tmp_path):
    """Its kernels would read beyond the arrays that were made of it."""
    bound = bind("torus.dateline", build("torus:4x4"))
    proof = prove(bound)
    object.__setattr__(bound, field, value)
    assert_refused(bound, proof, tmp_path / "a.cert")


def test_an_option_that_is_written_into_is_refused_in_one_line(tmp_path):
    """A proof of what was made of one value would be named by another."""
    bound = bind("rdt.duato", build("rdt:8"))
    proof = prove(bound)
    dict.update(bound.options, ties="both")
    assert_refused(bound, proof, tmp_path / "a.cert")


def test_a_routing_written_into_after_its_dependencies_were_made_is_refused_in_one_line():
    """They would be proved free under the name of what it says now."""
    bound = bind("rdt.duato", build("rdt:8"))
    made = dependencies(bound)
    dict.update(bound.options, ties="both")
    with pytest.raises(JumpnetError, match="on rdt:8: changed since it was bound; bind it anew"):
        proved(bound, made=made)


@pytest.mark.parametrize(
    ("name", "value"),
    [("neighbor", build("mesh:4x4").neighbor), ("spec", "torus:9x9"), ("sinks", np.ones(16, np.int32))],
)
def test_a_network_that_is_written_into_is_refused_in_one_line(name, value, tmp_path):
    """A proof would be of another network than the one that it names."""
    net = build("torus:4x4")
    bound = bind("torus.dateline", net)
    proof = prove(bound)
    object.__setattr__(net, name, value)
    assert_refused(bound, proof, tmp_path / "a.cert")


def test_memory_behind_an_array_that_is_written_into_is_noticed(tmp_path):
    """The array cannot be made writable, but what it was made of can be found."""
    net = build("torus:4x4")
    bound = bind("torus.dateline", net)
    proof = prove(bound)
    with pytest.raises(ValueError, match="WRITEABLE"):
        net.coord.setflags(write=True)
    net.coord.base.base.obj[3, 1] += 1
    for ask in (proof.explain, lambda: write_certificate(tmp_path / "a.cert", bound, proof)):
        with pytest.raises(JumpnetError, match="torus:4x4: arrays were written into since its proof was made"):
            ask()
