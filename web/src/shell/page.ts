/** The whole page: holds the state, the network and the open panel, and tells them of each other. */
import type { Network } from "../data/network";
import { AbsentError, entries, load } from "../data/store";
import type { Overlay, Pick } from "../draw/overlay";
import { read, spelled, write, type Key, type State, type Value } from "../state/state";
import { drawCommand, drawPython, oneLine } from "./commands";
import { listenToDrops } from "./dropped";
import { fitting } from "./fitting";
import { keepFocus } from "./focus";
import { Head } from "./head";
import { besides, misread, unshown, type About } from "./misread";
import { Notice } from "./notice";
import { keysOf, type App, type Mounted, type Panel } from "./panel";
import { Footer } from "./footer";
import { listenToPrints } from "./print";
import { Stage } from "./stage";
import { Tabs } from "./tabs";

const SLICE = 10; // ms of work before the page may draw again
const PLAIN = ["plane", "network"]; // what a picture's name need not say
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
  private readonly footer: Footer;
  private mounted: Mounted | null = null;
  private open: Panel | null = null;
  private pickHandler: ((pick: Pick) => void) | null = null;
  private fileHandler: ((file: File) => void) | null = null;
  private frameHandler: ((elapsed: number) => void) | null = null;
  private overlayNow: Overlay | null = null;
  private last = 0;
  private writing = 0;
  private telling = 0;
  private pending = ""; // the link that is about to be written
  private asked = "";
  private linked: State | null = null; // what the link asked for, until something is changed by hand
  private judged: State | null = null; // that of `linked` which panels that are not open have looked at
  private readonly notice = new Notice((net) => this.set({ net }));

  constructor(private readonly panels: readonly Panel[]) {
    const held = entries();
    this.specs = held.map((entry) => entry.spec);
    this.keys = keysOf(panels);
    this.state = this.linkedTo(location.hash);
    const host = (id: string): HTMLElement => document.getElementById(id)!;
    this.drawing = new Stage(host("stage"), (pick) => this.picked(pick), (text) => this.announce(text), (eye) => this.looked(eye));
    this.head = new Head(host("head"), held, (changes) => this.set(changes), (on) => this.move(on), () => this.drawing.theme());
    this.tabs = new Tabs(host("side"), panels, (panel) => this.set({ panel }));
    this.footer = new Footer(host("same"), (text) => this.announce(text));
    keepFocus(() => document.getElementById(`tab-${this.state.panel}`));
    host("skip").addEventListener("click", (event) => {
      event.preventDefault();
      this.drawing.top.focus();
    });
    addEventListener("hashchange", (event) => {
      clearTimeout(this.writing); // of a state that was left
      this.writing = 0;
      void this.follow(this.linkedTo(new URL(event.newURL).hash));
    });
    listenToPrints(host("stage"), this.drawing, () => this.drawing.theme());
    listenToDrops((file) => this.dropped(file), (why) => this.say(why));
    void this.follow(this.state);
  }

  /** The state of a link; without a network that which the page was written to open. */
  private told(hash: string): State {
    const { net = "", routing = "", at = "" } = document.body.dataset;
    const state = read(hash.length > 1 ? hash : at, this.keys);
    const opened = state.net === "" || state.net === net;
    return { ...state, net: state.net || net || this.specs[0] || "", routing: state.routing || (opened ? routing : "") };
  }

  /** The same of a link that is opened: what of it is not shown is said. */
  private linkedTo(hash: string): State {
    this.notice.say(misread(hash, this.keys));
    return (this.linked = this.told(hash));
  }

  load(spec: string): Promise<Network> {
    return load(spec);
  }

  set(changes: Readonly<Record<string, Value>>): void {
    const other = changes.net !== undefined && changes.net !== this.state.net;
    const turned = changes.view !== undefined && changes.view !== this.state.view;
    if (Object.keys(changes).length) this.linked = null;
    if (other || (changes.panel !== undefined && changes.panel !== this.state.panel)) this.notice.say([]);
    const forgotten = { ...(other ? { picked: [], routing: "", vcs: 0, ...this.initial() } : {}), ...(other || turned ? { eye: "" } : {}) };
    void this.follow({ ...this.state, ...forgotten, ...changes } as State, other || changes.panel !== undefined || changes.view !== undefined);
  }

  watch(changes: Readonly<Record<string, Value>>): void {
    this.set(changes);
    if (this.motion && this.open?.id === changes.panel) this.mounted?.start?.();
  }

  /** Panels' own keys at their defaults: what another network does not share. */
  private initial(): Record<string, Value> {
    const own = Object.entries(this.keys).filter(([name]) => name.includes("."));
    return Object.fromEntries(own.map(([name, key]) => [name, key.initial]));
  }

  private async follow(state: State, step = false): Promise<void> {
    const before = this.state;
    this.state = state;
    this.asked = state.net; // whatever is still being unpacked is not wanted any more
    if (this.net?.spec !== state.net) {
      let net: Network;
      try {
        net = await load(state.net);
      } catch (error) {
        if (this.asked === state.net) this.goBack(before, error);
        return;
      }
      if (this.asked !== state.net) return; // another one was asked for meanwhile
      this.net = net;
    }
    this.state = fitting(this.state, this.net, this.keys);
    const open = this.panels.find((each) => each.id === this.state.panel);
    if (open && !open.misfit(this.net)) this.state = { ...this.state, ...open.settled?.(this.state, this.net) } as State;
    this.state = { ...this.state, eye: this.drawing.show(this.net, this.state.view, this.state.eye) };
    this.tell(open?.names?.(this.net) ?? {}, {});
    this.write(step);
    this.shown();
    this.notice.show();
    if (!this.linked || this.linked === this.judged) return;
    this.judged = this.linked;
    for (const panel of this.panels) if (panel !== open) void this.judge(panel, this.linked);
  }

  /** What the link asked for and is not shown. */
  private tell(names: About["names"], said: About["said"]): void {
    if (!this.linked) return;
    const more = unshown(this.linked, this.state, this.net, this.keys, { names: { routing: this.net.routings.map(({ name }) => name), ...names }, said });
    this.notice.add(more);
  }

  /** What a link asks of a panel that is not open: once that panel knows, the link says what it would show. */
  private async judge(panel: Panel, asked: State): Promise<void> {
    const { net } = this;
    const named = [...Object.keys(panel.keys), ...(panel.reads ?? [])].filter((name) => spelled(asked[name]!) !== spelled(this.keys[name]!.initial));
    if (!named.length || !panel.ready || panel.misfit(net)) return;
    await panel.ready(net);
    if (this.linked !== asked || this.net !== net) return; // something else is shown meanwhile
    const amiss = panel.amiss?.(this.state, net) ?? {};
    const instead = { ...panel.settled?.(this.state, net), ...Object.fromEntries(Object.entries(amiss).map(([name, each]) => [name, each.instead])) };
    this.state = { ...this.state, ...Object.fromEntries(Object.entries(instead).filter(([name]) => named.includes(name))) } as State;
    this.tell(panel.names?.(net) ?? {}, Object.fromEntries(Object.entries(amiss).map(([name, { why }]) => [name, why])));
    this.write(false);
    this.shown();
    this.notice.show();
  }

  /** A network that is not here: what is shown stays, or the page opens as if without a link; with the reason, and what else the link said. */
  private goBack(before: State, reason: unknown): void {
    const stays = this.net?.spec ?? this.told("").net;
    const nearest = reason instanceof AbsentError && reason.nearest !== stays ? reason.nearest : "";
    const why = reason instanceof Error ? reason.message : String(reason);
    this.notice.lead([why, ...(this.linked ? besides(this.linked, this.keys) : [])], nearest);
    this.linked = null;
    if (this.net) void this.follow(before.net === stays ? before : { ...before, net: stays });
    else if (this.specs.length && stays !== this.asked) void this.follow(this.told(""));
    else this.notice.show();
  }

  private say(why: string): void {
    this.notice.say([why]);
    this.notice.show();
  }

  /** A file goes to the panel that takes files, which is opened for it. */
  private dropped(file: File): void {
    const taker = this.panels.find((panel) => panel.takes);
    if (this.net?.spec !== this.asked) return this.say(`${file.name} found while a network is opened; drop it again.`);
    const why = taker ? taker.misfit(this.net) : "This page takes no files.";
    if (why || !taker) return this.say(`${file.name} found. ${why}`);
    if (this.state.panel !== taker.id) this.set({ panel: taker.id });
    this.fileHandler?.(file);
  }

  private shown(): void {
    const { state, net } = this;
    document.title = `${net.spec} · jumpnet`;
    this.head.show(state, net);
    this.drawing.scene.picked = state.picked;
    this.drawing.named = [net.spec, state.view, state.panel].filter((each) => !PLAIN.includes(each)).join("-");
    const panel = this.panels.find((each) => each.id === state.panel) ?? this.panels[0]!;
    const misfit = panel.misfit(net);
    if (this.open !== panel || (misfit === null) !== (this.mounted !== null)) this.mount(panel, misfit === null);
    this.tabs.show(panel, misfit);
    this.mounted?.update(state, net);
    this.drawing.scene.changed(true);
    this.foot();
  }

  /** The link, the command and the Python for what is shown. */
  private foot(): void {
    const { state, net, open } = this;
    const panel = open && !open.misfit(net) ? open : null;
    const rest = write(state, this.keys).replace(/^#net=[^&]*&?/, "");
    this.footer.show(
      this.link(), panel?.command(state, net) ?? drawCommand(net.spec, rest), oneLine(panel?.python(state, net) ?? drawPython(net.spec, rest)),
    );
  }

  /** The eye has moved, by hand: the link follows once it stands still. */
  private looked(eye: string): void {
    if (!this.net || eye === this.state.eye) return;
    this.state = { ...this.state, eye };
    this.write(false);
    clearTimeout(this.telling);
    this.telling = window.setTimeout(() => this.foot(), QUIET);
  }

  /** Opens a panel, without its content where it does not fit. */
  private mount(panel: Panel, fits: boolean): void {
    this.mounted?.destroy();
    this.pickHandler = this.frameHandler = this.fileHandler = null;
    this.overlay(null);
    this.stage(null);
    this.open = panel;
    const host = this.tabs.fresh(panel);
    this.mounted = fits ? panel.mount(host, this) : null;
  }

  private link(): string {
    return location.href.split("#")[0] + write(this.state, this.keys);
  }

  private write(step: boolean): void {
    const link = this.link();
    if (!step && this.writing && link === this.pending) return; // told again, and nothing new
    clearTimeout(this.writing);
    this.pending = link;
    const put = (): void => {
      this.writing = 0;
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
    const same = overlay && before && (["links", "routers", "heat", "routerHeat", "labels", "legend", "dotsAre", "fadeOthers"] as const)
      .every((key) => overlay[key] === before[key]);
    if (same) this.drawing.scene.moveDots(overlay);
    else this.drawing.setOverlay(overlay);
  }

  stage(element: HTMLElement | null): void {
    this.drawing.cover(element);
    this.head.covered(element !== null);
  }

  onPick(handler: ((pick: Pick) => void) | null): void {
    this.pickHandler = handler;
  }

  onFile(handler: (file: File) => void): void {
    this.fileHandler = handler;
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
