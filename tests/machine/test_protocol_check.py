"""The model checker passes MSI for 2 and 3 caches, and finds what is broken on purpose."""

from __future__ import annotations

import pytest

from jumpnet.coherence.check import check_protocol
from jumpnet.coherence.protocol import msi
from jumpnet.errors import JumpnetError


@pytest.mark.parametrize("caches", [2, 3])
def test_msi_is_coherent(caches: int) -> None:
    found = check_protocol(msi.CACHE, msi.HOME, caches)
    assert found.fault == ""
    assert found.states > 50


BROKEN = {
    "keeps its copy": ("S   Inv       I   send InvAck, drop", "S   Inv       S   send InvAck"),
    "no acknowledge": ("S   Inv       I   send InvAck, drop", "S   Inv       I   drop"),
    "no row": ("IM  Inv       IM  send InvAck", ""),
    "no invalidation": ("S   GetM       WI  ask, invalidate", "S   GetM       DM  ask, reply DataM, own"),
    "memory not written": ("M   PutM       U   store, release, ack", "M   PutM       U   release, ack"),
}


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_a_broken_rule_is_found(name: str) -> None:
    old, new = BROKEN[name]
    assert (old in msi.CACHE) != (old in msi.HOME)
    assert check_protocol(msi.CACHE.replace(old, new), msi.HOME.replace(old, new), 2).fault


def test_a_row_that_is_none_is_refused() -> None:
    with pytest.raises(JumpnetError, match="row 'I read' found"):
        check_protocol("I read", msi.HOME)
