/** Links and routers in space for painters, as gl.ts draws them: far ones first and fainter, near ones larger. */
import { blend, css, rgb } from "./colours";
import type { LinkLook, RouterLook } from "./look";
import type { Painter } from "./painter";
import type { View } from "./view";

const PARTS = 2; // of each piece of a link, which have places of their own in the depth

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
    const fog = 1 - between(0.75 + near * camera.depth * 1.1, 0.35);
    const [fill, ring] = [css(blend(look.fill, ground, fog)), css(blend(look.ring, ground, fog))];
    const square = drawn.net.terminals[r] === 0;
    things.push({ near: near + 0.01 / camera.depth, paint: () => painter.disc(at[3 * r]!, at[3 * r + 1]!, look.radius, fill, ring, look.width, square) });
  }
  for (const thing of strokes(view, links, painter)) things.push(thing);
  things.sort((a, b) => a.near - b.near);
  for (const thing of things) thing.paint();
}

function* strokes({ drawn, camera }: View, links: (link: number) => LinkLook, painter: Painter): Generator<Thing> {
  const project = camera.projector();
  const { points, first, link, stub } = drawn.strokes;
  const [a, b] = [new Float32Array(3), new Float32Array(3)];
  for (let stroke = 0; stroke < link.length; stroke++) {
    const { colour, alpha, width } = links(link[stroke]!);
    const strength = alpha * (stub[stroke] ? 0.6 : 1);
    if (strength === 0) continue;
    for (let k = first[stroke]!; k < first[stroke + 1]! - 1; k++) {
      for (let part = 0; part < PARTS; part++) {
        const on = (share: number, i: number): number => points[3 * k + i]! * (1 - share) + points[3 * k + 3 + i]! * share;
        const [from, to] = [part / PARTS, (part + 1) / PARTS];
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
