"""Rules of BookSim 2 that its example files do not use, a small file for each, beside a BookSim binary run now.

Compared as the examples are (see `examples`); of batches the cycles that they take. Writes `results/rules.csv`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jumpnet.sim.batches import Batches
from jumpnet.study.booksim.run import run_file
from validation._compare import LATENCY_BAR, judge
from validation.examples import Example, booksim, jobs, run_all

__all__ = ["BATCHES", "RULES", "main"]

FOLDER = Path(__file__).parent / "data" / "rules"

RATES, BEYOND = (0.2, 0.35, 0.42), (0.7, 0.9)
# Overlapping ranges of virtual channels are not judged beyond saturation: there both simulators come to a deadlock,
# some time. Loads of reads and writes count the flits of requests and replies.
CLASSES = {"classes": (0.1, 0.2), "class_priority": (0.15, 0.4), "class_priority_islip": (0.15, 0.4)}
"""Rates of both classes together, whose shares are 3/4 and 1/4."""
CLASSES_BEYOND = (
    ("classes packet_size={4,1}", (0.75, 0.25)),
    ("class_priority packet_size={4,1}", (0.75, 0.25)),
    ("class_priority_islip packet_size={4,1}", (0.75, 0.25)),
    ("classes vc_allocator=wavefront sw_allocator=pim packet_size={1,4} traffic={uniform,transpose}", (0.5, 0.5)),
    ("classes k=4 classes=3 packet_size={5,1,3} traffic={uniform,tornado,transpose}", (0.4, 0.3, 0.3)),
    ("class_priority k=4 classes=3 packet_size={5,1,3} traffic=uniform class_priority={0,2,1}", (0.4, 0.3, 0.3)),
    ("classes classes=3 topology=mesh routing_function=dor internal_speedup=1.5 traffic=uniform", (0.6, 0.2, 0.2)),
    ("tree4 classes=3 internal_speedup=1.5 injection_rate_uses_flits=1 packet_size={5,1,3}", (0.6, 0.2, 0.2)),
)
"""Files of several classes, and the share of each in what is offered; beyond saturation alone."""
KEYS = {"routing_delay": (0.1, 0.25), "st_final_delay": (0.1, 0.25), "vc_alloc_delay": (0.1, 0.2),
        "sw_alloc_delay": (0.03, 0.07)}  # fmt: skip
MIXED = "routing_delay=2 st_prepare_delay=1 credit_delay=2 vc_alloc_delay=3"
DELAYS = (*((f"{key}={n}", rates) for key, rates in KEYS.items() for n in (2, 3, 4)), (MIXED, (0.1, 0.2)))
"""Stages of several cycles, and rates. Where allocations take several, BookSim 2 must be compiled with -DNDEBUG: one of
its assertions does not hold then."""
UPWARD = (
    ("", (0.2, 0.4, 0.5)),
    ("traffic=randperm perm_seed=5", (0.2, 0.4, 0.5)),
    ("traffic=badperm_yarc", (0.07, 0.13)),
)
"""Traffic that goes up a fat tree, and rates."""
LOOKAHEAD = (("adaptive_xy_yx", 0.25), ("dor traffic=randperm", 0.15), ("dor traffic=diagonal", 0.25),
             ("dor traffic=asymmetric", 0.25))  # fmt: skip
"""What is routed a hop ahead, and the larger rate. Of the permutation some sources are full at 0.25."""
MIN_ADAPT = (
    ("", (0.05, 0.2, 0.3), (0.9,)),
    ("k=4 packet_size=1 traffic=tornado", (0.1, 0.5), ()),
    ("k=4 num_vcs=8 vc_allocator=islip", (0.1, 0.3, 0.55), (0.9,)),
    ("topology=torus wait_for_tail_credit=1", (0.05, 0.15), (0.9,)),
    ("topology=torus packet_size=1 num_vcs=8 traffic=transpose", (0.05, 0.15), ()),
    ("topology=torus packet_size=1 traffic=tornado", (0.03, 0.1), ()),
    ("topology=torus k=4 packet_size=1 vc_allocator=islip wait_for_tail_credit=1", (0.1, 0.2), (0.9,)),
    ("topology=torus k=4 num_vcs=8 wait_for_tail_credit=1 traffic=transpose", (0.1, 0.3), (0.9,)),
    ("topology=torus k=4 packet_size=1 routing_delay=0 wait_for_tail_credit=1", (0.1, 0.3), (0.9,)),
    ("k=4 num_vcs=3 vc_allocator=separable_output_first", (0.1, 0.4), (0.9,)),
    ("k=4 num_vcs=3 packet_size=1 vc_allocator=wavefront", (0.1, 0.4), (0.9,)),
    ("k=4 num_vcs=2 packet_size=1 vc_allocator=rr_wavefront traffic=transpose", (0.1, 0.2), (0.9,)),
    ("num_vcs=5 vc_allocator=select", (0.1, 0.25), (0.9,)),
    ("topology=torus k=4 wait_for_tail_credit=1 vc_allocator=select", (0.1, 0.3), (0.9,)),
    ("topology=torus k=4 wait_for_tail_credit=1 packet_size=1 vc_allocator=rr_wavefront", (0.1, 0.2), (0.9,)),
    ("topology=torus k=4 num_vcs=6 wait_for_tail_credit=1 vc_allocator=wavefront", (0.1, 0.3), (0.9,)),
)
"""What is changed in the file of that name, rates, and rates beyond saturation."""
VALIANT = (
    ("num_vcs=8", (0.1, 0.25, 0.4), (0.9,)),
    ("packet_size=1 traffic=tornado", (0.05, 0.15, 0.25), (0.9,)),
    ("packet_size=1 traffic=transpose", (0.05, 0.15), ()),
    ("k=8 packet_size=1 num_vcs=8", (0.05, 0.1, 0.18), ()),
    ("k=8 traffic=tornado", (0.03, 0.06), ()),
    ("num_vcs=5", (0.1, 0.25), ()),
    ("num_vcs=6 packet_size=1 traffic=transpose", (0.05, 0.2), ()),
    ("num_vcs=7 k=5 packet_size=1", (0.05, 0.2), ()),
    ("k=2 n=3", (0.1, 0.25), ()),
)
"""Likewise of `valiant_torus`, for a BookSim 2 in which `valiant_torus` begins with the ring of the hop before (`int
ring_part = f->ph % 2`): as it is, it stops at an assertion. Without rates beyond saturation where packets deadlock."""
RINGS = (
    ("", (0.1, 0.3, 0.5), (0.9,)),
    ("packet_size=1 traffic=tornado", (0.1, 0.3, 0.5), (0.9,)),
    ("num_vcs=5 wait_for_tail_credit=1 vc_allocator=islip", (0.1, 0.3), (0.9,)),
    ("k=8 wait_for_tail_credit=1 packet_size=1 traffic=tornado", (0.005, 0.015), (0.9,)),
    ("k=8 num_vcs=7 speculative=1 traffic=transpose", (0.05, 0.12), ()),
    ("k=5 num_vcs=5 sw_allocator=pim vc_allocator=pim", (0.1, 0.3), (0.9,)),
    ("k=2 n=3 num_vcs=4", (0.1, 0.3, 0.6), (0.95,)),
    ("k=2 n=3 packet_size=1", (0.1, 0.3, 0.6), (0.95,)),
    ("k=2 n=4 num_vcs=2 traffic=transpose use_noc_latency=1", (0.1, 0.3), (0.95,)),
    ("k=2 n=3 num_vcs=5 routing_function=min_adapt", (0.1, 0.3), (0.95,)),
    ("k=2 n=2 num_vcs=10 noq=1 routing_delay=0", (0.1, 0.3, 0.5), (0.95,)),
)
"""Likewise of `rings`, whose routing is `dim_order` on a torus."""
ODD = (
    ("stages_mesh routing_function=romm num_vcs=3 vc_buf_size=4", (0.08, 0.15), ()),
    (
        "stages_mesh routing_function=romm num_vcs=5 k=4 n=3 wait_for_tail_credit=1 vc_allocator=islip",
        (0.1, 0.2),
        (0.9,),
    ),
    ("stages_mesh routing_function=xy_yx num_vcs=3 vc_buf_size=4 packet_size=1", (0.1, 0.25), ()),
    ("stages_mesh routing_function=xy_yx num_vcs=5 routing_delay=0 traffic=transpose", (0.05, 0.12), ()),
    ("stages_mesh routing_function=xy_yx num_vcs=3 k=4 n=3 wait_for_tail_credit=1", (0.1, 0.2), (0.9,)),
    ("stages_mesh routing_function=adaptive_xy_yx num_vcs=3 vc_buf_size=8", (0.1, 0.2), ()),
    (
        "stages_mesh routing_function=adaptive_xy_yx num_vcs=7 routing_delay=0 vc_allocator=pim wait_for_tail_credit=1",
        (0.1, 0.2),
        (0.9,),
    ),
    ("stages_mesh routing_function=valiant num_vcs=3 k=5", (0.05, 0.12), ()),
    ("stages_mesh routing_function=valiant num_vcs=7 packet_size=1", (0.05, 0.1), ()),
    ("cmesh_xy_yx num_vcs=3", (0.05, 0.1), ()),
    ("cmesh_xy_yx num_vcs=5 packet_size=1 wait_for_tail_credit=1", (0.05, 0.075), (0.9,)),
    ("flatfly_valiant num_vcs=3", (0.1, 0.2), ()),
    ("flatfly_valiant num_vcs=5 packet_size=1 wait_for_tail_credit=1", (0.04, 0.08), (0.5,)),
    ("flatfly_ugal num_vcs=3", (0.2, 0.4), ()),
    ("flatfly_ugal num_vcs=7 packet_size=1 wait_for_tail_credit=1 traffic=transpose", (0.03, 0.06), (0.4,)),
    ("rings num_vcs=9 noq=1 routing_delay=0", (0.1, 0.3), (0.9,)),
    ("rings num_vcs=13 noq=1 routing_delay=0 packet_size=1 k=5", (0.1, 0.3), (0.9,)),
    ("rings num_vcs=19 noq=1 routing_delay=0 wait_for_tail_credit=1 traffic=tornado", (0.1, 0.3), (0.9,)),
)
"""Files whose phases, orders or classes of a ring have the middle one of an odd number of channels in common. Beyond
saturation only where no deadlock can come."""
FUNCTIONS = (
    ("flatfly_ugal routing_function=xyyx", (0.2, 0.4), (0.9,)),
    (
        "flatfly_ugal routing_function=xyyx num_vcs=3 k=2 n=4 packet_size=1 wait_for_tail_credit=1",
        (0.02, 0.045),
        (0.9,),
    ),
    ("flatfly_ugal routing_function=adaptive_xyyx", (0.2, 0.4), (0.9,)),
    (
        "flatfly_ugal routing_function=adaptive_xyyx num_vcs=5 packet_size=1 wait_for_tail_credit=1",
        (0.03, 0.06),
        (0.9,),
    ),
    ("flatfly_ugal routing_function=ugal_xyyx", (0.2, 0.4), (0.9,)),
    (
        "flatfly_ugal routing_function=ugal_xyyx num_vcs=6 packet_size=1 wait_for_tail_credit=1",
        (0.03, 0.06),
        (0.9,),
    ),
    ("flatfly_ugal routing_function=ugal_xyyx num_vcs=8 k=2 n=4 packet_size=1", (0.1, 0.3), (0.9,)),
    ("rings routing_function=dim_order_bal num_vcs=4", (0.1, 0.3), (0.9,)),
    ("rings routing_function=dim_order_bal k=5 packet_size=1 wait_for_tail_credit=1", (0.05, 0.1), (0.9,)),
    ("rings routing_function=dim_order_bal num_vcs=2 k=8 packet_size=1 traffic=tornado", (0.01, 0.03), (0.9,)),
    ("rings routing_function=dim_order_ni num_vcs=16", (0.1, 0.3), (0.9,)),
    ("rings routing_function=dim_order_ni num_vcs=60 k=3 n=3 packet_size=1 traffic=tornado", (0.1, 0.3), (0.9,)),
    ("rings routing_function=chaos num_vcs=1 k=3 n=3", (0.1, 0.25), (0.9,)),
    ("rings routing_function=chaos num_vcs=1 packet_size=1", (0.05, 0.1), ()),
    ("tree4", (0.2,), (0.9,)),
    ("tree4 num_vcs=1 packet_size=1 traffic=bitrev", (0.1,), (0.9,)),
    ("tree4 routing_function=anca num_vcs=4", (0.02, 0.06), (0.9,)),
    ("tree4 topology=qtree", (0.02, 0.06), (0.9,)),
    ("tree4 topology=qtree num_vcs=5 packet_size=1 traffic=neighbor", (0.05,), (0.9,)),
    ("stages_mesh routing_function=planar_adapt", (0.1, 0.2), (0.9,)),
    ("stages_mesh routing_function=planar_adapt num_vcs=3 k=4 n=3 packet_size=1", (0.1,), (0.9,)),
    ("stages_mesh routing_function=planar_adapt num_vcs=8 k=4 traffic=transpose vc_buf_size=4", (0.05, 0.15), (0.9,)),
    ("stages_mesh routing_function=chaos num_vcs=1", (0.05, 0.1), (0.9,)),
    ("cmesh_xy_yx routing_function=dor", (0.05, 0.15), (0.9,)),
    ("cmesh_xy_yx routing_function=dor use_noc_latency=1 num_vcs=2 k=6 x=6 y=6 packet_size=1", (0.02, 0.06), (0.9,)),
    ("cmesh_xy_yx routing_function=xy_yx", (0.05, 0.15), (0.9,)),
    (
        "cmesh_xy_yx routing_function=xy_yx use_noc_latency=1 num_vcs=3 packet_size=1 wait_for_tail_credit=1",
        (0.02,),
        (0.9,),
    ),
)
"""Files with routing functions that no other file here has. Beyond saturation only where no deadlock can come."""
SPECULATIVE = (
    ("stages_mesh sw_allocator=islip", (0.1, 0.25)),
    ("stages_torus sw_allocator=islip vc_allocator=islip packet_size=1", (0.1, 0.25)),
    ("stages_torus sw_allocator=islip(2) vc_buf_size=4", (0.1, 0.2)),
    ("stages_mesh sw_allocator=islip priority=age packet_size=1", (0.1, 0.25)),
    ("stages_mesh k=4 sw_allocator=pim vc_allocator=pim", (0.3,)),
    ("min_adapt k=4", (0.3,)),
    ("min_adapt k=4 num_vcs=3 packet_size=1 vc_allocator=wavefront", (0.3,)),
    ("min_adapt topology=torus k=4 wait_for_tail_credit=1", (0.2,)),
    ("min_adapt topology=torus k=4 packet_size=1 vc_allocator=islip wait_for_tail_credit=1", (0.2,)),
    ("min_adapt topology=torus k=4 num_vcs=8 vc_allocator=select wait_for_tail_credit=1", (0.3,)),
)
"""Files with what is changed in them, all with `speculative = 1`, and rates; likewise beyond saturation."""
MATRIX = "vc_allocator={0}(matrix) sw_allocator={0}(matrix)"
ROUTER = (
    (f"stages_mesh k=4 {MATRIX.format('separable_input_first')}", (0.3,)),
    (f"stages_torus k=4 {MATRIX.format('separable_output_first')} packet_size=1", (0.4,)),
    ("stages_mesh k=4 vc_allocator=loa sw_allocator=loa", (0.3,)),
    ("stages_torus k=4 vc_allocator=loa sw_allocator=islip packet_size=1", (0.4,)),
    ("stages_mesh k=4 vc_allocator=max_size sw_allocator=max_size packet_size=1", (0.3,)),
    ("stages_torus k=4 vc_allocator=max_size sw_allocator=max_size", (0.4,)),
    ("fattree_anca n=2 vc_allocator=max_size sw_allocator=loa", (0.4,)),
    ("stages_mesh k=4 vc_busy_when_full=1 vc_buf_size=2", (0.2,)),
    ("stages_torus k=4 vc_busy_when_full=1 vc_allocator=islip packet_size=1 vc_buf_size=1", (0.1,)),
    ("stages_mesh k=4 vc_prioritize_empty=1 packet_size=1", (0.3,)),
    ("stages_torus k=4 vc_prioritize_empty=1 vc_allocator=separable_output_first", (0.3,)),
    ("stages_mesh k=4 vc_prioritize_empty=1 vc_allocator=wavefront", (0.3,)),
    *(
        (f"{file} k=4 priority={priority} {more}", (0.3,))
        for priority in ("local_age", "network_age", "hop_count", "queue_length", "sequence")
        for file, more in (("stages_mesh", "num_vcs=2"), ("stages_torus", "packet_size=1 vc_allocator=wavefront"))
    ),
)
"""Arbiters, allocators, which channel a head takes, and priorities; likewise."""
TREES = (
    ("stages_mesh k=4 {0}=separable_input_first({2}) {1}=separable_input_first({2})", "tree(5,round_robin)", 0.3),
    ("stages_torus k=4 {0}=separable_output_first({2}) packet_size=1", "tree(4,matrix)", 0.4),
    ("stages_torus k=4 {1}=separable_input_first({2}) input_speedup=2 output_speedup=2", "tree(2,matrix)", 0.4),
    ("cmesh_xy_yx k=2 x=2 y=2 {0}=separable_input_first({2}) {1}=separable_output_first({2})", "tree(2,matrix)", 0.2),
    ("stages_mesh k=4 vc_shuffle_requests=1 {0}=separable_input_first({2})", "tree(4,round_robin)", 0.3),
    ("stages_mesh k=4 vc_shuffle_requests=1 {0}=separable_output_first packet_size=1", "", 0.4),
    ("stages_torus k=4 vc_shuffle_requests=1 {0}=wavefront packet_size=1", "", 0.4),
    ("stages_torus k=4 vc_shuffle_requests=1 {0}=loa", "", 0.3),
    ("fattree_anca n=2 vc_shuffle_requests=1 {0}=pim", "", 0.4),
)
"""Trees of arbiters, and virtual channels that ask in another order: file, arbiters, rate; likewise."""
GIVEN = (
    ("stages_mesh k=4 num_vcs=2 vc_buf_size=16 packet_size=2 priority=age", 0.4),
    ("stages_torus k=4 priority=network_age sw_allocator=wavefront", 0.4),
    ("stages_mesh k=4 num_vcs=2 packet_size=1 priority=hop_count", 0.4),
    ("stages_torus k=4 vc_buf_size=16 packet_size=1 priority=sequence vc_allocator=wavefront", 0.4),
)
"""Priorities that flits give to those before them (`vc_priority_donation`), and the rate; likewise."""
SHARED = (
    ("stages_mesh k=4 buffer_policy=shared vc_buf_size=4", 0.3),
    ("stages_torus k=4 buffer_policy=shared buf_size=12 packet_size=1", 0.3),
    ("stages_mesh k=4 buffer_policy=shared buf_size=16 private_bufs=2 private_buf_size=4 vc_busy_when_full=1", 0.3),
    ("stages_torus k=4 buffer_policy=shared vc_buf_size=3 wait_for_tail_credit=1 speculative=1", 0.3),
    ("stages_mesh k=4 buffer_policy=limited vc_buf_size=4 max_held_slots=6", 0.3),
    ("stages_torus k=4 buffer_policy=dynamic vc_buf_size=3", 0.3),
    ("stages_mesh k=4 buffer_policy=shifting vc_buf_size=4 packet_size=8", 0.3),
    ("stages_torus k=4 buffer_policy=shifting vc_buf_size=4 speculative=1 sw_allocator=islip", 0.3),
    ("flatfly_ugal buffer_policy=shared vc_buf_size=4", 0.3),
)
"""Buffers that virtual channels share, and the rate; likewise."""
RULES = (
    *(
        Example(name, RATES, BEYOND, 0.0005, 3_000, 3_000)
        for name in ("select", "pim", "pim_2", "islip_2", "wavefront", "rr_wavefront", "age_islip", "age_wavefront")
    ),
    *(
        Example(f"{file} {words}", rates, (0.9,), 0.0005, 2_000, 2_000)
        for file in ("stages_mesh", "stages_torus")
        for words, rates in DELAYS
    ),
    *(
        Example(f"{file} noq=1 routing_delay=0 num_vcs=10", (0.1, 0.25), (0.9,), 0.0005, 2_000, 2_000)
        for file in ("stages_mesh", "stages_torus")
    ),
    *(
        Example(f"stages_mesh routing_function={name}", (0.1, 0.25), (0.9,), 0.0005, 2_000, 2_000)
        for name in ("romm", "xy_yx", "adaptive_xy_yx")
    ),
    Example("stages_mesh routing_function=valiant", (0.05, 0.1), (0.9,), 0.0005, 2_000, 2_000),
    Example("stages_mesh routing_function=adaptive_xy_yx traffic=transpose", (0.1, 0.2), (0.9,), 0.0005, 2_000, 2_000),
    *(
        Example(f"{file} {words}".strip(), rates, beyond, 0.0005, 2_000, 2_000)
        for file, points in (("min_adapt", MIN_ADAPT), ("valiant_torus", VALIANT), ("rings", RINGS))
        for words, rates, beyond in points
    ),
    *(Example(name, rates, beyond, 0.0005, 2_000, 2_000) for name, rates, beyond in (*ODD, *FUNCTIONS)),
    *(Example(f"{name} speculative=1", rates, (0.9,), 0.0005, 2_000, 2_000) for name, rates in SPECULATIVE),
    *(Example(name, rates, (0.9,), 0.0005, 2_000, 2_000) for name, rates in ROUTER),
    *(Example(name, (rate,), (0.9,), 0.0005, 2_000, 2_000) for name, rate in SHARED),
    *(Example(f"{name} vc_priority_donation=1", (rate,), (0.9,), 0.0005, 2_000, 2_000) for name, rate in GIVEN),
    *(
        Example(name.format("vc_allocator", "sw_allocator", arbiter), (rate,), (0.9,), 0.0005, 2_000, 2_000)
        for name, arbiter, rate in TREES
    ),
    Example("cmesh_xy_yx", (0.1, 0.2), (0.9,), 0.0005, 2_000, 2_000),
    Example("stages_mesh buf_size=24 output_delay=3 max_held_slots=2", (0.1, 0.2), (0.9,), 0.0005, 2_000, 2_000),
    Example("subnets", (0.2, 0.5), (1.0,), 0.0005, 2_000, 2_000),
    Example("stages_torus subnets=2", (0.2, 0.5), (1.0,), 0.0005, 2_000, 2_000),
    Example("subnets_read_write", (0.1, 0.3), (0.9,), 0.0005, 2_000, 2_000, flits_a_flit=6.0 / 1.9),
    Example("read_write", (0.1, 0.2, 0.3), (0.8, 1.0), 0.0005, 3_000, 3_000, flits_a_flit=6.0 / 1.9),
    Example("read_write_overlap", (0.1, 0.3), (), 0.0005, 3_000, 3_000),
    *(Example(name, rates, (), 0.0005, 3_000, 3_000, (0.75, 0.25)) for name, rates in CLASSES.items()),
    *(Example(name, (), (0.9,), 0.0005, 2_000, 2_000, shares) for name, shares in CLASSES_BEYOND),
    Example("flatfly_valiant", (0.1, 0.2, 0.25), (0.4, 0.5), 0.0005, 3_000, 3_000),
    Example("flatfly_ugal", (0.2, 0.4, 0.5), (0.8, 1.0), 0.0005, 3_000, 3_000),
    Example("flatfly_ugal_transpose", (0.1, 0.2, 0.25), (0.4, 0.5), 0.0005, 3_000, 3_000),
    *(Example(f"fattree_anca {words}".strip(), rates, (0.9,), 0.0005, 2_000, 2_000) for words, rates in UPWARD),
    *(
        Example(f"stages_mesh routing_function={words} routing_delay=0", (0.1, most), (0.9,), 0.0005, 2_000, 2_000)
        for words, most in LOOKAHEAD
    ),
    *(
        Example(f"stages_mesh traffic={name}", (0.1, 0.2), (0.9,), 0.0005, 2_000, 2_000)
        for name in ("taper64", "background({{0,9}})")
    ),
    Example("flatfly_ugal routing_delay=0", (0.2, 0.4, 0.5), (0.8,), 0.0005, 3_000, 3_000),
    Example("dragonfly_ugal", (0.2, 0.4, 0.6), (0.9, 1.0), 0.0001, 3_000, 12_000),
    Example("dragonfly_ugal_bad", (0.1, 0.2, 0.24), (0.35, 0.4), 0.0001, 3_000, 12_000),
    Example("dragonfly_ugal_4", (0.3, 0.5, 0.7), (1.0,), 0.00001, 500, 20_000),
)
"""Files of `data/rules`."""


BATCHES = ("batch", "batch_outstanding", "batch_transpose")
"""Likewise, of batches: the cycles that each takes."""
STAGES = re.compile(r"Batch (?:injected|received)\. Time used is (\d+) cycles")


def batches(file: Path, binary: Path, seeds: int) -> Iterator[dict[str, Any]]:
    """One row: the batches of all seeds, exact where each takes as many cycles in both."""
    theirs: list[int] = []
    ours: list[int] = []
    for seed in range(1, seeds + 1):
        stages = [int(cycles) for cycles in STAGES.findall(booksim(binary, file, {"seed": str(seed)}))]
        theirs += [sent + received for sent, received in zip(stages[::2], stages[1::2], strict=True)]
        found = run_file(file, {"seed": str(seed)})
        assert isinstance(found, Batches)
        ours += found.figures["batch_cycles"]
    difference, half, verdict = judge(theirs, ours, LATENCY_BAR)
    yield {
        "file": file.name, "figure": "batch_cycles", "injection_rate": "",
        "booksim": f"{sum(theirs) / len(theirs):.6g}",
        "jumpnet": f"{sum(ours) / len(ours):.6g}", "difference_percent": f"{100 * difference:+.2f}",
        "band_half_width": f"{half:.3g}", "runs_each": len(theirs), "verdict": "exact" if theirs == ours else verdict,
    }  # fmt: skip


def main(words: list[str]) -> bool:
    """Parse the options, run both, write the table; whether nothing differs."""
    of_batches = [(file, lambda binary, seeds, file=file: batches(FOLDER / file, binary, seeds)) for file in BATCHES]
    return run_all(words, "rules", __doc__ or "", [*jobs(RULES, FOLDER), *of_batches])
