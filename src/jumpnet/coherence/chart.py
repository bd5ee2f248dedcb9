"""The shortest way to a fault as a chart of messages: who does what, caches told apart. Called by `cli`."""

from __future__ import annotations

from typing import NamedTuple

from jumpnet._public import public
from jumpnet.coherence.check import Checked
from jumpnet.coherence.protocol import Protocol
from jumpnet.coherence.search.model import Model, State, Step, WrongStepError

__all__ = ["Path", "Row", "chart_of", "path_of", "what_of"]


class Row(NamedTuple):
    """A step, and in which states it leaves everybody."""

    what: str
    """A message from whom to whom, or who acts."""
    home: str
    caches: tuple[str, ...]


class Path(NamedTuple):
    """The way to a fault, caches told apart."""

    model: Model
    states: tuple[State, ...]
    """From the first one on."""
    steps: tuple[Step, ...]
    """One fewer."""


@public
def chart_of(protocol: Protocol, found: Checked) -> tuple[Row, ...]:
    """The steps of a verdict's path as rows; none without a fault. Cost: that of the path, caches! times at most.

    >>> from dataclasses import replace
    >>> from jumpnet.coherence.check import check_protocol
    >>> from jumpnet.coherence.protocol import protocol
    >>> wrong = replace(protocol("msi"), cache=protocol("msi").cache.replace("S   Inv       I ", "S   Inv       S "))
    >>> [row.what for row in chart_of(wrong, check_protocol(wrong))][-3:]
    ['Done: cache 1 -> home', 'GetM: cache 2 -> home', 'Inv: home -> cache 1']
    """
    model, states, steps = path_of(protocol, found)
    rows = []
    for state, step in zip(states[1:], steps, strict=True):
        home, *caches = _names(model, state)
        rows.append(Row(what_of(model, step), home, tuple(caches)))
    return tuple(rows)


def path_of(protocol: Protocol, found: Checked) -> Path:
    """The states and steps of a verdict's path; the first state alone without a fault."""
    model = Model(protocol, found.caches, found.order == "fifo", found.acknowledges == "combined", in_place=True)
    layers: list[dict[State, tuple[State, Step | None]]] = [{model.start: (model.start, None)}]
    for said in found.path:
        ways = ((state, step) for state in layers[-1] for step in model.steps(state) if _said(model, step) == said)
        layers.append({step.after: (state, step) for state, step in ways})
    state = next((state for state in layers[-1] if _fault(model, state) == found.fault), next(iter(layers[-1])))
    states, steps = [state], []
    for layer in layers[:0:-1]:
        before, step = layer[states[-1]]
        assert step is not None
        states.append(before)
        steps.append(step)
    return Path(model, tuple(states[::-1]), tuple(steps[::-1]))


def _names(model: Model, state: State) -> list[str]:
    return [model.homes[state[0]].state, *(model.records[number].state for number in state[1:])]


def _said(model: Model, step: Step) -> str:
    """A step as a path has it, which does not tell caches apart."""
    home, *caches = _names(model, step.after)
    return f"{step.label}: home {home}, caches {' '.join(sorted(caches))}"


def _fault(model: Model, state: State) -> str:
    """What is wrong with a state or else with a step from it, as the search looks at both."""
    if said := model.fault(state):
        return said
    try:
        for _ in model.steps(state):
            pass
    except WrongStepError as wrong:
        return str(wrong)
    return ""


def what_of(model: Model, step: Step) -> str:
    """A message from whom to whom, or who acts."""
    where, at_home = f"cache {step.cache}", " at the home in " in step.label
    if not step.delivers:
        return f"{'home' if at_home else where}: {step.event}"
    if at_home:
        return f"{step.event}: {where} -> home" if step.cache else "acknowledges, combined: -> home"
    return f"{step.event}: {'home or a cache' if step.event in model.protocol.passed else 'home'} -> {where}"
