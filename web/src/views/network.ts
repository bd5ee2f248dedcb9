/** The first panel: what a network is made of, and what is seen from a router of it. */
import { called, type Network } from "../data/network";
import { button, el, facts, heading, note, row, table, toggle } from "../shell/controls";
import type { App, Mounted, Panel } from "../shell/panel";
import type { State } from "../state/state";

const MOST_ROWS = 64;

/** Hops from a router to each other along the channels; -1 where there is no way. */
export function hopsFrom(net: Network, from: number): Int32Array {
  const hops = new Int32Array(net.routers).fill(-1);
  const queue = new Int32Array(net.routers);
  hops[from] = 0;
  queue[0] = from;
  for (let head = 0, tail = 1; head < tail; head++) {
    const r = queue[head]!;
    for (let p = 0; p < net.ports; p++) {
      const s = net.neighbor[r * net.ports + p]!;
      if (s < 0 || hops[s]! >= 0) continue;
      hops[s] = hops[r]! + 1;
      queue[tail++] = s;
    }
  }
  return hops;
}

function figures(net: Network): HTMLElement {
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
    ["Degree", least === most ? most : `${least} to ${most}`],
    ["Routings that fit", net.routings.length || "lash, and others by a table"],
  ]);
}

/** Neighbors of a router, each a way to go on. */
function neighbors(net: Network, router: number, go: (router: number) => void): HTMLElement {
  const rows = [];
  for (let p = 0; p < net.ports && rows.length < MOST_ROWS; p++) {
    const c = router * net.ports + p;
    const s = net.neighbor[c]!;
    if (s >= 0) rows.push([p, button(called(net, s), () => go(s), { title: `Pick router ${s}` }), net.classNames[net.linkClass[c]!] ?? ""]);
  }
  return table(["Port", "To", "Link"], rows);
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
    facts([["Furthest router", `${furthest} ${furthest === 1 ? "hop" : "hops"}`], ["Average distance", mean.toFixed(4)]]),
    el("ol", { class: "bars", "aria-label": `Routers at each distance from ${called(net, router)}` }, ...bars),
  );
}

function mount(host: HTMLElement, app: App): Mounted {
  const about = el("div");
  const far = el("div");
  const near = el("div");
  const shade = toggle("Shade routers by distance from the picked one", false, (on) => app.set({ "network.distance": on }));
  host.append(about, row(shade.element), far, near);
  let before = "";
  return {
    update(state: State, net: Network) {
      const router = state.picked[state.picked.length - 1] ?? -1;
      const distance = state["network.distance"] === true;
      shade.set(distance);
      const now = `${net.spec} ${router} ${distance}`;
      if (now === before) return;
      before = now;
      about.replaceChildren(figures(net));
      if (router < 0) {
        app.overlay(null);
        far.replaceChildren(note("Pick a router by a click, or by arrow keys and Enter, to see what lies around it."));
        near.replaceChildren();
        return;
      }
      const hops = hopsFrom(net, router);
      const furthest = hops.reduce((a, b) => Math.max(a, b), 1);
      app.overlay(distance ? { routerHeat: Float32Array.from(hops, (h) => Math.max(0, h) / furthest), fadeOthers: true } : null);
      far.replaceChildren(heading(`From router ${called(net, router)}`), seenFrom(net, router, hops));
      const inside = near.contains(document.activeElement);
      near.replaceChildren(heading("Its links"), neighbors(net, router, (next) => app.set({ picked: [next] })));
      if (inside) near.querySelector("button")?.focus();
    },
    destroy() {},
  };
}

export const panel: Panel = {
  id: "network",
  title: "Network",
  summary: "Routers, links and distances, as the family's definition gives them.",
  keys: { "network.distance": { initial: false } },
  misfit: () => null,
  mount,
  command: () => null,
  python: () => null,
};
