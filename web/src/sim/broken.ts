/** Links and routers that are out of service from cycle 0 on: a run's memory as Python has it for `fault.degraded`. */
import type { Alter, Machine } from "./machine";
import { ChannelsError, RunError } from "./types";

/** Numbers of routers, and of one channel (router * ports + port) of each link. */
export interface Broken {
  readonly routers: readonly number[];
  readonly links: readonly number[];
}

/** The change that takes them out of service; where nothing is broken, that which fills the tables of a routing that asks for it. */
export function altering(broken: Broken | null): Alter {
  return (machine) => {
    if (broken) breakUp(machine, broken);
    else if (machine.run.filled && !machine.tabled) {
      reroute(machine, endsOf(machine, new Set()));
      machine.tabled = true;
    }
  };
}

/** Terminals of each router that is not broken, those that send and those that receive. */
function endsOf(machine: Machine, gone: ReadonlySet<number>): Int32Array {
  const ends = new Int32Array(machine.run.routers);
  for (const block of ["source_router", "sink_router"]) for (const r of machine.ints(block)) if (!gone.has(r)) ends[r]!++;
  return ends;
}

/** Takes them out of what the routing sees, fills its tables anew, and leaves out the terminals of broken routers. */
function breakUp(machine: Machine, { routers, links }: Broken): void {
  const gone = new Set(routers);
  const channels = cut(machine, gone, links);
  reroute(machine, endsOf(machine, gone));
  machine.channels -= channels;
  leaveOut(machine, gone);
}

/** Takes links out of the view; returns how many channels that were. */
function cut(machine: Machine, gone: ReadonlySet<number>, links: readonly number[]): number {
  const ports = machine.run.link_outputs;
  const [neighbor, far, kind] = ["neighbor", "far_port", "link_class"].map((name) => machine.ints(`view.${name}`)) as [
    Int32Array, Int32Array, Int32Array,
  ];
  const out = new Set<number>();
  for (const channel of links) if (neighbor[channel]! >= 0) out.add(channel).add(neighbor[channel]! * ports + far[channel]!);
  neighbor.forEach((to, channel) => {
    if (to >= 0 && (gone.has(to) || gone.has(Math.floor(channel / ports)))) out.add(channel);
  });
  for (const channel of out) neighbor[channel] = far[channel] = kind[channel] = -1;
  return out.size;
}

/** The routing's tables for what is left, by the entry that fills them. */
function reroute(machine: Machine, ends: Int32Array): void {
  const { layout, run } = machine;
  const name = run.routing.split(":")[0]!;
  const entry = layout.routed[name];
  if (!entry) throw new RunError(`${name} is made for the whole network; ${Object.keys(layout.routed).join(" and ")} go round faults`);
  const [routers, ports] = [run.routers, run.link_outputs];
  const sent = machine.answer("ends", routers);
  sent.set(ends);
  const from = sent.byteOffset; // more room may move the memory, not what is in it
  const columns = Math.ceil((2 * machine.ints("view.table").length) / routers);
  const numbers = 20 * routers + routers * ports * (7 + Math.max(...Object.values(layout.layers)) * (2 + ports)) + 4 * columns + 16;
  const found = machine.call(entry, machine.address("view"), from, machine.answer("routed", numbers).byteOffset);
  const layers = layout.layers[name];
  if (!found) throw new RunError(`${name} found ${layers ? `more than ${layers} layers necessary` : "a network in pieces, a connected one expected"}`);
  if (layers && found > run.vcs) throw new ChannelsError(`${name} needs ${found} virtual channels round these faults, ${run.vcs} found`, found);
}

/** Terminals of broken routers: the others move up, as if there had been no more. */
function leaveOut(machine: Machine, gone: ReadonlySet<number>): void {
  if (!gone.size) return;
  if (machine.run.settings.traffic !== "uniform")
    throw new RunError("traffic other than uniform found, which counts on every router; without broken routers there is all of it");
  for (const end of ["source", "sink"]) {
    const [at, index] = [machine.ints(`${end}_router`), machine.ints(`${end}_index`)];
    const kept = [...at.keys()].filter((k) => !gone.has(at[k]!));
    kept.forEach((k, n) => ([at[n], index[n]] = [at[k]!, index[k]!]));
    if (end === "source") machine.terminals = kept.length;
  }
  if (machine.terminals < 2) throw new RunError("fewer than 2 terminals found, at least 2 expected by uniform");
  machine.setSize("terminals", machine.terminals);
  machine.setSize("sources", machine.terminals);
  machine.setWord("class_calls", 6, machine.terminals - 1);
}
