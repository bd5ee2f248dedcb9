"""Requests that others overtake on their way to the home, as rows of a protocol's tables have them and machines do."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.tiny.protocols import (
    LAST,
    LAST_LATE,
    LAST_OWNER,
    MESI_AROUND,
    MESIF,
    MSI,
    THROUGH,
    WRITE_BACK_AROUND,
    changed,
)

from jumpnet.coherence.check import check_protocol
from jumpnet.coherence.functional import Functional
from jumpnet.coherence.protocol import protocol, register
from jumpnet.coherence.rules import codes as at
from jumpnet.coherence.rules.rows import rules_of
from jumpnet.errors import JumpnetError
from jumpnet.machine.timed.design import Design

WRITE, EVICT = "write", "evict"


def _has_gone(made, home, owner, event, alone=False):
    """The row of a node that has no more what it had as it asked, and that of one that never had it."""
    rules = rules_of(made, in_time=True)
    return [rules.row(home, owner, part, event, alone) for part in (at.GONE, at.NONE)]


def test_an_overtaken_writer_is_served_as_its_own_request_is() -> None:
    """Its copy is taken as it asks. Where a reader's write is kept (GetM) it owns the line, others get no copy (GetW);
    where writes go through, it is listed again (Upd), others are not (GetW)."""
    gone, without = _has_gone(WRITE_BACK_AROUND, "S", "", WRITE)
    assert gone & at.ACTOR and not gone & at.LEAVES and without & at.LEAVES and not without & at.ACTOR
    gone, without = _has_gone(THROUGH, "V", "", WRITE)
    assert gone == without | at.LISTS != without
    assert rules_of(THROUGH, in_time=True).lingers and not rules_of(THROUGH).lingers


@pytest.mark.parametrize("made", [WRITE_BACK_AROUND, MESI_AROUND])
def test_those_whom_an_entry_lists_on_an_untouched_line_are_told_by_an_overtaken_writer_too(made) -> None:
    """Entries of pages list nodes that have other lines: such a write is as one of a line that two have read."""
    gone, without = _has_gone(made, "U", "", WRITE)
    assert gone & without & at.TELLS and gone & without & at.TAKES
    assert gone == _has_gone(made, "S", "", WRITE)[0]


@pytest.mark.parametrize("name", ["msi", "mesi", "moesi", "dragon", "update", "limited", "chained"])
def test_an_overtaken_request_is_as_others_where_it_is_one(name) -> None:
    for home, owner in rules_of(protocol(name)).names:
        gone, without = _has_gone(protocol(name), home, owner, WRITE)
        assert gone == without
        assert not _has_gone(protocol(name), home, owner, EVICT, True)[0]


def test_the_word_of_a_former_owner_is_what_the_tables_say() -> None:
    """It is the last one listed as its word comes: these tables go to U, those without the rows stay in S."""
    assert check_protocol(LAST_LATE, 3).fault == ""
    gone = _has_gone(LAST_LATE, "S", "", EVICT, True)[0]
    assert gone & at.CHANGES and rules_of(LAST_LATE).names[gone & at.CLASS_BITS] == ("U", "")
    assert not _has_gone(LAST_LATE, "S", "", EVICT)[0] & at.CHANGES
    assert not _has_gone(LAST, "S", "", EVICT, True)[0]


def test_the_word_of_a_former_owner_may_leave_the_line_to_nobody() -> None:
    """Its home takes the reader for no owner any more, who keeps a copy; tables that keep the owner change nothing."""
    rows = {f"F   Put{k}-      F   forget, ack": f"F Put{k}- S release, forget, ack" for k in "FME"}
    made = replace(changed(MESIF, {}, rows), name="mesif-late")
    assert check_protocol(made, 3).fault == "" == rules_of(made, in_time=True).unfollowed
    for alone in (False, True):
        gone = _has_gone(made, "F", "F", EVICT, alone)[0]
        assert gone & at.CHANGES and gone & at.NOBODY and rules_of(made).names[gone & at.CLASS_BITS] == ("S", "")
        assert _has_gone(MESIF, "F", "F", EVICT, alone)[0] == 0


TWO_OUTCOMES = "two outcomes, one of them when others were served before"
OI = "O evict OI send PutO\nOI Fetch OI send OwnerData\nOI FetchInv OI send OwnerData\nOI PutAck I drop"
PUTS_O = {"O   evict     MI  send PutM": OI}
PUT_O = "O PutO S store, release, ack\n" + "".join(f"{k} PutO- {k} forget, ack\n" for k in "UMOS")
T_IS_S = "T GetS DS ask, reply Data, add\nT GetS+ DM ask, reply DataE, clear, own\nT GetM- WI ask, multicast Inv\n"
T_IS_S += "".join(f"T Put{k}- T forget, ack\n" for k in "MEO")
WHILE_ASKED = "read at a cache in I has two outcomes, the other one while another node asks"
LATE = {"MI  Fetch     MI  send OwnerData": "MI Fetch MI send OwnerLate"}
NO_COPY = LATE | {"IM  DataM": "IS DataU I take, drop, send Done\nIM  DataM"}
T_IS_S_OF_MSI = "T GetS DS ask, reply Data, add\nT GetM WI ask, multicast Inv\nT PutM- T forget, ack\nDT Done T -\n"


def _late(row: str) -> dict[str, str]:
    """The home's row where an owner that is giving its line up is read."""
    return {"WS  OwnerData": f"{row}\nWS  OwnerData"}


