"""`jumpnet simulate`: one point of a network under load, or its saturation by search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import typer

from jumpnet.cli._curves import LOG, OVER, PER, Plotted, is_curve, parts_of, run_curves
from jumpnet.cli._files import writable
from jumpnet.cli._multicasts import multicast_rows, multicast_saturation, saturation_figures, tell_deadlock
from jumpnet.cli._options import AsJson, RoutingName, curve_names, names_from, not_with, only_with, pattern_names
from jumpnet.cli._output import emit_json, progress_line
from jumpnet.cli._point_tables import print_point
from jumpnet.cli._settings import point_words, settings_given
from jumpnet.errors import JumpnetError
from jumpnet.files import write_bytes
from jumpnet.jit.cache import cache_folder
from jumpnet.notices import is_quiet, notice

if TYPE_CHECKING:
    from jumpnet.networks import Network
    from jumpnet.sim.result import Result

NAME = "simulate"
PANEL = "Simulation and studies"
EXAMPLE = "jumpnet simulate torus:8x8 --routing torus.dateline --load 0.2 --packet-flits 16"
FAULTS = typer.Option(None, "--fault", help="What fails and when, e.g. cycle=1000,link=3-7,router=5; may be repeated.")
FRESH = typer.Option(False, "--fresh", help="With --find-saturation or curves: no point is taken from an earlier run.")
GAP = typer.Option(0, "--gap-cycles", help="With --dependences: cycles from an arrival to what waited for it.")
SETS = typer.Option(None, "--set", help="Any other setting, key=value; may be repeated.", autocompletion=point_words)


def _settings(words: list[str], cycles: int | None, **options: Any) -> dict[str, Any]:
    """The settings of `--set`, of `--cycles`, and of the options that are settings, where they are given."""
    found: dict[str, Any] = {
        key: None if value.lower() == "none" else value for key, value in settings_given(words).items()
    }
    if "threads" in found:
        raise JumpnetError(f"--set threads={found['threads']} found, --threads {found['threads']} expected")
    if options["threads"] is not None and options["threads"] < 1:
        raise JumpnetError(f"--threads {options['threads']} found, at least 1 expected")
    in_all = _in_all(cycles)
    not_with("--cycles", {f"--set {key}": key in found for key in in_all})
    return found | in_all | {key: value for key, value in options.items() if value not in ("", None)}


def _csv(path: Path, names: str, rows: Iterable[Iterable[object]]) -> None:
    """Write rows as comma-separated values under their names."""
    write_bytes(path, "".join(",".join(map(str, row)) + "\n" for row in [names.split(","), *rows]).encode())


def _channel_rows(net: Network, result: Any) -> Iterator[list[object]]:
    """One row a channel: where it starts and ends, its rank or level, its load, and the flits in a buffer behind it."""
    for router, port in np.argwhere(net.neighbor >= 0).tolist():
        rank = int(net.class_rank[net.link_class[router, port]])
        figures = (float(result.channel_load[router, port]), float(result.channel_buffer[router, port]))
        yield [router, port, int(net.neighbor[router, port]), rank, *figures]


def _saturation(spec: str, routing: str, preset: str, fresh: bool, settings: dict[str, Any]) -> dict[str, Any]:
    """The row of a search for saturation; its points are kept, and found again unless they shall be `fresh`."""
    from jumpnet.sim.saturation import find_saturation
    from jumpnet.topology import build

    with progress_line() as say:
        found = find_saturation(
            spec,
            routing or None,
            name=preset,
            memory=None if fresh else cache_folder().with_name("points"),
            progress=lambda done, load: say(f"point {done + 1}: load {load:.4f} of {spec}"),
            **settings,
        )
    first = found.points[0]
    about = _why(build(spec), routing, first.config.vcs)
    what = {"spec": spec, "routing": first.routing, **about, "traffic": first.config.traffic}
    return {**what, **saturation_figures(found, ["packet"]), **_told(found.hint)}


def _told(hint: str | None) -> dict[str, str]:
    """What a row says of another routing."""
    return {"hint": hint} if hint else {}


def _why(net: Network, routing: str, vcs: int | None) -> dict[str, str]:
    """What a row says of a routing that was left out, for a run that had so many virtual channels."""
    from jumpnet.cli._defaults import routing_for

    return routing_for(net, routing, vcs)[1]


def _in_all(cycles: int | None) -> dict[str, Any]:
    """The settings of a run of so many cycles; none where that is left open."""
    if cycles is None:
        return {}
    if cycles < 2:
        raise JumpnetError(f"--cycles {cycles} found, at least 2 expected")
    half = cycles // 2
    return {"warmup_cycles": half, "measure_cycles": cycles - half, "max_cycles": cycles, "drain": False}


def _dependences(
    net: Network, routing: str, preset: str, settings: dict[str, Any], trace: str, gap: int
) -> dict[str, Any]:
    """The row of a netrace trace whose packets wait for each other, beside a replay at the recorded cycles."""
    from jumpnet.machine.dependence_file import is_table, read_dependent

    if not (trace.endswith(".bz2") or is_table(trace)):
        raise JumpnetError(f"--dependences with trace {trace!r} found, a netrace (.bz2), .csv or .parquet expected")
    from jumpnet.machine.dependences import dependent_packets, replay
    from jumpnet.machine.trace.netrace import open_netrace
    from jumpnet.routings import default_routing
    from jumpnet.sim.config import preset as config_of

    packets = read_dependent(trace) if is_table(trace) else dependent_packets(open_netrace(trace))
    config = config_of(preset, **settings)
    held, free = (
        replay(packets, net, routing or None, config, gap_cycles=gap, honoured=honoured) for honoured in (True, False)
    )
    return {
        "spec": net.spec,
        "routing": routing or default_routing(net),
        "packets": len(held.sent),
        "packets_inside_nodes": len(held.sent) - len(held.away),
        "dependences": len(packets.waiting),
        "dependences_unknown": packets.unknown,
        "gap_cycles": gap,
        "execution_cycles": held.cycles,
        "execution_cycles_recorded": free.cycles,
        "delay_mean_cycles": held.delay_mean,
        "packet_latency_mean_cycles": held.latency_mean,
        "packet_latency_mean_cycles_recorded": free.latency_mean,
    }


POINT_ALONE = ("--trace", "--distribution", "--dependences")
"""What a search for saturation does not take."""
ALL = typer.Option(False, "--all", help="Every figure in the table, by its name in Python and --json.")
LOAD = typer.Option(
    "",
    "--load",
    help="Offered load, flits per terminal and cycle (0 to 1); for curves 0.1,0.2 or 0.05..0.9, up to saturation and "
    "densest there, or 0.05..0.9/20, so many.",
)
PLOT = typer.Option("", "--plot", help="Picture of latency over load to write: .svg, .png or .pdf.")
PRESET = typer.Option(
    "booksim",
    "--preset",
    help="Router and measurement: booksim, yang2001 or jump1.",
    autocompletion=names_from("jumpnet.sim.config", "PRESETS"),
)
TRAFFIC = typer.Option(
    "", "--traffic", help="Traffic pattern, e.g. transpose; uniform if left out.", autocompletion=pattern_names
)
SPECS = typer.Argument(
    ...,
    metavar="SPEC",
    help="Network, e.g. rdt:64; several are curves, each with its routing: rdt:64@rdt.floating.",
    autocompletion=curve_names,
)


def run(
    specs: list[str] = SPECS,
    routing: RoutingName = "",
    traffic: str = TRAFFIC,
    load_text: str = LOAD,
    plot: str = PLOT,
    over: str = OVER,
    per: str = PER,
    log: bool = LOG,
    packet_flits: str = typer.Option("", "--packet-flits", help="Packet lengths, e.g. 16, 1*0.8+5*0.2 or 4..16."),
    cycles: int = typer.Option(None, "--cycles", help="Cycles in all: half to warm up, half measured, no drain."),
    preset: str = PRESET,
    seed: int = typer.Option(None, "--seed", help="Seed of every random draw."),
    sets: list[str] = SETS,
    trace: str = typer.Option("", "--trace", help="Replay the packets of this file (or netrace, .bz2) instead."),
    dependences: bool = typer.Option(False, "--dependences", help="Packets of --trace wait for what they answer."),
    gap: int = GAP,
    multicast: str = typer.Option("", "--multicast", help="Multicasts on trees: paths, or chip (RDTs); see --set."),
    compare: bool = typer.Option(False, "--compare", help="With --multicast: branching, direct answers, repeated."),
    saturation: bool = typer.Option(False, "--find-saturation", help="Search the saturation load."),
    fresh: bool = FRESH,
    events: str = typer.Option("", "--events", help="Every flit's events, as a file to write (CSV)."),
    channels: str = typer.Option("", "--channels", help="Load and buffers of every channel, as a file to write (CSV)."),
    distribution: bool = typer.Option(False, "--distribution", help="With --json: the whole latency histograms too."),
    checkpoint: Path = typer.Option(None, "--checkpoint", help="File to keep a long run in, and to go on from."),
    every: float = typer.Option(60.0, "--checkpoint-every", help="CPU seconds between two checkpoints."),
    faults: list[str] = FAULTS,
    reroute: str = typer.Option("", "--reroute", help="With --fault: the routing after the first fault."),
    retry: int = typer.Option(None, "--retry-cycles", help="With --fault: cycles until a lost packet is sent again."),
    flush: bool = typer.Option(False, "--flush", help="With --fault: take all packets out, not only broken ones."),
    on_ring: str = typer.Option("", "--on-ring", help="With --fault, where routes may deadlock: watch or drop."),
    threads: int = typer.Option(None, "--threads", help="Threads that share one run; as many as pay if left out."),
    whole: bool = ALL,
    as_json: AsJson = False,
) -> None:
    """Simulate a network flit by flit and measure latency and throughput."""
    curve, drawn = is_curve(specs, load_text, plot), Plotted(plot, over, per, log)
    load = None if curve or not load_text else _number(load_text)
    named = {"traffic": traffic, "packet_flits": packet_flits, "load": load, "seed": seed, "threads": threads}
    settings = _settings(sets or [], cycles, **named)
    files = {name: writable(file) for name, file in (("--events", events), ("--channels", channels)) if file}
    given = {"--checkpoint": checkpoint, **files, "--fault": faults}
    of_faults = _of_faults(faults, reroute, retry, flush, on_ring)
    kept = _checkpoint(checkpoint, every)
    others = {
        "--trace": trace, "--multicast": multicast, "--compare": compare, "--find-saturation": saturation,
        "--dependences": dependences, "--distribution": distribution, "--threads": threads, "--gap-cycles": gap,
    }  # fmt: skip
    if curve:
        _of_one_point(specs, {**given, **others})
        return run_curves(specs, routing, load_text, preset, settings, drawn, fresh, as_json)
    (spec,) = specs
    _needed(others, drawn, "load" in settings, fresh, as_json)
    if trace:
        not_with("--trace", {"--load": load, "--traffic": traffic, "--packet-flits": packet_flits})
    if multicast:
        not_with("--multicast", {**given, "--trace": trace, "--threads": threads, "--dependences": dependences})
        rows = _multicast(spec, routing, preset, others, settings)
    elif saturation:
        not_with("--find-saturation", {**given, **{name: others[name] for name in POINT_ALONE}})
        rows = [_saturation(spec, routing, preset, fresh, settings)]
    elif dependences:
        not_with("--dependences", {**given, "--distribution": distribution, "--threads": threads})
        rows = [_dependences(_built(spec), routing, preset, settings, trace, gap)]
    else:
        settings |= {"checkpoint": kept, "events": bool(events), **of_faults}
        rows = [_point(_built(spec), routing, preset, settings, trace, files, distribution)]
    for row in rows:
        _show(spec, row, as_json, whole)
    if kept is not None:
        kept.remove()


def _of_one_point(specs: list[str], given: dict[str, Any]) -> None:
    """Refuse options of a single point; a file's name among the networks is told as what it is."""
    from jumpnet.topology import family

    for spec in specs if any(given.values()) else ():
        family(parts_of(spec)[0])
    not_with("several points", given)


