/** A choice that this browser keeps; `null` where it keeps nothing. */
export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(`vivarium.${name}`);
  } catch {
    return null;
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`vivarium.${name}`, value);
  } catch {
    // Then it is the usual one the next time.
  }
}

export function forget(name: string): void {
  try {
    localStorage.removeItem(`vivarium.${name}`);
  } catch {
    // Nothing was kept there.
  }
}
