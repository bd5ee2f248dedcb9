/** Routes by first candidates, followed by the compiled relation: `jumpnet.routings.follow`, for many pairs. */
import { placed, type Seen } from "./filling";
import { type Instance, RunError } from "./types";

/** A routing on a network, in plain parts that can go to another thread. */
export interface Routed extends Seen {
  readonly relation: string;
  readonly start: string; // "" for none
  readonly draws: number;
  readonly routers: number;
  readonly ports: number;
  /** Fields of the header, and how many; rows that a relation may write; numbers that a start hook reads of queues. */
  readonly header: Readonly<Record<string, number>>;
  readonly fields: number;
  readonly candidates: number;
  readonly queues: number;
}

export interface Followed {
  readonly what: string;
  readonly draws: number;
  readonly channels: number;
  /** Tells `each` the channels of a route, router * ports + port; throws a RunError where it does not arrive. */
  route(source: number, destination: number, draw: number, each: (channel: number) => void): void;
}

type Asked = (...numbers: bigint[]) => bigint;

export function followed(instance: Instance, routed: Routed): Followed {
  const { what, draws, routers, ports, header, fields, candidates } = routed;
  const { exports, memory } = instance;
  const places = placed(instance, routed, [8 * fields, 8 * 4 * candidates, 8 * Math.max(1, routed.queues)]);
  const [head, rows] = [new BigInt64Array(memory.buffer, places.rooms[0], fields), new BigInt64Array(memory.buffer, places.rooms[1], 4 * candidates)];
  const tables = [0, 1].map((k) => new Int32Array(memory.buffer, places.arrays[k], routers * ports)) as [Int32Array, Int32Array];
  const [view, headAt, rowsAt, queueAt] = [places.view, ...places.rooms].map(BigInt) as [bigint, bigint, bigint, bigint];
  const [relation, start] = [routed.relation, routed.start].map((name) => exports[name] as Asked);
  const limit = Math.min(4 * routers + 64, 65536);
  const at = (name: string): number => header[name]!;
  const [source, destination, state, inPort, inVc, intermediate] = ["source", "destination", "state", "in_port", "in_vc", "intermediate"].map(at) as [number, number, number, number, number, number];
  const lost = (from: number, to: number): RunError => new RunError(`${what}: its routing does not deliver from router ${from} to ${to}`);
  return {
    what, draws, channels: routers * ports,
    route(from, to, draw, each) {
      head.fill(0n);
      [head[source], head[destination]] = [BigInt(from), BigInt(to)];
      head[inPort] = head[inVc] = head[intermediate] = -1n;
      if (routed.start) start!(view, headAt, BigInt(draw), queueAt);
      let here = from;
      for (let hops = 0; ; hops++) {
        const found = relation!(view, BigInt(here), headAt, rowsAt);
        if (found === 0n && here === to) return;
        const port = Number(rows[0]);
        const there = found > 0n && port >= 0 && port < ports ? tables[0][here * ports + port]! : -1;
        if (there < 0 || hops >= limit) throw lost(from, to);
        each(here * ports + port);
        [head[state], head[inPort], head[inVc]] = [rows[2]!, BigInt(tables[1][here * ports + port]!), rows[1]!];
        here = there;
      }
    },
  };
}
