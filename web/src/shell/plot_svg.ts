/** A curve of uPlot as the text of an SVG file: the same lines, points and numbers in the same places. */
import type uPlot from "uplot";
import { css, rgb } from "../draw/colours";

const NS = "http://www.w3.org/2000/svg";
const TICK = 6;

/** What uPlot keeps of an axis besides what it tells: where its numbers stand, and how they are written. */
interface Drawn {
  readonly _splits: readonly number[];
  readonly _values: readonly (string | number | null)[];
}

const short = (value: number): string => String(Math.round(100 * value) / 100);
const escaped = (words: string): string => words.replace(/[&<>]/g, (one) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[one]!);

/** The plot with its axes, on the page's ground. */
export function plotSvg(plot: uPlot, size: number): string {
  const finer = plot.width && plot.ctx.canvas.width / plot.width;
  const [left, top, wide, high] = [plot.bbox.left, plot.bbox.top, plot.bbox.width, plot.bbox.height].map((each) => each / finer) as [number, number, number, number];
  const [quiet, rule, ground] = ["quiet", "rule", "ground"].map((name) => css(rgb(name)));
  const [right, below] = [left + wide, top + high];
  const x = (value: number): number => left + plot.valToPos(value, "x");
  const y = (value: number): number => top + plot.valToPos(value, "y");
  const text = (at: number, down: number, anchor: string, words: string, more = ""): string =>
    `<text x="${short(at)}" y="${short(down)}" text-anchor="${anchor}" fill="${quiet}"${more}>${escaped(words)}</text>`;
  const parts: string[] = [`<rect width="${plot.width}" height="${plot.height}" fill="${ground}"/>`];
  const line = (d: string): number => parts.push(`<path d="${d}" fill="none" stroke="${rule}"/>`);
  const [across, up] = plot.axes as unknown as [Drawn & uPlot.Axis, Drawn & uPlot.Axis];
  across._splits.forEach((value, k) => {
    line(`M${short(x(value))} ${short(top)}V${short(below + TICK)}`);
    if (across._values[k] != null) parts.push(text(x(value), below + TICK + size, "middle", String(across._values[k])));
  });
  up._splits.forEach((value, k) => {
    line(`M${short(left - TICK)} ${short(y(value))}H${short(right)}`);
    if (up._values[k] != null) parts.push(text(left - TICK - 3, y(value) + size / 3, "end", String(up._values[k])));
  });
  parts.push(text((left + right) / 2, plot.height - 4, "middle", String(across.label)));
  parts.push(text(-(top + below) / 2, size, "middle", String(up.label), ' transform="rotate(-90)"'));
  plot.series.slice(1).forEach((_, k) => {
    const colour = css(rgb(`hue-${k}`));
    const points = [...plot.data[0]!].flatMap((at, n) => {
      const value = plot.data[k + 1]![n];
      return value == null ? [] : [[short(x(at)), short(y(value))] as const];
    });
    if (!points.length) return;
    parts.push(`<path d="M${points.map((point) => point.join(" ")).join("L")}" fill="none" stroke="${colour}" stroke-width="2" stroke-linejoin="round"/>`);
    for (const [cx, cy] of points) parts.push(`<circle cx="${cx}" cy="${cy}" r="3" fill="${colour}"/>`);
  });
  return `<svg xmlns="${NS}" width="${plot.width}" height="${plot.height}" viewBox="0 0 ${plot.width} ${plot.height}" font-family="system-ui, sans-serif" font-size="${size}">${parts.join("")}</svg>\n`;
}
