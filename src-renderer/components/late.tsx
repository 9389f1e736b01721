import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { AGAIN_AFTER_MS, readAgain } from './read-again.ts';

/** Draws `waiting` until the file is there; throws for the boundary around it when it cannot be had. */
export type LatePart<Props> = (props: Props & { waiting: ReactNode }) => ReactNode;

/**
 * A component whose file is loaded when it is first drawn. Not React's `lazy`: what that waits for is
 * held back until its fallback was in sight for 300 ms, however soon it is there.
 */
export function late<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LatePart<Props> {
  let Part: ComponentType<Props> | undefined;
  const loaded = async (): Promise<void> => {
    Part ??= await readAgain(load, AGAIN_AFTER_MS);
  };

  return function Late({ waiting, ...props }) {
    const [state, setState] = useState<{ failed: boolean; cause?: unknown }>({ failed: false });
    const isMissing = Part === undefined;
    useEffect(() => {
      if (!isMissing) return undefined;
      let current = true;
      loaded().then(
        () => current && setState({ failed: false }),
        (cause: unknown) => current && setState({ failed: true, cause }),
      );
      return () => void (current = false);
    }, [isMissing]);
    if (state.failed) throw state.cause;
    // TypeScript does not see that all but `waiting` is the part's own.
    return Part === undefined ? waiting : <Part {...(props as unknown as Props)} />;
  };
}
