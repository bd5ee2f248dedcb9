/** A drawing as lines, discs and words: all of it for pictures; over what WebGL draws, flits in one layer and the rest above. */
import type { Camera } from "./camera";
import { css, rgb, type Rgb } from "./colours";
import { alongChannel, type Drawing } from "./drawing";
import { paintDeep } from "./depth";
import { linkLooks, routerLooks, routerRadius, type LinkLook, type RouterLook } from "./look";
import type { Painter } from "./painter";
import type { View } from "./view";
import { routerName } from "../data/network";

const MOST_LABELS = 1200;
const MOST_IN_SPACE = 100; // routers up to which numbers are shown there
const LEAST_RADIUS = 8.5;
const HUES = 8;
const TAG = 12.5; // pixels of the words at routers

/** Paint all, dots and what WebGL draws too; else what stands above these: labels, arrows, cursor, broken things. */
export function paint(view: View, painter: Painter, all: boolean): void {
  const { drawn, camera, overlay } = view;
  const project = camera.projector();
  const look = linkLooks(drawn, overlay, camera.scale);
  const at = screenPlaces(drawn, project);
  const plain = routerLooks(drawn, overlay, camera.scale);
  const routers = (r: number): RouterLook => {
    const found = plain(r);
    return camera.depth ? { ...found, radius: found.radius * camera.larger(at[3 * r + 2]!) } : found;
  };
  const deep = all && camera.depth > 0;
  if (deep) paintDeep(view, look, routers, at, painter);
  else if (all) paintLinks(drawn, look, project, painter);
  paintMarks(view, look, project, painter, all && !deep);
  if (all && !deep) for (let r = 0; r < drawn.net.routers; r++) paintRouter(drawn, at, r, routers(r), painter);
  if (all) paintDots(view, painter);
  paintRouterMarks(view, at, painter, routers);
  paintLabels(view, at, painter, routers);
}

type Project = ReturnType<Camera["projector"]>;

function screenPlaces(drawn: Drawing, project: Project): Float32Array {
  const at = new Float32Array(drawn.place.length);
  for (let k = 0; k < at.length; k += 3) {
    project(drawn.place[k]!, drawn.place[k + 1]!, drawn.place[k + 2]!, at.subarray(k, k + 3));
  }
  return at;
}

function paintRouter(drawn: Drawing, at: Float32Array, r: number, look: RouterLook, painter: Painter): void {
  painter.disc(at[3 * r]!, at[3 * r + 1]!, look.radius, css(look.fill), css(look.ring), look.width, drawn.net.terminals[r] === 0);
}

/** The points of a stroke in pixels. */
function pixels(drawn: Drawing, stroke: number, project: Project): number[] {
  const out: number[] = [];
  const at = new Float32Array(3);
  const { points, first } = drawn.strokes;
  for (let k = first[stroke]!; k < first[stroke + 1]!; k++) {
    project(points[3 * k]!, points[3 * k + 1]!, points[3 * k + 2]!, at);
    out.push(at[0]!, at[1]!);
  }
  return out;
}

function paintLinks(drawn: Drawing, look: (link: number) => LinkLook, project: Project, painter: Painter): void {
  for (const stroke of strokeOrder(drawn)) {
    const { colour, alpha, width } = look(drawn.strokes.link[stroke]!);
    if (alpha > 0) painter.line(pixels(drawn, stroke, project), css(colour), width, alpha * (drawn.strokes.stub[stroke] ? 0.6 : 1));
  }
}

/** The base on top of long links, so that it stays visible. */
export function strokeOrder(drawn: Drawing): number[] {
  const { link } = drawn.strokes;
  return Array.from(link, (_, k) => k).sort((a, b) => drawn.links.rank[link[b]!]! - drawn.links.rank[link[a]!]!);
}

/** Marked links: their arrows, broken ones, and in whole pictures the lines once more, above others and below routers. */
function paintMarks(view: View, look: (link: number) => LinkLook, project: Project, painter: Painter, all: boolean): void {
  const { drawn, overlay } = view;
  const radius = routerRadius(drawn, view.camera.scale);
  for (const [channel, mark] of overlay?.links ?? []) {
    const link = drawn.links.of[channel] ?? -1;
    if (link < 0) continue;
    for (let k = drawn.strokesOf[link]!; k < drawn.strokesOf[link + 1]!; k++) {
      const points = pixels(drawn, k, project);
      const colour = css(rgb(mark.colour));
      if (mark.gone) painter.line(cut(points, radius), colour, Math.max(1, mark.size), 0.9, true);
      else if (all && look(link).mark) painter.line(points, colour, Math.max(1, mark.size), 1);
      if (mark.arrow && !mark.gone) arrow(view, channel, k, points, colour, mark.size, painter);
    }
  }
}

