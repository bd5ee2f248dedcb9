/** Files and texts that leave the page, by the reader's hand only. */

const KEPT = 60_000; // ms after which a file must have been taken, on a slow machine too

/** Offers a file to save. */
export function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), KEPT);
}

/** Words as the name of a file: letters and digits, joined by single hyphens. */
export const fileName = (words: string): string => words.replace(/[^a-z0-9]+/gi, "-").replace(/^-|-$/g, "");

/** A canvas as a PNG file, at once: `toBlob` waits for a quiet moment, and a busy page has none before the reader's click no longer counts. */
export function encoded(canvas: HTMLCanvasElement): Blob {
  const bytes = atob(canvas.toDataURL("image/png").replace(/^.*,/, ""));
  return new Blob([Uint8Array.from(bytes, (each) => each.charCodeAt(0))], { type: "image/png" });
}

/** A picture as the text of an SVG file that needs no style sheet; pixels. */
export interface Picture {
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

const FINER = 3; // pixels of a PNG for each of the page

/** Offers a picture to save under a name without ending: its text, or what that looks like. */
export async function savePicture({ text, width, height }: Picture, name: string, kind: "svg" | "png"): Promise<void> {
  const file = new Blob([text], { type: "image/svg+xml" });
  if (kind === "svg") return save(file, `${name}.svg`);
  const image = new Image();
  image.src = URL.createObjectURL(file);
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [FINER * width, FINER * height];
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  save(encoded(canvas), `${name}.png`);
}

/** Puts a text on the clipboard; false where the browser does not let us. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.style.position = "fixed";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
