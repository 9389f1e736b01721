import { runnerOf, RUNNER_NAMES } from '../../evaluation/index.ts';
import { VivariumError } from '../../lib/index.ts';
import type { SourceTree } from '../../synthesis/index.ts';

/**
 * The command that runs the tests of a repository: the named one, else `go test` of a Go module, the
 * test script of a package of npm, or pytest.
 *
 * @throws VivariumError `usage` for a command of whose tests no single one can be told
 */
export function testCommand(named: string | undefined, files: SourceTree['files']): string {
  const command = named ?? usualCommand(files);
  if (runnerOf(command) !== undefined) return command;
  throw new VivariumError(
    'usage',
    `${JSON.stringify(command)} calls no runner whose single tests are told`,
    `Name a command with --verify that calls one of ${RUNNER_NAMES.join(', ')} by itself.`,
  );
}

function usualCommand(files: SourceTree['files']): string {
  if (files.has('go.mod')) return 'go test ./...';
  return testScript(files.get('package.json')?.content) ?? 'python3 -m pytest -q';
}

/** What `npm test` would run; `undefined` = nothing that can be read. */
function testScript(content: Uint8Array | undefined): string | undefined {
  if (content === undefined) return undefined;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(content).toString('utf8'));
    const { scripts } = Object(parsed) as { scripts?: unknown };
    const { test } = Object(scripts) as { test?: unknown };
    return typeof test === 'string' && test !== '' ? test : undefined;
  } catch {
    return undefined;
  }
}
