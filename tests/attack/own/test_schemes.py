"""Multicast schemes, forwarding and broadcasts of a user's own that misbehave: one line, before any result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from jumpnet import multicast
from jumpnet.analysis.deadlock.multicast import branching_states, prove_multicast
from jumpnet.analysis.routes.trees import PathRules, path_rules
from jumpnet.errors import JumpnetError
from jumpnet.multicast import Broadcast, Scheme, broadcast, register, scheme
from jumpnet.multicast.chip_rules import ChannelUse, ChipRules, Stage, chip_rules
from jumpnet.multicast.forwarding import Branch, Fork
from jumpnet.multicast.plan import bit_map_plan, plan_from
from jumpnet.multicast.receivers import receivers, receivers_of_sets
from jumpnet.multicast.remaking import Remaking
from jumpnet.multicast.sample import exact_receivers, sample_receivers
from jumpnet.multicast.schedule import Schedule, play
from jumpnet.multicast.territory import territories
from jumpnet.multicast.tree import multicast_tree
from jumpnet.routings import DESTINATION, Routing, bind
from jumpnet.sim.multicast.simulate import simulate_multicasts
from jumpnet.topology import build

NET, SPEC = build("prdt:16"), "prdt:16"
SM = scheme("SM")
USES: dict[str, Callable[[Scheme], object]] = {
    "tree": lambda made: multicast_tree(territories(SPEC), made, 0, [1, 2]),
    "plan": lambda made: bit_map_plan(chip_rules(NET), made, 0, [1, 2]),
    "receivers": lambda made: receivers(territories(SPEC), made, 0, [1, 2]),
    "sets": lambda made: receivers_of_sets(territories(SPEC), made, np.array([0]), np.array([[1, 2]])),
    "sample": lambda made: sample_receivers(territories(SPEC), [made], 1.0, [2], trials=2),
    "exact": lambda made: exact_receivers(territories(SPEC), made, 0.5, 1),
}


def without_end(*given):
    while True:
        pass


def raises(*given):
    raise ValueError("mine")


def writes(digits, k, top, stride, fanout):
    digits[0] = 0
    return 1


def reads_far(digits, k, top, stride, fanout):
    return digits[k + 1_000_000]


def everywhere(bit_map, local, starts, every):
    return every


def one_too_few(digits, k, top, stride, fanout):
    return fanout ** (top + 1) - 1


def by_object(digits, k, top, stride, fanout):
    return SM.count(digits, k, top, stride, fanout)


def passes_64_bits(digits, k, top, stride, fanout):
    wide = (1 << 62) * 2 * k
    return fanout ** (top + 1) - (1 if wide < 0 else 0)


def of_set(word: Any) -> Callable[..., Any]:
    return lambda *given: word


FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "maps_no_mapping": ({"maps": of_set(7)}, "maps 7 given, a mapping"),
    "maps_raise": ({"maps": raises}, "ValueError: mine"),
    "maps_no_end": ({"maps": without_end}, "an end expected"),
    "maps_of_wrong_keys": ({"maps": of_set({"a": 1})}, "a map for 'a' given"),
    "maps_too_wide": ({"maps": of_set({(0, ()): 1 << 8})}, "8 bits expected"),
    "maps_of_another_scheme": ({"maps": scheme("full").maps}, "is not reached"),
    "rule_raises": ({"rule": raises}, "ValueError: mine"),
    "rule_without_end": ({"rule": without_end}, "an end expected"),
    "rule_of_half": ({"rule": of_set(0.5)}, "0.5 given, children as a mask expected"),
    "rule_outside": ({"rule": of_set(1 << 70)}, "children as a mask expected"),
    "rule_below": ({"rule": of_set(-1)}, "children as a mask expected"),
    "rule_reaches_nobody": ({"rule": of_set(0)}, "is not reached"),
    "nodes_of_their_own": ({"per_node": True}, "is not reached"),
    "count_writes": ({"count": writes}, "digits[0] is written, which may only be read"),
    "count_reads_far": ({"count": reads_far}, "of digits found"),
    "count_without_end": ({"count": without_end}, "an end expected"),
    "count_of_another_scheme": ({"count": scheme("LPRA").count}, "receivers given for digits"),
    "count_one_too_few": ({"rule": everywhere, "count": one_too_few}, "receivers given for digits"),
    "count_passes_64_bits": ({"rule": everywhere, "count": passes_64_bits}, "compiled, it gives"),
    "count_does_not_compile": ({"count": by_object}, "does not compile"),
    "count_of_words": ({"count": of_set("many")}, "'many' given, receivers expected"),
    "bits_of_nothing": ({"header_bits": of_set(None)}, "None given, bits of a header expected"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_scheme_that_misbehaves_is_one_line_wherever_it_is_used(fault: str) -> None:
    fields, words = FAULTS[fault]
    made = replace(SM, name="own.mine", **fields)
    assert made.own
    for use in USES.values():
        with pytest.raises(JumpnetError) as refused:
            use(made)
        said = str(refused.value)
        assert said.startswith("multicast scheme own.mine") and words in said and "\n" not in said
        if "end" in fault:  # half a million lines in plain Python
            break


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"rule": 5}, "rule 5 found, a function expected"),
        ({"local": "near"}, "local 'near' found, path or subtree expected"),
        ({"remakes": -1}, "remakes -1 found, a rank from 0"),
    ],
)
def test_fields_of_a_wrong_type_are_refused_at_once(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(JumpnetError, match=f"^multicast scheme SM: {words}"):
        replace(SM, **fields)


def test_what_a_user_makes_of_ours_and_does_well_gives_what_ours_gives() -> None:
    for name in ("LARP", "REMAKE"):
        ours = scheme(name)
        mine = replace(ours, name="own.mine")
        assert mine.own and not ours.own
        for key, use in USES.items():
            if key in ("receivers", "exact"):
                assert use(mine) == use(ours)
        found, expected = (multicast_tree(territories(SPEC), one, 0, [1, 2]) for one in (mine, ours))
        assert found.hops == expected.hops


def test_a_registered_scheme_is_refused_in_a_run() -> None:
    register(replace(SM, name="own.deaf", rule=of_set(0)))
    try:
        with pytest.raises(JumpnetError, match=r"^multicast scheme own\.deaf: .* is not reached"):
            simulate_multicasts(
                "prdt:16", multicast="chip", scheme="own.deaf", load=0.01, destinations=2, measure_cycles=100
            )
    finally:
        del multicast._schemes._added["own.deaf"]


def strays_once(seen: list[int]) -> Callable[..., int]:
    """A rule that is right while it is tried, and reaches nobody afterwards."""

    def rule(bit_map: int, local: bool, starts: bool, every: int) -> int:
        return 0 if seen else bit_map

    return rule


def test_a_destination_left_out_after_the_pass_is_refused() -> None:
    seen: list[int] = []
    made = replace(SM, name="own.turns", rule=strays_once(seen))
    for key in ("tree", "plan"):
        seen.clear()
        USES[key](made)
        seen.append(1)
        with pytest.raises(JumpnetError, match=r"^multicast scheme own\.turns: "):
            USES[key](made)


class Own:
    """Rules of a user's own, which go round and round a ring by port 0."""

    name, vcs, network = "own.rules", 1, build("torus:4")

    def __init__(self, fork: Callable[..., Any], starts: Callable[[], Any] = lambda: [(0, 0)]) -> None:
        self.answer, self.begin = fork, starts

    def starts(self) -> Any:
        return self.begin()

    def fork(self, here: int, stage: Any, read: Any = None) -> Any:
        return self.answer(here, stage)


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (Own(lambda here, stage: None), "None found, a Fork"),
        (Own(raises), "ValueError: mine"),
        (Own(lambda here, stage: Fork((Branch(-1, 0, 0),), False)), "port -1 found"),
        (Own(lambda here, stage: Fork((Branch(9, 0, 0),), False)), "port 9 found"),
        (Own(lambda here, stage: Fork((Branch(0, 1, 0),), False)), "virtual channel 1 found, 0 to 0 expected"),
        (Own(lambda here, stage: Fork((Branch(0, 0, []),), False)), "unhashable"),
        (Own(lambda here, stage: Fork((Branch(0, 0, stage + 1),), False)), "an end expected"),
    ],
)
def test_forwarding_of_a_users_own_that_misbehaves_is_one_line(
    rules: Own, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jumpnet.multicast.forwarding.MOST_HEADERS", 1000)
    for use in (lambda: prove_multicast(rules), lambda: plan_from(rules, 0, 0)):
        with pytest.raises(JumpnetError) as refused:
            use()
        assert words in str(refused.value) and "\n" not in str(refused.value)


def hands_on(here: int, stage: int) -> Fork:
    """One hop; a processor sends the packet on round the ring, three hops at a time."""
    if stage == 3:
        return Fork((), False, again=0)
    return Fork((Branch(0, 0, 3 if stage == 9 else stage + 1),), False)


def test_what_processors_send_is_followed() -> None:
    rules = Own(hands_on, lambda: [(0, 9)])
    assert prove_multicast(rules).verdict == "deadlock"  # of the only hop that packets begin with: free
    begins = branching_states(rules)
    assert sorted(begins.router[begins.begins & (begins.key[:, 0] >= 0)].tolist()) == [0, 0, 1, 2, 3]


def test_rules_that_answer_otherwise_when_asked_again_are_refused() -> None:
    """The packets of each run would go elsewhere."""
    turns = iter(range(100))
    with pytest.raises(JumpnetError, match="asked again, fork gives another answer"):
        prove_multicast(Own(lambda here, stage: Fork((), next(turns) % 2 == 0)))


@pytest.mark.parametrize(
    "starts", [of_set(None), raises, *map(of_set, ([(99, 0)], [3], [(0, [])], [(0, 0), None, (1, 0)]))]
)
def test_starts_of_a_users_own_are_checked(starts: Callable[..., Any]) -> None:
    with pytest.raises(JumpnetError, match=r"^multicast 'own\.rules'"):
        prove_multicast(Own(of_set(Fork((), True)), starts))


class FewerChannels(PathRules):
    """Rules made from ours, with one virtual channel where the paths take two."""

    vcs = 1


def test_answers_of_rules_made_from_ours_are_checked() -> None:
    """Channel 1 of a port would be taken for channel 0 of the next one, and no ring be closed."""
    with pytest.raises(JumpnetError, match="virtual channel 1 found, 0 to 0 expected"):
        prove_multicast(FewerChannels(bind("torus.dateline", build("torus:5"))))


class LastHop(ChipRules):
    """The chip's rules with a channel that is not there."""

    def on_rank(self, here: int, stage: Stage, read: Any = None) -> Any:
        branches, below, local = super().on_rank(here, stage, read)
        return tuple(branch._replace(vc=branch.vc + 1) for branch in branches), below, local


def test_answers_of_rules_that_processors_stand_behind_are_checked() -> None:
    """Otherwise channel 2 of a port would be taken for channel 0 of the next one."""
    ours = Remaking(chip_rules(NET))
    mine = Remaking(LastHop(NET, territories(SPEC), ChannelUse()))
    assert not ours.own and mine.own
    for use in (lambda: prove_multicast(mine), lambda: plan_from(mine, 0, Stage(1))):
        with pytest.raises(JumpnetError, match="virtual channel 2 found, 0 to 1 expected"):
            use()


def beyond_its_channels(net, here, head, out):
    """Clockwise round a ring, on a channel that is not there until it has passed the last router."""
    if here == head[DESTINATION]:
        return 0
    out[0, 0], out[0, 1], out[0, 2], out[0, 3] = 0, 1 if here > head[DESTINATION] else 0, 0, 0
    return 1


def test_paths_of_a_routing_of_ones_own_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    bound = Routing("own.beyond", beyond_its_channels).bind(build("torus:5"))
    with pytest.raises(JumpnetError, match="names virtual channel 1, which is not there"):
        path_rules(bound)
    monkeypatch.setattr("jumpnet.routings._checked.MOST_CALLS", 1)  # as on a network too large for the pass
    large = Routing("own.far", beyond_its_channels).bind(build("torus:6"))
    with pytest.raises(JumpnetError, match=r"virtual channel 1 (found, 0 to 0 expected|, which is not there)"):
        prove_multicast(path_rules(large))


def test_rules_of_another_network_are_refused() -> None:
    with pytest.raises(JumpnetError, match=r"^territories of prdt:16 found, those of prdt:8 expected"):
        ChipRules(build("prdt:8"), territories(SPEC), ChannelUse()).fork(0, Stage(0))


def of_rows(step: Any, sender: Any, receiver: Any, root: Any = 0) -> Broadcast:
    made = Schedule("x", "own", root, np.array(step), np.array(sender), np.array(receiver))
    return Broadcast("own", lambda net, source, model: made)


@pytest.mark.parametrize(
    "made",
    [
        Broadcast("own", of_set(None)),
        Broadcast("own", raises),
        Broadcast("own", broadcast("rdn").make),
        of_rows([0], [-1], [0]),
        of_rows([0], [0], [99]),
        of_rows([0.5], [0], [1]),
        of_rows([0, 1], [0], [1]),
        of_rows([1 << 40], [0], [1]),
        of_rows([1, 0], [0, 0], [1, 3]),
        of_rows([0], [0], [1], root=99),
    ],
)
def test_a_broadcast_of_a_users_own_that_misbehaves_is_one_line(made: Broadcast) -> None:
    net = build("torus:4")
    with pytest.raises(JumpnetError) as refused:
        play(net, made(net, 0))
    assert "own" in str(refused.value) and "\n" not in str(refused.value)
