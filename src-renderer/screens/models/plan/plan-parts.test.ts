import { describe, expect, it } from 'vitest';
import type { ServerPlan } from '../../../../src-main/contract/index.ts';
import { commandText, planBar } from './plan-parts.ts';

const plan = (availableBytes: number) =>
  ({
    availableBytes,
    estimate: {
      ...{ weightsBytes: 60, kvBytes: 25, stateBytes: 0, overheadBytes: 15, totalBytes: 100 },
      ...{ kvBytesPerToken: 1, stateBytesPerSequence: 0 },
    },
  }) as ServerPlan;

describe('the bar of a plan', () => {
  it('has what stays free, and leaves out parts that take nothing', () => {
    const bar = planBar(plan(160));
    expect(bar.parts.map(({ id, bytes }) => [id, bytes])).toEqual([
      ['weights', 60],
      ['kv', 25],
      ['engine', 15],
    ]);
    expect([bar.freeBytes, bar.overBytes, bar.wholeBytes]).toEqual([60, 0, 160]);
  });

  it('is as long as what is wanted where that is more, and says how much is missing', () => {
    const bar = planBar(plan(70));
    expect([bar.freeBytes, bar.overBytes, bar.wholeBytes]).toEqual([0, 30, 100]);
  });
});

describe('a command line to read', () => {
  it('has each flag on a line of its own with its value, and quotes what a shell would read', () => {
    expect(
      commandText([
        '/opt/vllm/bin/vllm',
        'serve',
        '/models/a b',
        '--port',
        'PORT',
        '--x',
        '-1',
        `it's`,
      ]),
    ).toBe(
      `/opt/vllm/bin/vllm serve '/models/a b' \\\n  --port PORT \\\n  --x \\\n  -1 'it'\\''s'`,
    );
    expect(commandText([])).toBe('');
  });
});
