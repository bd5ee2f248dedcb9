"""Runs of the simulator drawn at random, over all that a run may have: `drawn(seed)` is one that is lawful.

The seed is a text; the same one draws the same run. `build_case` makes its network and settings. Used by
`tests.attack.drawn.engines`.
"""

from __future__ import annotations

import dataclasses
from random import Random
from typing import Any, NamedTuple, get_args

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting, bind, routings
from jumpnet.sim.config import SimConfig, config_from
from jumpnet.sim.config.parameters import BROUGHT, Allocator, BufferPolicy, Priority, VcAllocator
from jumpnet.sim.config.traffic_class import packet_lengths
from jumpnet.sim.engine import Engine
from jumpnet.sim.faults.engine import FaultyEngine
from jumpnet.sim.faults.plan import Recovery, parse_fault
from jumpnet.sim.measure.run import NO_WINDOW
from jumpnet.terms import NO_ROUTER
from jumpnet.topology import build
from jumpnet.traffic import PacketList

__all__ = ["Case", "build_case", "drawn", "make_engine", "trace_of"]

MOST_ROUTERS = 320
MANY = 1024
"""From here on kernels ask for memory ahead, and some sets are not kept."""
LONG = ("lash", "nue", "dfsssp")
"""Routings whose tables take minutes then."""
MOST_STRUCK = 100
"""More routers take minutes, as old and new routes are proved to go together."""
MOST_STOPS = 5
TWIN_ROUTERS = 40
"""More take the plain-Python twin too long."""


class Case(NamedTuple):
    """A run, and where it is looked at."""

    spec: str
    routing: str
    vcs: int
    settings: dict[str, Any]
    latencies: int
    """Seed of unequal latencies of the links, 0: as the settings say."""
    packets: int
    """Packets of a random trace in place of the traffic, 0: none."""
    stops: tuple[int, ...]
    """Cycles at which runs are compared."""
    twin_cycles: int
    """Cycles that the twin runs, 0: it does not."""
    faults: tuple[str, ...] = ()
    """Faults, as `parse_fault` reads them."""
    how: dict[str, Any] = {}  # noqa: RUF012  # never changed
    """The fields of `Recovery`: what is done about them."""
    window: tuple[int, int] = (0, NO_WINDOW)
    """Cycles whose packets are measured: from, and before."""


def _sides(draw: Random, most: int, product: int) -> str:
    sides = [draw.randint(2, most) for _ in range(draw.choice([1, 2, 2, 2, 3]))]
    while np.prod(sides) > product:
        sides[draw.randrange(len(sides))] = 2
    return "x".join(map(str, sides))