/** A stroke without what lies in the routers at its ends, whose numbers stay to be read. */
function cut(points: readonly number[], radius: number): readonly number[] {
  if (points.length !== 4) {
    const [first, last] = [points.slice(0, 2), points.slice(-2)];
    const out = (k: number): boolean => [first, last].every(([x, y]) => Math.hypot(points[k]! - x!, points[k + 1]! - y!) >= radius);
    return points.filter((_, k) => out(2 * Math.floor(k / 2)));
  }
  const [x0, y0, x1, y1] = points as [number, number, number, number];
  const share = Math.min(0.45, radius / (Math.hypot(x1 - x0, y1 - y0) || 1));
  const [dx, dy] = [(x1 - x0) * share, (y1 - y0) * share];
  return [x0 + dx, y0 + dy, x1 - dx, y1 - dy];
}

/** A head in the middle of a stroke, in the direction of its channel. */
function arrow(
  view: View, channel: number, stroke: number, points: readonly number[], colour: string, width: number, painter: Painter,
): void {
  const backward = view.drawn.links.channel[view.drawn.links.of[channel]!] !== channel;
  const stub = view.drawn.strokes.stub[stroke] === 1;
  const outwards = (view.drawn.strokes.end[stroke] === 1) === backward;
  const turned = stub ? !outwards : backward;
  const pairs = points.length / 2 - 1;
  const k = 2 * Math.min(pairs - 1, Math.floor(0.6 * pairs));
  let [x0, y0, x1, y1] = [points[k]!, points[k + 1]!, points[k + 2]!, points[k + 3]!];
  if (turned) [x0, y0, x1, y1] = [x1, y1, x0, y0];
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < 3) return;
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  const size = Math.min(4 + 1.6 * width, Math.max(4, 0.4 * length));
  const share = pairs === 1 ? 0.6 : 0.5;
  const [x, y] = [x0 + (x1 - x0) * share + ux * size * 0.5, y0 + (y1 - y0) * share + uy * size * 0.5];
  const [bx, by, w] = [x - ux * size, y - uy * size, size * 0.55];
  painter.shape([x, y, bx - uy * w, by + ux * w, bx + uy * w, by - ux * w], colour, 1);
}

/** The flits of an overlay, a colour at a time. */
export function paintDots(view: View, painter: Painter): void {
  const dots = view.overlay?.dots;
  if (!dots) return;
  const project = view.camera.projector();
  const [place, at] = [new Float32Array(3), new Float32Array(3)];
  const radius = Math.min(5, Math.max(2, view.camera.scale * view.drawn.spacing * 0.085));
  const ground = css(rgb("ground"));
  const centres: number[][] = [];
  const rim = (routerRadius(view.drawn, view.camera.scale) + 0.8 * radius) / view.camera.scale;
  for (let k = 0; k < dots.length; k += 3) {
    if (!alongChannel(view.drawn, dots[k]!, dots[k + 1]!, rim, place)) continue;
    project(place[0]!, place[1]!, place[2]!, at);
    (centres[dots[k + 2]! % HUES] ??= []).push(at[0]!, at[1]!);
  }
  centres.forEach((points, hue) => painter.dots(points, radius, css(rgb(`hue-${hue}`)), ground));
}

function paintRouterMarks(view: View, at: Float32Array, painter: Painter, look: (router: number) => { radius: number }): void {
  const ring = (router: number, colour: string, width: number, more: number): void =>
    painter.disc(at[3 * router]!, at[3 * router + 1]!, Math.max(look(router).radius, 3) + more, "", css(rgb(colour)), width, false);
  for (const [router, mark] of view.overlay?.routers ?? []) {
    if (!mark.gone) continue;
    const [x, y, d] = [at[3 * router]!, at[3 * router + 1]!, Math.max(4, look(router).radius)];
    const inner = d < LEAST_RADIUS ? 0 : 0.62 * d; // its number stays to be read
    for (const [u, v] of [[1, 1], [1, -1], [-1, 1], [-1, -1]] as const) {
      painter.line([x + u * inner, y + v * inner, x + u * d, y + v * d], css(rgb(mark.colour)), 2, 1);
    }
  }
  for (const router of view.picked) if (router < view.drawn.net.routers) ring(router, "accent", 2.5, 3);
  if (view.cursor >= 0 && view.cursor < view.drawn.net.routers) {
    ring(view.cursor, "ground", 5, 7);
    ring(view.cursor, "ink", 2.2, 7);
  }
}

