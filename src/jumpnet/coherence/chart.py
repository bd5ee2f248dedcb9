"""The shortest way to a fault as a chart of messages: who does what, caches told apart. Called by `cli`."""

from __future__ import annotations

from typing import NamedTuple

from jumpnet.api.public import public
from jumpnet.coherence.check import Checked, model_of
from jumpnet.coherence.protocol import Protocol
from jumpnet.coherence.search.model import Model, State, Step

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
        rows.append(Row(what_of(model, step), *model.names(state)))
    return tuple(rows)


def path_of(protocol: Protocol, found: Checked) -> Path:
    """The states and steps of a verdict's path; the first state alone without a fault."""
    model = model_of(protocol, found.caches, found.order, found.acknowledges, in_place=True)
    layers: list[dict[State, tuple[State, Step | None]]] = [{model.start: (model.start, None)}]
    for said in found.path:
        ways = ((state, step) for state in layers[-1] for step in model.steps(state) if _said(model, step) == said)
        layers.append({step.after: (state, step) for state, step in ways})
    state = next((state for state in layers[-1] if model.fault_from(state) == found.fault), next(iter(layers[-1])))
    states, steps = [state], []
    for layer in layers[:0:-1]:
        before, step = layer[states[-1]]
        assert step is not None
        states.append(before)
        steps.append(step)
    return Path(model, tuple(states[::-1]), tuple(steps[::-1]))


def _said(model: Model, step: Step) -> str:
    """A step as a path has it, which does not tell caches apart."""
    home, caches = model.names(step.after)
    return f"{step.label}: home {home}, caches {' '.join(sorted(caches))}"


def what_of(model: Model, step: Step) -> str:
    """A message from whom to whom, or who acts."""
    where, at_home = f"cache {step.cache}", " at the home in " in step.label
    if not step.delivers:
        return f"{'home' if at_home else where}: {step.event}"
    if at_home:
        return f"{step.event}: {where} -> home" if step.cache else "acknowledges, combined: -> home"
    return f"{step.event}: {'home or a cache' if step.event in model.protocol.passed else 'home'} -> {where}"
