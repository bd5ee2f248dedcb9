"""What `drawn` draws from seed 301 on besides: the rest of BookSim 2's language, over settings that are drawn already.

Trees of routers with links of unequal length (anynet), other flattened butterflies, three classes with priorities and
processes of their own, mixes with rates, reads and writes in copies of the network, `noq`, iterations, `buf_size`, two
extras at once, and batches.
"""

from __future__ import annotations

from random import Random
from typing import Any

__all__ = ["ROUTERS_OF_TREE", "tree_text", "widened"]

Settings = dict[str, Any]

EXTRAS: tuple[Settings, ...] = (
    {"input_speedup": 2}, {"output_speedup": 2}, {"internal_speedup": 2.0}, {"internal_speedup": 1.7},
    {"hold_switch_for_packet": 1}, {"output_buffer_size": 3}, {"priority": "age"}, {"speculative": 1}, {"subnets": 2},
    {"vct": 1, "vc_buf_size": 32}, {"wait_for_tail_credit": 1}, {"st_final_delay": 3}, {"routing_delay": 3},
)  # fmt: skip
ITERATED = ("islip(2)", "pim(2)", "islip(3)")
ROUTERS_OF_TREE = 14
LONGEST_LINK_CYCLES = 6


def tree_text(seed: int) -> str:
    """A drawn tree in BookSim's words, one or two nodes a router, links of 1 to 6 cycles: one way, so no deadlock.

    >>> tree_text(1).splitlines()[0][:15]
    'router 0 node 0'
    """
    rng, lines, node = Random(f"tree {seed}"), [], 0
    for router in range(ROUTERS_OF_TREE):
        words = [f"router {router}"]
        for _ in range(rng.choice((1, 1, 2))):
            words.append(f"node {node}")
            node += 1
        if router:
            words.append(f"router {rng.randrange(router)} {rng.randint(1, LONGEST_LINK_CYCLES)}")
        lines.append(" ".join(words))
    return "\n".join(lines) + "\n"


def _network(rng: Random, found: Settings) -> Settings:
    """Another network for some, with what they sent where it can go on sending that."""
    if found["topology"] == "flatfly":
        k, side = rng.choice(((2, 4), (3, 3), (4, 4), (2, 2)))
        n = {(2, 4): 5, (3, 3): 3, (4, 4): 3, (2, 2): 3}[k, side]
        return {**found, "k": k, "n": n - 1, "x": side, "y": side}
    if rng.random() > 0.1 or "use_read_write" in found or "classes" in found:
        return found
    kept = {key: value for key, value in found.items() if key not in ("k", "n", "c", "x", "y", "xr", "yr")}
    return {**kept, "topology": "anynet", "network_file": "tree", "routing_function": "min", "traffic": "uniform",
            "num_vcs": rng.choice((1, 2, 4))}  # fmt: skip


def _sent(rng: Random, found: Settings) -> Settings:
    if "use_read_write" in found:
        split = {"subnets": 2, "read_reply_subnet": 1, "write_reply_subnet": 1}
        return rng.choice(({}, split, {"priority": "age"}))
    if "classes" in found:
        several = rng.choice((2, 3))
        more: Settings = {"classes": several, "injection_process": "{bernoulli,on_off}", "burst_beta": 0.2}
        more |= {"traffic": "{" + ",".join(["uniform", "tornado", "neighbor"][:several]) + "}"}
        order = "{" + ",".join(str(rng.randrange(3)) for _ in range(several)) + "}"
        return {**more, **rng.choice(({}, {"priority": "class", "class_priority": order}, {"priority": "age"}))}
    bursts = {"injection_process": "on_off", "burst_alpha": 0.1, "burst_beta": -1.0, "burst_r1": 0.9}
    return rng.choice(({}, {}, {"packet_size": "{{1,4,9}}", "packet_size_rate": "{{6,3,1}}"}, {"perm_seed": 7}, bursts))


def _by_output(found: Settings) -> Settings:
    """`noq`, with two channels for each output of a router where a torus needs them in two classes."""
    outputs = 2 * found["n"] + found.get("c", 1)
    return {"noq": 1, "routing_delay": 0, "num_vcs": outputs * (2 if found["topology"] == "torus" else 1)}


def widened(seed: int, found: Settings) -> Settings:
    """Settings that are drawn already, with some of what the others never draw."""
    rng = Random(f"wider {seed}")
    found = _network(rng, found)
    found = {**found, **_sent(rng, found)}
    name, plain = found["routing_function"], "use_read_write" not in found and "classes" not in found
    if plain and name in ("dor", "dim_order", "dor_no_express") and rng.random() < 0.3:
        found |= _by_output(found)
    elif rng.random() < 0.6:
        found |= rng.choice(EXTRAS)
    if rng.random() < 0.3:
        found |= {rng.choice(("vc_allocator", "sw_allocator")): rng.choice(ITERATED)}
    if rng.random() < 0.2:
        found |= {"buf_size": found["vc_buf_size"] * found["num_vcs"] + rng.randrange(found["num_vcs"])}
    if plain and "subnets" not in found and rng.random() < 0.2:
        most = rng.choice((0, 1, 3, 8))
        found |= {"sim_type": "batch", "batch_size": 100, "batch_count": 8, "max_outstanding_requests": most}
    return found
