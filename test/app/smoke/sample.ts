import type {
  Handlers,
  ItemOf,
  OutputOf,
  SessionRow,
  StoredEvent,
} from '../../../src-main/contract/index.ts';

/** A core of sample answers, so that the frame and the components can be looked at without one. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const GIB = 2 ** 30;

type Sample = [
  state: SessionRow['state'],
  title: string,
  repository: string,
  agoMs: number,
  rest?: Partial<SessionRow>,
];

const SAMPLES: Sample[] = [
  [
    'running',
    'Interest is lost on leap days',
    '/home/ada/src/ledger',
    2_000,
    { steps: 12, stoppable: true },
  ],
  [
    'verified',
    'match_file() returns None for a path with a trailing slash',
    '/home/ada/src/pathspec',
    41 * MINUTE_MS,
    { files: 1, insertions: 3, deletions: 1, verified: true, unseen: true },
  ],
  [
    'not_verified',
    'strip_comments drops optimizer hints',
    '/home/ada/src/sqlparse',
    2 * HOUR_MS,
    { files: 2, insertions: 9, deletions: 4, verified: false },
  ],
  ['failed', 'Crash on print += 1', '/home/ada/src/pyflakes', 3 * HOUR_MS],
  [
    'patched',
    'Partial issuer is accepted',
    '/home/ada/src/PyJWT',
    26 * HOUR_MS,
    { files: 1, insertions: 2, deletions: 2, pinned: true },
  ],
  [
    'cancelled',
    'A right-to-left \u202Eeman\u202C in a title',
    '/home/ada/src/odd names',
    27 * HOUR_MS,
  ],
  ['interrupted', 'Time zone of the last transition', '/home/ada/src/dateutil', 50 * HOUR_MS],
  ['no_patch', 'Session cookies are not renewed', '/home/ada/src/flask', 200 * HOUR_MS],
];

export function sampleRows(now: number): SessionRow[] {
  return SAMPLES.map(([state, title, repository, agoMs, rest], index) => ({
    sessionId: `01JSAMPLE${index}`,
    title,
    repository,
    state,
    model: 'FrogNano-4B',
    scaffold: 'leaf',
    createdAt: now - agoMs - MINUTE_MS,
    updatedAt: now - agoMs,
    attempts: 1,
    steps: 20 + index * 7,
    insertions: 0,
    deletions: 0,
    files: 0,
    verified: null,
    pinned: false,
    archived: false,
    unseen: false,
    stoppable: false,
    ...rest,
  }));
}

const SETTINGS: OutputOf<'settings/get'> = {
  theme: 'system',
  zoom: 100,
  notifications: true,
  defaults: { model: null, attempts: 1, memoryBytes: null, cpus: null },
  shortcuts: {},
};

export interface SampleCore {
  handlers: Partial<Handlers>;
  /** Tells an event to everyone who follows `live`. */
  emit(event: StoredEvent): void;
}

export function createSampleCore(): SampleCore {
  let settings = SETTINGS;
  const drafts = new Map<string, string>();
  const followers = new Set<(item: ItemOf<'live'>) => void>();
  const rows = sampleRows(Date.now());
  const handlers: Partial<Handlers> = {
    'sessions/list': async ({ text, limit, offset }) => {
      const found = rows.filter(({ title, repository }) =>
        `${title} ${repository}`.toLowerCase().includes(text.toLowerCase()),
      );
      return {
        rows: found.slice(offset, offset + limit),
        total: found.length,
        counts: { running: 1 },
        repositories: [...new Set(rows.map(({ repository }) => repository))],
      };
    },
    'models/list': async () => [sampleServer()],
    'environment/doctor': async () => [
      { name: 'Docker', state: 'ok', found: 'Docker 28.1, runc', remedy: null, required: true },
    ],
    'settings/get': async () => settings,
    'settings/set': async (changes) =>
      (settings = { ...settings, ...(changes as typeof settings) }),
    'drafts/get': async ({ key }) => ({ text: drafts.get(key) ?? null }),
    'drafts/set': async ({ key, text }) => {
      if (text === null) drafts.delete(key);
      else drafts.set(key, text);
      return {};
    },
    about: async () => ({
      version: '0.1.0',
      home: '/home/ada/.vivarium',
      node: '24.21.0',
      platform: 'linux x64',
      memoryBytes: 214 * 2 ** 20,
      licences: [],
    }),
    async *live(_input, { signal }) {
      const waiting: Array<ItemOf<'live'>> = [{ kind: 'from', number: 0 }];
      let wake = (): void => undefined;
      const follow = (item: ItemOf<'live'>): void => {
        waiting.push(item);
        wake();
      };
      followers.add(follow);
      signal.addEventListener('abort', () => wake());
      while (!signal.aborted) {
        const item = waiting.shift();
        if (item !== undefined) yield item;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
      followers.delete(follow);
      return {};
    },
  };
  return {
    handlers,
    emit(event) {
      for (const follow of followers) follow({ kind: 'event', event });
    },
  };
}

function sampleServer(): OutputOf<'models/list'>[number] {
  const status: OutputOf<'models/list'>[number]['status'] = {
    name: 'FrogNano-4B',
    state: 'ready',
    since: Date.now() - HOUR_MS,
    progress: null,
    engine: 'vLLM',
    version: '0.33.0',
    owner: '1.1.1',
    ownerKind: 'keeper',
    pid: 4711,
    address: 'http://127.0.0.1:8123',
    servedName: 'FrogNano-4B',
    contextTokens: 131_072,
    sequences: 4,
    plan: null,
    memory: { estimatedBytes: 11 * GIB, measuredBytes: 11.2 * GIB, ratio: 1.02 },
    timings: { readyMs: 41_000, ownMs: 120 },
    restarts: 0,
    failure: null,
    logFile: null,
    users: 1,
  };
  const facts: OutputOf<'models/list'>[number]['model']['facts'] = {
    format: 'safetensors',
    architecture: 'Qwen3ForCausalLM',
    parameters: 4e9,
    quantization: 'bfloat16',
    weightBytes: 8 * GIB,
    trainedContextTokens: 262_144,
    layers: {
      total: 36,
      hiddenSize: 2560,
      fullAttention: 36,
      sliding: null,
      recurrent: null,
      kvHeads: 8,
      keySize: 128,
      valueSize: 128,
    },
    licences: [],
    chatTemplate: {
      source: 'tokenizer_config.json',
      sha256: '',
      tools: true,
      callFormat: 'hermes',
      thinking: true,
    },
    vocabularySize: 151_936,
    names: [],
  };
  const model: OutputOf<'models/list'>[number]['model'] = {
    name: 'FrogNano-4B',
    addedAt: 0,
    folder: '/models/FrogNano-4B',
    copied: false,
    entry: '/models/FrogNano-4B',
    files: [],
    sha256: '',
    sums: null,
    facts,
    preset: 'frognano',
  };
  return { model, status };
}