def spec_of(draw: Random, most: int) -> str:
    """The spec of a network that may have more than `most` routers."""
    grid = _sides(draw, 16, most)
    side, few = draw.randint(2, 6), draw.randint(2, 4)
    large = most >= 64
    return draw.choice(
        [
            *[f"torus:{grid}", f"mesh:{grid}"] * 4,
            *[f"torus:{draw.randint(8, 16)}x{draw.randint(8, 16)}"] * (3 * large),
            *[f"mesh:{draw.randint(8, 16)}x{draw.randint(8, 16)}"] * (2 * large),
            f"torus:{grid},terminals=2",
            f"hypercube:{draw.randint(2, 8)}",
            f"cmesh:{draw.randint(2, 8)}x{draw.randint(2, 8)},c={few},express={draw.choice(['true', 'false'])}",
            f"flatfly:{side},n={draw.randint(1, 3)},c={draw.randint(1, 4)}",
            f"hyperx:{grid},t={draw.randint(1, 3)}",
            f"dragonfly:{draw.choice([1, 2, 2, 3])}",
            f"dragonfly:2,p=1,a={draw.randint(3, 4)},g={draw.randint(3, 5)}",
            f"fattree:{draw.randint(2, 5)},n={draw.randint(1, 4)}",
            f"fly:{draw.randint(2, 4)},n={draw.randint(1, 4)}",
            f"clos:{few},{side},{draw.randint(2, 9)}",
            f"kautz:2,n={draw.randint(2, 5)}",
            f"debruijn:2,n={draw.randint(2, 7)}",
            f"random:{2 * draw.randint(4, 80)},d={draw.randint(3, 6)},seed={draw.randint(1, 9)},t={draw.randint(1, 2)}",
            f"complete:{draw.randint(2, 40)}",
            f"rdt:{draw.choice([4, 8, 16])}",
            f"prdt:{draw.choice([4, 8, 16])}",
            f"star:{draw.randint(3, 5)}",
            f"ccc:{draw.randint(3, 5)}",
            f"srt1d:{draw.choice([8, 16, 32, 64])}",
            f"srt2d:{draw.choice([4, 8, 16])}",
            f"rdn:3,k={draw.randint(0, 2)}",
            f"tree:2,height={draw.randint(2, 6)}",
            f"slimfly:{draw.choice([3, 4, 5, 7])}",
            f"hypermesh:{few}",
            f"midimew:{draw.randint(9, 90)}",
            f"chordalring:{2 * draw.randint(4, 40)},w={draw.choice([3, 5])}",
            f"circularomega:{draw.randint(2, 5)},directed={draw.choice(['true', 'false'])}",
            draw.choice([f"barrelshifter:{2 ** draw.randint(2, 7)}", f"crossedcube:{draw.randint(2, 7)}"]),
            draw.choice([f"dualcube:{draw.randint(2, 4)}", f"illiac:{draw.randint(3, 9)}"]),
            draw.choice([f"pradhan:{draw.randint(3, 7)}", f"hypernet:{draw.randint(3, 4)},h={draw.randint(1, 2)}"]),
            f"wk:{draw.randint(2, 5)},t={draw.randint(1, 3)}",
        ]
    )


def _large(draw: Random) -> str:
    sides = f"{draw.randint(32, 45)}x{draw.randint(32, 45)}"
    return draw.choice([f"torus:{sides}", f"mesh:{sides}", "rdt:32", f"random:{draw.randint(520, 700) * 2},d=4,seed=1"])


def routing_of(draw: Random, net: Network) -> str:
    """A routing that fits, made for the family three times out of four."""
    names = [name for name in routings() if not name.startswith(("test.", "my_"))]
    fitting = [name for name in names if routings()[name].misfit(net) is None]
    if net.routers >= MANY:
        fitting = [name for name in fitting if name not in LONG]
    own = [name for name in fitting if "." in name]
    return draw.choice(own if own and draw.random() < 0.75 else fitting)


def _packets(draw: Random) -> str:
    return draw.choice(["1", "1", "2", "4", "5", "16", "1*0.5+6*0.5", "1*0.8+5*0.2", "1..4", "3..17", "40"])


def _pattern(draw: Random) -> str:
    names = ["bad_dragonfly", "bit_complement", "bit_reverse", "neighbor", "shuffle", "tornado", "transpose", "local"]
    return draw.choice(["uniform"] * 8 + ["hotspot:count=2", "hotspot:nodes=0-1,weights=1-3", "uniform:self=1",
                                          "random_permutation", "worst", *names])  # fmt: skip


def _process(draw: Random) -> str:
    return draw.choice(["bernoulli"] * 4 + ["onoff:alpha=0.2,beta=0.3,r1=-1", "onoff:alpha=0.01,beta=-1,r1=1"])


