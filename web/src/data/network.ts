/** A network as the page holds it: Python's plain arrays, row by row. R routers, P ports, D coordinates. */
export interface Network {
  readonly spec: string; // canonical spec, e.g. "rdt:16"
  readonly family: string;
  readonly routers: number; // R
  readonly ports: number; // P
  readonly dims: number; // D
  readonly directed: boolean;
  readonly neighbor: Int32Array; // (R, P) router at the far end of a port, -1 without link
  readonly farPort: Int32Array; // (R, P) port there, -1 without link
  readonly linkClass: Int32Array; // (R, P) index into classNames, -1 without link
  readonly classNames: readonly string[];
  readonly classRank: Int32Array; // (classes,) rank, level or dimension, as the drawing groups links
  readonly coord: Int32Array; // (R, D)
  readonly terminals: Int32Array; // (R,) endpoints that inject
  readonly sinks: Int32Array; // (R,) endpoints that eject
  readonly params: BigInt64Array; // integers of the family
  readonly latency: Int32Array | null; // (R, P) cycles of each link where a file gave them
  readonly labels: readonly string[] | null; // names from the outside, else null
  readonly place: Places;
  readonly rankNames: Readonly<Record<number, string>>; // by rank, for the legend
  readonly baseRank: number; // rank that is drawn in grey (base of a recursive network), -1 for none
  readonly routings: readonly Routing[]; // those that fit, the default one first
  readonly grown?: boolean; // made here by its family's rule: its routings are not known
}

/** Where routers are drawn in the plane, as `jumpnet.plot.styles.places` says. */
export interface Places {
  readonly position: Float32Array; // (R, 2), y upwards
  readonly basis: Float32Array | null; // (D, 2) step of each coordinate, where places are coordinates times basis
  readonly sides: readonly number[] | null; // sides of the torus whose wrap-around links leave the frame
  readonly circle: boolean; // routers on a circle: chords bend inwards
  readonly arch: Int32Array | null; // (R,) +1 or -1: links along a row arch above or below it
}

/** A routing that fits the network; its relation runs from a run image (`sim/`), which brings its tables along. */
export interface Routing {
  readonly name: string; // e.g. "rdt.floating"
  readonly summary: string;
  readonly source: string;
  readonly vcs: number; // virtual channels it needs, 1 where the page finds that later
  readonly draws: number; // draws that the start hook tells apart
  readonly starts: boolean; // whether it has a start hook
  readonly adaptive: boolean;
  readonly bubble: boolean;
  readonly file?: string; // that has it, where it is a user's own
}

/** Number of channel (r, p): its place in the (R, P) tables. Loads and colours of channels are arrays by this number. */
export const channel = (net: Network, router: number, port: number): number => router * net.ports + port;

/** A router's number, as the drawing and commands have it, with its name where that says more: `10 = 2,1`. */
export function called(net: Network, router: number): string {
  const name = routerName(net, router);
  return name === String(router) ? name : `${router} = ${name}`;
}

/** A router as people name it: its label, its coordinates `1,2`, or its number; what Python's `router_at` reads. */
export function routerName(net: Network, router: number): string {
  if (net.labels) return net.labels[router]!;
  if (net.dims < 2) return String(router);
  return Array.from(net.coord.subarray(router * net.dims, (router + 1) * net.dims)).join(",");
}
