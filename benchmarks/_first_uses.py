"""What a user may do first: commands of every verb, of every sort of setting and way of a proof, and of every routing.

`benchmarks.start` measures them. A verb that is not here is a mistake that its test finds.
"""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["BEFORE", "COMMANDS", "FILES", "SETTINGS", "VERBS", "each_routing"]

SHORT = "--set warmup_cycles=200 --set measure_cycles=400"
COMMANDS = (
    "--help",
    "simulate torus:8x8 --load 0.1",
    "simulate rdt:8 --load 0.1",
    "simulate mesh:8x8 --load 0.1 --traffic transpose",
    "simulate torus:8x8 --load 0.1 --set vcs=8",
    "simulate torus:8x8 --load 0.1 --set vcs=3 --set allocator=islip",
    "simulate torus:8x8 --load 0.1 --packet-flits 1 --set allocator=wavefront",
    "simulate torus:8x8 --load 0.1 --routing torus.duato --set vcs=4",
    "simulate torus:8x8 --load 0.1 --routing torus.bubble --set vcs=1 --set flow_control=cut_through --packet-flits 4",
    "simulate dragonfly:2 --load 0.1 --routing dragonfly.ugal --traffic bad_dragonfly",
    "simulate dragonfly:2 --load 0.1 --routing dragonfly.ugal_g",
    "simulate hyperx:4x4 --load 0.1 --routing hyperx.ugal",
    "simulate fattree:2,n=3 --load 0.1",
    "simulate random:64,d=4,seed=1 --load 0.1",
    "simulate file:own.edges --load 0.1",
    f"simulate torus:8x8 --load 0.9 {SHORT}",
    f"simulate torus:8x8 --find-saturation {SHORT}",
    f"simulate torus:8x8 --load 0.1 --fault cycle=300,link=3-4 --reroute lash {SHORT}",
    f"simulate rdt:8 --load 0.02 --multicast chip {SHORT}",
    f"simulate torus:8x8 --load 0.02 --multicast paths {SHORT}",
    f"simulate torus:8x8 --load 0.1 --threads 2 {SHORT}",
    "simulate torus:8x8 --load 0.1 --events events.csv --cycles 400",
    "booksim own.cfg",
    "sweep own.toml --workers 1",
    "prove rdt:8",
    "prove torus:8x8 --routing torus.duato",
    "prove mesh:8x8 --least-vcs",
    "prove random:32,d=3,seed=1",
    "route rdt:64 1,2 5,9",
    "metrics rdt:64 torus:16x16",
    "metrics rdt:16 --structure",
    "search rdt:16 --top 3",
    "degrade rdt:8 --faults 0,1 --seeds 1 --no-simulate",
    "degrade torus:4x4 --faults 0,1 --seeds 1",
    "multicast rdt:128 --scheme SM --source 5,7 --to 6,7 --to 9,3",
    "multicast torus:8x8 --source 0 --broadcast bfs",
    "chip trace rdt:16 --source 0 --to 1 --to 20",
    "chip load rdt:16 --clocks 200",
    "machine workload:water,processors=16 --clusters-of 4 --network rdt:4 --encoding SM",
    "machine workload:lu,n=16,processors=4 --network rdt:8 --timed",
    "protocol mesi --caches 2",
    "workload lu:n=32 --processors 4",
    "reconfigure srt2d:16 --density 0.03 --seed 4",
    "reconfigure torus:8x8 --method all --wafers 5",
    "draw rdt:8 --out own.svg",
)
"""One of each kind that a user may try first."""
VERBS = (
    "list routing",
    "new routing mine",
    "export rdt:8 --out own.graphml",
    "explore rdt:8 --out page",
    "check own.cert",
    "results own.toml",
    "plot own.toml --out own.svg",
    "replay '' --store one.sqlite",
    "store check own.sqlite",
    "paper yang2001rdt --only table_3 --out own",
    "chip faults",
)
"""Of the other verbs: those that make or show files, and what others have measured or proved. `compile` is what all of
this is to spare."""
BEFORE = {
    "check own.cert": "prove torus:4x4 --certificate own.cert",
    **dict.fromkeys(("results own.toml", "plot own.toml", "store check"), "sweep own.toml --workers 1"),
    "replay ''": "sweep one.toml --workers 1",
    "--load mine.py": "new routing mine",
}
"""What a command that holds these words reads is written by this other one, which is not measured."""