def plain_settings(draw: Random) -> dict[str, Any]:
    """Settings under which all engines can run, if the network is not too large."""
    few = draw.random() < 0.5
    return {
        "load": draw.choice([0.02, 0.1, 0.2, 0.3, 0.5, 0.8, 1.0]),
        "packet_flits": _packets(draw),
        "traffic": _pattern(draw),
        "injection": _process(draw),
        "seed": draw.randrange(1000),
        "buffer_flits": draw.choice([1, 2, 3, 4, 5, 8, 8, 12, 16, 33]),
        "routing_delay_cycles": 1 if few else draw.randint(0, 4),
        "vc_allocation_delay_cycles": 1 if few else draw.randint(0, 4),
        "switch_allocation_delay_cycles": 1 if few else draw.randint(0, 1),
        "st_final_delay_cycles": 1 if few else draw.randint(1, 3),
        "link_cycles": draw.choice([1, 1, 1, 2, 3, 4, 7, 12]),
        "terminal_link_cycles": draw.choice([1, 1, 1, 2, 3]),
        "credit_delay_cycles": draw.choice([0, 0, 0, 1, 2, 5]),
        "vc_reuse": draw.choice(["auto", "auto", "tail", "empty"]),
        "batch_cycles": draw.choice([500, 64]),
        "flow_control": draw.choice(["wormhole", "wormhole", "cut_through"]),
    }


def more_settings(draw: Random) -> dict[str, Any]:
    """Settings of the general engine alone, some of them."""
    once = ["input_first", "lonely_output", "max_size", "wavefront", "rr_wavefront"]
    allocator = draw.choice(get_args(Allocator))
    vc_allocator = draw.choice(get_args(VcAllocator))
    groups: list[dict[str, Any]] = [
        {"allocator": allocator,
         "allocator_iterations": 1 if allocator in once[1:] else draw.randint(1, 3)},
        {"vc_allocator": vc_allocator,
         "vc_allocator_iterations": 1 if vc_allocator in once else draw.randint(1, 3)},
        {"speculation": True},
        {"selection": draw.choice(["first", "credits"])},
        {"injection_ports": draw.randint(1, 2), "ejection_ports": draw.randint(1, 3)},
        {"entry_vcs": draw.randint(1, 3)},
        {"source_queue_packets": draw.choice([1, 2, 5])},
        {"reply_flits": draw.choice([1, 4, 9]), "reply_delay_cycles": draw.choice([0, 3, 20])},
        {"input_speedup": draw.randint(1, 3), "output_speedup": draw.randint(1, 2)},
        {"internal_speedup": draw.choice([1.3, 1.5, 1.7, 2.0, 3.0])},
        {"hold_switch": True},
        {"output_speedup": 2, "output_buffer_flits": draw.randint(1, 4)},
        {"priority": draw.choice(get_args(Priority)[1:])},
        {"priority": draw.choice(BROUGHT[2:]), "priority_donation": True},
        {"buffer_policy": draw.choice(get_args(BufferPolicy)[1:]), "private_parts": draw.choice([0, 0, 1, 2])},
        {"arbiter": "matrix"},
        {"vc_arbiter": "matrix"},
        {"arbiter_groups": draw.choice([3, 4, 5])},
        {"vc_arbiter_groups": draw.choice([3, 4, 5])},
        {"vc_asks_by_channel": True},
        {"vc_needs_credit": True},
        {"vc_empty_first": True},
        {"channels_by_next_output": True},
        {"stage_batches": True, "routing_delay_cycles": draw.randint(1, 4),
         "vc_allocation_delay_cycles": draw.randint(1, 3)},
        {"switch_allocation_delay_cycles": draw.randint(2, 4), "st_prepare_delay_cycles": draw.randint(0, 2)},
        {"subnets": draw.randint(2, 3)},
        {"more_classes": [_class(draw) for _ in range(draw.randint(1, 3))], "class_priority": draw.randint(-2, 2)},
        {"more_classes": [_class(draw) for _ in range(draw.randint(1, 7))], "class_channels": "own"},
        {**_exchange(draw), "subnets": draw.randint(1, 4)},
        {"input_speedup": draw.randint(1, 4), "internal_speedup": draw.choice([1.25, 2.0]), "hold_switch": True,
         "output_buffer_flits": draw.randint(1, 9), "stage_batches": True, "st_prepare_delay_cycles": 1},
    ]  # fmt: skip
    found: dict[str, Any] = {}
    for group in draw.sample(groups, draw.choice([1, 1, 2, 2, 3, 4])):
        found |= group
    return found


