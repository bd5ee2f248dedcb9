/** What is painted: a drawing from where the camera stands, with what lies over it. */
import type { Camera } from "./camera";
import type { Drawing } from "./drawing";
import type { Overlay } from "./overlay";

export interface View {
  readonly drawn: Drawing;
  readonly overlay: Overlay | null;
  readonly camera: Camera;
  readonly cursor: number; // router under the keyboard, -1 for none
  readonly picked: readonly number[];
}