T, M = "torus:8x8 --load 0.1", "mesh:8x8 --load 0.1"
SETTINGS = (
    *(f"simulate {M} --set vcs={vcs} {SHORT}" for vcs in (1, 2, 3, 4, 8, 16)),
    *(f"simulate {T} --packet-flits {flits} --set vcs={vcs} {SHORT}"
      for flits in ("1", "5", "1*0.8+5*0.2", "4..16") for vcs in (2, 4, 8, 16)),
    *(f"simulate {T} --set allocator={name} {SHORT}"
      for name in ("output_first", "islip", "age", "pim", "lonely_output", "max_size", "wavefront", "rr_wavefront")),
    *(f"simulate {T} --set vc_allocator={name} {SHORT}"
      for name in ("output_first", "islip", "pim", "lonely_output", "max_size", "wavefront", "rr_wavefront")),
    *(f"simulate {T} --set {words} {SHORT}" for words in (
        "allocator_iterations=2", "input_speedup=2", "output_speedup=2", "internal_speedup=2", "hold_switch=true",
        "output_speedup=2 --set output_buffer_flits=4",
        "speculation=true", "selection=first", "selection=credits", "arbiter=matrix", "vc_arbiter=matrix",
        "vc_needs_credit=true", "vc_empty_first=true", "priority=age", "priority=sequence", "priority=network_age",
        "priority=local_age", "priority=hop_count", "priority=queue_length",
        "injection_ports=2", "ejection_ports=2", "stage_batches=true", "link_cycles=3", "vc_reuse=empty",
        "reply_flits=4", "source_queue_packets=4", "subnets=2", "injection=onoff",
        "vcs=20 --set channels_by_next_output=true",
        "exchange_flits=5 --set exchange_vcs=0,2 --set port_vcs=4",
    )),
    *(f"simulate {T} --traffic {name} {SHORT}" for name in (
        "bit_complement", "bit_reverse", "shuffle", "tornado", "neighbor", "local", "random_permutation", "hotspot",
        "worst:routing=torus.dateline",
    )),
    *(f"simulate torus:2x2 --load 0.1 --traffic {name} {SHORT}" for name in (
        "permutation:to=1-0-3-2", "matrix:rows=0-1-1-1/1-0-1-1/1-1-0-1/1-1-1-0",
    )),
    f"--load mine.py simulate rdt:8 --load 0.05 --routing mine {SHORT}", "--load mine.py prove rdt:8 --routing mine",
    "simulate torus:8x8 --trace own.csv",
    f"simulate {T} --plot own.svg {SHORT}",
    f"simulate {T} --channels channels.csv --distribution --json {SHORT}",
    f"simulate {T} --checkpoint own.npz {SHORT}",
    f"simulate torus:32x32 --load 0.1 --packet-flits 1 --threads 2 {SHORT}",
    f"simulate rdt:8 --load 0.02 --multicast chip --compare {SHORT}",
    *(f"simulate {where} --load 0.1 --fault cycle=300,link={link} --reroute {how} {SHORT}" for where, link, how in (
        ("torus:8x8", "3-4", "up_down --on-ring drop"), ("mesh:8x8", "3-4", "lash --set vcs=4 --retry-cycles 50"),
        ("mesh:8x8", "3-4", "lash --packet-flits 1"), ("torus:8x8", "3-4", "lash --packet-flits 1 --set vcs=8"),
        ("rdt:8", "1-2", "lash --flush"),
    )),
    f"simulate torus:8x8 --load 0.1 --fault cycle=300,router=3 --reroute nue --routing nue --set vcs=2 {SHORT}",
    *(f"prove {words}" for words in (
        "torus:4x4 --routing torus.dimension_order", "torus:4x4 --routing torus.dimension_order --explain",
        "torus:4x4 --routing torus.dimension_order --replay", "torus:4x4 --routing torus.dimension_order --draw a.svg",
        "mesh:4x4 --explain", "mesh:8x8 --all-sizes", "mesh:4x4 --protocol msi",
        "torus:4x4 --protocol msi --networks 2",
        "mesh:4x4 --routing up_down --then mesh.dimension_order",
        "torus:8x8 --routing torus.dateline --then torus.duato --vcs 4",
        "mesh:4x4 --routing mesh.dimension_order --then up_down --fault link=1-2",
        "rdt:8 --multicast chip", "torus:4x4 --multicast paths", "torus:4x4 --certificate own.cert",
        "torus:4x4 --certificate own.npy", "mesh:4x4 --checkpoint own",
        "rdn:7x7,k=1", "torus:16x16x16", "torus:16x16x16 --routing torus.duato", "torus:8x8 --routing torus.romm",
        "torus:8x8 --routing torus.bubble --vcs 1", "hyperx:8x8 --routing hyperx.adaptive --vcs 1",
        "hypercube:10 --routing hypercube.duato", "rdt:16 --routing rdt.duato", "prdt:32 --routing rdt.duato",
        "rdt:64", "dragonfly:2 --routing dragonfly.ugal", "fattree:4,n=2", "random:200,d=4,seed=1",
        "random:2000,d=4,seed=1", "dragonfly:4 --routing minimal --vcs 3", "hyperx:16x16 --routing minimal --vcs 2",
    )),
    "metrics torus:64x64x64", "metrics hypercube:14", "metrics random:3000,d=4,seed=1 --structure",
    "metrics rdt:16 --distances --connected",
    f"simulate rdt:8 --find-saturation {SHORT}",
    *(f"multicast rdt:16 --scheme {name} --source 5,7 --to 6,7 --to 9,3" for name in ("all", "LPRA", "LARP:path")),
    "multicast rdt:16 --scheme SM --source 5,7 --to 6,7 --to 9,3 --cycles",
    "multicast hypercube:4 --source 0 --broadcast binomial",
    "chip load rdt:16 --clocks 100 --destinations 4 --acknowledged",
    "chip trace rdt:16 --scheme REMAKE --source 0 --to 1 --to 20",
    *(f"machine workload:lu,n=16,processors=4 --network rdt:8 {words}" for words in (
        "--protocol mesi", "--protocol update", "--protocol limited", "--caches 1K,2 --directory line",
        "--translation 8,16 --pruning 4", "--placement first-touch --place best", "--timed --protocol mesi",
        "--timed --multicast --acknowledges combined", "--timed --encoding SM --multicast --branches routers",
        "--timed --protocol update --outstanding 2", "--timed --locks line", "--timed --networks 2 --endpoint-room 4",
        "--timed --migrate 4",
    )),
    *(f"protocol {name} --caches 2 --liveness" for name in ("msi", "mesi", "moesi", "update", "dragon", "limited")),
    "protocol msi --caches 3 --order fifo --networks", "protocol mesi --caches 2 --compact 40 --rows --states",
    "protocol mesi --caches 2 --export own.m",
    *(f"workload {words} --processors 4" for words in (
        "fft:m=6", "radix:n=256", "water:molecules=16", "gas:steps=1", "barnes:bodies=32,steps=1", "grid:n=16",
    )),
    *(f"reconfigure torus:8x8 --density 0.02 {words}" for words in (
        "--method graph", "--method exact --tracks 2 --link-density 0.01",
        "--pattern clustered --wafers 5 --method local",
        "--method bound --wafers 5",
    )),
    "degrade rdt:8 --faults 0,1 --seeds 1 --kind links --routing rdt.fault_tolerant --no-simulate",
    "route torus:8x8 0 5 --routing torus.valiant --draw 3",
    "draw dragonfly:2 --out own.svg", "draw random:32,d=3,seed=1 --out own.svg",
)  # fmt: skip
"""Of every sort of setting, way of a proof and option of a verb."""

