/** The first panel: what a network is made of, and what is seen from a router of it. */
import { FAMILIES } from "../data/families";
import { called, type Network } from "../data/network";
import { fixed, quantity } from "../data/words";
import { Search } from "../data/search";
import { button, capital, el, facts, heading, note, row, table, toggle } from "../shell/controls";
import { word } from "../shell/commands";
import type { App, Mark, Mounted, Overlay, Panel } from "../shell/panel";
import type { State } from "../state/state";
import { alongPieces, piecesOf, rankName, ranksOf, spelled, type Piece } from "./pieces";

const MOST_ROWS = 64;
const TAKEN: Mark = { colour: "accent", size: 4, arrow: true };

/** Routers of a path that the link names, each a neighbor of the one before; as far as it is one. */
function pathOf(state: State, net: Network): readonly number[] {
  const named = state["network.path"] as readonly number[];
  const joined = (a: number, b: number): boolean => net.neighbor.subarray(a * net.ports, (a + 1) * net.ports).includes(b);
  const wrong = named.findIndex((router, k) => router >= net.routers || (k > 0 && !joined(named[k - 1]!, router)));
  const path = wrong < 0 ? named : named.slice(0, wrong);
  return path.length > 1 ? path : [];
}

function along(net: Network, path: readonly number[]): Overlay {
  const links = new Map<number, Mark>();
  path.slice(1).forEach((to, k) => links.set(path[k]! * net.ports + net.neighbor.subarray(path[k]! * net.ports, (path[k]! + 1) * net.ports).indexOf(to), TAKEN));
  const [from, to] = [path[0]!, path.at(-1)!];
  const routers = new Map(path.map((router): [number, Mark] => [router, { colour: "accent", size: 2 }]));
  const labels = new Map([[from, `from ${called(net, from)}`], [to, `to ${called(net, to)}`]]);
  return { links, routers, labels, fadeOthers: true, legend: [["accent", "the path"]] };
}

const FURTHER: readonly (readonly [words: string, changes: Readonly<Record<string, string>>])[] = [
  ["See packets move", { panel: "simulate" }], ["Follow a packet", { panel: "route" }], ["Watch a deadlock", { panel: "deadlock", "deadlock.show": "ring" }],
  ["Break links", { panel: "faults" }], ["Compare networks", { panel: "papers" }],
];
const AT_ONCE = 16; // routers whose distances are searched between two looks at the clock

/** The distances of all pairs, in pieces of time; `done` is told the greatest and the mean. Returns what stops it. */
function distances(app: App, net: Network, done: (diameter: number, mean: number) => void): () => void {
  let [next, pairs, sum, most] = [0, 0, 0, 0];
  const search = new Search(net);
  return app.later(() => {
    for (const end = Math.min(net.routers, next + AT_ONCE); next < end; next++) {
      search.from(next);
      for (const hops of search.hops) {
        if (hops <= 0) continue;
        pairs++;
        sum += hops;
        if (hops > most) most = hops;
      }
    }
    if (next === net.routers) done(most, pairs ? sum / pairs : 0);
    return next === net.routers;
  });
}

function figures(net: Network, far: readonly HTMLElement[]): HTMLElement {
  let channels = 0;
  let [least, most] = [Infinity, 0];
  for (let r = 0; r < net.routers; r++) {
    const own = net.neighbor.subarray(r * net.ports, (r + 1) * net.ports).filter((s) => s >= 0).length;
    channels += own;
    [least, most] = [Math.min(least, own), Math.max(most, own)];
  }
  const links = net.directed ? channels : channels / 2;
  return facts([
    ["Routers", net.routers],
    ["Terminals", net.terminals.reduce((a, b) => a + b, 0)],
    [net.directed ? "One-way links" : "Links", links],
    ["Degree, links at a router", least === most ? most : `${least} to ${most}`],
    ["Diameter", far[0]!],
    ["Average distance", far[1]!],
    ...(net.grown ? [] : [["Routings that fit", net.routings.length || "lash, and others by a table"]] as [string, string | number][]),
  ]);
}

