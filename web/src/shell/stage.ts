/** The drawing's part of the page: three canvases (WebGL, flits, what stands above), mouse, touch and keyboard on them, legend, and pictures to keep. */
import { css, rgb } from "../draw/colours";
import type { Overlay, Pick } from "../draw/overlay";
import { Scene } from "../draw/scene";
import { routerName, type Network } from "../data/network";
import { button, el } from "./controls";
import type { Printed } from "./print";
import { encoded, fileName, save } from "./save";

const KEYS = `Arrow keys go from router to router, Enter picks one, Escape lets go. Plus and minus zoom, 0 shows all; with
Shift, arrow keys move the drawing, or turn it in space. A mouse drags and its wheel zooms.`;
const PAN = 40; // pixels a key
const TURN = 0.12; // radians a key
const CLICK = 5; // pixels a pointer may move in a click

const scrolls = (): boolean => document.documentElement.scrollHeight > window.innerHeight + 1;

export class Stage implements Printed {
  readonly scene: Scene;
  readonly top = el("canvas", {
    tabindex: 0, id: "drawing", role: "application", "aria-label": "Network", "aria-describedby": "drawing-keys",
  });
  private readonly told = el("p", { class: "told", "aria-hidden": "true" });
  private readonly thinned = el("p", { class: "thinned", hidden: true });
  private readonly legend = el("ul", { class: "legend", "aria-label": "Colours" });
  private readonly pointers = new Map<number, readonly [number, number]>();
  private strayed = 0; // pixels that a pointer has moved
  private legended = ""; // the legend that is shown
  named = "network"; // files of pictures

  constructor(
    private readonly host: HTMLElement,
    private readonly pick: (pick: Pick | null) => void,
    private readonly say: (text: string) => void,
    private readonly moved: (eye: string) => void,
  ) {
    const [bulk, flits] = ["bulk", "flits"].map((layer) => el("canvas", { class: layer, "aria-hidden": "true" })) as [
      HTMLCanvasElement, HTMLCanvasElement,
    ];
    const keys = el("p", { id: "drawing-keys", class: "unseen" }, KEYS);
    host.replaceChildren(bulk, flits, this.top, this.told, this.thinned, this.legend, this.tools(), keys);
    this.scene = new Scene(bulk, flits, this.top);
    this.scene.thinned = (every) => {
      this.thinned.textContent = every > 1 ? `Drawing takes long here: 1 link in ${every} while it moves.` : "";
      this.thinned.hidden = every === 1;
    };
    new ResizeObserver(() => {
      this.scene.legendHigh(this.legend.offsetHeight);
      this.scene.resize(host.clientWidth, host.clientHeight);
      this.moved(this.scene.camera.told());
    }).observe(host);
    this.scene.resize(host.clientWidth, host.clientHeight);
    this.listen();
  }

  private tools(): HTMLElement {
    const icon = (text: string, title: string, act: () => void): HTMLElement => button(text, act, { title, kind: "icon" });
    return el(
      "div", { class: "tools", role: "group", "aria-label": "Drawing" },
      icon("+", "Zoom in", () => this.zoom(1.3)),
      icon("−", "Zoom out", () => this.zoom(1 / 1.3)),
      icon("⤢", "Show all", () => this.home()),
      icon("SVG", "Save this picture as SVG", () => this.keep("svg")),
      icon("PNG", "Save this picture as PNG", () => this.keep("png")),
    );
  }

  /** Something else in the place of the drawing; null for the drawing. */
  cover(element: HTMLElement | null): void {
    this.host.querySelector(".cover")?.remove();
    this.host.classList.toggle("covered", element !== null);
    if (element) this.host.append(el("div", { class: "cover" }, element));
  }

  /** The drawing for paper. */
  svg(): string | null {
    return this.host.classList.contains("covered") ? null : this.scene.svg(this.named);
  }

  get words(): string {
    return this.top.getAttribute("aria-label") ?? "";
  }

  private zoom(by: number): void {
    this.scene.camera.zoom(by);
    this.seen();
  }

  private home(): void {
    this.scene.home();
    this.seen();
  }

  /** After the eye has moved. */
  private seen(): void {
    this.scene.moved();
    this.moved(this.scene.camera.told());
  }

  private keep(kind: "svg" | "png"): void {
    const name = `${fileName(this.named)}.${kind}`;
    save(kind === "svg" ? new Blob([this.scene.svg(this.named)], { type: "image/svg+xml" }) : encoded(this.scene.png()), name);
    this.say(`${name} saved`);
  }

  /** A network from where a link says; returns where the eye is then, which may be nearer than that. */
  show(net: Network, view: string, eye: string): string {
    this.scene.show(net, view);
    this.scene.look(eye);
    const shape = `${net.routers} routers, ${this.scene.drawn!.links.count} links`;
    this.top.setAttribute("aria-label", `Drawing of ${net.spec}: ${shape}`);
    this.describe();
    return this.scene.camera.told();
  }

