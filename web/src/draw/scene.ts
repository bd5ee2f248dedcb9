/** The picture on the page: keeps drawing, camera and overlay, draws when something has changed, says what lies where. */
import type { Network } from "../data/network";
import type { Overlay, Pick } from "./overlay";
import { Camera } from "./camera";
import { css, forgetColours, rgb } from "./colours";
import { drawing, type Drawing } from "./drawing";
import { Gl } from "./gl";
import { legendHeight, legendOf, paintLegend, type LegendRow } from "./legend";
import { linkLooks, routerLooks } from "./look";
import { Pace } from "./pace";
import { paint, paintDots, strokeOrder } from "./paint";
import type { View } from "./view";
import { CanvasPainter, SvgPainter, type Painter } from "./painter";

const REACH = 14; // pixels from a router or link at which a click still means it

export class Scene {
  readonly camera = new Camera();
  drawn: Drawing | null = null;
  cursor = -1;
  picked: readonly number[] = [];
  private overlay: Overlay | null = null;
  private gl: Gl | null; // null where there is none, or as long as the browser has taken it away
  private readonly ratio = Math.min(2, window.devicePixelRatio || 1);
  private order: number[] = [];
  private stale = { ends: true, looks: true, routers: true, bulk: true, dots: true, top: true };
  private lastScale = 0;
  private waiting = 0;
  private readonly pace = new Pace(() => this.changed());
  private every = 1; // of so many links one is drawn
  private timing = false; // whether the time of a drawing is being taken
  /** Told that of so many links one is drawn from now on. */
  thinned: (every: number) => void = () => undefined;

  constructor(
    private readonly bulk: HTMLCanvasElement,
    private readonly flits: HTMLCanvasElement,
    private readonly top: HTMLCanvasElement,
  ) {
    this.gl = Gl.on(bulk);
    bulk.addEventListener("webglcontextlost", (event) => {
      event.preventDefault(); // so that it may come back
      this.gl = null;
      this.anew();
    });
    bulk.addEventListener("webglcontextrestored", () => {
      this.gl = Gl.on(bulk);
      this.anew();
    });
  }

  get live(): boolean {
    return this.gl !== null;
  }

  show(net: Network, view: string): void {
    if (this.drawn?.net === net && this.drawn.view === view) return;
    this.drawn = drawing(net, view);
    this.order = strokeOrder(this.drawn);
    this.cursor = -1;
    this.pace.anew();
    this.stale = { ends: true, looks: true, routers: true, bulk: true, dots: true, top: true };
    this.home();
  }

  /** All of the network in view, in space a little from above. */
  home(): void {
    if (!this.drawn) return;
    const space = this.drawn.view === "space";
    this.camera.fit(...this.all(this.drawn));
    if (space) [this.camera.yaw, this.camera.pitch] = [0.5, this.drawn.net.place.sides?.length === 2 ? -0.95 : 0.4];
    this.changed();
  }

  private all({ low, high, view, radius }: Drawing): [readonly number[], readonly number[], number] {
    return [low, high, view === "space" ? radius : 0];
  }

  /** The eye where a link says it, all in view where it says nothing. */
  look(eye: string): void {
    if (!this.drawn || this.camera.told() === eye) return;
    this.home();
    if (eye) this.camera.look(eye);
    this.changed();
  }

  setOverlay(overlay: Overlay | null): void {
    const before = this.overlay;
    this.overlay = overlay;
    if (overlay && before && heatAlone(overlay, before)) this.heated();
    else this.changed(true);
  }

  /** Only the heat of links has changed: routers and what stands above them stay as they are. */
  private heated(): void {
    this.pace.moves();
    this.stale.looks = this.stale.bulk = true;
    this.ask();
  }

  /** Only dots have moved: links and routers stay as they are. */
  moveDots(overlay: Overlay): void {
    this.overlay = overlay;
    this.stale.dots = true;
    this.ask();
  }

  theme(): void {
    forgetColours();
    this.changed(true);
  }

  resize(width: number, height: number): void {
    const first = this.camera.width <= 1;
    const eye = this.drawn ? this.camera.told() : "";
    [this.camera.width, this.camera.height] = [width, height];
    for (const canvas of [this.bulk, this.flits, this.top]) {
      canvas.width = Math.round(width * this.ratio);
      canvas.height = Math.round(height * this.ratio);
    }
    if (first || !this.camera.own) this.home();
    else if (this.drawn) {
      this.camera.gauge(...this.all(this.drawn));
      this.camera.look(eye); // what a reader has moved to, or a link has said
    }
    this.changed();
  }

  /** Room for a legend of so many pixels below the drawing. */
  legendHigh(pixels: number): void {
    const below = Math.max(46, pixels + 20);
    if (below === this.camera.below) return;
    this.camera.below = below;
    if (!this.camera.own) this.home();
  }

