"""A protocol on a network: its graph of channels and endpoints as made by hand, proofs against their parts, runs."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest
from tests.tiny.protocols import NO_DONE, SINGLE
from typer.testing import CliRunner

from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.cli import app
from jumpnet.coherence.networks.endpoints import with_endpoints
from jumpnet.coherence.networks.joint import prove_joint, shared_networks
from jumpnet.coherence.networks.kinds import ENDPOINTS
from jumpnet.coherence.networks.programs import draws_of
from jumpnet.coherence.networks.transactions import too_much, transactions
from jumpnet.coherence.protocol import protocol
from jumpnet.errors import JumpnetError
from jumpnet.networks import Network, from_links
from jumpnet.replay.deadlock import replay_deadlock
from jumpnet.routings import DESTINATION, IN_PORT, IN_VC, KIND, NEXT_STATE, PORT, STATE, VC, BoundRouting, Routing, bind
from jumpnet.routings.view import new_head, new_out
from jumpnet.sim.config import preset
from jumpnet.sim.engine import Engine
from jumpnet.sim.measure.deadlock import find_deadlock
from jumpnet.sim.memory.fields import COUNTER
from jumpnet.topology import build

APART = "Get Put/Back/Line/Data/Done/PutAck"
"""Kinds of `single` in a network each, but for the two requests."""


def _tiny() -> Network:
    """Three routers in a line, with two terminals, one and two."""
    ends = np.array([2, 1, 2], np.int32)
    return from_links("tiny", "tiny", 3, np.array([[0, 1], [1, 2]]), terminals=ends)


def test_endpoints_of_a_tiny_network() -> None:
    net = with_endpoints(_tiny())
    assert (net.routers, net.ports, net.endpoints) == (8, 4, 5)
    assert net.labels == ("0", "1", "2", "E0.0", "E0.1", "E1.0", "E2.0", "E2.1")
    assert net.neighbor[:3].tolist() == [[1, -1, 3, 4], [0, 2, 5, -1], [1, -1, 6, 7]]
    assert net.neighbor[3:, 0].tolist() == [0, 0, 1, 2, 2] and (net.neighbor[3:, 1:] < 0).all()
    assert net.far_port[3:, 0].tolist() == [2, 3, 2, 2, 3]
    assert net.terminals.tolist() == [0, 0, 0, 1, 1, 1, 1, 1]
    assert net.class_names == ("link", "to the endpoint", "from the endpoint")
    assert net.link_class[:3].tolist() == [[0, -1, 1, 1], [0, 0, 1, -1], [0, -1, 1, 1]]
    with pytest.raises(JumpnetError, match="one-way links found"):
        with_endpoints(build("fly:2,n=2"))


def test_chains_of_a_tiny_protocol() -> None:
    # Endpoints: 0 where the chain begins, 1 where it ends, 2 the third one.
    made = shared_networks(SINGLE, "held", APART).programs
    assert [[(leg.kind, leg.network, leg.to) for leg in chain] for chain in made] == [
        # Get goes to the home, Back to the owner, Line back, Data to the asker, Done to the home, which is the last.
        [("Get", 0, 1), ("Back", 1, 2), ("Line", 2, 1), ("Data", 3, 0), ("Done", 4, 1)],
        [("Get", 0, 1), ("Data", 3, 0), ("Done", 4, 1)],
        # The answer to Put would end where the chain began, and goes to another endpoint.
        [("Put", 0, 2), ("PutAck", 5, 1)],
    ]
    assert [draws for draws, _ in draws_of(made, 5)] == ["0 to 2", "3", "4 to 6"]
    # So does Data where no Done follows: it goes to the owner, which is another than the asker and the home.
    made = shared_networks(NO_DONE, "held", "Get Put/Back/Line/Data/PutAck").programs
    assert [(leg.kind, leg.to) for leg in made[0]] == [("Get", 2), ("Back", 1), ("Line", 2), ("Data", 1)]
    # What was asked for is always taken: what it makes its endpoint send begins a chain.
    made = shared_networks(SINGLE, "reserved", APART).programs
    assert [[leg.kind for leg in chain] for chain in made] == [
        ["Get", "Back", "Line"], ["Get", "Data"], ["Put", "PutAck"], ["Data"], ["Done"],
    ]  # fmt: skip


def _by_hand(bound: BoundRouting, pairs: set[tuple[int, int]], classes: int) -> set[tuple[str, str]]:
    """Dependencies of channels and endpoints: routes of all pairs in each class, and what endpoints hold and want."""
    net = bound.network
    found = set()
    where = net.terminal_router.tolist()
    for a, s in enumerate(where):
        found |= {(f"to {a} class {v}", f"from {a} class {w}") for v, w in pairs}
        for b, d in enumerate(where):
            for v in range(classes if a != b else 0):
                way = [f"from {a} class {v}", *_route(bound, s, d, v), f"to {b} class {v}"]
                found |= set(pairwise(way))
    return found


def _route(bound: BoundRouting, s: int, d: int, v: int) -> list[str]:
    head, out, way = new_head(s, d), new_out(), []
    while s != d:
        assert bound.routing.relation(bound.view, s, head, out) == 1
        way.append(f"{s} port {out[0, 0]} vc {out[0, 1]} class {v}")
        head[[STATE, IN_PORT, IN_VC]] = out[0, 2], bound.network.far_port[s, out[0, 0]], out[0, 1]
        s = int(bound.network.neighbor[s, out[0, 0]])
    return way


def _named(made, bound: BoundRouting) -> set[tuple[str, str]]:
    """The dependencies of chains, in the same words."""
    net, vcs = bound.network, bound.vcs

    def name(channel: int) -> str:
        r, p, vc = channel // (made.bound.network.ports * made.bound.vcs), 0, channel % made.bound.vcs
        p = channel // made.bound.vcs % made.bound.network.ports
        if r >= net.routers:
            assert (p, vc % vcs) == (0, 0)
            return f"from {r - net.routers} class {vc // vcs}"
        if p >= net.ports:
            assert vc % vcs == 0
            return f"to {made.bound.network.neighbor[r, p] - net.routers} class {vc // vcs}"
        return f"{r} port {p} vc {vc % vcs} class {vc // vcs}"

    indptr, wanted = made.rows
    held = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    return {(name(a), name(b)) for a, b in zip(held.tolist(), wanted.tolist(), strict=True)}


@pytest.mark.parametrize("endpoints", ["held", "reserved"])
@pytest.mark.parametrize(("spec", "routing"), [("mesh:2x2", "mesh.dimension_order"), ("torus:3x3", "torus.dateline"),
                                               ("tiny", "up_down")])  # fmt: skip
def test_the_graph_is_that_of_channels_and_endpoints(spec: str, routing: str, endpoints: str) -> None:
    bound = bind(routing, _tiny() if spec == "tiny" else build(spec))
    shared = shared_networks(SINGLE, endpoints, APART)
    of = {name: k for k, names in enumerate(shared.groups) for name in names}
    waits = shared.kinds.waits(endpoints) & shared.kinds.sends
    made = dependencies(transactions(bound, shared.programs, len(shared.groups), "test"))
    assert _named(made, bound) == _by_hand(bound, {(of[a], of[b]) for a, b in waits}, len(shared.groups))


@pytest.mark.parametrize(
    ("spec", "routing", "vcs"),
    [("mesh:2x2", "mesh.dimension_order", None), ("torus:4", "torus.dimension_order", None),
     ("torus:4", "torus.dateline", None), ("mesh:3x3", "mesh.duato", None)],
)  # fmt: skip
def test_the_proof_is_that_of_its_parts(spec: str, routing: str, vcs: int | None) -> None:
    bound = bind(routing, build(spec), vcs)
    alone = prove(bound).deadlock_free
    for name in ("msi", "moesi"):
        for endpoints in ENDPOINTS:
            most = len(shared_networks(protocol(name), endpoints).groups)
            for number in {1, most - 1, most}:
                shared = shared_networks(protocol(name), endpoints, str(number))
                found = prove_joint(bound, shared)
                assert found.apart == "" and bool(shared.ring) == (number < most)
                assert found.deadlock_free == found.proof.deadlock_free == (alone and number == most)


def test_a_ring_of_stalls_alone_is_not_called_free() -> None:
    # Put stays at a busy home until Done has come, which stands behind it; nothing that Put sends is in its network.
    shared = shared_networks(SINGLE, "queued", "Get / Put Done / Line Back Data / PutAck")
    found = prove_joint(bind("mesh.dimension_order", build("mesh:2x2")), shared)
    assert shared.ring == (("Put", "Done"),) and found.proof.deadlock_free
    assert (found.verdict, found.deadlock_free) == ("unproved", False)


BY_LENGTH = "GetS GetM / PutM / Inv Fetch FetchInv / InvAck / OwnerData / Data DataM / Done PutAck"
"""Networks of `msi` in each of which all messages carry the line, or none does."""


@pytest.mark.parametrize("routing", ["torus.bubble", "torus.bubble_adaptive"])
def test_bubbles_are_for_messages_of_one_length(routing: str) -> None:
    bound = bind(routing, build("torus:4x4"))
    found = prove_joint(bound, shared_networks(protocol("msi")))
    assert found.proof.deadlock_free and found.lengths == ("PutM", "GetS")
    assert (found.verdict, found.deadlock_free) == ("unproved", False)
    found = prove_joint(bound, shared_networks(protocol("msi"), networks=BY_LENGTH))
    assert (found.verdict, found.lengths) == ("free", None)
    other = prove_joint(bind("torus.dateline", build("torus:7x7")), shared_networks(protocol("msi")))
    assert (other.verdict, other.lengths) == ("free", None)  # of other flow control lengths do not matter


def test_networks_that_are_too_large_are_proved_by_parts() -> None:
    shared = shared_networks(protocol("msi"))
    found = prove_joint(bind("mesh.dimension_order", build("mesh:7x7")), shared)
    assert found.apart.startswith("49 endpoints") and found.verdict == "free"
    found = prove_joint(bind("mesh.dimension_order", build("mesh:7x7")), shared_networks(protocol("msi"), networks="4"))
    assert found.verdict == "unproved"
    assert "draws" in too_much(bind("mesh.valiant", build("mesh:2x2")), 5)
    assert too_much(bind("torus.bubble", build("torus:4x4")), 5) == "torus.bubble is made for bubbles"
    assert too_much(bind("mesh.dimension_order", build("mesh:2")), 5).startswith("2 endpoints")
    assert too_much(bind("mesh.dimension_order", build("mesh:2x2"), 10), 7) == "70 virtual channels"
    with pytest.raises(JumpnetError, match="chains of messages on mesh:2: 2 endpoints"):
        transactions(bind("mesh.dimension_order", build("mesh:2")), shared.programs, 5, "test")


def _run(networks: str) -> tuple[bool, int]:
    """(whether heavy traffic of chains ends in a deadlock, flits that have arrived)."""
    bound = bind("mesh.dimension_order", build("mesh:2x2"))
    chains = prove_joint(bound, shared_networks(protocol("msi"), networks=networks)).proof.bound
    assert chains is not None
    config = preset("booksim", load=1.0, packet_flits="4", buffer_flits=2, deadlock_cycles=200, vcs=chains.vcs)
    engine = Engine(chains.network, chains, config.replace(max_cycles=4000, drain=False), None, 1)
    for _ in range(40):
        engine.advance(100)
        if find_deadlock(engine) is not None:
            return True, int(engine.state.counter[COUNTER.delivered])
    return False, int(engine.state.counter[COUNTER.delivered])


def test_the_simulator_runs_into_the_ring_and_not_without_one() -> None:
    for networks in ("1", "4"):
        shared = shared_networks(protocol("msi"), networks=networks)
        proof = prove_joint(bind("mesh.dimension_order", build("mesh:2x2")), shared).proof
        assert proof.cycle is not None and "to the endpoint" in {hop.link for hop in proof.cycle}
        found = replay_deadlock(proof)
        assert found.how is not None and found.same
        assert any(router >= 4 for router, _, _ in found.ring)
        assert _run(networks)[0]
    dead, arrived = _run("5")
    assert not dead and arrived > 500


def _prove(*words: str):
    return CliRunner().invoke(app("prove"), ["prove", *words])


def test_the_verb() -> None:
    row = json.loads(_prove("mesh:2x2", "--protocol", "msi", "--json").stdout)
    assert (row["protocol"], row["endpoints"], row["verdict"], row["deadlock_free"]) == ("msi", "held", "free", True)
    assert (len(row["networks"]), row["ring_of_kinds"], row["chains_followed"]) == (5, [], True)
    row = json.loads(_prove("mesh:7x7", "--protocol", "msi", "--networks", "4", "--json").stdout)
    assert (row["verdict"], row["deadlock_free"], row["chains_followed"]) == ("unproved", False, False)
    assert row["ring_of_kinds"] == [{"waits": "Data", "for": "Done"}]
    told = _prove("mesh:2x2", "--protocol", "msi", "--endpoints", "reserved", "--networks", "2", "--replay").output
    assert "in all: can deadlock; networks wait for each other in a ring" in told
    assert "Fetch waits for OwnerData" in told and "GetS -> Fetch -> OwnerData" in told
    assert "by this command only; simulate has no endpoints that wait" in told
    assert "in all: free of deadlock" in _prove("mesh:2x2", "--protocol", "msi").output
    for words, why in (
        (("--networks", "2"), "--networks without --protocol"),
        (("--endpoints", "queued"), "--endpoints without --protocol"),
        (("--protocol", "msi", "--all-sizes"), "--all-sizes together with --protocol"),
        (("--protocol", "msi", "--draw", "a.svg"), "--draw together with --protocol"),
        (("--protocol", "msi", "--endpoints", "hold"), "did you mean 'held'"),
        (("--protocol", "mzi"), "did you mean 'msi'"),
        (("--protocol", "msi", "--networks", "6"), "6 networks found, 1 to 5 expected"),
    ):
        result = _prove("mesh:2x2", *words)
        assert isinstance(result.exception, JumpnetError) and why in str(result.exception), result.output


def test_certificates_are_of_the_whole_or_say_so(tmp_path, capsys) -> None:
    out = tmp_path / "msi.cert"
    assert _prove("mesh:2x2", "--protocol", "msi", "--certificate", str(out)).exit_code == 0
    checked = CliRunner().invoke(app("check"), ["check", str(out)])
    assert checked.exit_code == 0 and "740 packet states" in checked.output
    told = _prove("mesh:7x7", "--protocol", "msi", "--certificate", str(out))
    assert "is of the routing within a network alone: 49 endpoints" in told.output + told.stderr


def _past(net, here, head, out):
    """On a ring: to the destination, and once round before the packet arrives there."""
    state = 1 if here == head[DESTINATION] else head[STATE]
    out[0, PORT] = 0 if state == 1 or head[DESTINATION] > here else 1
    out[0, VC], out[0, NEXT_STATE], out[0, KIND] = 0, state, 0
    return 0 if here == head[DESTINATION] and head[STATE] == 1 else 1


def test_messages_that_pass_the_router_of_their_endpoint_are_followed() -> None:
    """They were taken there the first time."""
    bound = Routing("test.past", _past).bind(build("torus:4"))
    assert prove(bound).verdict == prove_joint(bound, shared_networks(protocol("msi"))).verdict == "deadlock"
