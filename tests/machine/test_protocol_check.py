"""The model checker passes every protocol, counts states as its naive twin does, and finds broken rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.draws import every_third
from tests.naive import protocol as naive
from tests.tiny.protocols import changed

from jumpnet.coherence.chart import chart_of
from jumpnet.coherence.check import ORDERS, check_protocol
from jumpnet.coherence.protocol import Protocol, parse, protocol, protocols
from jumpnet.coherence.search import states
from jumpnet.coherence.search._part import Part
from jumpnet.coherence.search._states import FULL
from jumpnet.coherence.search.model import FRESH, STALE, Cache, Home, Model
from jumpnet.errors import JumpnetError

NAMES = sorted(protocols())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("caches", "order", "acknowledges"),
    [(2, "any", "single"), (3, "any", "combined"), (3, "fifo", "single"), (4, "any", "single")],
)
def test_every_protocol_is_coherent(name: str, caches: int, order: str, acknowledges: str) -> None:
    found = check_protocol(protocol(name), caches, order=order, acknowledges=acknowledges)
    assert (found.fault, found.path) == ("", ())
    assert sum(found.table.values()) == found.states > 100
    if caches == 4:
        assert found.unused == ()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("caches", [1, 2, 3])
def test_states_are_those_of_the_naive_twin(name: str, caches: int) -> None:
    assert check_protocol(protocol(name), caches).all_states == naive.count_states(protocol(name), caches)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("order", "acknowledges"), [("fifo", "single"), ("fifo", "combined")])
def test_states_are_those_of_the_naive_twin_in_every_network(name: str, order: str, acknowledges: str) -> None:
    made, combined = protocol(name), acknowledges == "combined"
    counts = [check_protocol(made, 3, order=order, acknowledges=acknowledges).all_states]
    assert counts == [naive.count_states(made, 3, order == "fifo", combined)]


@pytest.mark.parametrize("name", ["moesi", "dragon"])
def test_states_are_the_same_where_new_ones_find_little_room(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    usual, rooms = check_protocol(protocol(name), 3), []
    expand = states.States._expand

    def noted(self: states.States, part: Part) -> int:
        rooms.append(expand(self, part))
        return rooms[-1]

    monkeypatch.setattr(states.States, "_expand", noted)
    monkeypatch.setattr(states, "FRESH", 1)
    monkeypatch.setattr(states, "CHUNK", 128)
    assert check_protocol(protocol(name), 3) == usual
    assert FULL in rooms


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("acknowledges", "what"), [("single", "InvAck"), ("combined", "an acknowledge")])
def test_an_acknowledge_that_nobody_waits_for_is_found(order: str, acknowledges: str, what: str) -> None:
    """An owner acknowledges what it is not told; combined, that would join others that are not there."""
    owner = "M   Fetch     S   send OwnerData"
    made = changed(protocol("msi"), {owner: f"{owner}, send InvAck"}, {})
    found = check_protocol(made, 2, order=order, acknowledges=acknowledges)
    assert found.fault == f"{what} that nobody waits for"
    assert any("GetS at the home in M" in step for step in found.path)  # who fetches


@pytest.mark.parametrize("order", ["any", "fifo"])
def test_messages_that_pile_up_are_found(order: str) -> None:
    """A cache that may evict again and again: the fifth message is one too many."""
    cache = "I read IS send Get\nI write IS send Get\nI evict I send Put"
    found = check_protocol(Protocol("heap", cache, "U Put U -\nU Get U -"), 1, order=order)
    assert found.fault == "more than 4 messages wait between two places, Get the last"
    assert found.path == 4 * ("evict at a cache in I: home U, caches I",)


# What may go without harm: actions that tidy up what is not used any more or take a line that is there already, reads
# that hit while another request of the same processor waits, shortcuts of the home, and its own choice of the mode.
# `test_spared_rows` sees that such rows are gone.
HARMLESS = {"drop", "release", "clear"}
EXACT = {"dragon", "chained"}
"""Elsewhere the home may list who gave the line up, as it does who dropped a copy in silence."""
TAKEN_ALREADY = {("SM", "DataM"), ("SW", "DataM"), ("SW", "DataU")}
READS_WHILE_WAITING = {("SM", "read"), ("OM", "read"), ("SW", "read"), ("CW", "read"), ("MW", "read")}


def _rows(made: Protocol, side: str) -> list[tuple[str, str, str, list[str]]]:
    lines = [line.split(None, 3) for line in getattr(made, side).strip().splitlines()]
    return [(*line[:3], [] if line[3] == "-" else line[3].split(", ")) for line in lines]


def _with_row(made: Protocol, side: str, k: int, row: tuple[str, str, str, list[str]] | None) -> Protocol:
    """The protocol with another row in place of a table's k-th, or with none."""
    rows = _rows(made, side)
    rows[k : k + 1] = [row] if row else []
    text = "\n".join(" ".join([*row[:3], ", ".join(row[3]) or "-"]) for row in rows)
    return replace(made, **{side: text})