  /** All of it, as nothing of it stands any more. */
  private anew(): void {
    this.stale = { ends: true, looks: true, routers: true, bulk: true, dots: true, top: true };
    this.ask();
  }

  changed(looks = false): void {
    this.stale.bulk = this.stale.dots = this.stale.top = true;
    if (looks) this.stale.looks = this.stale.routers = true;
    this.ask();
  }

  /** The eye has moved. */
  moved(): void {
    this.pace.moves();
    this.changed();
  }

  private ask(): void {
    if (!this.waiting) this.waiting = requestAnimationFrame(() => this.frame());
  }

  private frame(): void {
    this.waiting = 0;
    if (!this.drawn) return;
    if (this.camera.scale !== this.lastScale) this.stale.looks = this.stale.routers = true;
    this.lastScale = this.camera.scale;
    const { gl, stale } = this;
    if (gl && stale.bulk && this.pace.waits && gl.busy) return this.ask();
    const view = this.seen(this.drawn);
    if (gl && stale.bulk) this.thin(this.pace.every);
    if (gl && stale.looks) this.upload(this.drawn, gl);
    if (gl && stale.bulk) {
      gl.draw(this.camera, this.ratio, rgb("ground"));
      this.time(gl, this.every);
    }
    if (gl && stale.dots) paintDots(view, this.cleared(this.flits));
    if (stale.top || !gl) paint(view, this.cleared(this.top), !gl);
    this.stale = { ends: false, looks: false, routers: false, bulk: false, dots: false, top: false };
  }

  /** Of so many links one is drawn from now on. */
  private thin(every: number): void {
    if (every === this.every) return;
    this.every = every;
    this.stale.ends = this.stale.looks = true;
    this.thinned(every);
  }

  /** Takes the time of what is being drawn, unless that of an earlier drawing is still being taken. */
  private time(gl: Gl, every: number): void {
    if (this.timing) return;
    this.timing = true;
    const [began, drawn, mark] = [performance.now(), this.drawn, gl.mark()];
    const look = (): void => {
      if (!gl.passed(mark)) {
        requestAnimationFrame(look);
        return;
      }
      this.timing = false;
      if (drawn === this.drawn) this.pace.measured(performance.now() - began, every);
    };
    requestAnimationFrame(look);
  }

