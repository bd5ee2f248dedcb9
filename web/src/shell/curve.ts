/** Curves by uPlot, in the page's colours; a table of the same numbers for screen readers. */
import uPlot from "uplot";
import { css, rgb } from "../draw/colours";
import { button, el, table } from "./controls";
import { plotSvg } from "./plot_svg";
import { fileName, savePicture } from "./save";
import { followThemes } from "../draw/themes";

export interface CurveOptions {
  readonly x: string;
  readonly y: string;
  readonly series: readonly string[];
}

const HEIGHT = 210;
const FONT_SIZE = 12.5; // --small

const shown = new Set<Curve>(); // all of them, for a change of theme
const again = (): void => {
  for (const each of shown) if (!each.redraw()) shown.delete(each);
};
let followed = false; // from the first curve on

export class Curve {
  readonly element = el("div", { class: "curve" });
  private readonly plotted = el("div", { "aria-hidden": "true" });
  private readonly read = el("div", { class: "unseen" });
  private plot: uPlot | null = null;
  private look = "";
  private data: readonly [readonly number[], readonly (readonly (number | null)[])[]] = [[], []];

  constructor(private readonly about: CurveOptions) {
    if (!followed) followThemes(again);
    followed = true;
    const files = (["svg", "png"] as const).map((kind) =>
      button(kind.toUpperCase(), () => void this.save(kind), { title: `Save this curve as ${kind.toUpperCase()}` }));
    this.element.append(this.plotted, el("div", { class: "tools" }, ...files), this.read);
  }

  /** Points of each series over one list of x, null where there is none. */
  show(x: readonly number[], series: readonly (readonly (number | null)[])[]): void {
    this.data = [x, series];
    shown.add(this);
    const look = `${css(rgb("ink"))} ${this.plotted.clientWidth} ${series.length}`;
    const data = [x, ...series] as unknown as uPlot.AlignedData;
    if (look === this.look && this.plot) this.plot.setData(data);
    else {
      this.plot?.destroy();
      this.plot = new uPlot(this.options(), data, this.plotted);
      this.look = look;
    }
    const rows = x.map((at, k) => [at, ...series.map((each) => each[k] ?? "")]);
    this.read.replaceChildren(table([this.about.x, ...this.about.series], rows, `${this.about.y} over ${this.about.x}`));
  }

  /** Once more, in the colours of now; false where it is not in the page any more. */
  redraw(): boolean {
    if (this.element.isConnected && this.plot) this.show(...this.data);
    return this.element.isConnected;
  }

  private async save(kind: "svg" | "png"): Promise<void> {
    if (!this.plot) return;
    const name = fileName(`${this.about.y}-over-${this.about.x}`);
    const { width, height } = this.plot;
    await savePicture({ text: plotSvg(this.plot, FONT_SIZE), width, height }, name, kind);
  }

  private options(): uPlot.Options {
    const [ink, rule] = [css(rgb("quiet")), css(rgb("rule"))];
    const font = `${FONT_SIZE}px system-ui, sans-serif`;
    const axis = (label: string): uPlot.Axis => ({
      label, labelFont: font, font, stroke: ink, labelSize: 20, grid: { stroke: rule, width: 1 }, ticks: { stroke: rule, width: 1 },
    });
    return {
      width: Math.max(240, this.plotted.clientWidth || 320), height: HEIGHT, legend: { show: false }, cursor: { show: false },
      scales: { x: { time: false, range: (_, __, most) => [0, Math.max(0.1, most)] }, y: { range: (_, __, most) => [0, 1.08 * Math.max(1, most)] } },
      axes: [{ ...axis(this.about.x), size: 34 }, { ...axis(this.about.y), size: 46 }],
      series: [{}, ...this.about.series.map((label, k) => ({
        label, stroke: css(rgb(`hue-${k}`)), width: 2, points: { show: true, size: 6, fill: css(rgb(`hue-${k}`)) },
      }))],
    };
  }
}
