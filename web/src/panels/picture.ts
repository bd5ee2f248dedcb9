/** Pictures that panels draw themselves, as files: SVG or PNG, with a key below. */
import { button } from "../shell/controls";
import { savePicture, type Picture } from "../shell/save";
import { NS, svg } from "./svg";

const [ROW, WORD] = [17, 12.5]; // of a key below a picture: height of a row, size of its words, pixels

/** What a colour of a picture means. */
export interface KeyRow {
  readonly colour: string;
  readonly strength: number;
  readonly words: string;
  readonly square: boolean; // else a line
}

/** Buttons that save a picture of the page as SVG or PNG, with its key below it. */
export function saveButtons(picture: SVGElement, name: string, key: readonly KeyRow[] = []): HTMLElement[] {
  return (["svg", "png"] as const).map((kind) =>
    button(kind.toUpperCase(), () => void savePicture(standalone(picture, key), name, kind), { title: `Save this picture as ${kind.toUpperCase()}` }));
}

/** A picture as a file that needs no style sheet. */
function standalone(picture: SVGElement, key: readonly KeyRow[]): Picture {
  const style = getComputedStyle(document.documentElement);
  const [width, high] = [picture.getBoundingClientRect().width, picture.getBoundingClientRect().height].map(Math.round) as [number, number];
  const height = high + (key.length ? ROW * (key.length + 1) : 0);
  const copy = picture.cloneNode(true) as SVGElement;
  for (const [name, value] of Object.entries({ width, height: high, x: 0, y: 0 })) copy.setAttribute(name, String(value));
  copy.removeAttribute("tabindex");
  const rows = key.map(({ colour, strength, words, square }, k) => {
    const y = high + ROW * (k + 0.6);
    const mark = { style: `fill:var(--${colour})`, "fill-opacity": strength, x: 16, y: square ? y - 5 : y - 1.5, width: 18, height: square ? 10 : 3 };
    return svg("g", {}, svg("rect", mark), svg("text", { x: 42, y: y + 4, "font-size": WORD, style: "fill:var(--quiet)" }, words));
  });
  const about = { xmlns: NS, width, height, viewBox: `0 0 ${width} ${height}`, "font-family": "system-ui, sans-serif" };
  const made = svg("svg", about, svg("rect", { width, height, style: "fill:var(--ground)" }), copy, ...rows);
  const text = new XMLSerializer().serializeToString(made);
  return { text: text.replace(/var\(--([a-z0-9-]+)\)/g, (_, property: string) => style.getPropertyValue(`--${property}`).trim()), width, height };
}
