"""Multicast by the chip's rules: its trees, its dependency graph against a naive one, proofs, and what must fail."""

from __future__ import annotations

import random
from itertools import permutations

import numpy as np
import pytest

from jumpnet.analysis.deadlock.multicast import multicast_dependencies, prove_multicast
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.routes.trees import path_rules, require_single_ways
from jumpnet.errors import JumpnetError
from jumpnet.multicast import scheme, schemes
from jumpnet.multicast.chip_rules import ChipRules, chip_rules
from jumpnet.multicast.plan import HANDS, Plan, bit_map_plan, plan_from
from jumpnet.multicast.tree import multicast_tree
from jumpnet.routings import bind, routings
from jumpnet.sim.config import preset
from jumpnet.sim.multicast.engine import send_messages
from jumpnet.sim.multicast.messages import COMBINED, Messages, forest
from jumpnet.topology import build


def random_sets(rules: ChipRules, seed: int, count: int) -> list[tuple[int, list[int]]]:
    """(source, destinations) pairs that lie in some territory."""
    draw = random.Random(seed)
    found: list[tuple[int, list[int]]] = []
    while len(found) < count:
        source = draw.randrange(rules.where.routers)
        to = [draw.randrange(rules.where.routers) for _ in range(draw.choice([1, 2, 6]))]
        try:
            rules.where.address(source, to)
        except JumpnetError:
            continue
        found.append((source, to))
    return found


@pytest.mark.parametrize("spec", ["prdt:16", "rdt:16", "rdt:32", "prdt:18,n=3,R=2"])
def test_plans_are_the_multicast_trees(spec: str) -> None:
    """The routers that branch by themselves take the hops that the tree lists from above."""
    net = build(spec)
    rules = chip_rules(net)
    for source, to in random_sets(rules, 1, 30):
        for name in schemes():
            tree, plan = (
                multicast_tree(rules.where, scheme(name), source, to),
                bit_map_plan(rules, scheme(name), source, to),
            )
            hop = plan.port >= 0
            sender = plan.router[plan.parent[hop]]
            rank = net.class_rank[net.link_class[sender, plan.port[hop]]]
            assert sorted(zip(sender, plan.router[hop], rank, strict=True)) == sorted(h[1:] for h in tree.hops)
            assert sorted(plan.router[plan.local == HANDS]) == sorted(tree.remade)
            assert sorted(plan.receivers) == sorted(tree.receivers)
            assert (plan.parent[1:] == np.repeat(np.arange(len(plan.router)), np.diff(plan.first))).all()


def dependencies_of(rules: ChipRules, plan: Plan, siblings: bool) -> set[tuple[int, int]]:
    """The dependencies of one packet, from its plan."""
    channel = (plan.router[plan.parent] * rules.network.ports + plan.port) * rules.vcs + plan.vc
    found = set()
    for k in range(len(plan.router)):
        below = slice(plan.first[k], plan.first[k + 1])
        after = channel[below][plan.port[below] >= 0].tolist()
        if plan.port[k] >= 0:
            found |= {(int(channel[k]), c) for c in after}
        if siblings:
            found |= set(permutations(after, 2))
    return found


@pytest.mark.parametrize("spec", ["prdt:8", "rdt:16"])
@pytest.mark.parametrize("buffers", ["packet", "flit"])
def test_dependency_graph_is_that_of_all_packets(spec: str, buffers: str) -> None:
    """All sources and pairs of one territory's far ends on a small network; random sets on another."""
    rules = chip_rules(build(spec))
    edges = multicast_dependencies(rules, buffers).edges  # type: ignore[arg-type]
    siblings, met = buffers == "flit", set()
    if spec == "prdt:8":
        for source in range(rules.where.routers):
            everyone = list(range(rules.where.routers))
            for top in range(rules.where.top + 1):
                plan = bit_map_plan(rules, scheme("full"), source, rules.where.members(source, top).tolist())
                met |= dependencies_of(rules, plan, siblings)
            assert sorted(bit_map_plan(rules, scheme("SM"), source, everyone).receivers) == everyone
        assert met == edges
    for source, to in random_sets(rules, 2, 60):
        for name in schemes():
            assert dependencies_of(rules, bit_map_plan(rules, scheme(name), source, to), siblings) <= edges


@pytest.mark.parametrize("spec", ["prdt:8", "prdt:16", "rdt:16", "rdt:32", "prdt:18,n=3,R=2"])
def test_chip_rules_need_two_channels_and_no_more(spec: str) -> None:
    proof = prove_multicast(chip_rules(build(spec)))
    assert (proof.vcs, proof.verdict, proof.certificate_checked) == (2, "free", True)


@pytest.mark.parametrize("spec", ["prdt:8", "rdt:16"])
def test_without_the_change_southward_a_ring_waits(spec: str) -> None:
    net = build(spec)
    proof = prove_multicast(chip_rules(net, "chip:change=none"))
    assert proof.verdict == "deadlock" and proof.cycle is not None
    assert {hop.link for hop in proof.cycle} == {"rank 1 y+"}
    for hop, after in zip(proof.cycle, proof.cycle[1:] + proof.cycle[:1], strict=True):
        assert hop.to == after.router


def test_base_hops_need_the_special_channel_only_where_ranks_are_missing() -> None:
    assert not prove_multicast(chip_rules(build("rdt:16"), "chip:special=false")).deadlock_free
    assert prove_multicast(chip_rules(build("prdt:16"), "chip:special=false")).deadlock_free


