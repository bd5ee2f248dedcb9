/** Panels beside network, route and simulate, in the order of their tabs. */
import type { Panel } from "../shell/panel";

export const PANELS: readonly Panel[] = [];
