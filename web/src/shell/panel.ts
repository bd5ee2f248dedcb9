/** What a panel is: a file that exports a `Panel`, listed in `panels/index.ts`. The shell knows nothing else of it. */
import type { Network } from "../data/network";
import { byName } from "../data/words";
import type { Overlay, Pick } from "../draw/overlay";
import { SHARED, type Key, type State, type Value } from "../state/state";

export type { Mark, Meaning, Overlay, Pick } from "../draw/overlay";

export interface Panel {
  readonly id: string; // in the link: panel=ID; prefix of its own keys
  readonly title: string; // one or two words, on its tab
  readonly summary: string; // one sentence under the title
  readonly keys: Readonly<Record<string, Key>>; // its own keys of the state, all beginning with `ID.`
  /** Why it has nothing to show of a network, in one sentence; null where it fits. */
  misfit(net: Network): string | null;
  /** What it does with a file that is dropped on the page, where it takes one: "as traffic". */
  readonly takes?: string;
  /** Fills `host` (empty, in the side column, 320 px or more) and says how to follow the state. */
  mount(host: HTMLElement, app: App): Mounted;
  /** Its own keys whose values it cannot show, with those that it shows instead: the link then says what is seen. */
  settled?(state: State, net: Network): Readonly<Record<string, Value>>;
  /** Unpacks what it must have to say what of its keys it cannot show: a link is looked at where another panel is open, too. */
  ready?(net: Network): Promise<unknown>;
  /** Keys that it alone reads, besides its own. */
  readonly reads?: readonly string[];
  /** What a link asks for that it could not show, once it is `ready` and another panel is open, besides what `settled` says. */
  amiss?(state: State, net: Network): Amiss;
  /** What its own keys may name on a network, where that is not in `keys`: the nearest of them is said. */
  names?(net: Network): Readonly<Record<string, readonly string[]>>;
  /** The `jumpnet` command that gives the same, without `$`; null where nothing but the drawing is shown. */
  command(state: State, net: Network): string | null;
  /** The Python that gives the same, statements of one line each; `import jumpnet` is said by the shell. */
  python(state: State, net: Network): string | null;
}

/** By key what is there instead, and a sentence that says so. */
export type Amiss = Readonly<Record<string, { readonly instead: Value; readonly why: string }>>;

export interface Mounted {
  /** After each change of state or network, and once after mounting. Must be cheap: heavy work goes to `app.later`. */
  update(state: State, net: Network): void;
  /** What it shows moves, as somebody asked who opened it; called behind `update`, and only while motion is on. */
  start?(): void;
  /** Before another panel opens: stop what runs. The shell empties `host` and takes the overlay away itself. */
  destroy(): void;
}

/** What the shell does for panels. */
export interface App {
  readonly state: State;
  readonly net: Network;
  /** Specs of the networks that the page holds. */
  readonly specs: readonly string[];
  /** A network that the page holds, unpacked (kept); rejects with a sentence for others. */
  load(spec: string): Promise<Network>;
  /** Change keys of the state: the link follows, every `update` is called. */
  set(changes: Readonly<Record<string, State[string]>>): void;
  /** The same for a press that opens a panel to see something move: where motion is on, it does. */
  watch(changes: Readonly<Record<string, State[string]>>): void;
  /** Draw over the network until the next call or panel; null takes it away. */
  overlay(overlay: Overlay | null): void;
  /** Shows an element where the drawing is, for panels that show something else; null for the drawing again. */
  stage(element: HTMLElement | null): void;
  /** Called when a router or link is clicked or chosen with the keyboard; without it, clicks fill `picked`. */
  onPick(handler: ((pick: Pick) => void) | null): void;
  /** Called with a file that is dropped on the page; the shell refuses files where nobody listens. */
  onFile(handler: (file: File) => void): void;
  /** Called before each frame with milliseconds since the last one, as long as it is set and motion is on; null stops. */
  onFrame(handler: ((elapsed: number) => void) | null): void;
  /** Whether things may move by themselves (the page's own switch, at first the system's wish for less motion). */
  readonly motion: boolean;
  /** Say something to screen readers. */
  announce(text: string): void;
  /** Work in small pieces: `step` is called until it gives true, yielding to the page every 10 ms. Returns a way to stop. */
  later(step: () => boolean): () => void;
}

/** All keys of the state: those that panels share, and each panel's own. */
export const keysOf = (panels: readonly Panel[]): Readonly<Record<string, Key>> =>
  byName<Key>(SHARED, { panel: { ...SHARED.panel!, choices: panels.map(({ id }) => id) } }, ...panels.map(({ keys }) => keys));
