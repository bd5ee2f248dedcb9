"""`jumpnet machine --timed`: keys that add up, and what it does not know refused in one line."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tests.tiny.protocols import SINGLE, changed
from typer.testing import CliRunner

from jumpnet.cli import app
from jumpnet.coherence.protocol import protocol, register
from jumpnet.errors import JumpnetError

UPDATE_HEARS = protocol("update").home + "V PutS V forget, ack\n"
RUN = ("machine", "workload:lu,processors=8,n=16", "--network", "torus:2x2", "--clusters-of", "2")
BRANCHING = ("--multicast", "--branches", "routers")
KINDS = "read-request write-request write-back data tell acknowledge fetch owners-data done"
NINE = f"{' / '.join(KINDS.split())} write-back-done"


def _row(*words, run=RUN):
    result = CliRunner().invoke(app("machine"), [*run, *words, "--json"])
    assert result.exception is None, result.exception
    return json.loads(result.stdout)


def test_stalls_add_up_to_the_cycles() -> None:
    row = _row("--timed")
    parts = ("busy", "read_stall", "write_stall", "sync_stall", "idle")
    assert sum(row[key] for key in parts) == pytest.approx(row["cycles"])
    assert row["cycles"] > row["direct_cycles"] > 0 and row["references"] > 0
    plain = _row()
    assert "cycles" not in plain and plain["messages"] == row["messages"]


def test_every_choice_changes_the_time(tmp_path) -> None:
    pages = tmp_path / "pages"
    pages.write_text("256\n", encoding="ascii")
    homes = tmp_path / "homes"
    homes.write_text("256 3\n", encoding="ascii")
    words = [
        (),
        ("--locks", "free"),
        ("--outstanding", "4"),
        ("--caches", "256,2"),
        ("--caches", "256,2", "--hints"),
        ("--protocol", "update"),
        ("--protocol", "update", "--acknowledges", "counted"),
        ("--protocol", "update", "--multicast", "--acknowledges", "combined", "--placement", "interleaved"),
        ("--locks", "line"),
        ("--migrate", "2"),
        ("--homes", str(homes)),
    ]
    rows = [_row("--timed", *choice) for choice in words]
    assert len({row["cycles"] for row in rows}) == len(rows)
    mixed = _row("--timed", "--protocol", "mixed", "--update-pages", str(pages))  # the only page that there is
    assert mixed["cycles"] == rows[5]["cycles"]
    assert rows[3]["timed_write_backs"] > 0 and rows[4]["timed_hints"] > 0 == rows[3]["timed_hints"]


@pytest.mark.parametrize(
    ("words", "match"),
    [
        (("--pruning", "65"), "a pruning cache of 65 entries"),
        (("--pruning", "4", "--encoding", "chained"), "entries that list everybody expected"),
        (("--exclusive",), "--timed with --exclusive found"),
        (("--cost", "bus_line=8"), "unknown cost 'bus_line'; did you mean 'bus-line'?"),
        (("--cost", "bus-line"), "NAME=CYCLES such as bus-line=8 expected"),
        (("--cost", "data=0"), "0 cycles for data found"),
        *(
            (("--cost", f"{cost}=5", *others), f"cost {cost} found without {needed}")
            for cost, needed, *others in (
                ("stage-1", "a first stage of translation", "--translation", "0,4"),
                ("stage-2", "a second stage of translation", "--translation", "4,0"),
                ("barrier-line", "a barrier line"),
                ("sync", "synchronisation free of messages"),
                ("forward", "multicasts whose packets routers take"),
                ("remake", "multicasts under REMAKE", "--multicast"),
                ("page", "pages that move"),
                ("write-back-done", "caches of limited size"),
                ("grant", "synchronisation by message", "--locks", "free"),
                ("spacing", "messages one after another", "--multicast"),
                ("fetch", "a protocol whose copies may be dirty", "--protocol", "update"),
                ("write-back", "caches of limited size and dirty", "--protocol", "update", "--caches", "256,2"),
                ("forward", "multicasts whose packets", *BRANCHING),
            )
        ),
        (("--memory-processors", "0"), "0 memory-based processors of a node found, 1 to 8 expected"),
        (("--place", "hops"), "--timed found with --place"),
        (("--placement", "given"), "placement"),
        (("--acknowledges", "combined"), "acknowledges 'combined' found without multicast"),
        (("--locks", "spin"), "unknown synchronisation 'spin'"),
        (("--multicast", "--encoding", "chained"), "multicast with encoding chained found"),
        (("--encoding", "limited-evicting"), "directory page found with entries that take copies, line expected"),
        (
            ("--encoding", "limited-evicting", "--protocol", "update"),
            "directory page found with entries that take copies",
        ),
        (("--migrate", "2", "--encoding", "limited-broadcast"), "pages that migrate found with pointers"),
        (("--page-entry", "valid_holder"), "unknown page entry 'valid_holder'"),
        (("--encoding", "SM"), "torus:2x2"),
        (("--protocol", "chained"), "protocol chained with encoding full_map found, encoding chained expected"),
        (("--protocol", "chained", "--multicast"), "protocol chained with multicast found"),
        (("--networks", "6"), "6 networks found, 1 to 5 expected for msi"),
        (("--networks", NINE), "9 virtual networks found, at most 8 expected"),
        (("--networks", "GetS / Data"), "networks without write-request found"),
        (("--networks", "FetchInv / GetS"), "a network of FetchInv alone found, which the machine does not send"),
        (("--networks", "2", "--endpoints", "hold"), "unknown endpoints 'hold'"),
        (("--endpoints", "queued"), "endpoints queued found without room for few messages or a number of networks"),
        (("--endpoints", "queued", "--networks", "2"), "networks whose kinds differ from those of held"),
        (("--cost", "stage-1=20"), "cost stage-1 found without a first stage of translation"),
        (("--endpoints", "queued", "--networks", NINE), "endpoints queued found without room for few messages"),
        (("--networks", "2", "--multicast", "--branches", "routers"), "virtual networks found with multicasts that"),
        (("--endpoint-room", "-1"), "room for -1 messages found, 0 to 999999999 expected"),
        (
            ("--endpoint-room", "2", "--multicast", "--branches", "routers"),
            "room for few messages found with multicasts that routers branch, which have one virtual network",
        ),
        (
            ("--endpoint-room", "2", "--multicast", "--networks", "least"),
            "no number of networks is enough (tell -> tell)",
        ),
        (
            ("--endpoint-room", "2", "--migrate", "2", "--networks", "least"),
            "no number of networks is enough (read-request -> read-request)",
        ),
    ],
)
def test_what_it_does_not_know_is_refused(words, match) -> None:
    refused = CliRunner().invoke(app("machine"), [*RUN, "--timed", *words]).exception
    assert isinstance(refused, JumpnetError) and match in str(refused) and "\n" not in str(refused)


def test_a_standstill_is_told_in_one_line() -> None:
    words = ("--timed", "--endpoint-room", "1", "--placement", "interleaved", "--outstanding", "8", "--caches", "256,2")
    stood = CliRunner().invoke(app("machine"), ["machine", "workload:lu,processors=8,n=32", *RUN[2:], *words]).exception
    assert isinstance(stood, JumpnetError) and "full of network 0" in str(stood) and "\n" not in str(stood)


def test_every_encoding_has_its_own_time() -> None:
    """Eight nodes share a page, more than six pointers name: an encoding that is ignored in time shows."""
    run = (
        "machine",
        "workload:gas,processors=8,molecules=16,side=4,steps=1",
        "--network",
        "rdt:8",
        "--timed",
        "--json",
    )
    rows = {}
    for name in ("full-map", "limited-broadcast", "chained", "SM", "LPRA"):
        result = CliRunner().invoke(app("machine"), [*run, "--encoding", name])
        assert result.exception is None, result.exception
        rows[name] = json.loads(result.stdout)
    assert len({row["cycles"] for row in rows.values()}) >= 4
    # Everybody is more where the machine has more processors than the trace.
    result = CliRunner().invoke(app("machine"), [*run, "--encoding", "limited-broadcast", "--processors", "12"])
    assert json.loads(result.stdout)["network_messages"] > rows["limited-broadcast"]["network_messages"]
    more = [run[0], "workload:water,processors=16,molecules=16,steps=1", *run[2:]]
    result = CliRunner().invoke(app("machine"), [*more, "--encoding", "limited-evicting", "--directory", "line"])
    row = json.loads(result.stdout)
    assert row["timed_evictions"] == row["evicted"] > 0
    full, chained = rows["full-map"], rows["chained"]
    assert full["cycles"] not in {rows[name]["cycles"] for name in ("limited-broadcast", "chained", "SM")}
    # A list is answered for once, by its last node.
    assert chained["network_messages"] < full["network_messages"]
    for name in ("limited-broadcast", "SM"):
        assert rows[name]["network_messages"] > full["network_messages"] and rows[name]["unnecessary"] > 0


def test_costs_of_messages_that_a_protocol_of_ones_own_sends_or_does_not() -> None:
    """The home of `single` tells who has the line; that of `announced`, update that hears of copies given up, fetches
    nothing and is told."""
    notice = {"S   evict    I   drop": "S evict SI send PutS\nSI Update SI send UpdAck\nSI PutAck I drop"}
    register(SINGLE)
    register(replace(changed(protocol("update"), notice, {}), name="announced", home=UPDATE_HEARS))
    refused = CliRunner().invoke(app("machine"), [*RUN, "--timed", "--protocol", "single", "--cost", "fetch=9"])
    assert "cost fetch found without a protocol whose copies may be dirty" in str(refused.exception)
    words = ("--timed", "--protocol", "announced", "--caches", "256,2")
    assert _row(*words, "--cost", "write-back=99")["cycles"] > _row(*words)["cycles"]


def test_without_a_network() -> None:
    refused = CliRunner().invoke(app("machine"), [*RUN[:2], "--timed"]).exception
    assert isinstance(refused, JumpnetError) and "--timed found without --network" in str(refused)


@pytest.mark.parametrize(
    "words",
    [("--outstanding", "2"), ("--cost", "data=3"), ("--memory-processors", "2"), ("--migrate", "1"),
     ("--branches", "routers"), ("--combining-entries", "2"), ("--endpoints", "queued"), ("--multicast",)],
)  # fmt: skip
def test_choices_of_time_without_time(words) -> None:
    refused = CliRunner().invoke(app("machine"), [*RUN, *words]).exception
    assert isinstance(refused, JumpnetError) and f"{words[0]} found without --timed" in str(refused)


def test_every_part_of_the_machine_has_its_time() -> None:
    """A part whose option changes nothing in time shows, and what it counts is what the machine without time counts."""
    words = [
        (), ("--cost", "bus-line=8"), ("--cost", "bus-request=3"), ("--cost", "data=30"), ("--cost", "occupancy=11"),
        ("--memory-processors", "2"), ("--translation", "1,0"), ("--translation", "0,1"),
        ("--translation", "1,0", "--cost", "stage-1=50"), ("--translation", "0,1", "--cost", "stage-2=50"),
    ]  # fmt: skip
    rows = [_row("--timed", *choice) for choice in words]
    assert len({row["cycles"] for row in rows}) == len(rows)
    assert rows[6]["timed_stage_1_misses"] == rows[6]["stage_1_misses"] > 0
    assert rows[7]["timed_stage_2_misses"] > 0


def test_multicasts_that_branch_in_the_routers() -> None:
    run = tuple("rdt:8" if word == "torus:2x2" else word for word in RUN)
    many = ("--timed", "--encoding", "SM", "--multicast", "--acknowledges", "combined", "--protocol", "update")
    packets, routers, none = (
        _row(*many, *more, run=run)
        for more in ((), ("--branches", "routers"), ("--branches", "routers", "--combining-entries", "0"))
    )
    assert len({row["cycles"] for row in (packets, routers, none)}) == 3
    assert none["fallbacks"] > routers["fallbacks"] >= 0 and "fallbacks" not in packets
    for words, match in (
        (("--timed", "--branches", "routers"), "branches 'routers' found without multicast"),
        (
            (*many, "--combining-entries", "2"),
            "2 combining entries found without branches 'routers'",
        ),
    ):
        refused = CliRunner().invoke(app("machine"), [*RUN, *words]).exception
        assert isinstance(refused, JumpnetError) and match in str(refused)
