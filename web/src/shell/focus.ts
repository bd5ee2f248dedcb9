/** Whoever has the focus keeps it when a panel makes its controls anew: the same control, else the one in its place. */

const FOCUSABLE = "button, select, input, [tabindex]";
const HOSTS = ["panel", "stage"];

const named = (element: Element): string =>
  `${element.tagName} ${element.getAttribute("aria-label") ?? element.getAttribute("title") ?? ""} ${element.textContent}`;
const usable = (element: HTMLElement | undefined): boolean =>
  element !== undefined && element.isConnected && !element.matches(":disabled") && element.getClientRects().length > 0;
const within = (host: HTMLElement): HTMLElement[] => [...host.querySelectorAll<HTMLElement>(FOCUSABLE)];

/** To be called before a change; what it gives is called after it. `last`: takes the focus where nothing else can. */
export function keepFocus(last: () => HTMLElement | null): () => void {
  const before = document.activeElement as HTMLElement | null;
  const host = HOSTS.map((id) => document.getElementById(id)!).find((each) => each.contains(before));
  if (!before || !host) return () => {};
  const [name, place] = [named(before), within(host).indexOf(before)];
  return () => {
    if (usable(before) || (document.activeElement !== document.body && document.activeElement !== before)) return;
    const now = within(host);
    const around = now.map((_, k) => now[place + (k % 2 ? -1 : 1) * Math.ceil(k / 2)]).filter(usable);
    const found = now.find((each) => named(each) === name && usable(each)) ?? (host.id === "panel" ? around[0] : undefined);
    (found ?? last())?.focus();
  };
}