/** Numbers in the routers where there is room, names at those picked, and an overlay's words. */
function paintLabels(view: View, at: Float32Array, painter: Painter, look: (router: number) => RouterLook): void {
  const { drawn, camera, overlay } = view;
  const [ink, halo] = [css(rgb("ink")), css(rgb("ground"))];
  if (drawn.net.routers <= MOST_LABELS || camera.scale * drawn.spacing > 40) {
    for (let r = 0; r < drawn.net.routers; r++) {
      const [x, y] = [at[3 * r]!, at[3 * r + 1]!];
      const { radius, fill } = look(r);
      const words = drawn.net.labels?.[r] ?? String(r);
      if (radius < LEAST_RADIUS || words.length > 4 || x < 0 || y < 0 || x > camera.width || y > camera.height) continue;
      if (drawn.view === "space" && (drawn.net.routers > MOST_IN_SPACE || behind(r, at, look))) continue;
      painter.text(x, y, words, Math.min(14, radius * (words.length > 2 ? 0.78 : 0.95)), readable(fill), "");
    }
  }
  const taken: number[][] = [];
  const put = (router: number, words: string, above: number): void => {
    const y = besideNumbers(router, words, above, at, look, taken);
    tag(at[3 * router]!, y, words, ink, halo, painter);
  };
  for (const [router, words] of overlay?.labels ?? []) put(router, words, Math.max(14, look(router).radius + 12));
  if (overlay?.labels) return;
  for (const router of new Set([...view.picked, view.cursor])) {
    if (router < 0 || router >= drawn.net.routers) continue;
    put(router, routerName(drawn.net, router), look(router).radius + 15);
  }
}

/** How high words stand at a router so that they cover the least of the numbers around, and of the words in `taken`: usually so far above. */
function besideNumbers(router: number, words: string, above: number, at: Float32Array, look: (router: number) => RouterLook, taken: number[][]): number {
  const [x, middle] = [at[3 * router]!, at[3 * router + 1]!];
  const [half, high] = [0.3 * TAG * words.length, 0.42 * TAG];
  const near: number[] = [];
  for (let k = 0; k < at.length; k += 3) if (Math.abs(at[k]! - x) < half + 40 && Math.abs(at[k + 1]! - middle) < above + 60) near.push(k);
  const covered = (y: number): number => {
    let sum = 0;
    for (const k of near) {
      const { radius } = look(k / 3);
      const aside = Math.hypot(Math.max(0, Math.abs(at[k]! - x) - half), Math.max(0, Math.abs(at[k + 1]! - y) - high));
      if (radius >= LEAST_RADIUS) sum += Math.max(0, 0.95 * radius - aside);
    }
    for (const [left, top, wide] of taken) {
      if (Math.abs(left! - x) < half + wide! && Math.abs(top! - y) < 2 * high) sum += TAG;
    }
    return sum;
  };
  let best = middle - above;
  let least = covered(best);
  for (let d = above - 1; least > 0 && d > high; d--) {
    for (const y of [middle - d, middle + d]) {
      const cost = covered(y);
      if (cost < least - 0.01) [best, least] = [y, cost];
    }
  }
  taken.push([x, best, half]);
  return best;
}

/** Words on a plate, which keeps them apart from what lies under it. */
function tag(x: number, y: number, words: string, ink: string, ground: string, painter: Painter): void {
  const [w, h] = [0.3 * TAG * words.length + 4, 0.45 * TAG + 1];
  painter.shape([x - w, y - h, x + w, y - h, x + w, y + h, x - w, y + h], ground, 0.88);
  painter.text(x, y, words, TAG, ink, ground);
}

/** Whether the middle of a router lies behind another one. */
function behind(router: number, at: Float32Array, look: (router: number) => RouterLook): boolean {
  const [x, y, near] = at.subarray(3 * router, 3 * router + 3) as unknown as [number, number, number];
  for (let r = 0; 3 * r < at.length; r++) {
    if (at[3 * r + 2]! > near && Math.hypot(at[3 * r]! - x, at[3 * r + 1]! - y) < look(r).radius + 3) return true;
  }
  return false;
}

/** Black or white, whichever is read better on a colour. */
function readable([r, g, b]: Rgb): string {
  return 0.299 * r + 0.587 * g + 0.114 * b > 140 ? "#14181d" : "#ffffff";
}
