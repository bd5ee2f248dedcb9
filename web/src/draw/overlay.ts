/** What a panel draws over the network, and what a click means. */
export interface Pick {
  readonly router: number; // -1 where a link was meant
  readonly channel: number; // router * P + port of one direction of the link; -1 where a router was meant
}

/** Colours are CSS custom properties of styles.css without the dashes ("accent", "hue-3", "bad"), or #rrggbb. */
export interface Overlay {
  /** By channel number: colour and width in pixels; both directions of a link are one stroke, the wider wins. */
  readonly links?: ReadonlyMap<number, Mark>;
  /** By router. */
  readonly routers?: ReadonlyMap<number, Mark>;
  /** One number per channel (R * P), 0 to 1: links drawn as heat instead of by rank. NaN: faint. */
  readonly heat?: Float32Array;
  /** What 0 and 1 of it mean, or of the routers' heat, for the legend: "none" and "most" if left out. */
  readonly heatEnds?: readonly [string, string];
  /** One number per router, 0 to 1: routers drawn as heat. NaN: as if there were none. */
  readonly routerHeat?: Float32Array;
  /** Whether these are shades of one hue instead. */
  readonly shades?: boolean;
  /** Dots on channels: place along the channel from 0 to 1 (flits on their way). Flat: channel, place, colour index 0..7. */
  readonly dots?: Float32Array;
  /** What such a dot is, for the legend. */
  readonly dotsAre?: string;
  /** Short words at routers. */
  readonly labels?: ReadonlyMap<number, string>;
  /** What its colours mean, for the legend and for saved pictures. */
  readonly legend?: readonly Meaning[];
  /** Everything that no mark names is drawn faint. */
  readonly fadeOthers?: boolean;
}

/** A colour, what it says, and of what: of links if left out, of rings around routers, or of routers themselves. */
export type Meaning = readonly [colour: string, words: string, of?: "line" | "ring" | "disc"];

export interface Mark {
  readonly colour: string;
  readonly size: number; // pixels: width of a link, or how far a router's ring stands out
  readonly arrow?: boolean; // links: an arrow in the channel's direction
  readonly gone?: boolean; // drawn broken: dashed link, crossed router
}
