/** The controls of a multicast: networks, destinations, scheme, what a click does, and territories. */
import type { Network } from "../../data/network";
import { capital, choice, el, segments, slider, toggle } from "../../shell/controls";
import type { App } from "../../shell/panel";
import type { State, Value } from "../../state/state";
import { AT_END, DESTINATIONS, OWN, requestOf, type MulticastRequest } from "./request";
import { upToOf } from "./territory";

export class Controls {
  /** What the chosen scheme does, in a line. */
  private readonly about = el("p", { class: "note" });
  private readonly nets;
  private readonly to;
  private readonly count;
  private readonly scheme;
  private readonly click;
  private readonly territory;
  private readonly ranks;
  private counts: readonly number[] = []; // of receivers, to choose from
  private top = 0; // the highest rank of the network

  constructor(private readonly app: App) {
    const anew = (name: string) => (value: string | number): void => app.set({ [`multicast.${name}`]: value, ...AT_END });
    this.nets = choice({ label: "Network", options: [], value: "", change: (net) => app.set({ net, ...this.kept() }) });
    this.to = choice({
      label: "Destinations", value: "near", options: Object.entries(DESTINATIONS).map(([value, text]) => ({ value, text })),
      change: (value) => (value === OWN ? this.own(requestOf(app.state, app.net)?.destinations ?? []) : anew("to")(value)),
    });
    this.count = slider({
      label: "How many", least: 0, most: 1, step: 1, value: 0, show: (k) => String(this.counts[k] ?? ""),
      change: (k) => anew("count")(this.counts[k]!),
    });
    this.scheme = choice({ label: "Scheme", options: [], value: "SM", change: anew("scheme") });
    const clicks = [{ value: "receivers", text: "Choose receivers" }, { value: "source", text: "Move the source" }];
    this.click = segments("What a click on a router does", clicks, "receivers", (value) => app.set({ "multicast.click": value }));
    this.territory = toggle("Shade the territories, rank by rank", false, (on) => app.set({ "multicast.territory": on }));
    this.ranks = slider({
      label: "Up to rank", least: 0, most: 1, step: 1, value: 0,
      change: (rank) => app.set({ "multicast.ranks": rank === this.top ? -1 : rank }),
    });
  }

  /** All of them, those of the multicast before `player`, those of territories behind it. */
  around(player: HTMLElement): HTMLElement[] {
    const multicast = [this.nets.element, this.to.element, this.count.element, this.click.element, this.scheme.element, this.about];
    return [...multicast, player, this.territory.element, this.ranks.element];
  }

  /** What there is to choose. */
  offer({ data, scheme }: MulticastRequest, net: Network): void {
    this.counts = data.counts;
    this.count.bounds(0, data.counts.length - 1);
    this.scheme.options(data.schemes.map(({ name }) => ({ value: name })), data.schemes[scheme]!.name);
    const specs = [...new Set([...data.networks.map(({ spec }) => spec), net.spec])];
    this.nets.options(specs.map((value) => ({ value })), net.spec);
  }

  /** What is chosen. */
  show({ data, network, to, count, scheme }: MulticastRequest, state: State, net: Network): void {
    this.nets.set(net.spec);
    this.to.set(to);
    this.count.set(data.counts.indexOf(count));
    this.count.element.hidden = to === OWN;
    this.click.set(String(state["multicast.click"]));
    this.scheme.set(data.schemes[scheme]!.name);
    this.about.textContent = `${capital(data.schemes[scheme]!.summary)}.`;
    this.territory.set(state["multicast.territory"] === true);
    this.top = network.top;
    const upTo = upToOf(state, this.top);
    this.ranks.element.hidden = upTo === null;
    this.ranks.bounds(0, Math.max(1, this.top));
    this.ranks.set(upTo ?? this.top);
  }

  /** Receivers of the reader's own choice. */
  own(receivers: readonly number[]): void {
    this.app.set({ "multicast.to": OWN, "multicast.receivers": [...receivers].sort((a, b) => a - b), ...AT_END });
  }

  /** What stays when the network changes. */
  private kept(): Record<string, Value> {
    const { state } = this.app;
    const to = state["multicast.to"] === OWN ? "near" : state["multicast.to"]!;
    return { "multicast.to": to, ...Object.fromEntries(["scheme", "count", "territory"].map((name) => [`multicast.${name}`, state[`multicast.${name}`]!])) };
  }
}
