/** Canvases, whose colours are fixed once they are drawn, follow a change of theme. */

/** Calls `act` after each change of theme, by the reader or by the system. */
export function followThemes(act: () => void): void {
  new MutationObserver(act).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => queueMicrotask(act));
}