  setOverlay(overlay: Overlay | null): void {
    this.scene.setOverlay(overlay);
    this.describe();
  }

  /** The legend, made anew only where it says something else. */
  private describe(): void {
    const rows = this.scene.legend();
    const said = JSON.stringify([rows, rows.map(({ colour }) => colour && rgb(colour))]);
    if (said === this.legended) return;
    this.legended = said;
    this.legend.replaceChildren(...rows.map(({ kind, colour, words, most }) => {
      const mark = el("i", { class: kind, style: colour ? `${kind === "ring" ? "border-color" : "background"}:${css(rgb(colour))}` : null });
      return kind === "heat" ? el("li", {}, words, mark, most) : el("li", {}, mark, words);
    }));
    this.legend.hidden = rows.length === 0;
    this.scene.legendHigh(this.legend.offsetHeight);
  }

  /** After a change of theme. */
  theme(): void {
    this.scene.theme();
    this.describe();
  }

  private describedRouter(router: number): string {
    const net = this.scene.drawn!.net;
    const name = routerName(net, router);
    const links = net.neighbor.subarray(router * net.ports, (router + 1) * net.ports).filter((s) => s >= 0).length;
    return `router ${router}${name === String(router) ? "" : ` (${name})`}, ${links} ${links === 1 ? "link" : "links"}`;
  }

  private describedLink(channel: number): string {
    const net = this.scene.drawn!.net;
    const from = Math.floor(channel / net.ports);
    const kind = net.classNames[net.linkClass[channel]!] ?? "link";
    return `${routerName(net, from)} to ${routerName(net, net.neighbor[channel]!)}: ${kind}`;
  }

  private listen(): void {
    const top = this.top;
    top.addEventListener("pointerdown", (event) => {
      top.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
      this.strayed = 0;
    });
    top.addEventListener("pointermove", (event) => this.move(event));
    top.addEventListener("pointerup", (event) => {
      if (this.pointers.delete(event.pointerId) && this.strayed < CLICK && this.pointers.size === 0) {
        this.pick(this.scene.pick(event.offsetX, event.offsetY));
      }
    });
    top.addEventListener("pointercancel", (event) => this.pointers.delete(event.pointerId));
    top.addEventListener("pointerleave", () => (this.told.textContent = ""));
    top.addEventListener("wheel", (event) => {
      if (scrolls() && !event.ctrlKey) return; // where the page is longer than the window the wheel goes on in it
      event.preventDefault();
      this.scene.camera.zoom(Math.exp(-event.deltaY * 0.0015), event.offsetX, event.offsetY);
      this.seen();
    }, { passive: false });
    top.addEventListener("keydown", (event) => this.key(event));
    top.addEventListener("blur", () => {
      this.scene.cursor = -1;
      this.scene.changed();
    });
  }

  private move(event: PointerEvent): void {
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      const found = this.scene.pick(event.offsetX, event.offsetY);
      this.top.style.cursor = found ? "pointer" : "grab";
      this.told.textContent = !found ? "" : found.router >= 0 ? this.describedRouter(found.router) : this.describedLink(found.channel);
      return;
    }
    const [dx, dy] = [event.offsetX - before[0], event.offsetY - before[1]];
    this.strayed += Math.abs(dx) + Math.abs(dy);
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    this.pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
    const camera = this.scene.camera;
    if (others[0]) {
      const [x, y] = others[0];
      const by = Math.hypot(event.offsetX - x, event.offsetY - y) / Math.max(1, Math.hypot(before[0] - x, before[1] - y));
      camera.zoom(by, x, y);
    } else if (camera.depth > 0 && event.buttons === 1 && !event.shiftKey) {
      camera.turn(-dx * 0.008, -dy * 0.008); // what is near follows the hand
    } else {
      camera.move(dx, dy);
    }
    this.seen();
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const scene = this.scene;
    if (way && event.shiftKey) {
      if (scene.camera.depth > 0) scene.camera.turn(way[0]! * TURN, way[1]! * TURN);
      else scene.camera.move(-way[0]! * PAN, -way[1]! * PAN);
    } else if (way) {
      scene.step(way[0]!, way[1]!);
      this.say(this.describedRouter(scene.cursor));
    } else if (event.key === "Enter" || event.key === " ") {
      if (scene.cursor >= 0) this.pick({ router: scene.cursor, channel: -1 });
      else scene.step(1, 0);
    } else if (event.key === "Escape") this.pick(null);
    else if (event.key === "+" || event.key === "=") scene.camera.zoom(1.25);
    else if (event.key === "-") scene.camera.zoom(0.8);
    else if (event.key === "0") scene.home();
    else return;
    event.preventDefault();
    this.seen();
  }
}
