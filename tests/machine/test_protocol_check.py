"""The model checker passes every protocol, counts states as its naive twin does, and finds broken rules."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from jumpnet.coherence.check import check_protocol
from jumpnet.coherence.protocol import Protocol, parse, protocol, protocols
from jumpnet.errors import JumpnetError

spec = importlib.util.spec_from_file_location("naive_protocol", Path(__file__).parents[1] / "naive" / "protocol.py")
naive = importlib.util.module_from_spec(spec)
spec.loader.exec_module(naive)

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


# Actions that may go without harm: they tidy up what is not used any more, or take a line that is there already.
HARMLESS = {"hit", "drop", "release", "clear"}
TAKEN_ALREADY = {("SM", "DataM"), ("SW", "DataM"), ("SW", "DataU")}


def _broken(made: Protocol) -> Iterator[tuple[str, Protocol]]:
    """Each protocol that lacks one row for a message, or one action of a row."""
    for side in ("cache", "home"):
        lines = getattr(made, side).strip().splitlines()
        for k, line in enumerate(lines):
            state, event, following, actions = line.split(None, 3)
            if (not event.islower() or event == "last") and not event.endswith("+"):
                yield f"{side}: no {line}", replace(made, **{side: "\n".join(lines[:k] + lines[k + 1 :])})
            for action in actions.split(", "):
                if action in HARMLESS | {"-"} or (action == "take" and (state, event) in TAKEN_ALREADY):
                    continue
                rest = ", ".join(a for a in actions.split(", ") if a != action) or "-"
                row = f"{state} {event} {following} {rest}"
                yield f"{side}: {row}", replace(made, **{side: "\n".join([*lines[:k], row, *lines[k + 1 :]])})


@pytest.mark.parametrize("name", NAMES)
def test_each_row_and_action_is_needed(name: str) -> None:
    """A table without any one of them has a fault with three caches at most."""
    broken = list(_broken(protocol(name)))
    assert len(broken) > 25
    passed = [what for what, made in broken if not any(check_protocol(made, n).fault for n in (2, 3))]
    assert passed == []


CHANGED = [
    ("msi", "S   Inv       I   send InvAck, drop", "S   Inv       S   send InvAck", "a stale value|beside"),
    ("msi", "S   GetM       WI  ask, multicast Inv", "S   GetM       DM  ask, reply DataM, own", "beside|stale"),
    ("msi", "M   Fetch     S   send OwnerData", "M   Fetch     M   send OwnerData", "beside another copy: M S"),
    ("mesi", "S   GetS       DS  ask, reply Data, add", "S   GetS       DM  ask, reply DataE, own", "beside"),
    ("mesi", "WS  OwnerData  DS  store, keep,", "WS  OwnerData  DS  keep,", "stale"),
    ("dragon", "Sc  Update   Sc  merge, send UpdAck", "Sc  Update   Sc  send UpdAck", "stale"),
    ("dragon", "O   PutM        S   store, release,", "O   PutM        S   release,", "stale"),
    ("dragon", "WX  last        DO  reply UpdDone, own", "WX  last        DO  reply UpdDone", "there is no owner"),
    ("update", "V   Upd   XV  ask, multicast Update", "V   Upd   DV  ask, merge, reply UpdDone", "stale"),
    ("update", "WV  last  DV  merge, reply DataU, add", "WV  last  DV  reply DataU, add", "stale"),
    ("mixed", "V   switch     S   -", "V   switch     U   -", "beside|stale"),
    ("mixed", "M   GetS       WS  ask, fetch Fetch", "M   GetS       DS  ask, reply Data, add", "stale|beside"),
    ("mixed", "DV  Done       V   -", "DV  Done       DV  -", "stuck"),
]


@pytest.mark.parametrize(("name", "old", "new", "fault"), CHANGED)
def test_a_changed_rule_is_found(name: str, old: str, new: str, fault: str) -> None:
    made = protocol(name)
    assert (old in made.cache) != (old in made.home)
    wrong = replace(made, cache=made.cache.replace(old, new), home=made.home.replace(old, new))
    found = check_protocol(wrong, 3)
    assert any(word in found.fault for word in fault.split("|")), found.fault
    assert 0 < len(found.path) <= 40


def test_the_path_leads_to_the_fault() -> None:
    made = protocol("msi")
    wrong = replace(made, cache=made.cache.replace("M   Fetch     S   send", "M   Fetch     M   send"))
    found = check_protocol(wrong, 2)
    assert found.path[-1].endswith("home DS, caches M S")
    assert "Data at a cache in IS" in found.path[-1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("I read", "row 'I read' found"),
        ("I read I hitt", "unknown action 'hitt'; did you mean 'hit'"),
        ("I read I hit\nI read I hit", "two rows for read in state I"),
        ("I read I send", "action 'send' found"),
        ("", "without rows"),
    ],
)
def test_a_table_that_is_none_is_refused(text: str, message: str) -> None:
    with pytest.raises(JumpnetError, match=message):
        parse(text, ("hit", "send"))


def test_bad_words_are_refused() -> None:
    for words, message in (
        ({"caches": 7}, "7 caches found, 1 to 6"),
        ({"order": "fif"}, "did you mean 'fifo'"),
        ({"acknowledges": "combine"}, "did you mean 'combined'"),
    ):
        with pytest.raises(JumpnetError, match=message):
            check_protocol(protocol("msi"), **words)
