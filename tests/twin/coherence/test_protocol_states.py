"""All states of a protocol by tables and kernels are those that the model's rules give step by step, on any threads."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from jumpnet.coherence.check import check_protocol
from jumpnet.coherence.protocol import Protocol, protocol, protocols
from jumpnet.coherence.search import states as search
from jumpnet.coherence.search.model import Model, State
from jumpnet.coherence.search.states import States
from jumpnet.errors import JumpnetError


def _by_rules(model: Model) -> tuple[dict[State, int], int, set[State]]:
    """(depth of each state, steps, states from which arrivals lead to rest), with nothing but `Model.steps`."""
    depth, todo, steps = {model.start: 0}, [model.start], 0
    before: dict[State, list[State]] = {}
    for state in todo:
        for step in model.steps(state):
            steps += 1
            if step.after not in depth:
                depth[step.after] = depth[state] + 1
                todo.append(step.after)
            if step.delivers:
                before.setdefault(step.after, []).append(state)
    calm = [state for state in todo if model.at_rest(state)]
    seen = set(calm)
    for state in calm:
        for earlier in before.get(state, []):
            if earlier not in seen:
                seen.add(earlier)
                calm.append(earlier)
    return depth, steps, seen


def _quiet(model: Model, states: list[State]) -> Counter[tuple[str, tuple[str, ...]]]:
    return Counter(
        (model.homes[s[0]].state, tuple(sorted(model.records[n].state for n in s[1:]))) for s in states
    )  # fmt: skip


@pytest.mark.parametrize("name", sorted(protocols()))
@pytest.mark.parametrize(("in_order", "combined"), [(False, False), (True, True)])
def test_states_are_those_of_the_rules(name: str, in_order: bool, combined: bool) -> None:
    words = {"order": "fifo" if in_order else "any", "acknowledges": "combined" if combined else "single"}
    found = check_protocol(protocol(name), 3, **words)
    model = Model(protocol(name), 3, in_order, combined)
    depth, steps, calm = _by_rules(model)
    assert (found.states, found.steps, found.depth) == (len(depth), steps, max(depth.values()))
    assert calm == set(depth)
    assert found.table == dict(_quiet(model, list(depth)))
    assert found.at_rest == set(_quiet(model, [state for state in depth if model.at_rest(state)]))


def test_states_that_never_rest_are_those_of_the_rules() -> None:
    """A home that answers nobody: of all states the first that is found is named, at the depth it has."""
    wrong = protocol("mixed")
    wrong = replace(wrong, home=wrong.home.replace("DV  Done       V   -", "DV  Done       DV  -"))
    found = check_protocol(wrong, 3)
    depth, _, calm = _by_rules(Model(wrong, 3, False, False))
    assert found.fault == "stuck: arrivals alone never bring it to rest"
    assert len(found.path) == min(steps for state, steps in depth.items() if state not in calm)


@pytest.mark.parametrize("answers", [True, False])
def test_states_that_never_rest_are_found_among_caches_that_are_told_apart(answers: bool) -> None:
    made = protocol("mixed")
    if not answers:
        made = replace(made, home=made.home.replace("DV  Done       V   -", "DV  Done       DV  -"))
    depth, _, calm = _by_rules(model := Model(made, 3, False, False, in_place=True))
    states = States(model, 3, 1)
    fault, number = states.run()
    assert (states.count, states.table()[2]) == (len(depth), len(depth))
    if answers:
        assert not fault and calm == set(depth) and len(depth) == check_protocol(made, 3).all_states
    else:
        restless = [steps for state, steps in depth.items() if state not in calm]
        assert fault and states.state(number) not in calm and len(states.path(number)) == min(restless)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_numbers_of_states_do_not_depend_on_threads_or_chunks(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = States(Model(protocol("dragon"), 4, False, False), 4, 1)
    assert whole.run() == ("", 0)
    monkeypatch.setattr(search, "CHUNK", 97)
    parts = States(Model(protocol("dragon"), 4, False, False), 4, threads)
    assert parts.run() == ("", 0)
    assert (parts.count, parts.steps, parts.levels) == (whole.count, whole.steps, whole.levels) == (32_187, 138_410, 46)
    again = States(Model(protocol("dragon"), 4, False, False), 4, 5 - threads)
    again.run()
    assert np.array_equal(again.found.states[: again.count], parts.found.states[: parts.count])
    assert np.array_equal(again.found.parent[: again.count], parts.found.parent[: parts.count])


@pytest.mark.parametrize("caches", [1, 3, 4, 7, 8, 11])
def test_states_of_many_caches_are_those_of_the_rules(caches: int) -> None:
    """Three caches fill a word with the home, seven two: the states up to six steps from the start."""
    model = Model(protocol("mesi"), caches, False, False)
    states, begin, reached = States(model, caches, 1), 0, {model.start}
    for _ in range(6):
        end = states.count
        assert states._go_on(begin, end) is None
        begin = end
        reached |= {step.after for state in reached for step in model.steps(state)}
        assert {states.state(number) for number in range(states.count)} == reached
    assert states.count > 10


def test_tables_that_are_too_large_are_refused() -> None:
    home = "\n".join(f"U{k} Get U{k + 1} -" for k in range(520))
    with pytest.raises(JumpnetError, match="521 states of the home found, at most 512"):
        check_protocol(replace(protocol("msi"), home=home), 1)
    with pytest.raises(JumpnetError, match="12 caches found, 1 to 11"):
        check_protocol(protocol("msi"), 12)


def test_a_home_that_goes_round_without_a_message_is_a_fault() -> None:
    """Without an acknowledge to wait for, `last` comes at once; here it leads to where it comes again."""
    cache = "I read IS send Get\nIS Data I take\nI write IS send Get"
    found = check_protocol(Protocol("round", cache, "U Get W ask, reply Data\nW last W -"), 1)
    assert found.fault == "no acknowledge is to come in W, again and again"
    found = check_protocol(Protocol("asks", cache, "U Get W ask, reply Data\nW last U ask"), 1)
    assert found.fault == "nobody sent last, whom the home asks to wait"


def test_two_nodes_that_wait_at_once_are_a_fault() -> None:
    """To whom the home's answer would go then is nowhere said."""
    wrong = protocol("msi")
    wrong = replace(wrong, home=wrong.home.replace("WM  OwnerData  DM  store,", "WM  OwnerData  DM  ask, store,"))
    found = check_protocol(wrong, 3)
    assert found.fault == "two nodes wait for the home at once"
