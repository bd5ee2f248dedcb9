/** A multicast under each bit-map scheme: territories, who receives, and what is delivered in vain. */
import type { Network } from "../../data/network";
import { el, note } from "../../shell/controls";
import type { App, Mounted, Overlay, Panel } from "../../shell/panel";
import type { State } from "../../state/state";
import { showAbsent, waiting } from "../absent";
import { dotsOf } from "../dots";
import { Player } from "../player";
import { inPage, ready, unpacked } from "../unpacked";
import { commandOf, pythonOf } from "./commands";
import { Controls } from "./controls";
import { figuresOf } from "./figures";
import { overlayOf, overlayWithout } from "./overlay";
import { AT_END, DESTINATIONS, ID, requestOf, schemes, settled, type Data, type MulticastRequest, type NetworkData } from "./request";
import { sizes, upToOf, type Around } from "./territory";
import { Grower, type Multicast } from "./tree";

const PACE = 650; // ms a step

class View implements Mounted {
  private readonly content = el("div");
  private readonly controls: Controls;
  private readonly player: Player;
  private readonly figures = el("div");
  private readonly grower = new Grower();
  private shown: { readonly key: string; readonly multicast: Multicast | null } = { key: "", multicast: null };
  private figuresFor = ""; // the key of the multicast whose figures stand there
  private drawn: { readonly key: string; readonly overlay: Overlay } | null = null;

  constructor(
    host: HTMLElement,
    private readonly app: App,
  ) {
    this.controls = new Controls(app);
    this.player = new Player({ app, key: "multicast.step", label: "Step", pace: PACE, draw: (time) => this.draw(time) });
    host.append(this.content);
    app.onPick(({ router }) => this.picked(router));
  }

  /** A click chooses a receiver or lets it go; from then on they are the reader's own. */
  private picked(router: number): void {
    const request = requestOf(this.app.state, this.app.net);
    if (router < 0 || !request) return;
    if (this.app.state["multicast.click"] === "source") {
      this.app.set({ "multicast.source": router, ...AT_END });
      return;
    }
    if (router === request.source) return;
    const { destinations } = request;
    this.controls.own(destinations.includes(router) ? destinations.filter((each) => each !== router) : [...destinations, router]);
  }

  destroy(): void {
    this.player.stop();
  }

  update(state: State, net: Network): void {
    const data = unpacked<Data>(ID, this.app);
    unpacked<NetworkData>(ID, this.app, net.spec); // what the page may have of this network alone
    const request = requestOf(state, net);
    if (!data || !request) return this.absent(data, net);
    if (!this.content.contains(this.player.element)) {
      this.controls.offer(request, net);
      this.content.replaceChildren(...this.controls.around(this.player.element), this.figures);
    }
    this.controls.show(request, state, net);
    void this.grower.open(request.network, () => this.app.set({}));
    this.shown = this.grower.of(request, net);
    const { multicast } = this.shown;
    this.player.element.hidden = !multicast;
    if (!multicast) return this.without(request, state, net);
    this.showFigures(multicast, net);
    const { steps } = multicast.tree;
    const step = state["multicast.step"] as number;
    if (step >= steps) this.app.set(AT_END);
    else this.player.show(step < 0 ? steps : step, steps);
  }

  /** The page has no multicasts on the network, or has yet to unpack them. */
  private absent(data: Data | null, net: Network): void {
    if (data && inPage(ID, net.spec)) return this.content.replaceChildren(waiting(ID));
    this.player.stop();
    this.figuresFor = "";
    const sentence = "Bit-map multicasts go over recursive diagonal tori. In this page:";
    showAbsent(this.app, ID, this.content, sentence, data?.networks.map((each) => each.spec));
  }

  /** No multicast: its trees are being made, nobody is chosen, or somebody is out of reach. */
  private without(request: MulticastRequest, state: State, net: Network): void {
    this.player.stop();
    this.figuresFor = "";
    const around = this.aroundOf(request, state, net);
    this.app.overlay(overlayWithout(request.source, around));
    const words = request.destinations.length ? "One of these routers is out of reach of the source: no territory holds it." : "Click routers to send to, or go to them by arrow keys and press Enter.";
    const territories = around ? [note(`Territories: ${sizes(request.network.top, around.least)}.`)] : [];
    this.figures.replaceChildren(note(this.grower.ready ? words : "One moment …"), ...territories);
  }

  private showFigures(multicast: Multicast, net: Network): void {
    if (this.shown.key === this.figuresFor) return;
    this.figuresFor = this.shown.key;
    const choose = (scheme: string): void => this.app.set({ "multicast.scheme": scheme, ...AT_END });
    this.figures.replaceChildren(...figuresOf(multicast, net, this.grower.leastRanks(multicast, net), choose));
  }

  /** Territories around the source, null where they are not to be shaded. */
  private aroundOf(request: MulticastRequest, state: State, net: Network): Around | null {
    const upTo = upToOf(state, request.network.top);
    return upTo !== null && this.grower.ready ? { least: this.grower.leastRanks(request, net), upTo } : null;
  }

  /** The multicast at a time, in steps. */
  private draw(time: number): void {
    const { state, net } = this.app;
    const { multicast } = this.shown;
    if (!multicast || multicast.network.spec !== net.spec) return;
    const [step, share] = [Math.floor(time), time - Math.floor(time)];
    const around = this.aroundOf(multicast, state, net);
    const key = `${this.shown.key} ${step} ${share > 0} ${around?.upTo}`;
    if (this.drawn?.key !== key) this.drawn = { key, overlay: overlayOf(net, multicast, step, share > 0, around) };
    const moves = { step: multicast.step, channel: Int32Array.from(multicast.channels) };
    this.app.overlay({ ...this.drawn.overlay, dots: share > 0 ? dotsOf(moves, step, share, 7) : new Float32Array(0) });
  }
}

export const panel: Panel = {
  id: ID,
  title: "Multicast",
  summary: "One message to several routers: which others receive it too, under each bit-map scheme.",
  keys: {
    "multicast.scheme": { initial: "SM" },
    "multicast.to": { initial: "near", choices: Object.keys(DESTINATIONS) },
    "multicast.receivers": { initial: [], of: "routers" },
    "multicast.source": { initial: -1, least: -1, of: "routers" },
    "multicast.click": { initial: "receivers", choices: ["receivers", "source"] },
    "multicast.count": { initial: 4, least: 1, most: 16 },
    "multicast.step": { initial: -1, least: -1, most: 999 },
    "multicast.territory": { initial: false },
    "multicast.ranks": { initial: -1, least: -1, most: 64 },
  },
  misfit: () => null,
  mount: (host, app) => new View(host, app),
  ready: ready(ID),
  settled,
  names: () => ({ "multicast.scheme": schemes() }),
  command: commandOf,
  python: pythonOf,
};
