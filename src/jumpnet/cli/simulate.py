"""`jumpnet simulate`: one point of a network under load, or its saturation by search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import typer

from jumpnet.cli._answers.curves import LoadAxes, is_curve, parts_of, run_curves
from jumpnet.cli._answers.multicasts import multicast_rows, multicast_saturation, saturation_figures, tell_deadlock
from jumpnet.cli._answers.point_tables import print_point
from jumpnet.cli._command.output import emit_json, progress_line
from jumpnet.cli._options.shared import WITHOUT, RoutingName, curve_names, not_with, only_with
from jumpnet.cli._options.simulate import Faults, Instead, Keeping, Output, Run
from jumpnet.errors import JumpnetError
from jumpnet.files import write_bytes
from jumpnet.jit.cache import cache_folder
from jumpnet.notices import is_quiet, notice

if TYPE_CHECKING:
    from jumpnet.networks import Network
    from jumpnet.sim.result.point import Result

NAME = "simulate"
PANEL = "Simulation and studies"
EXAMPLE = "jumpnet simulate torus:8x8 --routing torus.dateline --load 0.2 --packet-flits 16"


def _csv(path: Path, names: str, rows: Iterable[Iterable[object]]) -> None:
    """Write rows as comma-separated values under their names."""
    write_bytes(path, "".join(",".join(map(str, row)) + "\n" for row in [names.split(","), *rows]).encode())


def _channel_rows(net: Network, result: Any) -> Iterator[list[object]]:
    """One row a channel: where it starts and ends, its rank or level, its load, and the flits in a buffer behind it."""
    for router, port in np.argwhere(net.neighbor >= 0).tolist():
        rank = int(net.class_rank[net.link_class[router, port]])
        figures = (float(result.channel_load[router, port]), float(result.channel_buffer[router, port]))
        yield [router, port, int(net.neighbor[router, port]), rank, *figures]


def _batch_rows(result: Any) -> Iterator[list[object]]:
    """One row for each batch of cycles: its first cycle, packets and flits that arrived, means of their latencies."""
    for batch, (packets, *sums, flits) in enumerate(result.batches.tolist()):
        counts = (packets, packets, flits)
        means = ["" if count == 0 else each / count for each, count in zip(sums, counts, strict=True)]
        yield [batch * result.config.batch_cycles, packets, flits, *means]


def _saturation(net: Network, routing: str, preset: str, fresh: bool, settings: dict[str, Any]) -> dict[str, Any]:
    """The row of a search for saturation; its points are kept, and found again unless they shall be `fresh`."""
    from jumpnet.sim.saturation import find_saturation

    with progress_line() as say:
        found = find_saturation(
            net,
            routing or None,
            name=preset,
            memory=None if fresh else cache_folder().with_name("points"),
            progress=lambda done, load: say(f"point {done + 1}: load {load:.4f} of {net.spec}"),
            **settings,
        )
    first = found.points[0]
    about = _why(net, routing, first.config.vcs)
    what = {"spec": net.spec, "routing": first.routing, **about, "traffic": first.config.traffic}
    return {**what, **saturation_figures(found, ["packet"]), **_told(found.hint)}


def _told(hint: str | None) -> dict[str, str]:
    """What a row says of another routing."""
    return {"hint": hint} if hint else {}


def _why(net: Network, routing: str, vcs: int | None) -> dict[str, str]:
    """What a row says of a routing that was left out, for a run that had so many virtual channels."""
    from jumpnet.cli._options.defaults import routing_for

    return routing_for(net, routing, vcs)[1]


def _dependences(net: Network, routing: str, preset: str, settings: dict[str, Any], instead: Instead) -> dict[str, Any]:
    """The row of a netrace trace whose packets wait for each other, beside a replay at the recorded cycles."""
    from jumpnet.machine.dependence_file import is_table, read_dependent

    trace, gap = instead.trace, instead.gap
    if not (trace.endswith(".bz2") or is_table(trace)):
        raise JumpnetError(f"--dependences with trace {trace!r} found, a netrace (.bz2), .csv or .parquet expected")
    from jumpnet.machine.dependences import dependent_packets, replay
    from jumpnet.machine.trace.netrace import open_netrace
    from jumpnet.routings import default_routing
    from jumpnet.sim.config.sim_config import preset as config_of

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


POINT_ALONE = ("--trace", "--dependences")
"""What a search for saturation does not take."""
SPECS = typer.Argument(
    ...,
    metavar="SPEC",
    help="Network, e.g. rdt:64; several give a curve each, with a routing as in rdt:64@rdt.floating.",
    autocompletion=curve_names,
)


def run(
    options: Run,
    axes: LoadAxes,
    instead: Instead,
    faults: Faults,
    keeping: Keeping,
    output: Output,
    specs: list[str] = SPECS,
    routing: RoutingName = "",
) -> None:
    """Simulate a network flit by flit and measure latency and throughput."""
    curve = is_curve(specs, options.loads, output.plot)
    settings = options.settings(None if curve else options.load)
    of_faults, kept = faults.settings(), keeping.checkpoint()
    given = {"--checkpoint": keeping.file, **output.files(), "--fault": faults.faults}
    if curve:
        several = given | instead.options() | {"--distribution": output.distribution, "--threads": options.threads}
        _of_one_point(specs, several)
        left = _built(_only(specs), faults.missing) if faults.missing else None
        return run_curves(specs, routing, options, axes, output, instead.fresh, settings, left)
    (spec,) = specs
    routing = routing or (WITHOUT if faults.missing else "")
    _needed(axes, instead, output, "load" in settings)
    instead.check(options)
    if instead.multicast:
        others = {"--trace": instead.trace, "--threads": options.threads, "--dependences": instead.dependences}
        not_with("--multicast", given | others | {"--without": faults.missing})
        rows = _multicast(spec, routing, options.preset, instead, output.distribution, settings)
    elif instead.saturation:
        others = {name: instead.options()[name] for name in POINT_ALONE} | {"--distribution": output.distribution}
        not_with("--find-saturation", given | others)
        rows = [_saturation(_built(spec, faults.missing), routing, options.preset, instead.fresh, settings)]
    elif instead.dependences:
        not_with("--dependences", {**given, "--distribution": output.distribution, "--threads": options.threads})
        rows = [_dependences(_built(spec, faults.missing), routing, options.preset, settings, instead)]
    else:
        settings |= {"checkpoint": kept, "events": bool(output.events), **of_faults}
        rows = [_point(_built(spec, faults.missing), routing, options.preset, settings, instead.trace, output)]
    for row in rows:
        _show(spec, row, output)
    if kept is not None:
        kept.remove()


def _of_one_point(specs: list[str], given: dict[str, Any]) -> None:
    """Refuse options of a single point; a file's name among the networks is named as what it is."""
    from jumpnet.topology import family

    for spec in specs if any(given.values()) else ():
        family(parts_of(spec)[0])
    not_with("several points", given)


