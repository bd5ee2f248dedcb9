/** Territories of multicasts from one router: which routers each top rank reaches, as shades under the drawing. */
import type { Meaning, Overlay } from "../../shell/panel";
import type { State } from "../../state/state";

/** Territories around a source: the least top rank that reaches each router, -1 for none, and ranks up to which they are shown. */
export interface Around {
  readonly least: Int32Array;
  readonly upTo: number;
}

/** Ranks up to which territories are shaded; null where they are not. */
export function upToOf(state: State, top: number): number | null {
  const asked = state["multicast.ranks"] as number;
  return state["multicast.territory"] === true ? (asked < 0 ? top : Math.min(asked, top)) : null;
}

const DEEPEST = 0.9;

/** Territories as an overlay: the smaller the rank, the deeper; routers outside are left as they are. */
export function shaded({ least, upTo }: Around): Pick<Overlay, "routerHeat" | "shades" | "legend"> {
  const depth = (rank: number): number => (rank >= 0 && rank <= upTo ? DEEPEST * (1 - rank / (upTo + 1)) ** 1.5 : NaN);
  const words = (rank: number): string => (rank ? `and of top rank ${rank}` : "territory of top rank 0");
  const legend = Array.from({ length: upTo + 1 }, (_, rank): Meaning => [`shade-${depth(rank)}`, words(rank), "disc"]);
  return { routerHeat: Float32Array.from(least, depth), shades: true, legend };
}

/** How many routers a multicast of each top rank can reach. */
export function sizes(top: number, least: Int32Array): string {
  const counts = Array.from({ length: top + 1 }, (_, rank) => least.filter((each) => each >= 0 && each <= rank).length);
  return counts.map((size, rank) => `rank ${rank} reaches ${size.toLocaleString("en")}`).join(", ");
}
