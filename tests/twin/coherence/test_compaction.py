"""Hash compaction: what a hash of few bits misses is what its slow twin misses, and as often as the formula says."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.naive import compaction as naive

from jumpnet.coherence.check import chance_of_a_miss, check_protocol
from jumpnet.coherence.protocol import protocol, protocols
from jumpnet.coherence.search import states as search
from jumpnet.coherence.search._hashes import lane_sums, lane_weights, place_factors
from jumpnet.coherence.search._slots import Found, told
from jumpnet.coherence.search.model import Model
from jumpnet.coherence.search.states import States
from jumpnet.errors import JumpnetError

MSI_3 = 1375
"""States of msi with three caches."""


def _compact(name: str, caches: int, bits: int, salt: int = 0, threads: int = 1, in_order: bool = False) -> States:
    states = States(Model(protocol(name), caches, in_order, False), caches, threads, bits=bits, salt=salt)
    assert states.reach() == ("", 0)
    return states


@pytest.mark.parametrize(
    ("name", "caches", "bits", "salt", "in_order", "misses"),
    [("msi", 3, 9, 0, False, True), ("mesi", 3, 12, 4, True, True), ("msi", 4, 12, 5, False, True),
     ("msi", 4, 62, 2, False, False)],
)  # fmt: skip
def test_states_found_are_those_of_the_twin(
    name: str, caches: int, bits: int, salt: int, in_order: bool, misses: bool
) -> None:
    states = _compact(name, caches, bits, salt, in_order=in_order)
    twin = states.model  # which numbers records as they were met

    def words(state: tuple[int, ...]) -> list[int]:
        parts = [states._home_number(twin.homes[state[0]]), *state[1:]]
        return [sum(part << 16 * k for k, part in enumerate(parts[w : w + 4])) for w in range(0, len(parts), 4)]

    found, met = naive.search(twin, words, bits, salt, search.FIRST_SLOTS)
    assert [states.state(k) for k in range(states.count)] == found
    assert int(states.found.met[0]) == met > 0
    exact = States(Model(protocol(name), caches, in_order, False), caches, 1)
    exact.reach()
    assert (len(found) < exact.count) == misses


@pytest.mark.parametrize("words", [1, 2, 3])
@pytest.mark.parametrize("bits", [8, 40, 62])
def test_hashes_are_those_of_the_twin(words: int, bits: int) -> None:
    drawn = np.random.default_rng(words).integers(0, 1 << 64, (50, words), np.uint64)
    none = np.zeros(1, np.int64)
    weights, factors = lane_weights(7), place_factors(words, False)
    found = Found(drawn, np.zeros(50, np.int32), np.zeros(1 << 10, np.uint64), none, none, weights, factors, bits)
    apart = found._replace(factors=place_factors(words, True))
    slots = naive.Slots(bits, 7, 1 << 10)
    for state in drawn:
        h, mark = (int(word) for word in told(found, state))
        plain = list(map(int, state))
        assert (h % (1 << 10), mark - (1 << 63)) == slots.place_and_hash(plain)
        assert list(map(int, lane_sums(apart, state))) == naive.sums(plain, 7, apart=True)


def test_hashes_do_not_depend_on_the_order_of_caches_unless_they_are_told_apart() -> None:
    one, other = (
        np.array([sum(n << 16 * k for k, n in enumerate(lanes))], np.uint64) for lanes in ([5, 7, 9], [5, 9, 7])
    )
    none = np.zeros(1, np.int64)
    found = Found(one, none, none, none, none, lane_weights(0), place_factors(1, False), 0)
    assert lane_sums(found, one) == lane_sums(found, other)
    found = found._replace(factors=place_factors(1, True))
    assert lane_sums(found, one) != lane_sums(found, other)


def test_states_are_missed_as_often_as_the_formula_says() -> None:
    """Of 50 searches with hashes of 12 bits, as many miss a state as the formula says."""
    runs = [_compact("msi", 3, 12, salt) for salt in range(50)]
    missed = sum(states.count < MSI_3 for states in runs)
    expected = [chance_of_a_miss(int(states.found.met[0]), 12) for states in runs]
    spread = math.sqrt(sum(p * (1 - p) for p in expected))
    assert 10 < sum(expected) < 30
    assert abs(missed - sum(expected)) < 3 * spread


def test_the_formula_is_the_product_over_all_meetings() -> None:
    assert chance_of_a_miss(1000, 8) == pytest.approx(1 - (255 / 256) ** 1000)
    assert chance_of_a_miss(1, 62) == 2.0**-62
    assert chance_of_a_miss(0, 40) == chance_of_a_miss(10, 0) == 0.0


def test_meetings_are_as_many_as_linear_probing_has() -> None:
    """A search without a match at load a passes (1 / (1 - a)^2 - 1) / 2 states that stand there (Knuth, 6.4)."""
    states = _compact("dragon", 4, 62)
    expected, slots = 0.0, search.FIRST_SLOTS
    for number in range(states.count):
        slots *= 2 if 4 * number >= 3 * slots else 1
        expected += ((1 - number / slots) ** -2 - 1) / 2
    assert int(states.found.met[0]) == pytest.approx(expected, rel=0.05)


@pytest.mark.parametrize("name", sorted(protocols()))
@pytest.mark.parametrize(("order", "acknowledges"), [("any", "single"), ("fifo", "combined")])
def test_where_nothing_was_missed_all_is_as_without(name: str, order: str, acknowledges: str) -> None:
    exact = check_protocol(protocol(name), 3, order=order, acknowledges=acknowledges)
    compact = check_protocol(protocol(name), 3, order=order, acknowledges=acknowledges, compact=60)
    assert 0.0 < compact.missed < 1e-13
    assert replace(compact, compact=0, missed=0.0) == exact


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [("msi", "S   Inv       I   send InvAck, drop", "S   Inv       S   send InvAck"),
     ("msi", "IS  Data      S   take, send Done", "IS  Data      I   send Done"),
     ("mixed", "DV  Done       V   -", "DV  Done       DV  -")],
)  # fmt: skip
def test_faults_and_the_way_to_them_are_as_without(name: str, old: str, new: str) -> None:
    made = protocol(name)
    wrong = replace(made, cache=made.cache.replace(old, new), home=made.home.replace(old, new))
    exact = check_protocol(wrong, 3)
    assert exact.fault and exact.path
    assert replace(check_protocol(wrong, 3, compact=60), compact=0, missed=0.0) == exact


def test_threads_and_chunks_change_nothing_that_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    one = _compact("dragon", 4, 14)
    assert one.count < 70_104
    monkeypatch.setattr(search, "CHUNK", 97)
    for threads in (1, 3):
        other = _compact("dragon", 4, 14, threads=threads)
        assert np.array_equal(one.found.states[: one.count], other.found.states[: other.count])
        assert np.array_equal(one.found.slots, other.found.slots) and one.found.met == other.found.met


def test_memory_is_the_table_of_slots() -> None:
    """States are on disk; 8 bytes a slot, three quarters of which are taken before there are twice as many."""
    states = _compact("dragon", 4, 40)
    assert states.found.slots.nbytes <= 8 * (8 / 3) * states.count
    folder = states._room.folder
    assert folder is not None and (folder / "states").stat().st_size >= 16 * states.count
    del states
    assert not folder.exists()


@pytest.mark.parametrize("bits", [-1, 7, 63, 40.5, True])
def test_bits_that_are_none_are_refused(bits: object) -> None:
    with pytest.raises(
        JumpnetError,
        match=r"compact=.* found, 8 to 62 bits expected, or 0 for none|compact .* found, a whole number expected",
    ):
        check_protocol(protocol("msi"), 2, compact=bits)