def _broken(made: Protocol) -> Iterator[tuple[str, Protocol]]:
    """Each protocol that lacks one row, or one action of a row."""
    for side in ("cache", "home"):
        for k, (state, event, following, actions) in enumerate(_rows(made, side)):
            if (state, event) not in READS_WHILE_WAITING and event != "switch" and not event.endswith("+"):
                yield f"{side}: no {state} {event}", _with_row(made, side, k, None)
            for action in actions:
                if action in HARMLESS or (action == "take" and (state, event) in TAKEN_ALREADY):
                    continue
                if action == "forget" and made.name not in EXACT:
                    continue
                row = (state, event, following, [a for a in actions if a != action])
                yield f"{side}: {row}", _with_row(made, side, k, row)


def _faulty(made: Protocol) -> bool:
    return any(check_protocol(made, n).fault for n in (2, 3))


@pytest.mark.parametrize("name", NAMES)
def test_each_row_and_action_is_needed(name: str) -> None:
    """A table without any one of them has a fault with three caches at most."""
    broken = list(_broken(protocol(name)))
    assert len(broken) > 25
    assert [what for what, made in every_third(broken) if not _faulty(made)] == []


# Rows with another next state that are as coherent as the right ones, since they only
GIVE_UP_A_COPY = {"S read I", "S write IM", "IS Data I", "SM read IM", "M Fetch I", "IW DataU I", "SW UpdDone I",
                  "S Update I"}  # fmt: skip
LIST_WHO_HAS_NONE = {"M PutM S", "U PutM- S"}


@pytest.mark.parametrize("name", ["msi", "update"])
def test_each_next_state_is_needed(name: str) -> None:
    """Another next state in any row is a fault, or one of a few changes that cost time only."""
    made, passed, tried = protocol(name), set(), set()
    for side in ("cache", "home"):
        rows = _rows(made, side)
        states = {row[0] for row in rows} | {row[2] for row in rows}
        for k, (state, event, following, actions) in enumerate(rows):
            for other in every_third(sorted(states - {following})):
                tried.add(f"{state} {event} {other}")
                if not _faulty(_with_row(made, side, k, (state, event, other, actions))):
                    passed.add(f"{state} {event} {other}")
    assert passed == tried & (GIVE_UP_A_COPY | LIST_WHO_HAS_NONE)


@pytest.mark.parametrize("name", NAMES)
def test_each_message_is_needed(name: str) -> None:
    """Another message of the same table in place of one that the home sends is a fault, or costs a copy only.

    Of MOESI's home in O it takes three caches: with two nobody else is listed.
    """
    made = protocol(name)
    rows = _rows(made, "home")
    names = {action.split()[1] for row in rows for action in row[3] if " " in action}
    for k, (state, event, following, actions) in every_third(enumerate(rows)):
        for i, action in enumerate(actions):
            word, _, message = action.partition(" ")
            for other in sorted(names - {message}) if message else ():
                changed = [*actions[:i], f"{word} {other}", *actions[i + 1 :]]
                fault = _faulty(_with_row(made, "home", k, (state, event, following, changed)))
                assert fault or (message, other) in {("Fetch", "FetchInv"), ("Update", "Inv")}, (state, event, other)


