/** The whole page: holds the state, the network and the open panel, and tells them of each other. */
import type { Network } from "../data/network";
import { entries, load } from "../data/store";
import type { Overlay, Pick } from "../draw/overlay";
import { read, SHARED, write, type Key, type State, type Value } from "../state/state";
import { viewsOf } from "../draw/drawing";
import { el } from "./controls";
import { Head } from "./head";
import type { App, Mounted, Panel } from "./panel";
import { Same } from "./same";
import { Stage } from "./stage";
import { Tabs } from "./tabs";

const SLICE = 10; // ms of work before the page may draw again
const QUIET = 120; // ms before a link that changes on and on is written

export class Page implements App {
  state: State;
  net!: Network;
  motion = true;
  readonly specs: readonly string[];
  private readonly keys: Readonly<Record<string, Key>>;
  private readonly drawing: Stage;
  private readonly head: Head;
  private readonly tabs: Tabs;
  private readonly same: Same;
  private mounted: Mounted | null = null;
  private open: Panel | null = null;
  private pickHandler: ((pick: Pick) => void) | null = null;
  private frameHandler: ((elapsed: number) => void) | null = null;
  private overlayNow: Overlay | null = null;
  private last = 0;
  private writing = 0;
  private asked = "";

  constructor(private readonly panels: readonly Panel[]) {
    const held = entries();
    this.specs = held.map((entry) => entry.spec);
    this.keys = Object.assign({}, SHARED, ...panels.map((panel) => panel.keys)) as Record<string, Key>;
    this.state = this.told(location.hash);
    const host = (id: string): HTMLElement => document.getElementById(id)!;
    this.drawing = new Stage(host("stage"), (pick) => this.picked(pick), (text) => this.announce(text));
    this.head = new Head(host("head"), held, (changes) => this.set(changes), (on) => this.move(on), () => this.themed());
    this.tabs = new Tabs(host("side"), panels, (panel) => this.set({ panel }));
    this.same = new Same(host("same"), (text) => this.announce(text));
    host("skip").addEventListener("click", (event) => {
      event.preventDefault();
      this.drawing.top.focus();
    });
    addEventListener("hashchange", (event) => {
      clearTimeout(this.writing); // of a state that was left
      void this.follow(this.told(new URL(event.newURL).hash));
    });
    void this.follow(this.state);
  }

  /** The state of a link; without a network the page's first. */
  private told(hash: string): State {
    const state = read(hash, this.keys);
    const panel = this.panels.some((each) => each.id === state.panel) ? state.panel : this.panels[0]!.id;
    const { net = "", routing = "" } = document.body.dataset;
    const opened = state.net === "" || state.net === net;
    return { ...state, panel, net: state.net || net || this.specs[0] || "", routing: state.routing || (opened ? routing : "") };
  }

  load(spec: string): Promise<Network> {
    return load(spec);
  }

  set(changes: Readonly<Record<string, Value>>): void {
    const other = changes.net !== undefined && changes.net !== this.state.net;
    void this.follow({ ...this.state, ...(other ? this.forgotten() : {}), ...changes } as State, other || changes.panel !== undefined || changes.view !== undefined);
  }

  /** Panels' own keys at their defaults: what another network does not share. */
  private initial(): Record<string, Value> {
    const own = Object.entries(this.keys).filter(([name]) => name.includes("."));
    return Object.fromEntries(own.map(([name, key]) => [name, key.initial]));
  }

  private async follow(state: State, step = false): Promise<void> {
    const before = this.state;
    this.state = state;
    this.asked = state.net;
    let refused = "";
    if (this.net?.spec !== state.net) {
      try {
        const net = await load(state.net);
        if (this.asked !== state.net) return; // another one was asked for meanwhile
        this.net = net;
      } catch (error) {
        if (this.asked !== state.net) return;
        refused = error instanceof Error ? error.message : String(error);
        const there = this.net?.spec ?? this.usual();
        this.net ??= await load(there);
        this.state = before.net === there ? before : { ...before, net: there, ...this.forgotten() };
        this.asked = there;
      }
    }
    this.refuse(refused);
    this.state = fitting(this.state, this.net);
    this.write(step);
    this.shown();
  }

  /** The network that is shown where none is asked for. */
  private usual(): string {
    const { net = "" } = document.body.dataset;
    return this.specs.includes(net) ? net : (this.specs[0] ?? "");
  }

  /** What another network does not share. */
  private forgotten(): Record<string, Value> {
    return { picked: [], routing: "", vcs: 0, ...this.initial() };
  }

  private refuse(sentence: string): void {
    document.getElementById("refused")?.remove();
    if (sentence) document.getElementById("stage")!.append(el("p", { id: "refused", role: "alert" }, sentence));
  }

