"""The shortest way to a fault as a chart of messages: who does what, caches told apart. Called by `cli`."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from jumpnet.api.public import public
from jumpnet.coherence.check import Checked, model_of
from jumpnet.coherence.protocol import Protocol
from jumpnet.coherence.search.model import Model, State, Step, WrongStepError
from jumpnet.coherence.search.records import Way

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
    refused: Way | None
    """What the tables have no answer to in the last state; None where that state itself is wrong."""

    @property
    def ways(self) -> tuple[Step | Way, ...]:
        """All steps, the refused one too."""
        return self.steps if self.refused is None else (*self.steps, self.refused)

    def said(self) -> list[str]:
        """What each of `ways` is, in words: who acts, or a message from whom to whom."""
        passed: dict[tuple[int, str], list[str]] = {}
        """Caches that sent what is on its way from cache to cache, oldest first, by receiver and message."""
        words = []
        for way, now, after in zip(self.ways, self.states, (*self.states[1:], self.states[-1]), strict=False):
            before, behind = _from_caches(self.model, now), _from_caches(self.model, after)
            what = way.cache, way.event
            arrives = way.at_cache and way.delivers
            if way is self.refused:  # it is on its way still
                from_cache = arrives and what in before and what not in _from_caches(self.model, now, "down")
            else:
                from_cache = arrives and before[what] > behind[what]
            words.append(what_of(self.model, way, passed[what].pop(0) if from_cache else "home"))
            for receiver in behind - before:
                passed.setdefault(receiver, []).append(f"cache {way.cache}")
        return words


@public
def chart_of(protocol: Protocol, found: Checked) -> tuple[Row, ...]:
    """The steps of a verdict's path as rows; none without a fault. Cost: that of the path, caches! times at most.

    The last is the one that the tables have no answer to, where that is the fault; all stay then in their states.

    >>> from dataclasses import replace
    >>> from jumpnet.coherence.check import check_protocol
    >>> from jumpnet.coherence.protocol import protocol
    >>> wrong = replace(protocol("msi"), cache=protocol("msi").cache.replace("S   Inv       I ", "S   Inv       S "))
    >>> [row.what for row in chart_of(wrong, check_protocol(wrong))][-3:]
    ['Done: cache 1 -> home', 'GetM: cache 2 -> home', 'Inv: home -> cache 1']
    """
    path = path_of(protocol, found)
    after = (*path.states[1:], path.states[-1])
    return tuple(Row(what, *path.model.names(state)) for what, state in zip(path.said(), after, strict=False))


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
    return Path(model, tuple(states[::-1]), tuple(steps[::-1]), _refused(model, states[0], found.fault))


def _refused(model: Model, state: State, fault: str) -> Way | None:
    """The way from a state that the tables have no answer to, with this fault; None where the state itself is wrong."""
    if model.fault(state):
        return None
    for way in model.ways(state):
        try:
            model.after(state, way)
        except WrongStepError as wrong:
            if str(wrong) == fault:
                return way
    return None


def _said(model: Model, step: Step) -> str:
    """A step as a path has it, which does not tell caches apart."""
    home, caches = model.names(step.after)
    return f"{step.label}: home {home}, caches {' '.join(sorted(caches))}"


def _from_caches(model: Model, state: State, channel: str = "side") -> Counter[tuple[int, str]]:
    """Messages on their way from cache to cache, or from home to caches (`down`), by receiver and name."""
    return Counter((k, name) for k, cache in enumerate(model.caches(state), 1) for name, _ in getattr(cache, channel))


def what_of(model: Model, way: Step | Way, sender: str = "") -> str:
    """A message from whom to whom, or who acts; sender: of a message to a cache, where that is known."""
    where = f"cache {way.cache}"
    if not way.delivers:
        return f"{where if way.at_cache else 'home'}: {way.event}"
    if way.at_cache:
        known = sender or ("home or a cache" if way.event in model.protocol.passed else "home")
        return f"{way.event}: {known} -> {where}"
    return f"{way.event}: {where} -> home" if way.cache else "acknowledges, combined: -> home"
