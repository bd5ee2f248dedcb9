"""Changes between routings under bubble flow control: proved, certified, and held against all buffer states."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.agree.changes import compare
from tests.attack.files.certificates import accepted
from tests.naive.certificate import is_true

from jumpnet.analysis.deadlock.certificates.text import write_changeover_certificate
from jumpnet.analysis.deadlock.changes.changeover import Changeover, prove_changeover
from jumpnet.analysis.deadlock.changes.words import explain_changeover
from jumpnet.routings import DESTINATION, STATE, Routing, bind
from jumpnet.topology import build


def ring(net, here, head, out):
    """Clockwise on channel 0, entered with a bubble."""
    if here == head[DESTINATION]:
        return 0
    out[0, 0], out[0, 1], out[0, 2], out[0, 3] = 0, 0, 1, 0 if head[STATE] == 1 else 2
    return 1


def dateline(net, here, head, out):
    """Clockwise on channels 1 and 2."""
    destination = head[DESTINATION]
    if here == destination:
        return 0
    out[0, 0], out[0, 1], out[0, 2], out[0, 3] = 0, 1 if here > destination else 2, 0, 0
    return 1


def back_to_ring(net, here, head, out):
    """As `dateline`, but on channel 0, without a mark, over the last link."""
    destination = head[DESTINATION]
    if here == destination:
        return 0
    vc = 0 if here + 1 == destination else 1 if here > destination else 2
    out[0, 0], out[0, 1], out[0, 2], out[0, 3] = 0, vc, 0, 0
    return 1


def either(net, here, head, out):
    """Any way on channel 1, or the ring as an escape."""
    if here == head[DESTINATION]:
        return 0
    out[0, 0], out[0, 1], out[0, 2], out[0, 3] = 0, 1, 0, 0
    out[1, 0], out[1, 1], out[1, 2], out[1, 3] = 0, 0, 1, 1 if head[STATE] == 1 else 3
    return 2


def slips_in(net, here, head, out):
    """As `either`, but who comes from channel 1 enters the ring without a mark."""
    if here == head[DESTINATION]:
        return 0
    out[0, 0], out[0, 1], out[0, 2], out[0, 3] = 0, 1, 1, 0
    out[1, 0], out[1, 1], out[1, 2], out[1, 3] = 0, 0, 1, 1 if head[STATE] == 1 else 3
    return 2


def beside(net, here, head, out):
    """Clockwise on channel 2, up to the last router, and the other way round on it."""
    destination = head[DESTINATION]
    if here == destination:
        return 0
    out[0, 0], out[0, 1], out[0, 2], out[0, 3] = 0 if destination > here else 1, 2, 0, 0
    return 1


def routing(relation, bubble=False):
    """One of those on a ring, with three channels a port."""
    return bind(Routing(name=relation.__name__, relation=relation, vcs=3, bubble=bubble), build("torus:3"))


def of_the_package(name):
    """On a ring of four."""
    return bind(name, build("torus:4"))


def again():
    """A routing that takes its own place."""
    made = routing(ring, True)
    return Changeover(made, made)


CHANGES = {  # made in their tests, as they compile; None: too many states are reached to look at all here
    "ring then dateline": (lambda: Changeover(routing(ring, True), routing(dateline)), "free", "none"),
    "either then beside": (lambda: Changeover(routing(either, True), routing(beside)), "free", None),
    "slips_in then beside": (lambda: Changeover(routing(slips_in, True), routing(beside)), "unproved", None),
    "ring then ring": (again, "unproved", "deadlock"),  # all ask for room for two where there is room for one
    "dateline then ring": (lambda: Changeover(routing(dateline), routing(ring, True)), "free", "none"),
    "ring then back_to_ring": (
        lambda: Changeover(routing(ring, True), routing(back_to_ring)), "unproved", "deadlock",
    ),
    "torus.bubble then torus.dateline": (
        lambda: Changeover(of_the_package("torus.bubble"), of_the_package("torus.dateline")), "unproved", None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_rings_of_a_change(name: str, tmp_path: Path) -> None:
    make, verdict, reached = CHANGES[name]
    change = make()
    assert change.name == name
    compared = compare(change, 0.12)
    assert (compared.verdict, compared.differs) == (verdict, False)
    assert compared.method.startswith("bubble flow control") and reached in (None, compared.reached)
    if verdict == "free":
        path = tmp_path / "change.cert"
        proof = prove_changeover(change)
        written = write_changeover_certificate(path, change, proof)
        assert written.condition == ("rings" if proof.escape_channels is None else "escape-rings")
        assert accepted(path.read_bytes()) and is_true(path.read_text())
        told = explain_changeover(change, proof)
        assert "rings, entered with room for one packet more" in str(told) and not told.chain
        assert "a ring never fills up" in told.therefore
