"""The kernel of a network of chips equals the plain model, clock by clock and bit by bit."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.chip.loads import arrivals, completed, loaded, random_packets

from jumpnet.chip.compiled.network import FastNetwork
from jumpnet.chip.settings import Settings

choices = st.builds(
    Settings,
    full_duplex=st.booleans(),
    turn_round=st.integers(0, 1),
    early=st.booleans(),
    bitmap_clocks=st.integers(0, 3),
    entries=st.integers(1, 4),
)


@settings(max_examples=10)
@given(st.sampled_from(["rdt:4", "rdt:8"]), st.integers(0, 2**20), choices)
@example("rdt:16", 1, Settings())
@example("rdt:4", 3, Settings(turn_round=1, entries=1))
def test_kernel_is_the_plain_model(spec: str, seed: int, choice: Settings) -> None:
    routers = int(spec.partition(":")[2]) ** 2
    packets = random_packets(spec, seed, 0.5 / routers, 60)
    net, fast = loaded(spec, packets, choice), FastNetwork(spec, packets, choice)
    for _ in range(3):
        net.run(50)
        fast.run(50)
        assert [tuple(a) for a in sorted(fast.arrivals())] == arrivals(net)
        assert [tuple(done) for done in sorted(fast.completed())] == completed(net)
        assert fast.idle == all(chip.asleep for chip in [*net.chips[0], *net.mbps])
    assert packets and arrivals(net)


@settings(max_examples=4)
@given(st.sampled_from(["rdt:4", "rdt:8"]), st.integers(0, 2**20), st.integers(0, 4))
@example("rdt:8", 4, 1)
def test_kernel_is_the_plain_model_where_passes_wait_for_all_outputs(spec: str, seed: int, entries: int) -> None:
    choice = Settings(full_duplex=True, wait_for_all=True, entries=entries)
    packets = random_packets(spec, seed, 1.0 / int(spec.partition(":")[2]) ** 2, 80, multicasts=0.8)
    net, fast = loaded(spec, packets, choice), FastNetwork(spec, packets, choice)
    for _ in range(12):
        net.run(60)
        fast.run(60)
        assert [tuple(a) for a in sorted(fast.arrivals())] == arrivals(net)
        assert [tuple(done) for done in sorted(fast.completed())] == completed(net)
    assert fast.idle and fast.unanswered == 0


def test_a_long_loaded_run_delivers_and_answers_everything() -> None:
    """256 chips: no packet is lost, no multicast goes unanswered, nothing gets stuck."""
    packets = random_packets("rdt:16", 7, 0.002, 1000)
    fast = FastNetwork("rdt:16", packets)
    fast.run(6000)
    asked = sum(packet.flits[1] >> 13 & 1 for packet in packets)
    assert fast.idle and fast.unanswered == 0
    assert len(fast.completed()) == asked > 100
    senders = {(packet.router, packet.flits[-1]) for packet in packets}
    assert len({a.flits[-1] for a in fast.arrivals()}) == len({parity for _, parity in senders})