  private cleared(canvas: HTMLCanvasElement): Painter {
    const context = canvas.getContext("2d")!;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.camera.width, this.camera.height);
    return new CanvasPainter(context);
  }

  private seen(drawn: Drawing): View {
    return { drawn, overlay: this.overlay, camera: this.camera, cursor: this.cursor, picked: this.picked };
  }

  private upload(drawn: Drawing, gl: Gl): void {
    const { strokes } = drawn;
    const look = linkLooks(drawn, this.overlay, this.camera.scale);
    const { every } = this;
    const order = every === 1 ? this.order : this.order.filter((stroke) => Pace.keeps(strokes.link[stroke]!, every) || look(strokes.link[stroke]!).mark);
    const pieces = order.reduce((sum, stroke) => sum + strokes.first[stroke + 1]! - strokes.first[stroke]! - 1, 0);
    const ends = this.stale.ends ? new Float32Array(6 * pieces) : null;
    const [tints, widths] = [new Uint8Array(4 * pieces), new Float32Array(pieces)];
    let n = 0;
    for (const stroke of order) {
      const { colour, alpha, width } = look(strokes.link[stroke]!);
      const shown = Math.round(255 * alpha * (strokes.stub[stroke] ? 0.6 : 1));
      const [red, green, blue] = [Math.round(colour[0]), Math.round(colour[1]), Math.round(colour[2])];
      for (let k = strokes.first[stroke]!; k < strokes.first[stroke + 1]! - 1; k++, n++) {
        if (ends) ends.set(strokes.points.subarray(3 * k, 3 * k + 6), 6 * n);
        tints[4 * n] = red;
        tints[4 * n + 1] = green;
        tints[4 * n + 2] = blue;
        tints[4 * n + 3] = shown;
        widths[n] = width;
      }
    }
    gl.setLines(false, pieces, ends, tints, widths);
    if (this.stale.routers) this.uploadRouters(drawn, gl);
  }

  private uploadRouters(drawn: Drawing, gl: Gl): void {
    const count = drawn.net.routers;
    const [fills, rings, forms] = [new Uint8Array(4 * count), new Uint8Array(4 * count), new Float32Array(3 * count)];
    const look = routerLooks(drawn, this.overlay, this.camera.scale);
    for (let r = 0; r < count; r++) {
      const { fill, ring, radius, width } = look(r);
      fills.set([...fill, 255], 4 * r);
      rings.set([...ring, 255], 4 * r);
      forms.set([radius, width, drawn.net.terminals[r] === 0 ? 1 : 0], 3 * r);
    }
    gl.setRouters(count, Float32Array.from(drawn.place), fills, rings, forms);
  }

  /** What a pixel means: the nearest router, else the nearest link; null for neither. */
  pick(x: number, y: number): Pick | null {
    if (!this.drawn) return null;
    const router = this.nearestRouter(x, y, REACH);
    if (router >= 0) return { router, channel: -1 };
    const link = this.nearestLink(this.drawn, x, y);
    return link < 0 ? null : { router: -1, channel: this.drawn.links.channel[link]! };
  }

  nearestRouter(x: number, y: number, reach: number): number {
    if (!this.drawn) return -1;
    const [project, at] = [this.camera.projector(), new Float32Array(3)];
    let [best, found] = [reach, -1];
    const { place } = this.drawn;
    for (let r = 0; r < this.drawn.net.routers; r++) {
      project(place[3 * r]!, place[3 * r + 1]!, place[3 * r + 2]!, at);
      const away = Math.hypot(at[0]! - x, at[1]! - y) - 1e-4 * at[2]!;
      if (away < best) [best, found] = [away, r];
    }
    return found;
  }

  private nearestLink(drawn: Drawing, x: number, y: number): number {
    const [project, a, b] = [this.camera.projector(), new Float32Array(3), new Float32Array(3)];
    const { points, first, link } = drawn.strokes;
    let [best, found] = [REACH / 2, -1];
    for (let stroke = 0; stroke < link.length; stroke++) {
      for (let k = first[stroke]!; k < first[stroke + 1]! - 1; k++) {
        project(points[3 * k]!, points[3 * k + 1]!, points[3 * k + 2]!, a);
        project(points[3 * k + 3]!, points[3 * k + 4]!, points[3 * k + 5]!, b);
        const [dx, dy] = [b[0]! - a[0]!, b[1]! - a[1]!];
        const share = Math.min(1, Math.max(0, ((x - a[0]!) * dx + (y - a[1]!) * dy) / (dx * dx + dy * dy || 1)));
        const away = Math.hypot(a[0]! + share * dx - x, a[1]! + share * dy - y);
        if (away < best) [best, found] = [away, link[stroke]!];
      }
    }
    return found;
  }

  /** The router nearest to the cursor in a direction on the screen; the first one of all where there is no cursor yet. */
  step(dx: number, dy: number): void {
    if (!this.drawn) return;
    const [project, here, at] = [this.camera.projector(), new Float32Array(3), new Float32Array(3)];
    const { place, net } = this.drawn;
    const put = (r: number, out: Float32Array) => project(place[3 * r]!, place[3 * r + 1]!, place[3 * r + 2]!, out);
    if (this.cursor < 0) {
      this.cursor = this.picked[0] ?? 0;
      this.changed();
      return;
    }
    put(this.cursor, here);
    let [best, found] = [Infinity, this.cursor];
    for (let r = 0; r < net.routers; r++) {
      put(r, at);
      const [x, y] = [at[0]! - here[0]!, at[1]! - here[1]!];
      const along = x * dx + y * dy;
      const cost = Math.hypot(x, y) + 2 * Math.abs(x * dy - y * dx);
      if (r !== this.cursor && along > 0.5 && cost < best) [best, found] = [cost, r];
    }
    this.cursor = found;
    this.changed();
  }

  legend(): LegendRow[] {
    return this.drawn ? legendOf(this.drawn, this.overlay) : [];
  }

  /** The picture with its legend below it: painted by `into`, and how high both are. */
  private whole(into: (height: number) => Painter): void {
    if (!this.drawn) return;
    const { width, height } = this.camera;
    const rows = legendOf(this.drawn, this.overlay);
    const painter = into(height + legendHeight(rows, width));
    paint({ ...this.seen(this.drawn), cursor: -1 }, painter, true);
    paintLegend(rows, width, height, painter);
  }

  svg(title: string): string {
    const painter = new SvgPainter();
    let high = 0;
    this.whole((height) => {
      high = height;
      return painter;
    });
    return painter.file(this.camera.width, high, title, css(rgb("ground")));
  }

  /** On a canvas of its own, twice as fine. */
  png(): HTMLCanvasElement {
    const canvas = document.createElement("canvas");
    const by = 2;
    this.whole((height) => {
      [canvas.width, canvas.height] = [this.camera.width * by, height * by];
      const context = canvas.getContext("2d")!;
      context.scale(by, by);
      context.fillStyle = css(rgb("ground"));
      context.fillRect(0, 0, this.camera.width, height);
      return new CanvasPainter(context);
    });
    return canvas;
  }
}

/** Whether two overlays differ in the heat of links alone, with nothing drawn over them that depends on it. */
function heatAlone(now: Overlay, before: Overlay): boolean {
  const rest = (["links", "routers", "routerHeat", "dots", "labels", "legend", "fadeOthers"] as const).every((key) => now[key] === before[key]);
  return rest && now.heat !== undefined && before.heat !== undefined && !now.dots;
}
