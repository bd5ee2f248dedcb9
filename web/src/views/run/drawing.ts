/** What is drawn of a run: flits on their way or loads as heat, what is broken, a deadlock's ring, and the figures beside it. */
import { brokenOf, GONE, goneMarks } from "../../data/faults";
import type { Network } from "../../data/network";
import { el, note } from "../../shell/controls";
import type { App, Meaning, Overlay } from "../../shell/panel";
import type { State } from "../../state/state";
import { asHeat } from "./controls";
import type { Live } from "./live";
import { figuresOf } from "./figures";

const TOLD_EVERY = 200; // ms between figures that are told while it runs
const DEADLOCK = "Nothing moves any more, with flits inside: a deadlock. The marked channels wait for each other.";
const RING: Meaning = ["bad", "waits for the next: a deadlock"];

type Gone = Pick<Overlay, "links" | "routers" | "legend">;

export class RunDrawing {
  readonly figures = el("div", { class: "figures" });
  /** That nothing moves any more, however the run has come there; hidden where something does. */
  readonly stuck = note(DEADLOCK);
  private toldAt = 0; // ms
  private gone: { readonly key: string; readonly marks: Gone } = { key: "", marks: {} };

  constructor(private readonly app: App) {
    this.stuck.hidden = true;
  }

  /** The run as it stands now; while it runs, figures change no faster than they can be read. */
  draw(live: Live, running: boolean): void {
    const { state, net } = this.app;
    const overlay: Overlay = asHeat(state, net) ? live.heat() : { dots: live.dots(), dotsAre: "a flit, in its packet's colour" };
    const gone = this.goneOf(state, net);
    const { still } = live;
    const ring = still ? { links: new Map([...(gone.links ?? []), ...live.ring()]), legend: [...(gone.legend ?? []), RING] } : {};
    this.stuck.hidden = !still;
    this.app.overlay({ ...overlay, ...gone, ...ring });
    const now = performance.now();
    if (running && now - this.toldAt < TOLD_EVERY) return;
    this.toldAt = now;
    this.figures.replaceChildren(...figuresOf(live));
  }

  /** No run: what is broken, and nothing else. */
  blank(state: State, net: Network): void {
    this.stuck.hidden = true;
    this.app.overlay(this.goneOf(state, net));
  }

  /** Marks of what is broken, the same objects as long as it is the same: the drawing is then not made anew. */
  private goneOf(state: State, net: Network): Gone {
    const broken = brokenOf(state, net);
    const key = `${net.spec} ${JSON.stringify(broken)}`;
    if (this.gone.key !== key) {
      const [links, routers] = broken ? goneMarks(net, broken) : [];
      this.gone = { key, marks: links && routers ? { links, routers, legend: [GONE] } : {} };
    }
    return this.gone.marks;
  }
}
