/** Small drawings of networks, on the page and as files. */
import { Camera } from "../../draw/camera";
import { css, rgb } from "../../draw/colours";
import { drawing } from "../../draw/drawing";
import { paint } from "../../draw/paint";
import { CanvasPainter, SvgPainter, type Painter } from "../../draw/painter";
import type { Network } from "../../data/network";
import { fileName, savePicture } from "../../shell/save";
import { followThemes } from "../../draw/themes";

/** Size of a drawing, pixels. */
export const [WIDE, HIGH] = [250, 216];
const EDGE = 8;

const shown = new Map<HTMLCanvasElement, Network>(); // on the page, for a change of theme
const again = (): void => {
  for (const [canvas, net] of shown) {
    if (canvas.isConnected) paintOn(canvas, net);
    else shown.delete(canvas);
  }
};
let followed = false; // from the first drawing on

/** A network as the page draws it, on a small canvas or in a file. */
function sketch(net: Network, painter: Painter): void {
  const drawn = drawing(net, "plane");
  const camera = new Camera();
  [camera.width, camera.height] = [WIDE, HIGH];
  camera.fit(drawn.low, drawn.high, 0);
  const [across, up] = [0, 1].map((k) => Math.max(0.5, drawn.high[k]! - drawn.low[k]!)) as [number, number];
  camera.scale = Math.min((WIDE - 2 * EDGE) / across, (HIGH - 2 * EDGE) / up);
  camera.shift = [0, 0];
  paint({ drawn, overlay: null, camera, cursor: -1, picked: [] }, painter, true);
}

export function sketchOn(canvas: HTMLCanvasElement, net: Network): void {
  if (!followed) followThemes(again);
  followed = true;
  shown.set(canvas, net);
  paintOn(canvas, net);
}

function paintOn(canvas: HTMLCanvasElement, net: Network): void {
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  [canvas.width, canvas.height] = [WIDE * ratio, HIGH * ratio];
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  context.scale(ratio, ratio);
  sketch(net, new CanvasPainter(context));
}

/** Offers a drawing to save. */
export async function saveSketch(net: Network, kind: "svg" | "png"): Promise<void> {
  const painter = new SvgPainter();
  sketch(net, painter);
  const text = painter.file(WIDE, HIGH, net.spec, css(rgb("ground")));
  await savePicture({ text, width: WIDE, height: HIGH }, fileName(net.spec), kind);
}
