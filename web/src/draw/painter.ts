/** What pictures are made of, on a canvas or in SVG. All in pixels. */
export interface Painter {
  line(points: readonly number[], colour: string, width: number, alpha: number, dashed?: boolean): void;
  shape(points: readonly number[], colour: string, alpha: number): void;
  disc(x: number, y: number, radius: number, fill: string, ring: string, width: number, square: boolean): void;
  /** Small discs of one colour, each with a thin ring. */
  dots(centres: readonly number[], radius: number, fill: string, ring: string): void;
  /** Words about a point, or from it to the right (`from`). */
  text(x: number, y: number, words: string, size: number, colour: string, halo: string, from?: boolean): void;
}

const DOT_RING = 0.8; // pixels
const stamps = new Map<string, HTMLCanvasElement>();

/** One dot by itself: copying it costs less than a path for each. */
function stampOf(radius: number, fill: string, ring: string, scale: number): HTMLCanvasElement {
  const name = [radius, fill, ring, scale].join(" ");
  let stamp = stamps.get(name);
  if (!stamp) {
    if (stamps.size > 64) stamps.clear(); // zooming makes many
    stamp = document.createElement("canvas");
    stamp.width = stamp.height = 2 * Math.ceil(scale * (radius + DOT_RING));
    const context = stamp.getContext("2d")!;
    context.setTransform(scale, 0, 0, scale, stamp.width / 2, stamp.height / 2);
    new CanvasPainter(context).disc(0, 0, radius, fill, ring, DOT_RING, false);
    stamps.set(name, stamp);
  }
  return stamp;
}

export class CanvasPainter implements Painter {
  constructor(private readonly context: CanvasRenderingContext2D) {
    context.lineCap = context.lineJoin = "round";
    context.textAlign = "center";
    context.textBaseline = "middle";
  }

  private trace(points: readonly number[]): void {
    this.context.beginPath();
    for (let k = 0; k < points.length; k += 2) this.context.lineTo(points[k]!, points[k + 1]!);
  }

  line(points: readonly number[], colour: string, width: number, alpha: number, dashed = false): void {
    this.trace(points);
    this.context.globalAlpha = alpha;
    this.context.strokeStyle = colour;
    this.context.lineWidth = width;
    this.context.setLineDash(dashed ? [3 * width, 3 * width] : []);
    this.context.stroke();
    this.context.globalAlpha = 1;
  }

  shape(points: readonly number[], colour: string, alpha: number): void {
    this.trace(points);
    this.context.globalAlpha = alpha;
    this.context.fillStyle = colour;
    this.context.fill();
    this.context.globalAlpha = 1;
  }

  disc(x: number, y: number, radius: number, fill: string, ring: string, width: number, square: boolean): void {
    this.context.beginPath();
    if (square) this.context.rect(x - 0.86 * radius, y - 0.86 * radius, 1.72 * radius, 1.72 * radius);
    else this.context.arc(x, y, radius, 0, 2 * Math.PI);
    if (fill) {
      this.context.fillStyle = fill;
      this.context.fill();
    }
    if (!width) return;
    this.context.setLineDash([]);
    this.context.strokeStyle = ring;
    this.context.lineWidth = width;
    this.context.stroke();
  }

  dots(centres: readonly number[], radius: number, fill: string, ring: string): void {
    const scale = this.context.getTransform().a;
    const stamp = stampOf(radius, fill, ring, scale);
    const side = stamp.width / scale;
    for (let k = 0; k < centres.length; k += 2) {
      this.context.drawImage(stamp, centres[k]! - side / 2, centres[k + 1]! - side / 2, side, side);
    }
  }

  text(x: number, y: number, words: string, size: number, colour: string, halo: string, from = false): void {
    this.context.textAlign = from ? "left" : "center";
    this.context.font = `500 ${size}px system-ui, sans-serif`;
    if (halo) {
      this.context.setLineDash([]);
      this.context.strokeStyle = halo;
      this.context.lineWidth = 3;
      this.context.strokeText(words, x, y);
    }
    this.context.fillStyle = colour;
    this.context.fillText(words, x, y);
  }
}

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]!);
const short = (value: number): string => String(Math.round(value * 100) / 100);

export class SvgPainter implements Painter {
  private readonly parts: string[] = [];

  private path(points: readonly number[]): string {
    const words: string[] = [];
    for (let k = 0; k < points.length; k += 2) words.push(`${short(points[k]!)} ${short(points[k + 1]!)}`);
    return `M${words.join("L")}`;
  }

  line(points: readonly number[], colour: string, width: number, alpha: number, dashed = false): void {
    const dash = dashed ? ` stroke-dasharray="${short(3 * width)}"` : "";
    const faint = alpha < 1 ? ` stroke-opacity="${short(alpha)}"` : "";
    this.parts.push(`<path d="${this.path(points)}" fill="none" stroke="${colour}" stroke-width="${short(width)}"${faint}${dash}/>`);
  }

  shape(points: readonly number[], colour: string, alpha: number): void {
    this.parts.push(`<path d="${this.path(points)}Z" fill="${colour}" fill-opacity="${short(alpha)}"/>`);
  }

  disc(x: number, y: number, radius: number, fill: string, ring: string, width: number, square: boolean): void {
    const side = 0.86 * radius;
    const form = square
      ? `<rect x="${short(x - side)}" y="${short(y - side)}" width="${short(2 * side)}" height="${short(2 * side)}"`
      : `<circle cx="${short(x)}" cy="${short(y)}" r="${short(radius)}"`;
    this.parts.push(`${form} fill="${fill || "none"}" stroke="${ring}" stroke-width="${short(width)}"/>`);
  }

  dots(centres: readonly number[], radius: number, fill: string, ring: string): void {
    for (let k = 0; k < centres.length; k += 2) this.disc(centres[k]!, centres[k + 1]!, radius, fill, ring, DOT_RING, false);
  }

  text(x: number, y: number, words: string, size: number, colour: string, halo: string, from = false): void {
    const begin = from ? ' text-anchor="start"' : "";
    const around = halo ? ` stroke="${halo}" stroke-width="3" paint-order="stroke" stroke-linejoin="round"` : "";
    this.parts.push(
      `<text x="${short(x)}" y="${short(y)}" font-size="${short(size)}" fill="${colour}"${begin}${around}>${escaped(words)}</text>`,
    );
  }

  /** The picture as a file. */
  file(width: number, height: number, title: string, ground: string): string {
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${short(width)}" height="${short(height)}" viewBox="0 0 ${short(width)} ${short(height)}"`,
      ` font-family="system-ui, sans-serif" font-weight="500" text-anchor="middle" dominant-baseline="central" stroke-linecap="round">`,
      `<title>${escaped(title)}</title><rect width="100%" height="100%" fill="${ground}"/>`,
      ...this.parts,
      "</svg>\n",
    ].join("\n");
  }
}
