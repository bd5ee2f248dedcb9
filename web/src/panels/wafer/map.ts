/** The picture of a wafer: elements, compensation paths, traced wires, and the links of an element that is picked. */
import type { Network } from "../../data/network";
import { svg } from "../svg";
import { CORE, LOOKS } from "./colours";
import type { Made, Shown } from "./data";
import { sentence } from "./figures";
import { pickedLinks } from "./links";
import { HALF, line, pathOf } from "./shapes";

const ASIDE = 0.38; // from the middle of an element to the path beside it
const PARTS = 100; // of the distance between elements, in which wires have their points
const LEAST_BAD = 4; // kinds from here on are defective elements

/** The array from above, an element a square. */
export function map(shown: Shown, net: Network, wires: boolean, picked: number): SVGElement {
  const { wafers, made } = shown;
  const [height, width] = wafers.shape;
  const [top, left, rows, columns] = wafers.core;
  const { lines, lengths } = pickedLinks(shown, net, picked);
  const places = Array.from({ length: height * width }, (_, at) => at);
  const core = svg("rect", { x: left - 0.5, y: top - 0.5, width: columns, height: rows, style: `fill:var(--${CORE[0]})`, "fill-opacity": CORE[1] });
  const about = { viewBox: `-0.7 -0.7 ${width + 0.4} ${height + 0.4}`, role: "img", class: "picture", tabindex: 0, "aria-label": sentence(shown) };
  return svg(
    "svg", about, core,
    ...(wires ? [line(pathOf(made.wires.straight, PARTS), "quiet", 0.025), line(pathOf(made.wires.bent, PARTS), "hue-0", 0.05)] : []),
    ...places.flatMap((at) => element(shown, at)),
    ...(wires ? [line(pathOf(made.through, PARTS), "quiet", 0.025, { "stroke-dasharray": ".05 .06" })] : []),
    ...compensationPaths(made), ...lines, ...places.flatMap((at) => inscription(shown, at, picked >= 0)), ...lengths,
    ...(wires ? turnedSwitches(made) : []),
  );
}

/** An element of the network by its row and column there. */
const elementName = ({ wafers }: Shown, router: number): string =>
  `${Math.floor(router / wafers.core[3])},${router % wafers.core[3]}`;

/** The square of an element, on a ground that hides wires below it. */
function element(shown: Shown, at: number): SVGElement[] {
  const { wafers, made, data } = shown;
  const [x, y] = [at % wafers.shape[1], Math.floor(at / wafers.shape[1])];
  const [kind, owner] = [made.kind[at]!, made.owner[at]!];
  const [colour, strength] = LOOKS[kind]!;
  const serves = owner >= 0 ? `, element ${elementName(shown, owner)} of the network` : "";
  const side = { x: x - HALF, y: y - HALF, width: 2 * HALF, height: 2 * HALF };
  const looks = { style: `fill:var(--${colour});stroke:var(--ink)`, "fill-opacity": strength, "stroke-width": 0.012, "data-router": owner };
  return [
    svg("rect", { ...side, style: "fill:var(--ground)" }),
    svg("rect", { ...side, ...looks }, svg("title", {}, `row ${y}, column ${x}: ${data.kinds[kind]}${serves}`)),
  ];
}

/** What stands in a square: a cross where it is defective, else which element of the network it is, if any. */
function inscription(shown: Shown, at: number, halo: boolean): SVGElement[] {
  const { wafers, made } = shown;
  const [x, y] = [at % wafers.shape[1], Math.floor(at / wafers.shape[1])];
  const owner = made.owner[at]!;
  if (made.kind[at]! >= LEAST_BAD) return [line(`M${x - 0.15} ${y - 0.15}l.3 .3m0 -.3l-.3 .3`, "ground", 0.05)];
  if (owner < 0) return [];
  const style = `fill:var(--ink)${halo ? ";paint-order:stroke;stroke:var(--ground);stroke-width:.05" : ""}`; // arcs go behind it
  return [svg("text", { x, y: y + 0.06, "font-size": 0.19, "text-anchor": "middle", style, "pointer-events": "none" }, elementName(shown, owner))];
}

/** Compensation paths, beside the elements, so that none crosses a name; bent wires lie further out. */
function compensationPaths(made: Made): SVGElement[] {
  const { points, end } = made.paths;
  return Array.from(end, (last, k) => {
    const first = k ? end[k - 1]! : 0;
    const [x0, y0, x1, y1] = [points[2 * first]!, points[2 * first + 1]!, points[2 * last - 2]!, points[2 * last - 1]!];
    const [ux, uy] = [Math.sign(x1 - x0), Math.sign(y1 - y0)];
    const [dx, dy] = ux ? [0, ASIDE] : [ASIDE, 0];
    const [backX, backY, sideX, sideY] = [-0.16 * ux, -0.16 * uy, 0.09 * uy, 0.09 * ux];
    const tip = `m${backX - sideX} ${backY - sideY}l${sideX - backX} ${sideY - backY}l${backX + sideX} ${backY + sideY}`;
    return line(`M${x0 + dx} ${y0 + dy}L${x1 + dx} ${y1 + dy}${tip}`, "hue-1", 0.055);
  });
}

function turnedSwitches({ turned }: Made): SVGElement[] {
  const looks = { r: 0.05, style: "fill:var(--ground);stroke:var(--hue-0)", "stroke-width": 0.03 };
  return Array.from({ length: turned.length / 2 }, (_, k) =>
    svg("circle", { cx: turned[2 * k]! / PARTS, cy: turned[2 * k + 1]! / PARTS, ...looks }));
}
