/** Every panel of the page, in the order of their tabs. */
import type { Panel } from "./shell/panel";
import { panel as network } from "./views/network";
import { panel as route } from "./views/route";
import { panel as simulate } from "./views/simulate";
import { PANELS } from "./panels/index";

export const EVERY: readonly Panel[] = [network, route, simulate, ...PANELS];