def _class(draw: Random) -> dict[str, Any]:
    return {"load": draw.choice([0.05, 0.3]), "packet_flits": _packets(draw), "traffic": _pattern(draw),
            "injection": _process(draw), "priority": draw.randint(-2, 2)}  # fmt: skip


def _exchange(draw: Random) -> dict[str, Any]:
    """Reads and writes; their virtual channels follow when the routing is known."""
    return {"packet_flits": "1*0.6+4*0.4", "exchange_flits": draw.choice(["5,1", "2,3"]), "exchange_vcs": "0,0,1,1"}


def channels_of(draw: Random, net: Network, needed: int, settings: dict[str, Any]) -> int:
    """How many virtual channels: so that a router has so many lanes or some more."""
    ports = net.ports + int(net.terminals.max()) * settings.get("injection_ports", 1)
    ports *= 2 if settings.get("reply_flits") else 1
    lanes = draw.choice([1, 1, 14, 24, 31, 32, 36, 40, 44, 48, 48, 49, 64, 96])
    return max(needed, min(16, lanes // ports)) + (draw.random() < 0.1)


def agree(draw: Random, settings: dict[str, Any], vcs: int) -> None:
    """Change what does not go together, where that is simple."""
    longest = 40
    if settings["flow_control"] == "cut_through":
        settings["buffer_flits"] += longest
    if settings.get("exchange_flits"):
        starts = [draw.randint(0, 2) for _ in range(4)] if draw.random() < 0.5 else [0, vcs, 2 * vcs, 3 * vcs]
        settings["exchange_vcs"] = ",".join(map(str, starts))
        settings["port_vcs"] = max(starts) + vcs
        if settings.get("subnets", 1) > 1:
            settings["exchange_subnets"] = ",".join(str(draw.randrange(settings["subnets"])) for _ in starts)
    if settings.get("priority") == "class" and not settings.get("more_classes"):
        settings["priority"] = "age"
    if not settings.get("more_classes"):
        settings.pop("class_channels", None)


def once(draw: Random) -> Case:
    """A run that may be refused with JumpnetError."""
    size = draw.random()
    small = size < 0.3
    most = TWIN_ROUTERS if small else 2 * MANY if size > 0.94 else MOST_ROUTERS
    spec = spec_of(draw, most) if most < MANY else _large(draw)
    net = build(spec)
    if not 2 <= net.routers <= most or net.endpoints < 2:
        raise JumpnetError("too large")
    settings = plain_settings(draw)
    if small or draw.random() < 0.35:
        settings |= more_settings(draw)
    routing = routing_of(draw, net)
    bubble = routings()[routing].bubble
    if bubble:
        settings |= {"flow_control": "cut_through", "packet_flits": draw.choice(["1", "5", "16"]), "vc_reuse": "auto"}
    needed = bind(routing, net).vcs
    vcs = channels_of(draw, net, needed, settings)
    agree(draw, settings, vcs)
    routers = net.routers * settings.get("subnets", 1)
    cycles = min(4000, max(120, draw.choice([60_000, 150_000, 300_000]) // routers))
    stops = sorted({draw.randint(1, cycles) for _ in range(draw.randint(1, MOST_STOPS - 1))} | {cycles})
    twin = min(160, 3000 // routers) if small else 0
    traced = draw.random() < (0.12 if small else 0.08) and not settings.get("more_classes")
    packets = draw.randint(1, cycles * net.endpoints // 20 + 2) if traced else 0
    case = Case(spec, routing, vcs, settings, draw.randint(1, 99) * (draw.random() < 0.1), packets, tuple(stops), twin)
    if draw.random() < 0.1 and net.routers <= MOST_STRUCK:
        case = case._replace(twin_cycles=0, faults=_faults(draw, net, cycles), how=_how(draw))
    if draw.random() < 0.3:
        case = case._replace(window=(begin := draw.randrange(cycles), begin + draw.choice([1, 50, 100_000])))
    if draw.random() < 0.2 and not packets:
        settings |= _steps(draw, cycles)
    make_engine(case, 1, None)
    return case


def _steps(draw: Random, cycles: int) -> dict[str, Any]:
    """Loads that change on the way."""
    when = sorted(draw.sample(range(1, cycles + 1), draw.choice([1, 1, 2, 9])))
    steps = ",".join(f"{cycle}:{draw.choice([0.0, 0.02, 0.1, 0.3, 0.9])}" for cycle in when)
    return {"load_steps": steps, "warmup_cycles": 0, "measure_cycles": cycles + 1}


def _faults(draw: Random, net: Network, cycles: int) -> tuple[str, ...]:
    """One or two faults, of links and routers."""
    there = np.argwhere(net.neighbor != NO_ROUTER)
    found = []
    for _ in range(draw.randint(1, 2)):
        r, p = there[draw.randrange(len(there))].tolist()
        what = [f"link={r}-{net.neighbor[r, p]}", f"router={draw.randrange(net.routers)}"]
        named = ",".join(draw.sample(what, draw.choice([1, 1, 2])))
        found.append(f"cycle={draw.randint(1, cycles)},{named}")
    return tuple(found)


def _how(draw: Random) -> dict[str, Any]:
    return {"reroute": draw.choice(["lash", "up_down"]), "retry_cycles": draw.choice([None, 0, 40]),
            "flush": draw.random() < 0.2, "on_ring": draw.choice(["watch", "drop"])}  # fmt: skip


def drawn(seed: str) -> tuple[Case, int]:
    """A lawful run, and how many were refused before it."""
    draw, refused = Random(seed), 0
    while True:
        try:
            return once(draw), refused
        except JumpnetError:
            refused += 1


def build_case(case: Case) -> tuple[BoundRouting, SimConfig]:
    """The routing on its network, and the settings; raises JumpnetError."""
    net = build(case.spec)
    if case.latencies:
        cycles = np.random.default_rng(case.latencies).integers(1, 6, net.neighbor.shape)
        net = dataclasses.replace(net, latency=np.where(net.neighbor == NO_ROUTER, 0, cycles).astype(np.int32))
    config = config_from({**case.settings, "vcs": case.vcs})
    return bind(case.routing, net, case.vcs), config


def make_engine(case: Case, threads: int, sets: bool | None) -> Engine:
    """An engine of a case at cycle 0; raises JumpnetError."""
    bound, config = build_case(case)
    trace = trace_of(case, bound.network.endpoints)
    if not case.faults:
        return Engine(bound.network, bound, config, trace, threads, sets=sets)
    plan = [parse_fault(fault) for fault in case.faults]
    engine = FaultyEngine(bound.network, case.routing, config, plan, Recovery(**case.how), trace=trace, threads=threads)
    engine.sets = sets
    return engine


def trace_of(case: Case, endpoints: int) -> PacketList | None:
    """The packets of a case that replays a trace."""
    if not case.packets:
        return None
    rng, n = np.random.default_rng(case.packets), case.packets
    created = np.sort(np.where(rng.random(n) < 0.2, 5, rng.integers(0, case.stops[-1], n)))
    source, to = rng.integers(0, endpoints, (2, n))
    flits = rng.integers(1, min(7, int(case.settings["buffer_flits"])) + 1, n)
    if case.settings.get("exchange_flits"):  # what is read or written is known by the length of the request
        flits = rng.choice(packet_lengths(case.settings["packet_flits"])[0], n)
    if routings()[case.routing].bubble:
        flits[:] = int(case.settings["packet_flits"])
    return PacketList(created, source, np.where(to == source, (to + 1) % endpoints, to), flits)
