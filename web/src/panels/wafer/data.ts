/** What Python computed of wafers, and which of them a state means. */
import type { Network } from "../../data/network";
import type { State, Value } from "../../state/state";
import { unpacked } from "../unpacked";

export const ID = "wafer";
/** No figure of the SRT report, but a wafer of its own. */
export const NO_PAPER = "none";

export interface Lines {
  readonly points: Int32Array; // (points, 2)
  readonly end: Int32Array; // where each line ends
}

/** A figure of the SRT report, and its defective elements. */
export interface Paper {
  readonly figure: string;
  readonly bad: readonly (readonly [number, number])[];
}

/** The report's curves: of so many wafers of a network the share that each method repairs. */
export interface Yields {
  readonly spec: string;
  readonly wafers: number;
  readonly densities: readonly number[];
  readonly names: readonly string[];
  readonly parts: readonly (readonly number[])[]; // by name, density
}

/** A wafer and what became of it. */
export interface Made {
  readonly repaired: boolean;
  readonly defects: number;
  readonly faults: number;
  readonly unrepaired: number;
  readonly longest: number | null;
  readonly added: readonly [number, number] | null;
  readonly why: string | null;
  readonly kind: Int32Array;
  readonly owner: Int32Array;
  readonly paths: Lines; // in elements
  readonly wires: { readonly straight: Lines; readonly bent: Lines }; // in hundredths
  readonly through: Lines;
  readonly turned: Int32Array;
  readonly segments: Int32Array | null; // of each link, in the order of `links`
}

/** The wafers of a network. */
export interface Wafers {
  readonly spec: string;
  readonly shape: readonly [number, number];
  readonly core: readonly [number, number, number, number]; // first row, first column, rows, columns
  readonly area: number;
  readonly links: Int32Array; // a channel of each link
  readonly made: readonly (readonly (readonly Made[])[])[]; // by density, seed, method
  readonly yields: readonly (readonly (readonly [number, number, number])[])[]; // by density, method
}

export interface Data {
  readonly kinds: readonly string[];
  readonly densities: readonly number[];
  readonly seeds: readonly number[];
  readonly methods: readonly { readonly name: string; readonly summary: string }[];
  readonly wafers: number;
  readonly networks: readonly Wafers[];
  readonly papers: { readonly spec: string; readonly made: readonly (Made & Paper)[] };
  readonly curves: Yields;
}

/** A wafer as it is shown. */
export interface Shown {
  readonly data: Data;
  readonly wafers: Wafers;
  readonly made: Made;
  readonly at: { readonly density: number; readonly seed: number; readonly method: number };
  readonly paper: Paper | null;
}

/** The wafer nearest to what a state asks for, null where the page has none of the network. */
export function shownOf(state: State, net: Network): Shown | null {
  const data = unpacked<Data>(ID);
  const wafers = data?.networks.find((each) => each.spec === net.spec);
  if (!data || !wafers) return null;
  const nearest = data.densities.map((each) => Math.abs(each - (state["wafer.density"] as number)));
  const at = {
    density: nearest.indexOf(Math.min(...nearest)),
    seed: Math.max(0, data.seeds.indexOf(state["wafer.seed"] as number)),
    method: Math.max(0, data.methods.findIndex((each) => each.name === state["wafer.method"])),
  };
  const paper = data.papers.spec === net.spec ? data.papers.made.find((each) => each.figure === state["wafer.paper"]) : undefined;
  if (paper) return { data, wafers, made: paper, at, paper };
  return { data, wafers, paper: null, made: wafers.made[at.density]![at.seed]![at.method]!, at };
}

/** What a command and Python call a wafer that is shown: its density of defects, seed and method. */
export const drawOf = ({ data, at }: Shown): [density: number, seed: number, method: string] =>
  [data.densities[at.density]!, data.seeds[at.seed]!, data.methods[at.method]!.name];

/** Keys of a state that ask for what there is not, as they are instead. */
export function settled(state: State, net: Network): Readonly<Record<string, Value>> {
  const shown = shownOf(state, net);
  if (!shown) return {};
  const [density, seed, method] = drawOf(shown);
  const links = state["wafer.links"] === true && shown.made.repaired;
  return { "wafer.paper": shown.paper?.figure ?? NO_PAPER, "wafer.density": density, "wafer.seed": seed, "wafer.method": method, "wafer.links": links };
}
