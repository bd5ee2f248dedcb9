/** Links and routers that are out of service from cycle 0 on: a run's memory as Python has it for `fault.degraded`. */
import type { Alter, Machine } from "./machine";
import { RunError } from "./types";

/** Numbers of routers, and of one channel (router * ports + port) of each link. */
export interface Broken {
  readonly routers: readonly number[];
  readonly links: readonly number[];
}

/** The change that takes them out of service: out of what the routing sees, and terminals of broken routers. */
export function breaking(broken: Broken | null): Alter {
  return (machine) => {
    if (!broken) return;
    const gone = new Set(broken.routers);
    const seen = ["neighbor", "far_port", "link_class"].map((name) => machine.ints(`view.${name}`)) as [Int32Array, Int32Array, Int32Array];
    machine.channels -= cutLinks(seen, machine.run.link_outputs, gone, broken.links);
    leaveOut(machine, gone);
  };
}

/** Takes links out of tables of neighbors, far ports and kinds; returns how many channels that were. */
export function cutLinks([neighbor, far, kind]: readonly [Int32Array, Int32Array, Int32Array], ports: number, gone: ReadonlySet<number>, links: readonly number[]): number {
  const out = new Set<number>();
  for (const channel of links) if (neighbor[channel]! >= 0) out.add(channel).add(neighbor[channel]! * ports + far[channel]!);
  neighbor.forEach((to, channel) => {
    if (to >= 0 && (gone.has(to) || gone.has(Math.floor(channel / ports)))) out.add(channel);
  });
  for (const channel of out) neighbor[channel] = far[channel] = kind[channel] = -1;
  return out.size;
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