UNFOLLOWED = [
    # Of a read that meets an owner who gives its line up: the reader gets no copy; the owner is not listed; both; the
    # home is in another state; the owner is asked twice.
    (MSI, NO_COPY, _late("WS OwnerLate DS store, keep, release, reply DataU"), WHILE_ASKED),
    (MSI, LATE, _late("WS OwnerLate DS store, release, reply Data, add"), WHILE_ASKED),
    (MSI, NO_COPY, _late("WS OwnerLate DS store, release, reply DataU"), WHILE_ASKED),
    (MSI, LATE, _late(f"WS OwnerLate DT store, keep, release, reply Data, add\n{T_IS_S_OF_MSI}"), WHILE_ASKED),
    (
        MSI, LATE | {"MI  FetchInv": "MI FetchLate MI send OwnerData\nMI  FetchInv"},
        _late("WS OwnerLate WT fetch FetchLate\nWT OwnerData DS store, keep, release, reply Data, add"), WHILE_ASKED,
    ),
    # The home gives the line to the one whose word that it gives it up comes too late.
    (
        MSI, {"MI  PutAck": "MI DataM M take, send Done\nMI  PutAck"},
        {"U   PutM-      U   ack": "U PutM- DM ask, reply DataM, own"},
        "PutM at the home in U leaves the copy where it was, for which machines have no step",
    ),
    (
        protocol("mesi"),
        {"EI  Fetch     EI  send OwnerData": "EI Fetch EI send OwnerLate\nIS DataU I take, drop, send Done"},
        _late("WS OwnerLate DS keep, release, reply DataU"), WHILE_ASKED,
    ),
    # The word of a clean former owner changes the home, that of a dirty one does not, and the other way round.
    (LAST, {}, {"S PutS+": "S PutM+ U forget, ack\nS PutS+"}, f"PutE at the home in S has {TWO_OUTCOMES}"),
    (LAST, {}, {"S PutS+": "S PutE+ U forget, ack\nS PutS+"}, f"PutE at the home in S has {TWO_OUTCOMES}"),
    # A former owner stays listed; and one that gives its line up serves a reader as if it had not.
    (
        protocol("msi"), {}, {"S   PutM-      S   forget, ack": "S PutM- S ack"},
        "PutM at the home in S tells the home, which lists the copy as before, for which machines have no step",
    ),
    # The word of an owner that was read meanwhile: it was the only owner then, and another word would come now.
    (LAST_OWNER, PUTS_O, {"O PutM+": PUT_O + "O PutM+"}, f"PutM at the home in O has {TWO_OUTCOMES}"),
    (
        protocol("moesi"), PUTS_O, {"O   PutM        S": f"{PUT_O}{T_IS_S}O PutM T"},
        "PutM at the home in O leaves the home in T and the owner in no state, to which nothing else leads",
    ),
    (
        protocol("mesi"), {"EI  Fetch     EI  send OwnerData": "EI Fetch EI send OwnerGone"},
        {"WM  OwnerData": "WS OwnerGone DM store, release, reply DataE, own\nWM  OwnerData"},
        WHILE_ASKED,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("made", "cache", "home", "why"), UNFOLLOWED)
def test_tables_that_treat_overtaken_requests_as_no_row_says_have_no_time(made, cache, home, why) -> None:
    other = replace(changed(made, cache, home), name="unfollowed")
    assert check_protocol(other, 3).fault == ""
    register(other)
    Functional(4, protocol=other.name)
    with pytest.raises(JumpnetError, match=f"the machine with time has none in which {why}"):
        Design(protocol=other.name)
