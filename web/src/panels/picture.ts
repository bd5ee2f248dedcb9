/** Pictures that panels draw themselves, as SVG in the page's colours, and how they are kept as files. */
import { button } from "../shell/controls";

const NS = "http://www.w3.org/2000/svg";
const FINER = 3; // pixels of a PNG for each of the page
const [ROW, WORD] = [17, 12.5]; // of a key below a picture: height of a row, size of its words, pixels

/** An SVG element; colours stand in `style` as `fill:var(--name)`, so that both themes hold. */
export function svg(tag: string, attributes: Readonly<Record<string, string | number>> = {}, ...children: readonly (Node | string)[]): SVGElement {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** A spec as the name of a file. */
export const fileName = (spec: string): string => spec.replace(/[^a-z0-9]+/gi, "-");

/** What a colour of a picture means. */
export interface KeyRow {
  readonly colour: string;
  readonly strength: number;
  readonly words: string;
  readonly square: boolean; // else a line
}

/** Buttons that keep a picture of the page as SVG or PNG, with its key below it. */
export function keepButtons(picture: SVGElement, name: string, key: readonly KeyRow[] = []): HTMLElement[] {
  return (["svg", "png"] as const).map((kind) =>
    button(kind.toUpperCase(), () => {
      const { text, width, height } = whole(picture, key);
      void keepText(text, width, height, name, kind);
    }, { title: `Save this picture as ${kind.toUpperCase()}` }));
}

/** A picture as a file that needs no style sheet. */
function whole(picture: SVGElement, key: readonly KeyRow[]): { text: string; width: number; height: number } {
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

/** Offers the text of an SVG file to save, or what it looks like. */
export async function keepText(text: string, width: number, height: number, name: string, kind: "svg" | "png"): Promise<void> {
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  if (kind === "svg") offer(url, `${name}.svg`);
  else {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [FINER * width, FINER * height];
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => blob && offer(URL.createObjectURL(blob), `${name}.png`));
  }
}

function offer(url: string, name: string): void {
  const link = document.createElement("a");
  [link.href, link.download] = [url, name];
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