CHANGED = [
    ("msi", "S   Inv       I   send InvAck, drop", "S   Inv       S   send InvAck", "a stale value|beside"),
    ("msi", "S   GetM       WI  ask, multicast Inv", "S   GetM       DM  ask, reply DataM, own", "beside|stale"),
    ("msi", "M   Fetch     S   send OwnerData", "M   Fetch     M   send OwnerData", "beside another copy: M S"),
    ("msi", "IS  Data      S   take, send Done", "IS  Data      I   send Done", "a read is lost at a cache in IS"),
    ("msi", "S   read      S   hit", "S   read      S   -", "a read is lost at a cache in S"),
    ("msi", "SM  read      SM  hit", "SM  read      SM  -", "a read at a cache in SM gets no answer"),
    ("dragon", "M   write    M   write", "M   other    M   write", "no row for a processor's write at a cache in M"),
    ("mesi", "S   GetS       DS  ask, reply Data, add", "S   GetS       DM  ask, reply DataE, own", "beside"),
    ("mesi", "WS  OwnerData  DS  store, keep,", "WS  OwnerData  DS  keep,", "stale"),
    ("moesi", "M   Fetch     O   send OwnerData", "M   Fetch     S   send OwnerData", "no row for Fetch"),
    ("moesi", "O   PutM        S   store, release,", "O   PutM        S   release,", "stale|older value"),
    ("moesi", "WO  last        DM  reply Grant,", "WO  last        DM  reply DataM,", "no row for DataM"),
    ("dragon", "Sc  Update   Sc  merge, send UpdAck", "Sc  Update   Sc  send UpdAck", "stale"),
    ("dragon", "O   PutM        S   store, release,", "O   PutM        S   release,", "stale"),
    ("dragon", "WS  last        DO  reply DataU, keep, own", "WS  last  DO  reply DataU", "there is no owner"),
    ("update", "V   Upd   XV  ask, multicast Update", "V   Upd   DV  ask, merge, reply UpdDone", "stale"),
    ("update", "WV  last  DV  merge, reply DataU, add", "WV  last  DV  reply DataU, add", "stale"),
    ("mixed", "V   switch     S   -", "V   switch     U   -", "beside|stale"),
    ("mixed", "M   GetS       WS  ask, fetch Fetch", "M   GetS       DS  ask, reply Data, add", "stale|beside"),
    ("mixed", "DV  Done       V   -", "DV  Done       DV  -", "stuck"),
]


OF_STATES = "a stale value can be read", "a writer beside", "no row for a processor's", "stuck"
"""Faults of the last state itself, which no step from it is refused for."""


@pytest.mark.parametrize(("name", "old", "new", "fault"), CHANGED)
def test_a_changed_rule_is_found(name: str, old: str, new: str, fault: str) -> None:
    made = protocol(name)
    assert (old in made.cache) != (old in made.home)
    wrong = replace(made, cache=made.cache.replace(old, new), home=made.home.replace(old, new))
    found = check_protocol(wrong, 3)
    assert any(word in found.fault for word in fault.split("|")), found.fault
    assert 0 < len(found.path) <= 40
    chart, before = chart_of(wrong, found), 3 * ("I",)
    assert len(chart) - len(found.path) == (not found.fault.startswith(OF_STATES))
    for said, row in zip(found.path, chart, strict=False):
        assert said.endswith(f"home {row.home}, caches {' '.join(sorted(row.caches))}")
        changed = [k for k in range(3) if before[k] != row.caches[k]]
        assert all(f"cache {k + 1}" in row.what for k in changed) and len(changed) <= 1
        before = row.caches


def test_spaces_in_a_row_do_not_matter() -> None:
    assert parse("I  read  R  send   Get ,hit", ("send", "hit")) == parse("I read R send Get, hit", ("send", "hit"))