/** Routers by their distance; those without a way are left as they are. */
function shaded(hops: Int32Array, furthest: number, marked: Overlay | null): Overlay {
  const ends: [string, string] = ["0 hops", quantity(furthest, "hop")];
  return { routerHeat: Float32Array.from(hops, (h) => (h < 0 ? NaN : h / furthest)), heatEnds: ends, fadeOthers: true, ...marked };
}

/** Neighbors of a router, each a way to go on. */
function neighbors(net: Network, router: number, go: (router: number) => void): HTMLElement {
  const rows = [];
  for (let p = 0; p < net.ports && rows.length < MOST_ROWS; p++) {
    const c = router * net.ports + p;
    const s = net.neighbor[c]!;
    if (s >= 0) rows.push([p, button(called(net, s), () => go(s), { title: `Pick router ${s}` }), net.classNames[net.linkClass[c]!] ?? ""]);
  }
  return rows.length ? table(["Port", "To", "Link"], rows) : note("No link leaves it.");
}

function seenFrom(net: Network, router: number, hops: Int32Array): HTMLElement {
  const reached = hops.filter((h) => h > 0);
  const furthest = reached.reduce((a, b) => Math.max(a, b), 0);
  const mean = reached.length ? reached.reduce((a, b) => a + b, 0) / reached.length : 0;
  const counts = Array.from({ length: furthest }, (_, k) => hops.filter((h) => h === k + 1).length);
  const most = Math.max(1, ...counts);
  const bars = counts.map((count, k) =>
    el("li", { style: `--share:${count / most}` }, el("span", {}, `${k + 1}`), el("i"), el("span", {}, count.toLocaleString("en"))),
  );
  return el(
    "div", {},
    facts([["Furthest router", quantity(furthest, "hop")], ["Average distance", `${fixed(mean, 4)} hops`]]),
    note("Routers by their distance in hops:"),
    el("ol", { class: "bars", "aria-label": `Routers at each distance from ${called(net, router)}` }, ...bars),
  );
}

class NetworkView implements Mounted {
  private readonly about = el("div");
  private readonly way = el("div"); // what is marked: a path, links of one kind
  private readonly far = el("div"); // how far others are from the picked router
  private readonly near = el("div"); // its links
  private readonly widest = el("span");
  private readonly mean = el("span");
  private readonly shade;
  private before = ""; // what is shown
  private measured = ""; // whose distances are known, or searched
  private stop = (): void => undefined;

  constructor(
    host: HTMLElement,
    private readonly app: App,
  ) {
    this.shade = toggle("Shade routers by their distance from the picked one", false, (on) => app.set({ "network.distance": on }));
    const further = el("div", {}, heading("What to look at next"), row(...FURTHER.map(([words, changes]) => button(words, () => app.watch(changes)))));
    host.append(this.about, this.way, further, row(this.shade.element), this.far, this.near);
  }

  update(state: State, net: Network): void {
    const router = state.picked.at(-1) ?? -1;
    const distance = state["network.distance"] === true;
    this.shade.set(distance);
    const path = pathOf(state, net);
    const pieces = piecesOf(state, net);
    const now = `${net.spec} ${router} ${state.picked.length} ${distance} ${path.join(".")} ${spelled(pieces).join(".")}`;
    if (now === this.before) return;
    this.before = now;
    const lead = el("p", { class: "lead" }, el("strong", {}, net.spec), FAMILIES[net.family] ? ` is ${FAMILIES[net.family]}.` : "");
    this.measure(net);
    this.about.replaceChildren(lead, figures(net, [this.widest, this.mean]), ...(net.grown ? [note("Made here by its family's rule.")] : []));
    this.tellMarked(net, path, pieces);
    this.tellAround(net, router, distance, path.length ? along(net, path) : pieces.length ? alongPieces(net, pieces) : null, pieces);
  }

