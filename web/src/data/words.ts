/** Texts that are too long for where they stand. */

/** A text of at most so many characters: its beginning and its end, with … for what is left out between. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = Math.floor((most - 1) / 3);
  return `${text.slice(0, most - 1 - end)}…${text.slice(text.length - end)}`;
}
