import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FixRequest } from '../../src-main/core/index.ts';
import { type Core, createCore } from '../../src-main/core/index.ts';

const fromRoot = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const SMOLLM = fromRoot('.cache/models/SmolLM2-135M-Instruct.Q4_1.gguf');
const TADPOLE = fromRoot('resources/models/tadpole.gguf');
const IMAGE = process.env['VIVARIUM_TEST_IMAGE'] ?? 'vivarium-base:latest';

/** What may become of a model that only babbles; faults of ours and of the engine are not among it. */
const ENDINGS = [
  'agent',
  'max_turns',
  'max_context_len',
  'max_tokens_per_turn',
  'loop',
  'empty_reply',
  'format_error',
];

let folder: string;
let repository: string;
let core: Core;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vivarium-small-'));
  repository = join(folder, 'repository');
  mkdirSync(repository);
  writeFileSync(join(repository, 'calc.py'), 'def add(a, b):\n    return a - b\n');
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid'];
  for (const words of [
    ['init', '-q'],
    ['add', '.'],
    ['commit', '-q', '-m', 'Start'],
  ]) {
    execFileSync('git', ['-C', repository, ...who, ...words], { stdio: 'pipe' });
  }
  core = createCore({ home: join(folder, 'home'), env: process.env });
});
afterAll(async () => {
  await core.close();
  rmSync(folder, { recursive: true, force: true });
});

function request(more: Partial<FixRequest>): FixRequest {
  return {
    repository,
    issue: 'add(1, 2) in calc.py returns -1, expected 3.',
    model: `gguf:${SMOLLM}`,
    image: IMAGE,
    seed: 3,
    ...more,
  };
}

/** Engines that this process has started and that still run. */
function ownEngines(): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const parent = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ')[1];
      const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
      return parent === String(process.pid) && line.includes('llamacpp/server/main.ts');
    } catch {
      // It ended while we looked.
      return false;
    }
  });
}

describe('models too weak to fix anything, through the whole of a session', () => {
  it('SmolLM2 135M: counted, cached, limited and recorded', async () => {
    const result = await core.fix(request({ maxSteps: 3, maxContext: 4_096 }));
    const [attempt] = result.attempts;
    expect(ENDINGS).toContain(attempt?.exitReason);
    expect(attempt?.steps).toBeGreaterThanOrEqual(1);
    expect(attempt?.tokens.prompt).toBeGreaterThan(0);
    expect(attempt?.tokens.completion).toBeGreaterThan(0);
    expect(attempt?.tokens.cached).not.toBeNull();
    const kinds = core.events(result.sessionId).map(({ body }) => body.type);
    expect(kinds.slice(0, 2)).toEqual(['session.created', 'snapshot.taken']);
    expect(kinds.filter((kind) => kind === 'step.finished')).toHaveLength(attempt?.steps ?? -1);
    expect(kinds).toContain('attempt.finished');
    expect(kinds.at(-1)).toBe('session.finished');
  });

  it('tadpole: a cancel in the middle ends the attempt, keeps its record and leaves no engine', async () => {
    let running: string[] = [];
    const cancel = new AbortController();
    const result = await core.fix(request({ model: `gguf:${TADPOLE}`, scaffold: 'tadpole' }), {
      signal: cancel.signal,
      onProgress: ({ at }) => {
        if (at.kind !== 'tool' || cancel.signal.aborted) return;
        running = ownEngines();
        cancel.abort(new Error('cancelled by the test'));
      },
    });
    expect(result.outcome).toBe('cancelled');
    expect(result.attempts[0]?.exitReason).toBe('cancelled');
    expect(running).toHaveLength(1);
    expect(ownEngines()).toEqual([]);
  });

  it('tadpole: two attempts at a time share one engine', async () => {
    const result = await core.fix(
      request({
        model: `gguf:${TADPOLE}`,
        scaffold: 'tadpole',
        attempts: 2,
        parallel: 2,
        // Never passes, so that both attempts are made.
        verify: 'false',
      }),
    );
    expect(result.attempts).toHaveLength(2);
    for (const attempt of result.attempts) {
      expect(attempt.tokens.cached ?? 0).toBeGreaterThan(0.5 * (attempt.tokens.prompt ?? 0));
    }
  });
});
