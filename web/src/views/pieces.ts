/** What the links of one rank, level or dimension join: the torus of a rank that a router lies on, a ring of a dimension. */
import { bothWays } from "../data/faults";
import type { Network } from "../data/network";
import { rankColour } from "../draw/colours";
import type { Mark, Overlay } from "../shell/panel";
import type { State } from "../state/state";

export interface Piece {
  readonly router: number; // one of it
  readonly rank: number;
  readonly routers: readonly number[];
  readonly links: readonly number[]; // one channel of each
}

const rankAt = (net: Network, channel: number): number => (net.neighbor[channel]! < 0 ? -1 : net.classRank[net.linkClass[channel]!]!);

/** Ranks of which a router has links, or of the whole network. */
export function ranksOf(net: Network, router = -1): number[] {
  const [first, last] = router < 0 ? [0, net.neighbor.length] : [router * net.ports, (router + 1) * net.ports];
  const found = new Set<number>();
  for (let c = first; c < last; c++) if (net.neighbor[c]! >= 0) found.add(rankAt(net, c));
  return [...found].sort((a, b) => a - b);
}

/** All that links of that rank join to a router. */
function pieceOf(net: Network, router: number, rank: number): Piece {
  const seen = new Set([router]);
  const links = new Set<number>();
  for (const r of seen) {
    for (let c = r * net.ports; c < (r + 1) * net.ports; c++) {
      if (rankAt(net, c) !== rank) continue;
      seen.add(net.neighbor[c]!); // which the loop comes to
      links.add(net.directed ? c : bothWays(net, c)[0]);
    }
  }
  return { router, rank, routers: [...seen], links: [...links] };
}

/** Those that the link names, by router and rank, each once. */
export function piecesOf(state: State, net: Network): Piece[] {
  const named = state["network.pieces"] as readonly number[];
  const found: Piece[] = [];
  for (let k = 0; k + 1 < named.length; k += 2) {
    const [router, rank] = [named[k]!, named[k + 1]!];
    if (router >= net.routers || !ranksOf(net, router).includes(rank)) continue;
    if (!found.some((each) => each.rank === rank && each.routers.includes(router))) found.push(pieceOf(net, router, rank));
  }
  return found;
}

export const spelled = (pieces: readonly Piece[]): number[] => pieces.flatMap(({ router, rank }) => [router, rank]);

export const rankName = (net: Network, rank: number): string => net.rankNames[rank] ?? "links";

/** Their links and routers in the colours of their ranks, all else faint. */
export function alongPieces(net: Network, pieces: readonly Piece[]): Overlay {
  const ranks = ranksOf(net);
  const [links, routers] = [new Map<number, Mark>(), new Map<number, Mark>()];
  const colour = (rank: number): string => rankColour(rank, ranks, net.baseRank);
  for (const piece of pieces) {
    const mark: Mark = { colour: colour(piece.rank), size: net.routers > 500 ? 2 : 3, arrow: net.directed };
    for (const c of piece.links) links.set(c, mark);
    for (const r of piece.routers) routers.set(r, { colour: mark.colour, size: 2 });
  }
  const shown = [...new Set(pieces.map(({ rank }) => rank))];
  return { links, routers, fadeOthers: true, legend: shown.map((rank): [string, string] => [colour(rank), rankName(net, rank)]) };
}
