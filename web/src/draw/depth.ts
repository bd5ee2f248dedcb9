/** Links and routers in space for painters, as gl.ts draws them: far ones first and fainter, near ones larger. */
import { blend, css, rgb } from "./colours";
import { routerRadius, type LinkLook, type RouterLook } from "./look";
import type { Painter } from "./painter";
import type { View } from "./view";

const PARTS = 2; // of each piece of a link at least, which have places of their own in the depth
const MOST_PARTS = 16;

/** A disc stands so many of its radii nearer than its centre: else links that lead from it towards the eye cover it. */
export const FRONT = 2.5;

interface Thing {
  readonly near: number;
  readonly paint: () => void;
}

const between = (value: number, least: number): number => Math.min(1, Math.max(least, value));

export function paintDeep(
  view: View, links: (link: number) => LinkLook, routers: (router: number) => RouterLook, at: Float32Array, painter: Painter,
): void {
  const { drawn, camera } = view;
  const ground = rgb("ground");
  const things: Thing[] = [];
  for (let r = 0; r < drawn.net.routers; r++) {
    const near = at[3 * r + 2]!;
    const look = routers(r);
    const front = (FRONT * look.radius) / (camera.scale * camera.larger(near));
    const fog = 1 - between(0.75 + near * camera.depth * 1.1, 0.35);
    const [fill, ring] = [css(blend(look.fill, ground, fog)), css(blend(look.ring, ground, fog))];
    const square = drawn.net.terminals[r] === 0;
    things.push({ near: near + front, paint: () => painter.disc(at[3 * r]!, at[3 * r + 1]!, look.radius, fill, ring, look.width, square) });
  }
  const front = (FRONT * routerRadius(drawn, camera.scale)) / camera.scale;
  for (const thing of strokes(view, links, painter, front)) things.push(thing);
  things.sort((a, b) => a.near - b.near);
  for (const thing of things) thing.paint();
}

/** Links in parts, so short that the mean of one that begins in a disc is not nearer than the disc. */
function* strokes({ drawn, camera }: View, links: (link: number) => LinkLook, painter: Painter, front: number): Generator<Thing> {
  const project = camera.projector();
  const { points, first, link, stub } = drawn.strokes;
  const [a, b] = [new Float32Array(3), new Float32Array(3)];
  for (let stroke = 0; stroke < link.length; stroke++) {
    const { colour, alpha, width } = links(link[stroke]!);
    const strength = alpha * (stub[stroke] ? 0.6 : 1);
    if (strength === 0) continue;
    for (let k = first[stroke]!; k < first[stroke + 1]! - 1; k++) {
      const on = (share: number, i: number): number => points[3 * k + i]! * (1 - share) + points[3 * k + 3 + i]! * share;
      project(on(0, 0), on(0, 1), on(0, 2), a);
      project(on(1, 0), on(1, 1), on(1, 2), b);
      const parts = Math.min(MOST_PARTS, Math.max(PARTS, Math.ceil(Math.abs(a[2]! - b[2]!) / (2 * front))));
      for (let part = 0; part < parts; part++) {
        const [from, to] = [part / parts, (part + 1) / parts];
        project(on(from, 0), on(from, 1), on(from, 2), a);
        project(on(to, 0), on(to, 1), on(to, 2), b);
        const near = (a[2]! + b[2]!) / 2;
        const ends = [a[0]!, a[1]!, b[0]!, b[1]!];
        const fog = between(0.72 + near * camera.depth * 1.1, 0.25);
        yield { near, paint: () => painter.line(ends, css(colour), width, strength * fog) };
      }
    }
  }
}
