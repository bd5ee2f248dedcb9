"""The functional engine sends what the tables of the protocols send when each reference is carried through at once."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.draws import draws
from tests.naive import protocol as naive
from tests.tiny.protocols import COUNTING, FIREFLY, LAST, LAST_OWNER, MESIF, PAST, SINGLE, WITHOUT_ALLOCATION

from jumpnet.coherence.functional import Functional
from jumpnet.coherence.protocol import protocol, register
from jumpnet.coherence.rules.rows import rules_of
from jumpnet.errors import JumpnetError
from jumpnet.machine.trace import block_of

TABLES = [  # name, switched to update, the engine's settings
    ("msi", False, {"protocol": "invalidate"}),
    ("msi", False, {"protocol": "msi"}),
    ("mesi", False, {"protocol": "invalidate", "exclusive": True}),
    ("mesi", False, {"protocol": "mesi"}),
    ("moesi", False, {"protocol": "moesi"}),
    ("mixed", False, {"protocol": "invalidate"}),
    ("mixed", False, {"protocol": "mixed"}),
    ("mixed", True, {"protocol": "mixed", "update_pages": {0}}),
    ("mixed", True, {"protocol": "update"}),
    ("update", False, {"protocol": "update"}),
    ("dragon", False, {"protocol": "dragon"}),
    ("chained", False, {"protocol": "chained"}),
    ("single", False, {"protocol": "single"}),
    ("mesif", False, {"protocol": "mesif"}),
    ("firefly", False, {"protocol": "firefly"}),
    *((made.name, False, {"protocol": made.name}) for made in (COUNTING, PAST, LAST, LAST_OWNER, *WITHOUT_ALLOCATION)),
]
CACHES = 5
MADE = (SINGLE, MESIF, FIREFLY, COUNTING, PAST, LAST, LAST_OWNER, *WITHOUT_ALLOCATION)


def _register() -> None:
    for made in MADE:
        register(made)


@pytest.mark.parametrize(("name", "switched", "options"), TABLES)
def test_messages_are_those_of_the_tables(name, switched, options) -> None:
    _register()

    @given(st.lists(st.tuples(st.integers(0, CACHES - 1), st.booleans()), max_size=40))
    def check(references) -> None:
        tellings, requests = naive.carried_through(protocol(name), references, CACHES, switched)
        engine = Functional(CACHES, directory="line", collect=True, **options)
        if references:
            proc, write = (np.array(column) for column in zip(*references, strict=True))
            engine.feed(*block_of(proc, np.full(len(proc), 64), 4, write))
        sent = Counter()
        for part in engine.take_sets():
            for _, destinations, count in part:
                sent[frozenset(destinations)] += count
        assert sent == Counter(tellings)
        assert requests == engine.machine["requests"]

    check()


@given(st.lists(st.tuples(st.integers(0, CACHES - 1), st.booleans()), max_size=40), st.integers(2, 3))
def test_few_pointers_do_what_the_tables_do(references, pointers) -> None:
    """The home, whose own copy needs no pointer in the machine, is another node than those that refer to the line."""
    made = replace(protocol("limited"), pointers=pointers)
    tellings, requests = naive.carried_through(made, references, CACHES)
    engine = Functional(CACHES + 1, protocol="limited", pointers=pointers, directory="line", collect=True)
    engine.feed(*block_of(CACHES, [0], 4, False))
    if references:
        proc, write = (np.array(column) for column in zip(*references, strict=True))
        engine.feed(*block_of(proc, np.full(len(proc), 64), 4, write))
    # A copy that is taken to make room is told as one of a write is, and counted apart.
    sent = [frozenset(nodes) for part in engine.take_sets() for _, nodes, count in part for _ in range(count)]
    assert Counter(map(len, tellings)) == Counter(map(len, sent)) + Counter({1: engine.evictions})
    assert Counter(tellings) >= Counter(sent)
    assert requests == engine.machine["requests"] - 1


@given(st.lists(st.tuples(st.integers(0, CACHES - 1), st.booleans()), max_size=40), st.integers(2, 3))
def test_few_pointers_under_update_do_what_the_tables_do(references, pointers) -> None:
    """Who is told of which write, and how many copies go for another one, reference by reference by the tables."""
    made = replace(protocol("limited_update"), pointers=pointers)
    state, updated, taken = naive.at_rest(made, CACHES), Counter(), 0
    for cache, is_write in references:
        state, messages = naive.carry(made, state, cache, "write" if is_write else "read")
        told = {name: frozenset(to for message, to in messages if message == name) for name in ("Update", "Inv")}
        updated.update([told["Update"]] if told["Update"] else [])
        taken += len(told["Inv"])
    engine = Functional(CACHES + 1, protocol="limited_update", pointers=pointers, directory="line", collect=True)
    engine.feed(*block_of(CACHES, [0], 4, False))
    if references:
        proc, write = (np.array(column) for column in zip(*references, strict=True))
        engine.feed(*block_of(proc, np.full(len(proc), 64), 4, write))
    sent = Counter()
    for part in engine.take_sets():
        for _, nodes, count in part:
            sent[frozenset(nodes)] += count
    assert (sent, engine.evictions) == (updated, taken)


@pytest.mark.parametrize(
    "name",
    [
        *("chained", "msi", "mesi", "moesi", "mixed", "update", "dragon", "single", "mesif", "firefly"),
        *(made.name for made in (COUNTING, PAST, LAST, LAST_OWNER, *WITHOUT_ALLOCATION)),
    ],
)
@pytest.mark.parametrize("ways", [1, 2, 4])
def test_small_caches_do_what_the_tables_do(name, ways) -> None:
    """What is told, asked, fetched, written back and given up with a word, step by step by the tables themselves."""
    _register()
    made = protocol(name)

    @given(st.integers(0, 1 << 30))
    @settings(max_examples=draws(15))
    def check(seed) -> None:
        draw = random.Random(seed)
        references = [(draw.randrange(4), draw.randrange(6), draw.random() < 0.3) for _ in range(200)]
        tellings, counts = naive.with_small_caches(made, references, 4, ways)
        engine = Functional(4, protocol=name, directory="line", collect=True, caches=(32 * ways, ways))
        proc, line, write = (np.array(column) for column in zip(*references, strict=True))
        engine.feed(*block_of(proc, 32 * line, 4, write))
        sent = Counter()
        for part in engine.take_sets():
            for _, destinations, count in part:
                sent[frozenset(destinations)] += count
        assert sent == Counter(tellings)
        found = {**engine.machine, "misses": engine.misses}
        assert {key: found[key] for key in counts} == counts

    check()


def test_protocols_without_such_rules_are_refused() -> None:
    with pytest.raises(JumpnetError, match="it never comes to rest"):
        rules_of(replace(protocol("msi"), name="stuck", home="U GetS D ask\nU GetM D ask"))


def test_a_line_that_was_fetched_is_not_written_back_too() -> None:
    """Node 3 writes a line that node 1 owns, and takes the oldest place in the page's entry, which is node 1's.

    The home has fetched the line by then, so the copy that node 1 gives up is clean. Homes are drawn by page: node 0.
    """
    _register()
    engine = Functional(
        4, protocol="firefly", pointers=2, evicts=True, caches=(128, 4), placement="interleaved", collect=True
    )
    references = [(1, 0, True), (2, 32, False), (3, 0, True)]  # node 1 owns line 0; the page lists 1 and 2
    proc, address, write = (np.array(column) for column in zip(*references, strict=True))
    engine.feed(*block_of(proc, address, 4, write))
    counted = engine.machine
    assert (counted["fetches"], counted["write_backs"], engine.evictions) == (1, 0, 1)
    assert [(home, nodes, count) for part in engine.take_sets() for home, nodes, count in part] == [(0, [2], 1)]
