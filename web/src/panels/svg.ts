/** Elements of pictures that panels draw themselves, in the page's colours. */
export const NS = "http://www.w3.org/2000/svg";

/** An SVG element; colours stand in `style` as `fill:var(--name)`, so that both themes hold. */
export function svg(tag: string, attributes: Readonly<Record<string, string | number>> = {}, ...children: readonly (Node | string)[]): SVGElement {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}