def _built(spec: str) -> Network:
    from jumpnet.topology import build

    return build(spec)


def _needed(given: dict[str, Any], drawn: Plotted, load: bool, fresh: bool, as_json: bool) -> None:
    """Refuse options that say nothing without another one, and a load that nothing says."""
    only_with("--plot", drawn.options())  # without a picture, as that makes a curve
    if is_quiet() and not (load or given["--trace"] or given["--find-saturation"]):
        raise JumpnetError("no --load found, an offered load such as 0.1 expected with --quiet")
    for option, there, names in (
        ("--multicast", given["--multicast"], ["--compare"]),
        ("--dependences", given["--dependences"], ["--gap-cycles"]),
        ("--json", as_json, ["--distribution"]),
    ):
        if not there:
            only_with(option, {name: given[name] for name in names})
    if not given["--find-saturation"] or given["--multicast"]:
        only_with("--find-saturation", {"--fresh": fresh})


def _multicast(
    spec: str, routing: str, preset: str, given: dict[str, Any], settings: dict[str, Any]
) -> list[dict[str, Any]]:
    """The rows of a point with multicasts, or of a search."""
    multicast, compare, whole = (given[name] for name in ("--multicast", "--compare", "--distribution"))
    if given["--find-saturation"]:
        not_with("--find-saturation", {"--compare": compare, "--distribution": whole})
        return [multicast_saturation(spec, routing, preset, multicast, settings)]
    return multicast_rows(spec, routing, preset, multicast, compare, whole, settings)