  private measure(net: Network): void {
    if (this.measured === net.spec) return;
    this.measured = net.spec;
    this.stop();
    this.widest.textContent = this.mean.textContent = "…";
    this.stop = distances(this.app, net, (most, average) => {
      this.widest.textContent = quantity(most, "hop");
      this.mean.textContent = `${fixed(average, 4)} hops`;
    });
  }

  /** What is marked, with a way to take it away. */
  private tellMarked(net: Network, path: readonly number[], pieces: readonly Piece[]): void {
    const away = (words: string, key: string): HTMLElement => row(button(words, () => this.app.set({ [key]: [] })));
    const joined = pieces.map(({ rank, router, routers, links }) =>
      note(`${capital(rankName(net, rank))} through ${called(net, router)}: ${quantity(routers.length, "router")}, ${quantity(links.length, "link")}`));
    this.way.replaceChildren(
      ...(path.length ? [heading(`A path of ${quantity(path.length - 1, "hop")}`), note(path.join(" → ")), away("Take it away", "network.path")] : []),
      ...(pieces.length ? [heading("Links of one kind"), ...joined, away("Take them away", "network.pieces")] : []),
    );
  }

  /** The picked router, what is far from it and what is next to it. */
  private tellAround(net: Network, router: number, distance: boolean, marked: Overlay | null, pieces: readonly Piece[]): void {
    const { app, far, near } = this;
    if (router < 0) {
      app.overlay(marked);
      far.replaceChildren(note("Pick a router by a click, or by arrow keys and Enter, to see what lies around it."));
      near.replaceChildren();
      return;
    }
    const search = new Search(net);
    search.from(router);
    const { hops } = search;
    const furthest = hops.reduce((a, b) => Math.max(a, b), 1);
    app.overlay(distance ? shaded(hops, furthest, marked) : marked);
    const several = app.state.picked.length > 2 ? [note(`${quantity(app.state.picked.length, "router")} are picked; this is of the last one.`)] : [];
    far.replaceChildren(...several, heading(`From router ${called(net, router)}`), seenFrom(net, router, hops));
    const inside = near.contains(document.activeElement);
    const kinds = ranksOf(net, router).map((rank) =>
      button(rankName(net, rank), () => app.set({ "network.path": [], "network.pieces": [...spelled(pieces), router, rank] }), { title: `Show all that ${rankName(net, rank)} joins to this router` }));
    near.replaceChildren(
      ...(kinds.length > 1 ? [heading("Follow its links of one kind"), row(...kinds)] : []),
      heading("Its links"), neighbors(net, router, (next) => app.set({ picked: [next] })),
    );
    if (inside) near.querySelector("button")?.focus();
  }

  destroy(): void {
    this.stop();
  }
}

/** Whether the path is all that is shown besides the network. */
const onlyPath = (state: State, net: Network): boolean =>
  pathOf(state, net).length > 0 && state.picked.length === 0 && piecesOf(state, net).length === 0 && state.view === "plane" && state["network.distance"] !== true;

export const panel: Panel = {
  id: "network",
  title: "Network",
  summary: "Routers, links and distances, as the family's definition gives them.",
  keys: { "network.distance": { initial: false }, "network.path": { initial: [], of: "way" }, "network.pieces": { initial: [] } },
  misfit: () => null,
  mount: (host, app) => new NetworkView(host, app),
  settled: (state, net) => ({ "network.path": pathOf(state, net), "network.pieces": spelled(piecesOf(state, net)) }),
  command: (state, net) => (onlyPath(state, net) ? `jumpnet draw ${word(net.spec)} --highlight '${pathOf(state, net).join(" ")}'` : null),
  python: (state, net) => (onlyPath(state, net) ? `jumpnet.network(${JSON.stringify(net.spec)}).draw(highlight=[${pathOf(state, net).join(", ")}])` : null),
};