  private shown(): void {
    this.mend();
    const { state, net } = this;
    document.title = `${net.spec} · jumpnet`;
    this.head.show(state, net);
    this.drawing.scene.picked = state.picked;
    this.drawing.show(net, state.view);
    const panel = this.panels.find((each) => each.id === state.panel) ?? this.panels[0]!;
    if (this.open !== panel) this.mount(panel);
    this.tabs.show(panel, panel.misfit(net));
    if (!panel.misfit(net)) this.withFocus(() => this.mounted?.update(state, net));
    else this.overlay(null);
    this.drawing.scene.changed(true);
    this.same.show(this.link(), panel.command(state, net), `import jumpnet; ${panel.python(state, net).replaceAll("\n", "; ")}`);
  }

  /** Whoever has the focus in the panel keeps it, or what stands in the place of what had it. */
  private withFocus(update: () => void): void {
    const panel = document.getElementById("panel")!;
    const all = (): HTMLElement[] => [...panel.querySelectorAll<HTMLElement>("button, input, select")];
    const had = panel.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null;
    const place = had ? all().indexOf(had) : -1;
    update();
    if (!had || panel.contains(had)) return;
    const now = all().filter((each) => !(each as HTMLButtonElement).disabled);
    const named = (each: HTMLElement): string => `${each.title} ${each.textContent}`;
    (now.find((each) => named(each) === named(had)) ?? now[Math.min(Math.max(0, place), now.length - 1)])?.focus();
  }

  /** The state without what the open panel does not have. */
  private mend(): void {
    const panel = this.panels.find((each) => each.id === this.state.panel);
    const mended = (!panel?.misfit(this.net) && panel?.mend?.(this.state, this.net)) || {};
    if (Object.entries(mended).every(([name, value]) => this.state[name] === value)) return;
    this.state = { ...this.state, ...mended };
    this.write(false);
  }

  private mount(panel: Panel): void {
    this.mounted?.destroy();
    this.pickHandler = this.frameHandler = null;
    this.overlay(null);
    this.stage(null);
    this.open = panel;
    this.mounted = panel.mount(this.tabs.fresh(panel), this);
  }

  private link(): string {
    return location.href.split("#")[0] + write(this.state, this.keys);
  }

  private write(step: boolean): void {
    clearTimeout(this.writing);
    const put = (): void => {
      if (location.href !== this.link()) history[step ? "pushState" : "replaceState"](null, "", this.link());
    };
    if (step) put();
    else this.writing = window.setTimeout(put, QUIET);
  }

  private picked(pick: Pick | null): void {
    if (!pick) {
      this.set({ picked: [] });
      return;
    }
    if (this.pickHandler) this.pickHandler(pick);
    else if (pick.router >= 0) {
      const before = this.state.picked;
      this.set({ picked: before.length === 1 && before[0] !== pick.router ? [before[0]!, pick.router] : [pick.router] });
    }
    this.announce(pick.router >= 0 ? `router ${pick.router} picked` : "link picked");
  }

  overlay(overlay: Overlay | null): void {
    const before = this.overlayNow;
    this.overlayNow = overlay;
    const same = overlay && before && (["links", "routers", "heat", "routerHeat", "labels", "fadeOthers"] as const)
      .every((key) => overlay[key] === before[key]);
    if (same) this.drawing.scene.moveDots(overlay);
    else this.drawing.setOverlay(overlay);
  }

  stage(element: HTMLElement | null): void {
    this.drawing.cover(element);
  }

  onPick(handler: ((pick: Pick) => void) | null): void {
    this.pickHandler = handler;
  }

  onFrame(handler: ((elapsed: number) => void) | null): void {
    const idle = !this.frameHandler;
    this.frameHandler = handler;
    if (handler && idle) this.run();
  }

  private run(): void {
    this.last = 0;
    const frame = (now: number): void => {
      if (!this.frameHandler || !this.motion) return;
      this.frameHandler(this.last ? Math.min(100, now - this.last) : 16);
      this.last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  private themed(): void {
    this.drawing.theme();
    if (this.net) this.shown();
  }

  private move(on: boolean): void {
    const before = this.motion;
    this.motion = on;
    document.documentElement.classList.toggle("still", !on);
    if (on && !before && this.frameHandler) this.run();
    if (this.net) this.shown();
  }

  announce(text: string): void {
    document.getElementById("said")!.textContent = text;
  }

  later(step: () => boolean): () => void {
    let stopped = false;
    const slice = (): void => {
      const end = performance.now() + SLICE;
      let done = false;
      while (!stopped && !done && performance.now() < end) done = step();
      if (!stopped && !done) setTimeout(slice);
    };
    setTimeout(slice);
    return () => {
      stopped = true;
    };
  }
}

/** The state without what another network does not have. */
function fitting(state: State, net: Network): State {
  const picked = state.picked.filter((router) => router < net.routers);
  const routing = net.routings.some((each) => each.name === state.routing.split(":")[0]) ? state.routing : "";
  const view = viewsOf(net).includes(state.view) ? state.view : "plane";
  return { ...state, picked, routing, view };
}