def _only(specs: list[str]) -> str:
    """The network that is the only one."""
    if len(specs) > 1:
        raise JumpnetError(
            f"--without with {len(specs)} networks found, one expected: routers have other numbers there"
        )
    return parts_of(specs[0])[0]


def _built(spec: str, missing: list[str] | None) -> Network:
    """A network, without what is missing."""
    from jumpnet.topology import build

    if not missing:
        return build(spec)
    from jumpnet.cli._answers.fault_sequence import without

    return without(build(spec), missing)


def _needed(axes: LoadAxes, instead: Instead, output: Output, load: bool) -> None:
    """Refuse options that change nothing without another one, and a load that was not given."""
    only_with("--plot", axes.options())  # without a picture, as that makes a curve
    if is_quiet() and not (load or instead.trace or instead.saturation):
        raise JumpnetError("no --load found, an offered load such as 0.1 expected with --quiet")
    if not output.as_json:
        only_with("--json", {"--distribution": output.distribution})


def _multicast(
    spec: str, routing: str, preset: str, instead: Instead, distribution: bool, settings: dict[str, Any]
) -> list[dict[str, Any]]:
    """The rows of a point with multicasts, or of a search."""
    if instead.saturation:
        not_with("--find-saturation", {"--compare": instead.compare, "--distribution": distribution})
        return [multicast_saturation(spec, routing, preset, instead.multicast, settings)]
    return multicast_rows(spec, routing, preset, instead.multicast, instead.compare, distribution, settings)


def _point(
    net: Network, routing: str, preset: str, settings: dict[str, Any], trace: str, output: Output
) -> dict[str, Any]:
    """The row of one point; the files of `output` are written."""
    from jumpnet.sim.simulate import simulate

    packets = _packets(trace, net)
    if "faults" in settings:
        from jumpnet.sim.faults.simulate import simulate_with_faults  # more to load than all of a run without faults

        result: Result = simulate_with_faults(net, routing=routing or "lash", name=preset, trace=packets, **settings)
    else:
        result = simulate(net, routing or None, name=preset, trace=packets, **settings)
    files = output.files()
    if "--events" in files and result.events is not None:
        _csv(files["--events"], "cycle,kind,source,number,class,flit,router,place", result.events.tolist())
    if "--channels" in files:
        _csv(files["--channels"], "router,port,to,rank,load,buffer_flits", _channel_rows(net, result))
    if "--batches" in files:
        names = "cycle,packets,flits,packet_latency_cycles,network_latency_cycles,flit_latency_cycles"
        _csv(files["--batches"], names, _batch_rows(result))
    if not trace and "load" not in settings:
        load = f"{result.config.load:.4g} flits per terminal and cycle"
        notice(f"no --load given: simulated at {load}, which is the default; --load 0.05..0.9 draws a curve")
    tell_deadlock(result.deadlock)
    about = {} if "faults" in settings else _why(net, routing, result.config.vcs) | _told(result.hint)
    return {**result.row(), **about, **(result.distributions() if output.distribution else {})}


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


def _show(spec: str, row: dict[str, Any], output: Output) -> None:
    if output.as_json:
        emit_json([row])
        return
    print_point(f"jumpnet simulate {spec}", row, output.whole)
    if "hint" in row and not is_quiet():
        print(f"hint: {row['hint']}")
