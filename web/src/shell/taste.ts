/** What a reader prefers, kept by the browser where it lets us; never part of the link. */

export function kept(name: string): string | null {
  try {
    return localStorage.getItem(`jumpnet.${name}`);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`jumpnet.${name}`, value);
  } catch {
    // Pages opened from disk may keep nothing: the choice then holds as long as the page is open.
  }
}
