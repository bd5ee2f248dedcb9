/** The page on paper: while it is printed its colours are the light ones, and the drawing is a picture of lines, which canvases are not. */
import { el } from "./controls";

/** What is drawn as the text of an SVG file, null where something else stands in its place; and what it shows. */
export interface Printed {
  svg(): string | null;
  readonly words: string;
}

export function listenToPrints(host: HTMLElement, printed: Printed, themed: () => void): void {
  const root = document.documentElement;
  let theme: string | undefined;
  let figure: HTMLElement | null = null;
  addEventListener("beforeprint", () => {
    if (figure) return;
    theme = root.dataset.theme;
    root.dataset.theme = "light";
    themed();
    figure = el("figure", { class: "printed" });
    figure.innerHTML = printed.svg() ?? "";
    figure.append(el("figcaption", {}, printed.words));
    host.append(figure);
  });
  addEventListener("afterprint", () => {
    figure?.remove();
    figure = null;
    if (theme === undefined) delete root.dataset.theme;
    else root.dataset.theme = theme;
    themed();
  });
}
