import type { InfraReason } from '../../contract/index.ts';

/**
 * What a log says when the surroundings of the tests broke. The first that fits counts; those that a
 * patch could have caused as well come last. Signs of SWE-bench 5 (`harness/infra_failure.py`), and
 * those of package managers without a network.
 */
const SIGNS: readonly { reason: InfraReason; pattern: RegExp }[] = [
  {
    reason: 'browser_launch_failed',
    pattern: /Failed to launch|Failed to connect to the bus|cannot find Chrome binary/i,
  },
  {
    reason: 'display_unavailable',
    pattern: /cannot open display|Missing X server|unable to open X display/i,
  },
  {
    reason: 'out_of_memory',
    pattern: /Cannot allocate memory|OutOfMemoryError|JavaScript heap out of memory|^Killed$/m,
  },
  {
    reason: 'container_unavailable',
    pattern: /Error response from daemon|Cannot connect to the Docker daemon/,
  },
  {
    reason: 'network_unreachable',
    pattern:
      /Could not resolve (?:host|')|Temporary failure (?:in name resolution|resolving)|Network is unreachable|NewConnectionError|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|dns error: failed to lookup/,
  },
  {
    reason: 'missing_module',
    pattern: /Cannot find module|MODULE_NOT_FOUND|ModuleNotFoundError/,
  },
  { reason: 'no_tests_collected', pattern: /no tests ran|collected 0 items/ },
  { reason: 'tests_timed_out', pattern: /Timeout error: \d+ seconds exceeded/ },
];

/**
 * Reasons that a patch can bring about, too: it makes the tests hang, eats the memory or all
 * processes, or breaks what they import. A rate that leaves such cells out should be shown beside one that does not.
 */
export const AMBIGUOUS_REASONS: ReadonlySet<InfraReason> = new Set([
  'out_of_memory',
  'missing_module',
  'no_tests_collected',
  'tests_timed_out',
  'no_reward',
  'workspace_lost',
]);

/** The reason that a log without results gives for it, and the line that says so. */
export function infraSign(log: string): { reason: InfraReason; line: string } | undefined {
  for (const { reason, pattern } of SIGNS) {
    const match = pattern.exec(log);
    if (match === null) continue;
    const start = log.lastIndexOf('\n', match.index) + 1;
    const end = log.indexOf('\n', match.index);
    const line = log.slice(start, end < 0 ? undefined : end).trim();
    return { reason, line: line.slice(0, 300) };
  }
  return undefined;
}
