/** Starts the page. */
import { EVERY } from "./every";
import { Page } from "./shell/page";

new Page(EVERY);
