/** The side column: a tab for each panel, and the open one's content. */
import { el, note } from "./controls";
import type { Panel } from "./panel";

const COLUMNS = 3; // of tabs, as the style sheet has them

export class Tabs {
  private readonly list = el("div", { role: "tablist", "aria-label": "What to look at", class: "tabs" });
  private readonly body = el("div", { role: "tabpanel", id: "panel", class: "panel" });
  private readonly content = el("div", { class: "content" });
  private readonly misfit = el("div", { class: "misfit" });

  constructor(
    host: HTMLElement,
    private readonly panels: readonly Panel[],
    open: (id: string) => void,
  ) {
    for (const panel of panels) {
      const tab = el("button", { type: "button", role: "tab", id: `tab-${panel.id}`, "aria-controls": "panel", "data-title": panel.title }, panel.title);
      tab.addEventListener("click", () => open(panel.id));
      this.list.append(tab);
    }
    this.list.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: COLUMNS, ArrowUp: -COLUMNS }[event.key];
      if (!step) return;
      event.preventDefault();
      const at = [...this.list.children].indexOf(document.activeElement as Element);
      const next = this.list.children[(at + step + panels.length) % panels.length] as HTMLElement;
      next.focus();
      next.click();
    });
    host.replaceChildren(this.list, this.body);
  }

  /** An empty place for a panel. */
  fresh(panel: Panel): HTMLElement {
    this.content.replaceChildren();
    this.misfit.replaceChildren();
    this.body.setAttribute("aria-labelledby", `tab-${panel.id}`);
    this.body.replaceChildren(el("h2", {}, panel.title), note(panel.summary), this.misfit, this.content);
    return this.content;
  }

  show(panel: Panel, misfit: string | null): void {
    for (const each of this.panels) {
      const tab = document.getElementById(`tab-${each.id}`)!;
      const open = each === panel;
      tab.setAttribute("aria-selected", String(open));
      tab.tabIndex = open ? 0 : -1;
      if (open) this.list.scrollLeft = tab.offsetLeft - (this.list.clientWidth - tab.offsetWidth) / 2; // where they do not all fit
    }
    this.content.hidden = misfit !== null;
    this.misfit.replaceChildren(...(misfit ? [note(misfit)] : []));
  }
}
