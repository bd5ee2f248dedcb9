"""The functional engine sends what the tables of the protocols send when each reference is carried through at once."""

from __future__ import annotations

import importlib.util
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jumpnet.coherence.functional import Functional
from jumpnet.coherence.protocol import protocol
from jumpnet.machine.trace import block_of

spec = importlib.util.spec_from_file_location("naive_protocol", Path(__file__).parents[1] / "naive" / "protocol.py")
naive = importlib.util.module_from_spec(spec)
spec.loader.exec_module(naive)

TABLES = [  # name, switched to update, the engine's settings, whether the requests are the same too
    ("msi", False, {"protocol": "invalidate"}, True),
    ("mesi", False, {"protocol": "invalidate", "exclusive": True}, True),
    ("mixed", False, {"protocol": "invalidate"}, True),
    ("update", False, {"protocol": "update"}, True),
    ("mixed", True, {"protocol": "update"}, True),
    ("dragon", False, {"protocol": "update"}, False),
]
CACHES = 5


@pytest.mark.parametrize(("name", "switched", "options", "same"), TABLES)
def test_messages_are_those_of_the_tables(name, switched, options, same) -> None:
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
        found = engine.machine["requests"]
        assert requests == found if same else requests <= found

    check()
