/** The controls of a wafer: its network, which wafer it is, and what is drawn of it. */
import type { Network } from "../../data/network";
import { el, segments, toggle } from "../../shell/controls";
import type { App } from "../../shell/panel";
import type { State } from "../../state/state";
import { NO_PAPER, type Data, type Shown } from "./data";

const named = (words: string, control: HTMLElement): HTMLElement => el("div", { class: "control choice" }, el("span", {}, words), control);

export class Controls {
  /** Which wafer. */
  readonly which: readonly HTMLElement[];
  /** What is drawn of it. */
  readonly drawn: readonly HTMLElement[];
  private readonly drawOnly: readonly HTMLElement[]; // of wafers that are not those of a figure
  private readonly figures: HTMLElement;
  private readonly nets;
  private readonly paper;
  private readonly density;
  private readonly seed;
  private readonly method;
  private readonly wires;
  private readonly onNetwork;

  constructor(app: App) {
    const number = (name: string) => (value: string): void => app.set({ [`wafer.${name}`]: Number(value) });
    this.nets = segments("Network", [], "", (net) => app.set({ net }));
    this.paper = segments("Figure of the SRT report", [], "", (paper) => app.set({ "wafer.paper": paper }));
    this.density = segments("Defective elements", [], "", number("density"));
    this.seed = segments("Wafer", [], "", number("seed"));
    this.method = segments("Method", [], "", (method) => app.set({ "wafer.method": method }));
    this.wires = toggle("Wires and switches", true, (on) => app.set({ "wafer.wires": on }));
    this.onNetwork = toggle("The network instead, links by length of wire", false, (on) => app.set({ "wafer.links": on }));
    this.drawOnly = [named("Defective", this.density.element), named("Wafer", this.seed.element), named("Method", this.method.element)];
    this.figures = el("div", {}, named("As in Figure", this.paper.element));
    this.which = [named("Network", this.nets.element), this.figures, ...this.drawOnly];
    this.drawn = [this.wires.element, this.onNetwork.element];
  }

  /** What there is to choose. */
  offer({ networks, densities, seeds, methods, papers }: Data): void {
    const figures = papers.made.map(({ figure }) => ({ value: figure, text: figure === "11" ? "11, 12" : figure }));
    this.nets.options(networks.map(({ spec }) => ({ value: spec })), "");
    this.density.options(densities.map((value) => ({ value: String(value), text: `${Math.round(100 * value)} %` })), "");
    this.seed.options(seeds.map((value) => ({ value: String(value) })), "");
    this.method.options(methods.map(({ name }) => ({ value: name })), "");
    this.paper.options([{ value: NO_PAPER }, ...figures], NO_PAPER);
  }

  /** What is chosen. */
  show({ data, made, at, paper }: Shown, state: State, net: Network): void {
    this.figures.hidden = data.papers.spec !== net.spec;
    for (const each of this.drawOnly) each.hidden = paper !== null;
    this.nets.set(net.spec);
    this.paper.set(paper?.figure ?? NO_PAPER);
    this.density.set(String(data.densities[at.density]));
    this.seed.set(String(data.seeds[at.seed]));
    this.method.set(data.methods[at.method]!.name);
    this.wires.set(state["wafer.wires"] === true);
    this.wires.disable(state["wafer.links"] === true && made.repaired ? "the network is drawn, and not the wafer" : "");
    this.onNetwork.set(state["wafer.links"] === true);
    this.onNetwork.disable(made.repaired ? "" : "this wafer is not repaired");
  }
}
