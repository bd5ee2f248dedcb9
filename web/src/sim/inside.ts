/** What is inside a network now: flits by link, each of them in its buffer, channels that wait for each other. */
import { sentNow } from "./figures";
import type { Machine } from "./machine";
import type { Channel, Flit } from "./types";

const FLIT = ["router", "port", "vc", "place", "ready", "packet", "head", "source", "destination"] as const;
type FlitColumns = [number, number, number, number, number, number, number, number, number];

/** (R, inputs) output port, counted over all routers, that feeds each input port; -1 for a terminal's. */
export function feeders({ run }: Machine, neighbor: Int32Array, farPort: Int32Array): Int32Array {
  const feeder = new Int32Array(run.routers * run.inputs).fill(-1);
  for (let k = 0; k < neighbor.length; k++) {
    const to = neighbor[k]!;
    if (to >= 0) feeder[to * run.inputs + farPort[k]!] = k;
  }
  return feeder;
}

/** (R, P) flits sent by each link since cycle 0; row by row. */
export function flitsSent(machine: Machine): Int32Array {
  const { routers, outputs, link_outputs } = machine.run;
  const all = sentNow(machine);
  const links = new Int32Array(routers * link_outputs);
  for (let r = 0; r < routers; r++) links.set(all.subarray(r * outputs, r * outputs + link_outputs), r * link_outputs);
  return links;
}

/** (R, P) flits now in the input buffers at the far end of each link, those on the link included. */
export function flitsHeld(machine: Machine): Int32Array {
  const { routers, link_outputs } = machine.run;
  const held = machine.answer("held", routers * link_outputs);
  machine.call("sum_held", machine.record, held.byteOffset);
  return held.slice();
}

/** All flits: for small networks. */
export function flitsInside(machine: Machine, feeder: Int32Array): Flit[] {
  const { inputs, link_outputs } = machine.run;
  const columns = machine.layout.flit_columns;
  const most = Math.max(1, machine.counter("entered") - machine.counter("ejected"));
  const rows = machine.answer("flits", most * columns.length);
  const count = Math.min(most, machine.call("list_flits", machine.record, rows.byteOffset, most));
  const [router, port, vc, place, ready, packet, head, source, destination] = FLIT.map((name) => columns.indexOf(name)) as FlitColumns;
  return Array.from({ length: count }, (_, k) => {
    const row = rows.subarray(k * columns.length, (k + 1) * columns.length);
    const by = feeder[row[router]! * inputs + row[port]!]!;
    return {
      router: row[router]!, port: row[port]!, vc: row[vc]!, place: row[place]!, ready: row[ready]!, packet: row[packet]!,
      head: row[head] === 1, source: row[source]!, destination: row[destination]!,
      from: by < 0 ? -1 : Math.floor(by / link_outputs), fromPort: by < 0 ? -1 : by % link_outputs,
    };
  });
}

/** Channels whose packets wait for each other in a ring, null where there is no deadlock. */
export function ringOf(machine: Machine, cycle: number): Channel[] | null {
  const { routers, lanes, outputs, port_vcs } = machine.run;
  const ring = machine.answer("ring", 3 * routers * lanes);
  const count = machine.call("find_ring", machine.record, cycle, ring.byteOffset);
  if (!count) return null;
  const found = [...ring.subarray(0, count)];
  const once = [...new Set([found[count - 1]!, ...found.slice(0, -1)])];
  const each = outputs * port_vcs;
  return once.map((o) => ({ router: Math.floor(o / each), port: Math.floor((o % each) / port_vcs), vc: o % port_vcs }));
}
