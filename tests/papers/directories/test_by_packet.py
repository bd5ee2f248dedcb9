"""The report on schemes chosen packet by packet: verdicts that follow the run, and a broken scheme that is seen."""

from __future__ import annotations

import dataclasses

import pytest

from jumpnet.errors import JumpnetError
from jumpnet.multicast import scheme
from jumpnet.multicast.chip_rules import chip_rules
from jumpnet.multicast.remake import remade
from jumpnet.papers import golden
from jumpnet.report.kudoh1995rhbd import by_packet
from jumpnet.topology import build


@pytest.fixture(scope="module", autouse=True)
def short():
    """Fewer packets, in as short a time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(by_packet, "BURSTS", 60)
        patch.setattr(by_packet, "CYCLES", 240)
        patch.setattr(by_packet, "PROVED", ("rdt:16",))
        yield


def _claims() -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for _, cells in by_packet.section(golden("kudoh1995rhbd"), lambda done, total: None).tables[0].rows:
        for cell in cells:
            assert cell is not None and cell.stated == (cell.claim == "schemes_by_packet")
            found.setdefault(cell.claim, []).append((str(cell.computed), cell.verdict))
    return found


def test_verdicts() -> None:
    found = _claims()
    overtaken = found["chip_fifo"][1][0]
    assert int(overtaken) > 0 and found == {
        "schemes_by_packet": [("3", "stated")],
        "chip_mixture": [("allowed", "equal")],
        "chip_fifo": [("0", "equal"), (overtaken, "differs")],
        "chip_deadlock": [("none", "equal")],
    }


def test_a_scheme_whose_packets_reach_others_than_it_says_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = chip_rules(build("rdt:16"))
    right = by_packet.mixed(rules, 1).right
    assert all(good == of > 20 for good, of in right.values())
    wrong = dataclasses.replace(scheme("SM"), maps=scheme("LPRA").maps, rule=scheme("LPRA").rule)
    other = dataclasses.replace(scheme("REMAKE"), maps=remade(1).maps)
    for name, made in {"SM": wrong, "REMAKE": other}.items():
        # Made here it is checked as a user's own, before it is counted.
        changed = {name: made}
        monkeypatch.setattr(by_packet, "scheme", lambda asked, changed=changed: changed.get(asked) or scheme(asked))
        with pytest.raises(JumpnetError, match=rf"^multicast scheme {name}: "):
            by_packet.mixed(rules, 1)
