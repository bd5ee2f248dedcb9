/**
 * Whoever has the focus keeps it where panels make their controls anew, now or once something is unpacked, and where a notice
 * is closed: the same control, else the one in its place.
 */
const FOCUSABLE = "button, select, input, [tabindex]";
const HOSTS = ["panel", "stage"];

interface Kept {
  readonly element: HTMLElement;
  readonly host: HTMLElement;
  readonly name: string;
  readonly place: number; // in its host
}

const named = (element: Element): string =>
  `${element.tagName} ${element.getAttribute("aria-label") ?? element.getAttribute("title") ?? ""} ${element.textContent}`;
const usable = (element: HTMLElement | undefined): boolean =>
  element !== undefined && element.isConnected && !element.matches(":disabled") && element.getClientRects().length > 0;
const within = (host: HTMLElement): HTMLElement[] => [...host.querySelectorAll<HTMLElement>(FOCUSABLE)];

/** From now on; to be called once the hosts are there. `last`: takes the focus where nothing else can. */
export function keepFocus(last: () => HTMLElement | null): void {
  const hosts = HOSTS.map((id) => document.getElementById(id)!);
  let kept: Kept | null = null;
  const keep = (element: HTMLElement): void => {
    const host = hosts.find((each) => each.contains(element));
    kept = host ? { element, host, name: named(element), place: within(host).indexOf(element) } : null;
  };
  const changed = (): void => {
    const now = document.activeElement;
    if (!kept || (now !== document.body && now !== kept.element)) return;
    if (!usable(kept.element)) (near(kept) ?? last())?.focus();
    else if (now === kept.element) keep(kept.element); // its place or its words may be others now
  };
  addEventListener("focusin", ({ target }) => keep(target as HTMLElement));
  addEventListener("pointerdown", ({ target }) => {
    if (!kept?.element.contains(target as Node)) kept = null; // a pointer may leave for where nothing takes the focus
  }, true);
  const changes = new MutationObserver(changed);
  for (const host of hosts) changes.observe(host, { subtree: true, childList: true, attributeFilter: ["disabled", "hidden"] });
}

/** The control that there is now for one that is gone. */
function near({ host, name, place }: Kept): HTMLElement | undefined {
  const now = within(host);
  const around = now.map((_, k) => now[place + (k % 2 ? -1 : 1) * Math.ceil(k / 2)]).filter(usable);
  return now.find((each) => named(each) === name && usable(each)) ?? (host.id === "panel" ? around[0] : undefined);
}
