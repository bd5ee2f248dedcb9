/** What each link and router looks like: by rank, or as an overlay says. Read by WebGL and by painters alike. */
import type { Mark, Overlay } from "./overlay";
import { blend, heat, rankColour, rgb, shade, type Rgb } from "./colours";
import type { Drawing } from "./drawing";

export interface LinkLook {
  readonly colour: Rgb;
  readonly alpha: number;
  readonly width: number;
  readonly mark: Mark | null;
  readonly back: boolean; // the mark is of the channel from `to` to `from`
}

export interface RouterLook {
  readonly fill: Rgb;
  readonly alpha: number;
  readonly ring: Rgb;
  readonly radius: number;
  readonly width: number;
  readonly mark: Mark | null;
}

const FAINT = 0.14;
const LEAST_OPAQUE = 0.16;

/** Width of a plain link in pixels: less where there are many, more when looked at closely. */
export function lineWidth(drawn: Drawing, scale: number): number {
  const plain = Math.min(2, Math.max(0.8, 34 / Math.sqrt(Math.max(1, drawn.links.count))));
  return Math.min(3, plain * Math.max(1, (scale * drawn.spacing) / 45));
}

/** How opaque plain links are: less where they would fill the plane, so that what lies under them is seen. */
function opacity(drawn: Drawing, scale: number, width: number): number {
  const layers = (drawn.ink * width) / Math.max(1e-9, scale);
  return 0.9 * Math.min(1, Math.max(LEAST_OPAQUE, (1 / layers) ** 0.7));
}

/** Radius of a router in pixels. */
export function routerRadius(drawn: Drawing, scale: number): number {
  const share = drawn.view === "space" ? 0.14 : 0.27;
  return Math.min(22, Math.max(1.3, share * drawn.spacing * scale));
}

/** A function that says how link k looks. */
export function linkLooks(drawn: Drawing, overlay: Overlay | null, scale: number): (link: number) => LinkLook {
  const { links, ranks, net } = drawn;
  const width = lineWidth(drawn, scale);
  const plain = opacity(drawn, scale, width);
  const colours = new Map(ranks.map((rank) => [rank, rgb(rankColour(rank, ranks, net.baseRank))]));
  const { links: marks, heat: loads, fadeOthers } = overlay ?? {};
  return (link) => {
    const there = marks?.get(links.channel[link]!);
    const back = links.back[link]! >= 0 ? marks?.get(links.back[link]!) : undefined;
    const mark = back && (!there || back.size > there.size) ? back : there;
    if (mark && !mark.gone) {
      return { colour: rgb(mark.colour), alpha: 1, width: Math.max(mark.size, width), mark, back: mark === back };
    }
    if (mark) return { colour: rgb(mark.colour), alpha: 0, width: mark.size, mark, back: false };
    if (loads) return heated(loads, links.channel[link]!, links.back[link]!, width);
    const alpha = fadeOthers ? Math.min(FAINT, plain) : plain;
    return { colour: colours.get(links.rank[link]!)!, alpha, width, mark: null, back: false };
  };
}

function heated(loads: Float32Array, channel: number, back: number, width: number): LinkLook {
  const [there, here] = [loads[channel]!, back < 0 ? NaN : loads[back]!];
  const load = Number.isNaN(there) ? here : Number.isNaN(here) ? there : Math.max(there, here);
  if (Number.isNaN(load)) return { colour: rgb("base"), alpha: FAINT, width, mark: null, back: false };
  return { colour: heat(load), alpha: 0.95, width: width * (1 + 1.6 * load), mark: null, back: false };
}

/** A function that says how router r looks. */
export function routerLooks(drawn: Drawing, overlay: Overlay | null, scale: number): (router: number) => RouterLook {
  const heated = overlay?.heat !== undefined; // links are what is looked at
  const radius = routerRadius(drawn, scale) * (heated ? 0.6 : 1);
  const [plain, ring, ground] = [rgb("router"), rgb("router-ring"), rgb("ground")];
  const { routers: marks, routerHeat, shades, fadeOthers } = overlay ?? {};
  const width = Math.min(1.4, radius / 4);
  return (router) => {
    const mark = marks?.get(router) ?? null;
    const share = routerHeat ? routerHeat[router]! : NaN;
    const own = routerHeat ? (Number.isNaN(share) ? plain : shades ? shade(share) : heat(share)) : drawn.routerColour && !heated ? rgb(drawn.routerColour[router]!) : plain;
    if (mark?.gone) return { fill: ground, alpha: 1, ring: rgb(mark.colour), radius, width: 1.5, mark };
    if (mark) {
      const bold = Math.max(2, mark.size);
      return { fill: own, alpha: 1, ring: rgb(mark.colour), radius: Math.max(radius, 4) + bold / 2, width: bold, mark };
    }
    const faint = (fadeOthers || heated) && !routerHeat;
    return { fill: faint ? blend(own, ground, 0.75) : own, alpha: 1, ring: faint ? blend(ring, ground, 0.75) : ring, radius, width, mark };
  };
}
