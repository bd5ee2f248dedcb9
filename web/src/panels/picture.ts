/** Pictures that panels draw themselves, as SVG in the page's colours, and how they are kept as a file. */
const NS = "http://www.w3.org/2000/svg";

/** An SVG element; colours stand in `style` as `fill:var(--name)`, so that both themes hold. */
export function svg(tag: string, attributes: Readonly<Record<string, string | number>> = {}, ...children: readonly (Node | string)[]): SVGElement {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** A spec as the name of a file. */
export const fileName = (spec: string): string => spec.replace(/[^a-z0-9]+/gi, "-");

/** Offers a picture of the page as a file that needs no style sheet. */
export function keep(picture: SVGElement, name: string): void {
  const style = getComputedStyle(document.documentElement);
  const copy = picture.cloneNode(true) as SVGElement;
  const { width, height } = picture.getBoundingClientRect();
  copy.setAttribute("xmlns", NS);
  copy.setAttribute("width", String(Math.round(width)));
  copy.setAttribute("height", String(Math.round(height)));
  copy.setAttribute("font-family", "system-ui, sans-serif");
  copy.setAttribute("style", `background:${style.getPropertyValue("--ground")}`);
  offer(copy.outerHTML.replace(/var\(--([a-z0-9-]+)\)/g, (_, property: string) => style.getPropertyValue(`--${property}`).trim()), name);
}

/** Offers the text of an SVG file to save. */
export function offer(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  const link = document.createElement("a");
  [link.href, link.download] = [url, name];
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
