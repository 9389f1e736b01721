import type { Workspace } from '../../../../workspaces/index.ts';

/** What files held before each edit, newest last. */
export interface History {
  push(path: string, bytes: Uint8Array): void;
  pop(path: string): Uint8Array | undefined;
}

/** Bytes kept in all; the oldest go first. */
const MOST_BYTES = 64 * 1024 * 1024;

/** An attempt has a workspace of its own, and its history goes with it. */
const histories = new WeakMap<Workspace, History>();

export function historyOf(workspace: Workspace): History {
  const known = histories.get(workspace) ?? createHistory();
  histories.set(workspace, known);
  return known;
}

function createHistory(): History {
  let edits: { path: string; bytes: Uint8Array }[] = [];
  return {
    push(path, bytes) {
      edits.push({ path, bytes });
      let sum = edits.reduce((all, edit) => all + edit.bytes.length, 0);
      while (sum > MOST_BYTES) sum -= edits.shift()?.bytes.length ?? 0;
    },
    pop(path) {
      const at = edits.findLastIndex((edit) => edit.path === path);
      const found = edits[at]?.bytes;
      edits = edits.filter((_, index) => index !== at);
      return found;
    },
  };
}
