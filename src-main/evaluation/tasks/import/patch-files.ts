/** Paths that a patch touches, old and new names, sorted; read from its headers only. */
export function filesOfPatch(patch: string): string[] {
  const found = new Set<string>();
  for (const line of patch.split('\n')) {
    const name = /^(?:---|\+\+\+) (?:"?[ab]\/)(.*?)"?(?:\t.*)?\r?$/.exec(line)?.[1];
    if (name !== undefined) found.add(name);
    const renamed = /^(?:rename|copy) (?:from|to) (.*?)\r?$/.exec(line)?.[1];
    if (renamed !== undefined) found.add(renamed);
    // Of an empty or binary file there are no other lines with its name.
    const whole = /^diff --git a\/(.*) b\/(.*?)\r?$/.exec(line);
    if (whole && whole[1] === whole[2]) found.add(whole[1] ?? '');
  }
  return [...found].toSorted();
}

/** A glob that stands for exactly this path. */
export function exactGlob(name: string): string {
  return name.replace(/[\\*?[\]{}()!+@|]/g, String.raw`\$&`);
}
