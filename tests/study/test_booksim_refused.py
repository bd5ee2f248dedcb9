"""BookSim configurations: keys and values that are refused, each by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from jumpnet.errors import JumpnetError
from jumpnet.study.booksim._language import settings
from jumpnet.study.booksim._meaning import meaning
from jumpnet.study.booksim.run import run_file

REFUSED = [
    (
        "topology=flatfly; k=2; n=2; c=16; x=2; y=2; xr=4; yr=4; routing_function=ran_min;",
        "xr = 4 found, at most 3 expected with use_noc_latency = 1",
    ),
    ("topology=ring;", "topology = ring: unknown BookSim topology 'ring'"),
    ("topology=mesh; routing_function=dim_order_pni;", "routing_function = dim_order_pni found, dor or dim_order or"),
    ("topology=qtree; k=4; n=2; routing_function=nca;", "k = 4, n = 2 found, k = 4 and n = 3 expected with topology ="),
    ("topology=cmesh; k=6; c=4; routing_function=xy_yx;", "k = 6 found, 4 or less expected with topology = cmesh and"),
    (
        "topology=mesh; routing_function=chaos; num_vcs=2;",
        "num_vcs = 2 found, 1 expected with routing_function = chaos",
    ),
    (
        "topology=torus; k=4; n=2; routing_function=dim_order_ni; num_vcs=15;",
        "num_vcs = 15 found, at least 16 expected with topology = torus and routing_function = dim_order_ni (one for",
    ),
    (
        "topology=flatfly; c=1; k=2; x=2; y=2; routing_function=ugal_xyyx; num_vcs=3;",
        "num_vcs = 3 found, at least 4 expected with topology = flatfly and routing_function = ugal_xyyx, as BookSim2",
    ),
    (
        "topology=mesh; routing_function=xy_yx; num_vcs=1;",
        "num_vcs = 1 found, at least 2 expected with topology = mesh and routing_function = xy_yx, as BookSim2 does",
    ),
    (
        "topology=torus; routing_function=dim_order; num_vcs=1;",
        "num_vcs = 1 found, at least 2 expected with topology = torus and routing_function = dim_order, as BookSim2",
    ),
    (
        "topology=torus; routing_function=dim_order; use_read_write=1; num_vcs=2; read_request_begin_vc=0; "
        "read_request_end_vc=0; write_request_begin_vc=0; write_request_end_vc=0; read_reply_begin_vc=1; "
        "read_reply_end_vc=1; write_reply_begin_vc=1; write_reply_end_vc=1;",
        "num_vcs = 2 in ranges of 1 found, at least 2 expected with topology = torus and routing_function = dim_order",
    ),
    (
        "topology=torus; routing_function=valiant; num_vcs=3;",
        "num_vcs = 3 found, at least 4 expected with topology = torus and routing_function = valiant, as BookSim2",
    ),
    (
        "topology=torus; routing_function=min_adapt; num_vcs=3;",
        "num_vcs = 3 found, 2 or at least 4 expected with topology = torus and routing_function = min_adapt, as Book",
    ),
    (
        "topology=mesh; routing_function=valiant; use_read_write=1; num_vcs=2; read_request_begin_vc=0; "
        "read_request_end_vc=0; write_request_begin_vc=0; write_request_end_vc=0; read_reply_begin_vc=1; "
        "read_reply_end_vc=1; write_reply_begin_vc=1; write_reply_end_vc=1;",
        "num_vcs = 2 in ranges of 1 found, at least 2 expected with topology = mesh and routing_function = valiant",
    ),
    (
        "topology=mesh; routing_function=min_adapt; vc_prioritize_empty=1;",
        "vc_prioritize_empty = 1 with routing_function = min_adapt is not supported",
    ),
    ("buf_size=64; buffer_policy=feedback;", "buffer_policy = feedback is not supported (a feedback policy keeps"),
    ("buffer_policy=shared; private_buf_start_vc={0,2};", "private_buf_start_vc = {0,2} is not supported"),
    ("buffer_policy=shared; num_vcs=4; private_bufs=5;", "private_bufs = 5 found, at most num_vcs = 4 expected"),
    ("buffer_policy=shared; output_speedup=2;", "output_speedup 2 with buffer_policy shared found, 1 expected"),
    ("subnets=2; sim_type=batch;", "subnets = 2 with sim_type = batch is not supported, 1 expected"),
    ("subnets=2; classes=2;", "subnets with more_classes, reply_flits or several terminal ports found, not both"),
    (
        "subnets=2; use_read_write=1; read_reply_subnet=2;",
        "exchange_subnets 0,0,2,0 found, numbers below subnets expected",
    ),
    ("noq=1;", "noq = 1 found, with it routing_delay = 0 and routing_function = dor or dim_order expected"),
    ("input_speedup=2; speculative=1;", "speculation with speed-ups or hold_switch found, one of both expected"),
    ("topology=flatfly; k=4; c=4; routing_function=ran_min;", "x = 8, y = 8, xr = 1, yr = 1 found, squares of 16"),
    (
        "use_read_write=1; num_vcs=8;",
        "read_reply_begin_vc = 8, read_reply_end_vc = 13 found, a range of num_vcs expected",
    ),
    ("topology=dragonflynew; n=1; routing_function=ugal; num_vcs=4;", "num_vcs = 4 found, 3 expected with ugal"),
    (
        "topology=dragonflynew; k=2; n=1; routing_function=min; use_read_write=1;",
        "use_read_write = 1 with topology = dragonflynew is not supported",
    ),
    (
        "topology=flatfly; c=1; k=2; x=2; y=2; routing_function=ugal; num_vcs=1;",
        "num_vcs = 1 found, at least 2 expected with topology = flatfly and routing_function = ugal, as BookSim2 does",
    ),
    ("use_read_write=1; write_reply_end_vc=14;", "ranges of 5 and 6 found; one length is supported"),
    ("use_read_write=1; classes=2;", "use_read_write = 1 with several classes is not supported, 0 expected"),
    ("sw_allocator=select(2);", "sw_allocator = select(2) is not supported (in BookSim2 an input may give up a match"),
    (
        "priority=oldest;",
        "priority = oldest is not supported (BookSim2 knows no other), none or age or class or sequence or network_age",
    ),
    ("sw_allocator=piggyback;", "sw_allocator = piggyback is not supported"),
    ("sw_allocator=separable_input_first(tree(4,tree(2,matrix)));", "separable_input_first(tree(GROUPS,matrix)) expe"),
    ("sw_allocator=separable_input_first(tree(65,matrix));", "sw_allocator: arbiter_groups 65 found"),
    ("priority=sequence; classes=2;", "priority sequence with several kinds of packets found"),
    ("output_speedup=2; sw_allocator=max_size;", "output_speedup = 2 with sw_allocator = max_size is not supported"),
    ("sim_type=bursts;", "sim_type = bursts is not supported, latency or throughput or batch expected"),
    ("sim_type=batch; classes=2;", "classes = 2 with sim_type = batch is not supported, 1 expected"),
    ("sim_type=batch; use_read_write=1;", "use_read_write = 1 with sim_type = batch is not supported, 0 expected"),
    ("traffic=taper65;", "traffic = taper65: unknown supported pattern 'taper65'; did you mean 'taper64'?"),
    ("injection_process=poisson;", "injection_process = poisson found"),
    ("classes=2; injection_rate={0.1,x};", "injection_rate = {0.1,x} found, numbers expected"),
    ("injection_rate=0.1; packet_size=20;", "injection_rate and packet_size: load 2.0 found"),
    ("num_vcs=0;", "num_vcs: vcs 0 found, 1 to 64 expected"),
    ("buf_size=1;", "vc_buf_size or buf_size: buffer_flits 0 found"),
    ("sw_allocator=islip(9);", "sw_allocator: allocator_iterations 9 found"),
    ("vcs=2;", "unknown BookSim key 'vcs'; did you mean 'num_vcs'?"),
    ("traffic=hotspot(3,17);", "traffic = hotspot(3,17) found, whole numbers in {} expected"),
    (
        "speculative=1; spec_sw_allocator=islip;",
        "spec_sw_allocator = islip with speculative = 1 is not supported, prio",
    ),
    ("speculative=1; spec_check_elig=0;", "spec_check_elig = 0 with speculative = 1 is not supported, 1 expected"),
    ("speculative=1; spec_check_cred=0;", "spec_check_cred = 0 with speculative = 1 is not supported, 1 expected"),
    ("noq=-1; routing_delay=0;", "noq = -1 found, 0 or 1 expected"),
    ("output_buffer_size=0;", "output_buffer_size = 0 found, flits from 1 or -1 (no limit) expected"),
    ("max_samples=0;", "max_samples = 0 found, periods from 1 expected"),
    ("max_samples=-1;", "max_samples = -1 found, periods from 1 expected"),
    ("classes=2; priority=class; class_priority=inf;", "class_priority = inf found, numbers expected"),
    ("use_read_write=1; read_reply_size=nan;", "read_reply_size = nan found, numbers expected"),
    ("seed=time;", "seed = time found, one number expected"),
    ("traffic=randperm; perm_seed=time;", "perm_seed = time found, a whole number expected"),
    ("packet_size={{1,5};", "{{1,5} found, as many } as { expected"),
    ("traffic=hotspot({{3,5},{1;", "{{3,5},{1 found, as many } as { expected"),
    ("topology=anynet; routing_function=min;", "topology = anynet found without network_file"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_the_one_key_that_is_not_supported_is_named(text: str, message: str) -> None:
    base = "topology=mesh; k=4; n=2; routing_function=dor; "
    with pytest.raises(JumpnetError) as caught:
        meaning(settings(base + text))
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_priorities_are_given_only_by_what_packets_bring_along() -> None:
    base = "topology=mesh; k=4; n=2; routing_function=dor; vc_priority_donation=1; priority="
    kinds = ("none", "local_age", "queue_length", "age", "hop_count")
    gives = [meaning(settings(f"{base}{kind};"))[1].priority_donation for kind in kinds]
    assert gives == [False, False, False, True, True]


def test_what_a_run_refuses_names_file_and_key(tmp_path: Path) -> None:
    (path := tmp_path / "d.cfg").write_text("topology=dragonflynew; k=2; n=1; routing_function=min; num_vcs=1;")
    with pytest.raises(JumpnetError, match=r"d\.cfg: num_vcs: vcs 1 found, at least 2 expected by routing"):
        run_file(path, {})
