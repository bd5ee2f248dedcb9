/** Networks made here by the rule of their family, as Python makes them: sizes that are not in the page. */
import type { Network, Places } from "./network";
import { ruleOf, type Rule } from "./rules";

const OBLIQUE = [[1, 0], [0, -1], [0.42, 0.3]]; // rows are counted downward
const WRAPPING = ["torus", "rdt", "prdt"];
const STEPS = 1000; // parts of a step in which places are told, as Python tells them
const MOST_SIDES = 7;

/** The network of a spec, null where its family has no rule here; throws a SizeError. */
export function grown(spec: string): Network | null {
  const rule = ruleOf(spec);
  return rule && made(rule);
}

function made(rule: Rule): Network {
  const { sides, ports } = rule;
  const family = rule.spec.split(":")[0]!;
  const dims = sides.length;
  const routers = sides.reduce((a, b) => a * b, 1);
  const coord = coordinates(sides, routers);
  const neighbor = new Int32Array(routers * ports).fill(-1);
  const linkClass = new Int32Array(routers * ports).fill(-1);
  for (let r = 0; r < routers; r++) {
    const place = [...coord.subarray(r * dims, (r + 1) * dims)];
    const seen = new Set([r]); // no link to itself, one to each neighbor: later ports lose
    for (let p = 0; p < ports; p++) {
      const [to, kind] = rule.at(place, p) ?? [r, -1];
      if (seen.has(to)) continue;
      seen.add(to);
      neighbor[r * ports + p] = to;
      linkClass[r * ports + p] = kind;
    }
  }
  const ones = new Int32Array(routers).fill(1);
  const rankNames = namesOf(rule, linkClass);
  return {
    spec: rule.spec, family, routers, ports, dims, directed: false, neighbor, linkClass, coord, grown: true,
    farPort: neighbor.map((to, channel) => (to < 0 ? -1 : neighbor.subarray(to * ports, (to + 1) * ports).indexOf(Math.floor(channel / ports)))),
    classNames: rule.classNames, classRank: Int32Array.from(rule.classRank), terminals: ones, sinks: ones,
    params: BigInt64Array.from(rule.params, BigInt), latency: null, labels: null, place: placesOf(family, sides, coord, routers),
    rankNames, baseRank: family.endsWith("rdt") && Object.keys(rankNames).length > 1 ? 0 : -1, routings: [],
  };
}

function coordinates(sides: readonly number[], routers: number): Int32Array {
  const coord = new Int32Array(routers * sides.length);
  for (let r = 0; r < routers; r++) {
    let rest = r;
    sides.forEach((side, d) => {
      coord[r * sides.length + d] = rest % side;
      rest = Math.floor(rest / side);
    });
  }
  return coord;
}

/** Ranks and dimensions that have links: what is left of a kind's name without its direction. */
function namesOf(rule: Rule, linkClass: Int32Array): Record<number, string> {
  const names: Record<number, string> = {};
  for (const kind of [...new Set(linkClass)].filter((each) => each >= 0).sort((a, b) => a - b)) {
    names[rule.classRank[kind]!] ??= rule.classNames[kind]!.split(" ").slice(0, 2).join(" ");
  }
  return names;
}

const whole = (values: Iterable<number>): Float32Array => Float32Array.from(values, (v) => Math.round(v * STEPS) / STEPS);

/** As `jumpnet.plot.styles.places` has them: by coordinates, a ring on a circle, more than seven dimensions side by side. */
function placesOf(family: string, sides: readonly number[], coord: Int32Array, routers: number): Places {
  const none = { basis: null, sides: null, circle: false, arch: null };
  if (sides.length === 1 && routers > 4) return { ...none, position: circle(routers), circle: true };
  const wraps = WRAPPING.includes(family) && sides.length <= MOST_SIDES;
  const basis = sides.length <= MOST_SIDES ? basisOf(sides) : sideBySide(sides);
  const position = new Float64Array(2 * routers);
  for (let r = 0; r < routers; r++) {
    basis.forEach(([x, y], d) => {
      position[2 * r]! += coord[r * sides.length + d]! * x!;
      position[2 * r + 1]! += coord[r * sides.length + d]! * y!;
    });
  }
  return { ...none, position: whole(position), ...(wraps ? { basis: whole(basis.flat()), sides } : {}) };
}

function circle(routers: number): Float32Array {
  const radius = Math.max(1, routers / (2 * Math.PI));
  return whole(Array.from({ length: routers }, (_, r) => Math.PI / 2 - (2 * Math.PI * r) / routers).flatMap((a) => [Math.cos(a) * radius, Math.sin(a) * radius]));
}

/** Dimensions 0 and 1 span the plane, 2 runs up obliquely, further ones repeat the picture to the right and below. */
function basisOf(sides: readonly number[]): number[][] {
  const basis: number[][] = sides.map((_, d) => [...(OBLIQUE[d] ?? [0, 0])]);
  if (sides.length > 2 && Math.max(sides[0]!, sides[1]!) > 2) {
    const wide = Math.max(1 + 0.15 * sides[2]!, 0.42 * (sides[2]! - 1) + 0.3);
    for (const d of [0, 1]) basis[d] = basis[d]!.map((v) => v * wide);
  }
  for (let d = 3; d < sides.length; d++) {
    const axis = (d - 3) % 2;
    const beyond = sides.slice(0, d).reduce((sum, side, k) => sum + Math.abs(basis[k]![axis]!) * (side - 1), 0) + 1;
    basis[d] = axis === 0 ? [beyond, -0.45] : [0.45, -beyond];
  }
  return basis;
}

function sideBySide(sides: readonly number[]): number[][] {
  const stretch = [1, 1];
  return sides.map((side, d) => {
    const step = [0, 0];
    step[d % 2] = d % 2 === 0 ? stretch[0]! : -stretch[1]!;
    stretch[d % 2]! *= side + 1;
    return step;
  });
}
