/** A wafer with defects and its repair: elements, compensation paths, traced wires; and how often methods repair one. */
import type { Network } from "../../data/network";
import { el, note } from "../../shell/controls";
import type { App, Mounted, Overlay, Panel } from "../../shell/panel";
import type { State } from "../../state/state";
import { showAbsent } from "../absent";
import { fileName } from "../../shell/save";
import { saveButtons } from "../picture";
import { ready, unpacked } from "../unpacked";
import { keyList, keyRows } from "./colours";
import { commandOf, pythonOf } from "./commands";
import { Controls } from "./controls";
import { drawOf, ID, NO_PAPER, settled, shownOf, type Data, type Shown } from "./data";
import { aboutOf, figuresOf, sentence, verdictOf } from "./figures";
import { linksOf } from "./links";
import { map } from "./map";

/** Rows and columns by which an arrow key goes on. */
const STEPS: Readonly<Record<string, readonly [number, number]>> = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

class View implements Mounted {
  private readonly content = el("div");
  private readonly controls: Controls;
  private readonly about = el("p", { class: "note" });
  private readonly verdict = el("p", { class: "verdict" });
  private readonly colours = el("div");
  private readonly hint = note("");
  private readonly figures = el("div");
  private before = ""; // what is drawn

  constructor(
    host: HTMLElement,
    private readonly app: App,
  ) {
    this.controls = new Controls(app);
    host.append(this.content);
  }

  update(state: State, net: Network): void {
    const data = unpacked<Data>(ID, this.app);
    const shown = shownOf(state, net);
    if (!data || !shown) {
      this.before = "";
      this.app.stage(null);
      const sentence = "Wafers carry tori and shifted recursive tori of two dimensions. In this page:";
      showAbsent(this.app, ID, this.content, sentence, data?.networks.map((each) => each.spec));
      return;
    }
    if (!this.content.contains(this.figures)) this.fill(data);
    this.controls.show(shown, state, net);
    const now = JSON.stringify([net.spec, shown.at, shown.paper?.figure, state["wafer.wires"], state["wafer.links"], state.picked]);
    if (now === this.before) return;
    this.before = now;
    this.draw(state, net, shown);
    this.showFigures(shown);
    this.app.announce(sentence(shown));
  }

  private fill(data: Data): void {
    this.controls.offer(data);
    const { which, drawn } = this.controls;
    this.colours.replaceChildren(keyList(data));
    this.content.replaceChildren(...which, this.about, this.verdict, this.colours, this.hint, ...drawn, this.figures);
  }

  private draw(state: State, net: Network, shown: Shown): void {
    const lengths = state["wafer.links"] === true ? wireLengths(shown, net) : null;
    this.colours.hidden = this.hint.hidden = lengths !== null; // they are of the wafer's picture
    if (lengths) {
      this.app.stage(null);
      this.app.overlay(lengths);
      return;
    }
    this.app.overlay(null);
    const focused = document.activeElement?.classList.contains("picture"); // on the picture before, which goes
    const picture = this.picture(state, net, shown);
    const [density, seed, method] = drawOf(shown);
    const which = shown.paper ? `figure-${shown.paper.figure}` : `${100 * density}-${seed}-${method}`;
    const save = saveButtons(picture, fileName(`${net.spec}-wafer-${which}`), keyRows(shown.data));
    this.app.stage(el("div", { class: "staged" }, el("div", { class: "tools" }, ...save), picture));
    if (focused) picture.focus();
  }

  /** The wafer, whose elements are picked by mouse and keys. */
  private picture(state: State, net: Network, shown: Shown): SVGElement {
    const picked = state.picked.at(-1) ?? -1;
    const picture = map(shown, net, state["wafer.wires"] === true, picked);
    picture.addEventListener("click", (event) => {
      const router = Number((event.target as Element).closest<SVGElement>("[data-router]")?.dataset.router ?? -1);
      this.app.set({ picked: router >= 0 && router !== picked ? [router] : [] });
    });
    picture.addEventListener("keydown", (event) => this.key(event, shown, net, picked));
    return picture;
  }

  /** Arrow keys go from element to element of the network, Escape lets go. */
  private key(event: KeyboardEvent, shown: Shown, net: Network, picked: number): void {
    const step = STEPS[event.key];
    if (!step && event.key !== "Escape") return;
    event.preventDefault();
    if (!step) return this.app.set({ picked: [] });
    const [rows, columns] = shown.wafers.core.slice(2) as [number, number];
    const [i, j] = [Math.floor(picked / columns), picked % columns];
    const next = picked < 0 ? 0 : ((i + step[0] + rows) % rows) * columns + ((j + step[1] + columns) % columns);
    this.app.set({ picked: [next] });
    const wires = [...linksOf(shown, net, next)].map(([other, segments]) => `${Math.floor(other / columns)},${other % columns} by ${segments}`);
    this.app.announce(`element ${Math.floor(next / columns)},${next % columns}; segments to ${wires.join("; ")}`);
  }

  private showFigures(shown: Shown): void {
    const picks = "Click an element, or go by arrow keys, to see its links and the segments of their wires.";
    this.hint.textContent = shown.made.repaired ? picks : "Wires have lengths once a wafer is repaired.";
    this.about.textContent = aboutOf(shown);
    this.verdict.replaceChildren(...verdictOf(shown));
    this.figures.replaceChildren(...figuresOf(shown));
  }

  destroy(): void {
    this.app.stage(null);
  }
}

/** Links of the network by the segments of their wires, null where the wafer is not repaired. */
function wireLengths({ made, wafers }: Shown, net: Network): Overlay | null {
  if (!made.segments) return null;
  const longest = made.segments.reduce((a, b) => Math.max(a, b), 1);
  const heat = new Float32Array(net.routers * net.ports).fill(NaN);
  wafers.links.forEach((channel, k) => (heat[channel] = made.segments![k]! / longest));
  return { heat, heatEnds: ["0", `${longest} segments`] };
}

export const panel: Panel = {
  id: ID,
  title: "Wafer",
  summary: "An array of elements with spares on all sides, some defective, and what repairs it.",
  keys: {
    "wafer.density": { initial: 0.05, least: 0, most: 1 },
    "wafer.seed": { initial: 1, least: 1, most: 4 },
    "wafer.method": { initial: "local", choices: ["local", "graph", "exact"] },
    "wafer.paper": { initial: NO_PAPER },
    "wafer.wires": { initial: true },
    "wafer.links": { initial: false },
  },
  misfit: () => null,
  mount: (host, app) => new View(host, app),
  ready: ready(ID),
  settled,
  command: commandOf,
  python: pythonOf,
};
