/** The keys of the page's state in plain words, for `jumpnet explore --at`: `build.mjs` writes them down. */
import { EVERY } from "./every";
import { keysOf } from "./shell/panel";

export const KEYS: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(keysOf(EVERY)).map(([name, { form, plain: _, ...key }]) => [name, { ...key, ...(form ? { form: form.source } : {}) }]),
);