FILES = {
    "own.edges": "".join(f"{k} {(k + step) % 16}\n" for k in range(16) for step in (1, 5)),
    "own.cfg": "topology = mesh;\nk = 8;\nn = 2;\nrouting_function = dor;\nnum_vcs = 8;\nvc_buf_size = 8;\n"
    "vc_allocator = islip;\nsw_allocator = islip;\ninput_speedup = 2;\ntraffic = transpose;\npacket_size = 20;\n"
    "injection_rate = 0.005;\n",
    "own.toml": '[study]\nname = "own"\n[[sweep]]\nnetwork = "torus:8x8"\nvcs = 2\nload = [0.1, 0.2]\n'
    "warmup_cycles = 200\nmeasure_cycles = 400\n",
    "one.toml": '[study]\nname = "one"\n[[sweep]]\nnetwork = "torus:8x8"\nload = [0.1]\n'
    "warmup_cycles = 200\nmeasure_cycles = 400\n",
    "own.csv": "cycle,source,destination,flits\n0,1,2,4\n3,5,6,4\n",
}
"""What the commands read."""
LARGEST = 4096
"""Routers of a network that a routing is tried on."""


def each_routing() -> Iterator[str]:
    """A short run of every registered routing, on the first network of a family's samples that it fits."""
    from jumpnet.routings import routings
    from jumpnet.topology import build, families

    nets = [(spec, build(spec)) for family in families().values() for spec in family.samples]
    small = [(spec, net) for spec, net in nets if net.routers <= LARGEST and net.terminals.sum() > 1]
    for name, routing in sorted(routings().items()):
        spec = next(spec for spec, net in small if routing.misfit(net) is None)
        bubble = "--set flow_control=cut_through --packet-flits 4" if routing.bubble else ""
        yield f"simulate {spec} --load 0.05 --routing {name} {bubble} {SHORT}"