def test_changing_the_first_hop_too_collides_with_the_special_channel() -> None:
    """The other reading of the channel change: fine on a PRDT, a cycle through base channel 1 on /alpha."""
    assert prove_multicast(chip_rules(build("prdt:16"), "chip:change=wrap")).deadlock_free
    proof = prove_multicast(chip_rules(build("rdt:16"), "chip:change=wrap"))
    assert proof.cycle is not None and any(hop.vc == 1 and hop.link == "rank 0 y+" for hop in proof.cycle)


def test_small_buffers_make_siblings_wait_for_each_other() -> None:
    proof = prove_multicast(chip_rules(build("prdt:8")), "flit")
    assert proof.cycle is not None and len(proof.cycle) == 2 and proof.cycle[0].router == proof.cycle[1].router


PATHS = [
    ("mesh:4x4", "mesh.dimension_order", 1),
    ("torus:4x4", "torus.dateline", 2),
    ("torus:4x4", "torus.dateline", 1),
    ("hypercube:4", "hypercube.ecube", 1),
]


@pytest.mark.parametrize(("spec", "routing", "vcs"), PATHS)
def test_trees_of_paths_depend_as_single_packets_do(spec: str, routing: str, vcs: int) -> None:
    """With whole-packet buffers branching adds no dependency; with smaller ones every fork closes a cycle."""
    bound = bind(routing, build(spec), vcs)
    proof, single = prove_multicast(path_rules(bound)), prove(bound)
    assert (proof.verdict, proof.channels, proof.dependencies) == (single.verdict, single.channels, single.dependencies)
    assert prove_multicast(path_rules(bound), "flit").verdict == "deadlock"


def test_trees_of_paths_reach_everyone_once_in_the_simulator() -> None:
    net = build("torus:4x4")
    rules = path_rules(bind("torus.dateline", net, 2))
    plans = [plan_from(rules, s, rules.first(s, [(s + k) % 16 for k in (1, 3, 6, 10)])) for s in range(16)]
    assert all(sorted(p.receivers) == sorted((s + k) % 16 for k in (1, 3, 6, 10)) for s, p in enumerate(plans))
    rows = Messages(np.arange(16), np.arange(16), np.full(16, 9), np.full(16, COMBINED))
    done = send_messages(net, 2, forest(net, plans), rows, preset("jump1"))
    assert done.finished and done.receipts.tolist() == [4] * 16


def _tree_fails(words: str, *about: object) -> bool:
    try:
        require_single_ways(*about) if words else plan_from(*about)  # type: ignore[arg-type]
    except JumpnetError as error:
        assert words in str(error)
        return True
    return False


@pytest.mark.parametrize("spec", ["mesh:3x4", "torus:4x4", "rdt:4", "hypercube:3", "fattree:2,n=2", "mesh:1x5"])
def test_single_ways_from_all_are_those_of_all_trees(spec: str) -> None:
    """Of some routings only trees from a few routers branch into a choice, of some none on a part of the network."""
    net, differ = build(spec), 0
    ends = np.unique(net.terminal_router)
    for name in (name for name, one in routings().items() if one.misfit(net) is None):
        try:
            rules = path_rules(bind(name, net))
        except JumpnetError:  # draws lots
            continue
        for some in (ends, ends[:4], ends[1:3]):
            pairs = [(a, [b]) for a in some.tolist() for b in some.tolist() if a != b]
            wrong = [_tree_fails("", rules, a, rules.first(a, to)) for a, to in pairs]
            assert _tree_fails("gives no route or a choice", rules.bound, some) == any(wrong), name
            differ += any(wrong) and not wrong[0]
    assert differ or spec not in ("mesh:3x4", "rdt:4")


def test_bad_rules_are_one_line() -> None:
    with pytest.raises(JumpnetError, match="did you mean 'none'"):
        chip_rules(build("prdt:8"), "chip:change=nome")
    with pytest.raises(JumpnetError, match="'chop' found, chip"):
        chip_rules(build("prdt:8"), "chop")
    with pytest.raises(JumpnetError, match="network of family rdt or prdt"):
        chip_rules(build("torus:4x4"))
    with pytest.raises(JumpnetError, match="gives no route or a choice"):
        prove_multicast(path_rules(bind("mesh.west_first", build("mesh:3x3"))))
    with pytest.raises(JumpnetError, match="chooses at the source"):
        path_rules(bind("torus.valiant", build("torus:4x4")))


@pytest.mark.parametrize(
    ("routing", "spec", "other"),
    [
        ("torus.duato", "torus:4x4", "torus.dateline with 2"),
        ("torus.valiant", "torus:4x4", "torus.dateline with 2"),
        ("mesh.west_first", "mesh:3x3", "mesh.dimension_order with 1"),
        ("rdt.deadlock_free", "rdt:8", "rdt.fixed with 1"),
        ("fattree.nca", "fattree:2,n=2", "lash"),
    ],
)
def test_a_routing_that_gives_no_trees_names_one_that_does(routing: str, spec: str, other: str) -> None:
    """The named one is taken at once, by all its trees."""
    net = build(spec)
    with pytest.raises(JumpnetError, match=rf"multicast tree: {other}( virtual channels)? gives one$"):
        prove_multicast(path_rules(bind(routing, net)))
    assert prove_multicast(path_rules(bind(other.split()[0], net))).states > 0
