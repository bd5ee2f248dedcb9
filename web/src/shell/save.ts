/** Files and texts that leave the page, by the reader's hand only. */

/** Offers a file to save. */
export function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
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
  canvas.toBlob((blob) => blob && save(blob, `${name}.png`));
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
