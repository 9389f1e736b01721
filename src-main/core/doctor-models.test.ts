import { expect, test } from 'vitest';
import type { Survey, SurveyedEngine } from '../models/index.ts';
import { modelRows } from './doctor-models.ts';

const GIB = 2 ** 30;
const NOTHING: Survey = {
  machine: {
    memory: { totalBytes: 32 * GIB, availableBytes: 20 * GIB },
    cores: 8,
    gpus: [],
    gpuFault: null,
  },
  engines: [],
  incomplete: [],
};
const GPU: Survey['machine']['gpus'][number] = {
  index: 0,
  uuid: 'GPU-1',
  name: 'NVIDIA RTX 4090',
  totalBytes: 24 * GIB,
  freeBytes: 23 * GIB,
  vendor: 'nvidia',
  driver: '570.86',
};

const named = (survey: Survey, name: string) =>
  modelRows(survey).filter((row) => row.name === name);

const engine = (change: Partial<SurveyedEngine>): Survey => ({
  ...NOTHING,
  engines: [{ engine: 'vllm', models: [], found: null, problem: null, ...change }],
});

test('memory that is enough, and memory that is not', () => {
  expect(named(NOTHING, 'memory')).toEqual([
    {
      name: 'memory',
      state: 'ok',
      found: '20.0 GiB of 32.0 GiB available',
      remedy: null,
      required: true,
    },
  ]);
  const memory = { totalBytes: 32 * GIB, availableBytes: 5 * GIB };
  expect(named({ ...NOTHING, machine: { ...NOTHING.machine, memory } }, 'memory')).toMatchObject([
    { state: 'warning', remedy: 'Lower --memory, or use a smaller model.' },
  ]);
});

test('GPUs: none, one, one that does not say its memory, and a driver that is broken', () => {
  expect(named(NOTHING, 'gpu')).toEqual([
    {
      name: 'gpu',
      state: 'warning',
      found: 'no NVIDIA GPU found',
      remedy: 'Without one, models run on the CPU: slower, but everything works.',
      required: false,
    },
  ]);
  const unified = { ...GPU, index: 1, totalBytes: null, freeBytes: null, driver: null };
  const gpuFault = 'nvidia-smi failed: driver/library version mismatch';
  const machine = { ...NOTHING.machine, gpus: [GPU, unified], gpuFault };
  const rows = modelRows({ ...NOTHING, machine }).slice(1);
  expect(rows.map(({ name, state, found }) => [name, state, found])).toEqual([
    ['gpu 0', 'ok', 'NVIDIA RTX 4090, 23.0 GiB of 24.0 GiB free, driver 570.86'],
    ['gpu 1', 'ok', 'NVIDIA RTX 4090, ? of ? free, driver ?'],
    ['gpu', 'warning', gpuFault],
  ]);
  expect(rows[2]?.remedy).toBe('Repair the driver; until then models run on the CPU.');
});

test('engines: one that is here, one that is not, and one that a profile names in vain', () => {
  expect(named(engine({ found: 'vllm 0.33.0 in /opt/vllm' }), 'engine vllm')).toEqual([
    {
      name: 'engine vllm',
      state: 'ok',
      found: 'vllm 0.33.0 in /opt/vllm',
      remedy: null,
      required: false,
    },
  ]);
  const problem = { message: 'no vllm on PATH', next: 'Install it.' };
  expect(named(engine({ problem }), 'engine vllm')).toMatchObject([
    { state: 'missing', found: 'no vllm on PATH', remedy: 'Install it.', required: false },
  ]);
  const wanted = engine({ models: ['frog', 'newt'], problem });
  expect(named(wanted, 'engine vllm (of frog, newt)')).toMatchObject([
    { state: 'warning', found: 'no vllm on PATH', remedy: 'Install it.' },
  ]);
});

test('a model whose files are gone', () => {
  const missing = ['a', 'b', 'c', 'd'];
  expect(named({ ...NOTHING, incomplete: [{ name: 'frog', missing }] }, 'model frog')).toEqual([
    {
      name: 'model frog',
      state: 'missing',
      found: '4 of its files are not as they were: a, b, c',
      remedy: 'Bring the files back, or remove it: `vivarium models remove frog`.',
      required: false,
    },
  ]);
});
