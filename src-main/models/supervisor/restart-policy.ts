import type { SupervisorLimits } from './options.ts';

/** When a failed server may start again. */
export interface RestartPolicy {
  /** Pause before the next start; `null` = it failed too often. */
  next(): number | null;
}

/** Doubling pauses, a limited number within a window; a window without failure forgets all. */
export function createRestartPolicy(
  limits: Pick<SupervisorLimits, 'backOffMs' | 'longestBackOffMs' | 'restarts' | 'restartWindowMs'>,
  now: () => number = Date.now,
  chance: () => number = Math.random,
): RestartPolicy {
  let recent: number[] = [];
  return {
    next: () => {
      recent = recent.filter((at) => at > now() - limits.restartWindowMs);
      if (recent.length >= limits.restarts) return null;
      recent.push(now());
      const full = Math.min(limits.backOffMs * 2 ** (recent.length - 1), limits.longestBackOffMs);
      // Servers that fell together do not rise together.
      return full * (1 + chance() / 4);
    },
  };
}
