"""Rumur, given our models, counts the states that we count and finds the faults that we find; skipped without it.

All protocols in all networks: `python -m tests.agree.murphi`.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.agree.murphi import by_rumur, differences, missing

from jumpnet.coherence.check import check_protocol
from jumpnet.coherence.murphi.export import murphi_model
from jumpnet.coherence.protocol import Protocol, protocol, protocols
from jumpnet.errors import JumpnetError

with_rumur = pytest.mark.skipif(bool(missing()), reason=f"not installed: {missing()}")

ODD = Protocol(
    'odd "names"',
    "I' read i' send Get!\nI' write i' send Get?\ni' Data! V take, send Done\ni' Data? V take, write, send Done\n"
    "V read V hit\nV write V write\nV evict e' send Put\ne' PutAck I' drop\nV Back I' send Line, drop\n"
    "e' Back e' send Line",
    "U Get! D ask, reply Data!, own\nU Get? D ask, reply Data?, own\nD Done O -\n"
    "O Get! F! ask, fetch Back\nO Get? F? ask, fetch Back\nF! Line D store, release, reply Data!, own\n"
    "F? Line D store, release, reply Data?, own\nO Put U store, release, ack\nU Put- U ack\nO Put- O ack",
)
"""Names of states that differ in marks or in the size of letters only."""


@with_rumur
@pytest.mark.parametrize(
    ("made", "network"),
    [
        (protocol("msi"), (3, "any", "single", "off")),
        (protocol("mixed"), (2, "fifo", "combined", "exhaustive")),
        (protocol("limited"), (3, "any", "single", "exhaustive")),
        (protocol("chained"), (3, "fifo", "combined", "off")),
        (ODD, (2, "any", "single", "exhaustive")),
    ],
    ids=lambda of: of.name.split()[0] if isinstance(of, Protocol) else "-".join(map(str, of)),
)
def test_states_are_those_of_rumur(made: Protocol, network: tuple[int, str, str, str]) -> None:
    assert check_protocol(made, 2).states > 100
    assert differences(made, *network) == ""


@with_rumur
def test_faults_are_those_of_rumur() -> None:
    """A wrong state and a step without a row: both find them, as far from the start. Rumur counts the step itself."""
    msi = protocol("msi")
    kept = msi.cache.replace("S   Inv       I   send InvAck, drop", "S   Inv       S   send InvAck")
    stale = replace(msi, cache=kept)
    ours, theirs = check_protocol(stale, 2), by_rumur(murphi_model(stale, 2), "off")
    assert (ours.fault, theirs.fault) == (
        "a stale value can be read in S",
        'invariant "no stale value can be read" failed',
    )
    assert theirs.path == len(ours.path) > 0
    lacks = replace(msi, home=msi.home.replace("M   PutM-      M   ack\n", ""))
    ours, theirs = check_protocol(lacks, 2), by_rumur(murphi_model(lacks, 2), "off")
    assert (ours.fault, theirs.fault) == ("no row for PutM- at the home in M", "no row for PutM- at the home")
    assert theirs.path == len(ours.path) + 1


def test_identifiers_are_apart() -> None:
    text = murphi_model(ODD, 2)
    assert "CacheState: enum { c_I_, c_i__2, c_V, c_e_ };" in text
    assert "Asked: enum { a_Get_, a_Get__2, a_Put };" in text
    assert "HomeState: enum { h_U, h_D, h_O, h_F_, h_F__2 };" in text
    assert 'odd "names"' in text.splitlines()[0]


@pytest.mark.parametrize("order", ["any", "fifo"])
@pytest.mark.parametrize("acknowledges", ["single", "combined"])
def test_every_row_is_a_rule_or_a_case(order: str, acknowledges: str) -> None:
    """Every row of the tables stands in the model, at its state; combined acknowledges are in no channel."""
    for name, made in protocols().items():
        text = murphi_model(made, 3, order=order, acknowledges=acknowledges)
        assert ("u_InvAck" in text or "u_UpdAck" in text) == (acknowledges == "single"), name
        for row in [*made.cache_rows.values()]:
            assert f"node[n].state := c_{row.following};" in text
            rule = f'rule "{row.event} at a cache in {row.state}"'
            assert (rule in text) == row.event.islower(), (name, row)
        for row in made.home_rows.values():
            assert text.count(f"home.state := h_{row.following};") >= 1
        messages = [row.event for row in made.cache_rows.values() if not row.event.islower()]
        # Once for what comes from the home, and once more for what another cache passes on.
        assert text.count("case c_") == len(messages) + sum(event in made.passed for event in messages)


def test_bad_words_are_refused() -> None:
    for words, found in ((("any", 0), "0 caches found, 1 to 11"), (("fif", 2), "did you mean 'fifo'")):
        with pytest.raises(JumpnetError, match=found):
            murphi_model(protocol("msi"), words[1], order=words[0])
