/** The last lines, bounded by their number and their size. */
export interface LineRing {
  add(line: string): void;
  lines(): string[];
}

export function createLineRing(maxLines: number, maxCharacters: number): LineRing {
  let kept: string[] = [];
  let characters = 0;
  let first = 0;
  return {
    add: (line) => {
      kept.push(line);
      characters += line.length;
      while (kept.length - first > maxLines || characters > maxCharacters) {
        characters -= kept[first]?.length ?? 0;
        first += 1;
      }
      // Shifting an array for every line is slow; the dead front is cut off now and then.
      if (first > maxLines) {
        kept = kept.slice(first);
        first = 0;
      }
    },
    lines: () => kept.slice(first),
  };
}
