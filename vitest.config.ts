import { defineConfig } from 'vitest/config';

const DOCKER = '**/*.docker.test.ts';
const MODEL = '**/*.model.test.ts';
const VLLM = '**/*.vllm.test.ts';
const APP = '**/*.app.test.ts';
const REAL = 'test/real/**';
const ALL = ['src-main/**/*.test.ts', 'src-renderer/**/*.test.{ts,tsx}', 'test/**/*.test.ts'];
const SECOND_MS = 1000;

/** One project per kind of need; `scripts/test.mjs` runs them one after the other. */
export default defineConfig({
  test: {
    environment: 'node',
    projects: [
      {
        test: {
          name: 'unit',
          sequence: { groupOrder: 0 },
          include: ALL,
          exclude: [DOCKER, MODEL, VLLM, APP, REAL, '**/node_modules/**'],
          testTimeout: 20 * SECOND_MS,
          hookTimeout: 20 * SECOND_MS,
        },
      },
      {
        test: {
          name: 'docker',
          sequence: { groupOrder: 1 },
          include: [`src-main/${DOCKER}`, `test/${DOCKER}`],
          exclude: [REAL],
          testTimeout: 120 * SECOND_MS,
          hookTimeout: 120 * SECOND_MS,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'app',
          sequence: { groupOrder: 2 },
          include: [`test/${APP}`],
          testTimeout: 180 * SECOND_MS,
          hookTimeout: 120 * SECOND_MS,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'model',
          sequence: { groupOrder: 3 },
          include: [`src-main/${MODEL}`, `test/${MODEL}`],
          exclude: [REAL],
          testTimeout: 300 * SECOND_MS,
          hookTimeout: 120 * SECOND_MS,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'real',
          sequence: { groupOrder: 4 },
          include: [`${REAL}/*.test.ts`],
          testTimeout: 600 * SECOND_MS,
          hookTimeout: 300 * SECOND_MS,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'vllm',
          sequence: { groupOrder: 5 },
          include: [`src-main/${VLLM}`, `test/${VLLM}`],
          exclude: [REAL],
          testTimeout: 600 * SECOND_MS,
          hookTimeout: 300 * SECOND_MS,
          fileParallelism: false,
        },
      },
    ],
  },
});