def _number(load: str) -> float:
    """The one load that is given."""
    try:
        return float(load)
    except ValueError:
        raise JumpnetError(f"--load {load!r} found, a number expected") from None


def _checkpoint(file: Path | None, every: float) -> Any:
    """The checkpoint of `--checkpoint`, if any."""
    if file is None:
        return None
    from jumpnet.sim.checkpoint import Checkpoint

    return Checkpoint(file, every)


def _of_faults(faults: list[str], reroute: str, retry: int | None, flush: bool, on_ring: str) -> dict[str, Any]:
    """The settings of `--fault` and of what goes with it; empty without faults."""
    if not faults:
        only_with("--fault", {"--reroute": reroute, "--retry-cycles": retry, "--flush": flush, "--on-ring": on_ring})
        return {}
    found = {"faults": faults, "reroute": reroute or None, "retry_cycles": retry, "flush": flush}
    return {**found, "on_ring": on_ring or "watch"}


def _point(
    net: Network, routing: str, preset: str, settings: dict[str, Any], trace: str, files: dict[str, Path], whole: bool
) -> dict[str, Any]:
    """The row of one point. `files`: of the options that name some; `whole`: with the histograms."""
    from jumpnet.sim.simulate import simulate

    packets = _packets(trace, net)
    if "faults" in settings:
        from jumpnet.sim.faults.simulate import simulate_with_faults  # more to load than all of a run without faults

        result: Result = simulate_with_faults(net, routing=routing or "lash", name=preset, trace=packets, **settings)
    else:
        result = simulate(net, routing or None, name=preset, trace=packets, **settings)
    if "--events" in files and result.events is not None:
        _csv(files["--events"], "cycle,kind,source,number,class,flit,router,place", result.events.tolist())
    if "--channels" in files:
        _csv(files["--channels"], "router,port,to,rank,load,buffer_flits", _channel_rows(net, result))
    if not trace and "load" not in settings:
        load = f"{result.config.load:.4g} flits per terminal and cycle"
        notice(f"no --load given: simulated at {load}, which is the default; --load 0.05..0.9 draws a curve")
    tell_deadlock(result.deadlock)
    about = {} if "faults" in settings else _why(net, routing, result.config.vcs) | _told(result.hint)
    return {**result.row(), **about, **(result.distributions() if whole else {})}


def _packets(trace: str, net: Network) -> Any:
    """The packets of a trace file, or None when none is named."""
    if not trace:
        return None
    from jumpnet.machine.trace.netrace import open_netrace, packet_list
    from jumpnet.traffic import read_packets

    read = packet_list(open_netrace(trace), net.endpoints) if trace.endswith(".bz2") else None
    packets = read_packets(trace, net.endpoints) if read is None else read
    if not len(packets.cycle):
        raise JumpnetError(f"{trace}: no packets between terminals found, one or more expected")
    return packets


def _show(spec: str, row: dict[str, Any], as_json: bool, whole: bool) -> None:
    if as_json:
        emit_json([row])
        return
    print_point(f"jumpnet simulate {spec}", row, whole)
    if "hint" in row and not is_quiet():
        print(f"hint: {row['hint']}")
