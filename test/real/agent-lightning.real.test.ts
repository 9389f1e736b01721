import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchInput } from '../../src-main/models/testing/launch.ts';
import { startServer, type StartedServer } from '../../src-main/models/testing/llamacpp-server.ts';
import { appFolder } from '../../src-main/lib/index.ts';
import {
  PYTHON,
  relayWithKey,
  startAgentLightning,
  type AgentLightning,
} from '../support/agent-lightning.ts';
import { openEvalPlace, type EvalPlace } from '../support/eval-place.ts';

/**
 * Agent Lightning 1.0.2 itself: its gateway, its controller with local runners, and what its trainer
 * reads. The trainer (verl and vLLM on a GPU) and Kubernetes are not here.
 */
const INPUT = launchInput();
const STATS = `def largest(values):
    """Return the largest of values."""
    best = values[0]
    for value in values:
        if value < best:
            best = value
    return best
`;
const VERIFIER = `#!/bin/sh
cd /workspace || exit 1
python3 -c 'from stats import largest; assert largest([3, 8, 5]) == 8' && value=1 || value=0
echo $value > /logs/verifier/reward.txt
`;
const ENDED = /succeeded|failed/;

interface Rollout {
  rollout_id: string;
  status: { state: string; error_message: string | null };
}
interface Event {
  event_type: string;
  data: Record<string, unknown>;
}
/** What the trainer gets of a rollout. */
interface Completed {
  rollout_state: string;
  final_reward: number | null;
  triplets: {
    prompt: { token_ids: number[] };
    response: { token_ids: number[]; log_probs: number[] };
    reward: number | null;
  }[];
}

let place: EvalPlace;
let folder: string;
let server: StartedServer;
let relay: Awaited<ReturnType<typeof relayWithKey>>;
let lightning: AgentLightning;

async function enqueue(input: object, more: object = {}): Promise<string> {
  const env_map = { VIVARIUM_TASK: 'input.task', VIVARIUM_SCAFFOLD: 'input.scaffold' };
  const local = { agent_class: 'vivarium_agent:VivariumAgent', env_map };
  const config = { timeout_seconds: 600, local, ...more };
  const wanted = [{ input: { scaffold: 'tadpole', ...input }, is_train: true, config }];
  const [made] = await lightning.call<Rollout[]>('POST', '/api/rollouts', wanted);
  return made?.rollout_id ?? '';
}

const statusOf = async (id: string) =>
  (await lightning.call<{ rollout: Rollout }>('GET', `/api/rollouts/${id}`)).rollout.status;

async function ended(id: string): Promise<Rollout['status']> {
  await expect
    .poll(async () => (await statusOf(id)).state, { timeout: 200_000, interval: 500 })
    .toMatch(ENDED);
  return statusOf(id);
}

const eventsOf = (id: string) =>
  lightning.call<Event[]>('GET', `/api/rollouts/${id}/events?format=triplet`);

const fixture = (name: string) => path.join(appFolder(), 'test/fixtures/agent-lightning', name);

/** Turns join to one sample while each prompt begins with all that went before. */
function expectOneSample({ triplets }: Completed): void {
  expect(triplets.length).toBeGreaterThan(1);
  for (const [at, { prompt, response }] of triplets.entries()) {
    expect(response.log_probs).toHaveLength(response.token_ids.length);
    const before = triplets[at - 1];
    if (before === undefined) continue;
    const context = [...before.prompt.token_ids, ...before.response.token_ids];
    expect(prompt.token_ids.slice(0, context.length)).toEqual(context);
    expect(prompt.token_ids.length).toBeGreaterThan(context.length);
  }
}

describe.skipIf(!existsSync(PYTHON))('Agent Lightning 1.0.2 (scripts/agentlightning.sh)', () => {
  beforeAll(async () => {
    place = await openEvalPlace();
    folder = mkdtempSync(path.join(tmpdir(), 'vivarium-agl-'));
    server = await startServer(INPUT);
    relay = await relayWithKey(server.root, INPUT.key);
    lightning = await startAgentLightning({ folder, model: relay.base, temperature: 0 });
    await place.addTask('largest', {
      instruction: 'Bug in stats.py: `largest([3, 8, 5])` returns 3, expected 8.',
      tree: [{ path: 'stats.py', mode: '100644', content: Buffer.from(STATS) }],
      tests: { 'test.sh': VERIFIER },
    });
  });
  afterAll(async () => {
    await lightning?.close();
    await relay?.close();
    await server?.stop();
    await place?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it('gets a group to train on: a reward each, and turns that join to one sample', async () => {
    const { url, key } = lightning;
    const words = [url, key, path.join(place.tasks, 'largest'), 'tadpole', '2'];
    const { stdout } = await execa(PYTHON, [fixture('group.py'), ...words]);
    const group = JSON.parse(stdout) as Completed[];
    const facts = group.map(({ rollout_state: state, final_reward: reward, triplets }) => ({
      ...{ state, reward, last: triplets.at(-1)?.reward },
    }));
    const solved = { state: 'succeeded', reward: 1, last: 1 };
    expect(facts).toEqual([solved, solved]);
    for (const rollout of group) expectOneSample(rollout);
    process.stdout.write(`turns: ${group.map(({ triplets }) => triplets.length).join(', ')}\n`);
    expect(relay.asked.at(-1)).toMatchObject({ temperature: 0, return_token_ids: true });
    expect(relay.asked.at(-1)).not.toHaveProperty('top_p');
  });

  it('is waited for while it is paused, and is told of no reward where there is no verdict', async () => {
    await lightning.call('POST', '/proxy/pause', { retry_after_seconds: 1, reason: 'weights' });
    const before = relay.asked.length;
    const id = await enqueue({ task: path.join(place.tasks, 'largest') });
    const lost = await enqueue({ task: '/nowhere' });
    expect((await ended(lost)).state).toBe('failed');
    expect(await eventsOf(lost)).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 15_000));
    expect([(await statusOf(id)).state, relay.asked.length]).toEqual(['running', before]);
    await lightning.call('POST', '/proxy/resume');
    expect((await ended(id)).state).toBe('succeeded');
    const rewards = (await eventsOf(id)).filter(({ event_type: type }) => type === 'reward');
    expect(rewards.map(({ data }) => data['value'])).toEqual([1]);
    expect(readdirSync(folder).filter((name) => name.startsWith('vivarium-rollout'))).toEqual([]);
  });

  it("makes Jobs of our template that pass Kubernetes' own schema", async () => {
    const file = (name: string) => path.join(appFolder(), name);
    const rows = file('resources/rollout/tasks.jsonl');
    const { stdout } = await execa(PYTHON, [
      fixture('jobs.py'),
      file('resources/rollout/job.yaml'),
      rows,
    ]);
    const jobs = stdout.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(jobs).toHaveLength(2);
    expect(jobs[0]).toMatchObject({
      kubernetes: '1.37',
      job: { kind: 'Job', spec: { activeDeadlineSeconds: 3600, backoffLimit: 0 } },
    });
  });
});
