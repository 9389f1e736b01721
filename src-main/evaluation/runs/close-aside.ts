import type { OpenWorkspace, Workspace } from '../../workspaces/index.ts';

type Open = (options: OpenWorkspace) => Promise<Workspace>;

/** Opens workspaces whose `close` returns at once; `settled` resolves when all of them are gone. */
export interface ClosingAside {
  open: Open;
  settled(): Promise<void>;
}

/**
 * The engine takes a quarter of a second and more to remove a container, twice for each cell, and
 * nothing that follows needs it: the tree was read, the verdict is had. What could not be removed is
 * seen to by the owner of the workspaces, who knows all that are open.
 */
export function closingAside(open: Open): ClosingAside {
  const closing = new Set<Promise<void>>();
  return {
    open: async (options) => {
      const workspace = await open(options);
      let closed: Promise<void> | undefined;
      const close = (): Promise<void> => {
        if (closed === undefined) {
          const removal = workspace.close().catch(() => undefined);
          closed = removal.finally(() => void (closed !== undefined && closing.delete(closed)));
          closing.add(closed);
        }
        return Promise.resolve();
      };
      return new Proxy(workspace, {
        get(target, name) {
          if (name === 'close') return close;
          const member: unknown = Reflect.get(target, name);
          // Its own fields are private to it, also in the language.
          return typeof member === 'function' ? (member.bind(target) as unknown) : member;
        },
      });
    },
    settled: async () => {
      await Promise.all(closing);
    },
  };
}
