/** What the colours of a drawing mean: for the page's legend and, painted below it, for saved pictures. */
import { css, heat, rankColour, rgb } from "./colours";
import type { Drawing } from "./drawing";
import type { Overlay } from "./overlay";
import type { Painter } from "./painter";

export interface LegendRow {
  readonly kind: "line" | "ring" | "disc" | "stub" | "square" | "dot" | "heat";
  readonly colour: string; // "" where the kind says it
  readonly words: string;
  readonly most: string; // the other end of a scale of heat
}

const row = (kind: LegendRow["kind"], words: string, colour = "", most = ""): LegendRow => ({ kind, words, colour, most });

/** A colour for each rank, level or dimension, and for what an overlay marks. */
export function legendOf(drawn: Drawing, overlay: Overlay | null): LegendRow[] {
  const { net, ranks } = drawn;
  const marked = (overlay?.legend ?? []).map(([colour, words, of = "line"]) => row(of, words, colour));
  if (overlay?.heat || (overlay?.routerHeat && overlay.heatEnds)) {
    const [least, most] = overlay.heatEnds ?? ["none", "most"];
    return [row("heat", least, "", most), ...marked];
  }
  const faint = overlay?.fadeOthers === true && marked.length > 0; // no colour of a rank is seen then
  const named = (rank: number): string => (net.rankNames[rank] ?? "links").replace(/^links \d+$/, "links"); // a rank without a word of its own
  const rows = (faint ? [] : ranks).map((rank) => row("line", named(rank), rankColour(rank, ranks, net.baseRank)));
  if (drawn.strokes.stub.some((stub) => stub === 1)) rows.push(row("stub", "continues on the other side"));
  if (net.terminals.includes(0) && net.terminals.some((t) => t > 0)) rows.push(row("square", "switch without terminals"));
  if (overlay?.dotsAre) rows.push(row("dot", overlay.dotsAre));
  const told = faint || rows.length > 1 || !["link", "links"].includes(named(ranks[0] ?? 0));
  return [...(told ? rows : []), ...marked];
}

const [SIZE, LINE, LEFT, GAP, MARK] = [12, 18, 14, 16, 24]; // pixels: words, height of a row, edge, between entries, a mark
const wide = (words: string): number => 6.6 * words.length; // about

const widthOf = ({ kind, words, most }: LegendRow): number => (kind === "heat" ? 102 + wide(words) + wide(most) : MARK + wide(words)) + GAP;

/** Entries by lines that are no wider than the picture. */
function linesOf(rows: readonly LegendRow[], width: number): LegendRow[][] {
  const lines: LegendRow[][] = [];
  let room = 0;
  for (const each of rows) {
    if (!lines.length || widthOf(each) > room) {
      lines.push([]);
      room = width - 2 * LEFT;
    }
    lines.at(-1)!.push(each);
    room -= widthOf(each);
  }
  return lines;
}

/** Height that a painted legend takes below a picture. */
export const legendHeight = (rows: readonly LegendRow[], width: number): number =>
  rows.length ? LINE * linesOf(rows, width).length + 10 : 0;

/** Paints a legend from a height downwards. */
export function paintLegend(rows: readonly LegendRow[], width: number, top: number, painter: Painter): void {
  linesOf(rows, width).forEach((line, k) => {
    let x = LEFT;
    const y = top + LINE * (k + 0.5);
    for (const each of line) {
      entry(each, x, y, painter);
      x += widthOf(each);
    }
  });
}

function entry({ kind, colour, words, most }: LegendRow, x: number, y: number, painter: Painter): void {
  const ink = css(rgb("quiet"));
  const say = (at: number, text: string): void => painter.text(at, y, text, SIZE, ink, "", true);
  if (kind === "heat") {
    const begin = x + wide(words) + 6;
    for (let k = 0; k < 30; k++) painter.line([begin + 3 * k, y, begin + 3 * k + 3, y], css(heat(k / 29)), 8, 1);
    say(x, words);
    say(begin + 96, most);
    return;
  }
  if (kind === "square") painter.disc(x + 8, y, 6, css(rgb("router")), css(rgb("router-ring")), 1.5, true);
  else if (kind === "dot") painter.disc(x + 8, y, 4, css(rgb("hue-0")), css(rgb("hue-0")), 0, true);
  else if (kind === "ring") painter.disc(x + 8, y, 5, css(rgb("ground")), css(rgb(colour)), 3, true);
  else if (kind === "disc") painter.disc(x + 8, y, 6, css(rgb(colour)), css(rgb("router-ring")), 1, true);
  else if (kind === "stub") painter.line([x, y, x + 9, y], ink, 3, 0.5);
  else painter.line([x, y, x + 17, y], css(rgb(colour)), 3, 1);
  say(x + MARK, words);
}