def test_the_path_leads_to_the_fault() -> None:
    made = protocol("msi")
    wrong = replace(made, cache=made.cache.replace("M   Fetch     S   send", "M   Fetch     M   send"))
    found = check_protocol(wrong, 2)
    assert found.path[-1].endswith("home DS, caches M S")
    assert "Data at a cache in IS" in found.path[-1]
    assert [(row.what, row.home, " ".join(row.caches)) for row in chart_of(wrong, found)] == [
        ("cache 1: read", "U", "IS I"),
        ("cache 2: write", "U", "IS IM"),
        ("GetM: cache 2 -> home", "DM", "IS IM"),
        ("DataM: home -> cache 2", "DM", "IS M"),
        ("Done: cache 2 -> home", "M", "IS M"),
        ("GetS: cache 1 -> home", "WS", "IS M"),
        ("Fetch: home -> cache 2", "WS", "IS M"),  # which would be in S, had the row not been changed
        ("OwnerData: cache 2 -> home", "DS", "IS M"),
        ("Data: home -> cache 1", "DS", "S M"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("I read", "row 'I read' found"),
        ("I read I hitt", "row 'I read I hitt': unknown action 'hitt'; did you mean 'hit'"),
        ("I read I hit\nI read I hit", "two rows for read in state I"),
        ("I read I send", "action 'send' found"),
        ("I read I send Get now", "action 'send Get now' found"),
        ("", "without rows"),
    ],
)
def test_a_table_that_is_none_is_refused(text: str, message: str) -> None:
    with pytest.raises(JumpnetError, match=message):
        parse(text, ("hit", "send"))
    with pytest.raises(JumpnetError, match="protocol own, table of the home: "):
        _ = Protocol("own", "", text).home_rows


def test_a_queue_keeps_its_order_as_its_lines_grow_old() -> None:
    """After a write elsewhere: lines in it are stale, others as before; where messages overtake, it is a bag."""
    made, down = protocol("msi"), (("Inv", FRESH), ("Data", FRESH))
    for in_order, kept in ((True, (("Inv", FRESH), ("Data", STALE))), (False, (("Data", STALE), ("Inv", FRESH)))):
        model = Model(made, 2, in_order, False)
        older = model.older(model.cache(Cache("IS", STALE, down=down, up=(("OwnerData", FRESH),))), False)
        assert (model.records[older].down, model.records[older].up) == (kept, (("OwnerData", STALE),))


def test_a_cache_has_four_queues_that_keep_their_order() -> None:
    """An answer overtakes a request, which a busy home lets wait; of two messages of a queue the second must wait."""
    queues = {"down": ("Inv", "PutAck"), "side": ("Fetch", "FetchInv"), "asked": ("PutM", "GetS"), "up": ("Done", "X")}
    cache = Cache("MI", FRESH, owner=True, **{name: tuple((m, FRESH) for m in two) for name, two in queues.items()})
    for in_order, home, came in (
        (True, "DS", {"Inv", "Fetch", "Done"}),
        (True, "M", {"Inv", "Fetch", "Done", "PutM"}),
        (False, "M", {message for two in queues.values() for message in two}),
    ):
        model = Model(protocol("msi"), 1, in_order, False)
        assert {way.event for way in model.ways((model.home(Home(home)), model.cache(cache)))} == came


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("acknowledges", ["single", "combined"])
def test_with_three_caches_either_order_has_as_many_states(name: str, acknowledges: str) -> None:
    counts = {check_protocol(protocol(name), 3, order=order, acknowledges=acknowledges).states for order in ORDERS}
    assert len(counts) == 1


def test_no_network_that_loses_messages_is_taken() -> None:
    """The tables have no answer to a loss, so there is no order in which one could happen."""
    assert ORDERS == ("any", "fifo")
    for word in ("lossy", "loss", "drop"):
        with pytest.raises(JumpnetError, match="unknown order"):
            check_protocol(protocol("msi"), 2, order=word)


def test_bad_words_are_refused() -> None:
    for words, message in (
        ({"caches": 12}, "12 caches found, 1 to 11"),
        ({"order": "fif"}, "did you mean 'fifo'"),
        ({"acknowledges": "combine"}, "did you mean 'combined'"),
    ):
        with pytest.raises(JumpnetError, match=message):
            check_protocol(protocol("msi"), **words)
