import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { Handlers, RepositoryFacts } from '../../contract/index.ts';
import { readRepositorySettings, type RepositorySettings } from '../../fix/index.ts';
import { withHome } from '../../lib/index.ts';
import { inspectRepository } from '../../patch/index.ts';
import type { Environment } from '../environment.ts';
import { listFolder } from './folders.ts';
import { proposeVerify } from './verify-proposals.ts';

const MOST_RECENT = 50;

type Names = 'repositories/inspect' | 'repositories/recent' | 'folders/list';

export function repositoryHandlers(environment: Environment): Pick<Handlers, Names> {
  return {
    'repositories/inspect': ({ path: given }, { signal }) =>
      inspect(environment.config.home, given, signal),
    'repositories/recent': async () => {
      const found = environment.store.recentRepositories(MOST_RECENT);
      const there = await Promise.all(
        found.map(({ path: folder }) =>
          lstat(folder).then(
            (stat) => stat.isDirectory(),
            () => false,
          ),
        ),
      );
      return found
        .filter((_, index) => there[index])
        .map((row) => ({ ...row, name: path.basename(row.path) }));
    },
    'folders/list': (input) => listFolder(input),
  };
}

async function inspect(home: string, given: string, signal: AbortSignal): Promise<RepositoryFacts> {
  const { top, head, dirty } = await inspectRepository(withHome(given), { home, signal });
  const settings = await readRepositorySettings(top);
  const proposals = await proposeVerify(top);
  const own =
    settings.verify === undefined
      ? []
      : [{ command: settings.verify, because: 'vivarium.yaml names it' }];
  const others = proposals.filter(({ command }) => command !== settings.verify);
  return {
    ...{ top, head, dirty, name: path.basename(top) },
    verifyProposals: [...own, ...others],
    settings: settingsAsText(settings),
  };
}

function settingsAsText({ limits = {}, ...settings }: RepositorySettings): Record<string, string> {
  const members = [
    ...Object.entries(settings),
    ...Object.entries(limits).map(([name, value]) => [`limits.${name}`, value] as const),
  ];
  return Object.fromEntries(
    members
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)]),
  );
}
