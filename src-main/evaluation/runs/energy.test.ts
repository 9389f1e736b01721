import { mkdir, mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEnergyMeter, summedPower, type EnergySource } from './energy-meter.ts';
import { openPowercap } from './powercap.ts';

/** No look but those that begin and end shares. */
const NEVER_MS = 2 ** 30;

describe('counters of the processors', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'vivarium-powercap-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function zone(at: string, name: string, energy: number | string): Promise<void> {
    await mkdir(path.join(folder, at), { recursive: true });
    await writeFile(path.join(folder, at, 'name'), `${name}\n`);
    await writeFile(path.join(folder, at, 'energy_uj'), `${energy}\n`);
    await writeFile(path.join(folder, at, 'max_energy_range_uj'), '262143328850\n');
  }

  test('packages and memory count, parts and what holds them do not', async () => {
    await zone('intel-rapl:0', 'package-0', 5_000_000);
    await zone('intel-rapl:0:0', 'core', 3_000_000);
    await zone('intel-rapl:0:1', 'dram', 1_500_000);
    await zone('intel-rapl:1', 'package-1', 7_000_001);
    await zone('intel-rapl:2', 'psys', 90_000_000);
    await zone('intel-rapl-mmio:0', 'package-0', 5_000_000);
    await mkdir(path.join(folder, 'intel-rapl'));
    const source = await openPowercap(folder);
    const at = (name: string) => path.join(folder, name);
    expect(await source?.read()).toEqual([
      { key: at('intel-rapl:0'), joules: 5, wrapsAt: 262_143.328_85 },
      { key: at('intel-rapl:0:1'), joules: 1.5, wrapsAt: 262_143.328_85 },
      { key: at('intel-rapl:1'), joules: 7.000_001, wrapsAt: 262_143.328_85 },
    ]);
  });

  test('where nothing counts, or it may not be read, there is no source', async () => {
    expect(await openPowercap(path.join(folder, 'none'))).toBeNull();
    expect(await openPowercap(folder)).toBeNull();
    await zone('intel-rapl:0', 'package-0', 1);
    await unlink(path.join(folder, 'intel-rapl:0', 'energy_uj'));
    expect(await openPowercap(folder)).toBeNull();
    await zone('intel-rapl:0', 'package-0', 'no number');
    expect(await openPowercap(folder)).toBeNull();
  });
});

/** A counter that a test moves. */
function counter(): EnergySource & { joules: number | null; wrapsAt: number | null } {
  return {
    joules: 100,
    wrapsAt: 1000,
    read() {
      const { joules, wrapsAt } = this;
      return Promise.resolve(joules === null ? [] : [{ key: 'a', joules, wrapsAt }]);
    },
    close: () => Promise.resolve(),
  };
}

/** Until the share has its part in what follows. */
const begun = () => new Promise((done) => setImmediate(done));

describe('energy of attempts', () => {
  test('what runs at once shares what is spent, and each has its own time alone', async () => {
    const source = counter();
    const meter = createEnergyMeter([source], NEVER_MS);
    const first = meter.begin();
    await begun();
    source.joules = 110;
    const second = meter.begin();
    await begun();
    source.joules = 130;
    expect(await first.end()).toBe(20);
    source.joules = 135;
    expect(await second.end()).toBe(15);
    await meter.close();
  });

  test('a counter that begins again behind its end', async () => {
    const source = counter();
    const meter = createEnergyMeter([source], NEVER_MS);
    source.joules = 990;
    const share = meter.begin();
    await begun();
    source.joules = 5;
    expect(await share.end()).toBe(15);
    await meter.close();
  });

  test('without a counter, or with one that fell silent or went back, nothing is known', async () => {
    const none = createEnergyMeter([], NEVER_MS);
    expect(await none.begin().end()).toBeNull();
    await none.close();
    for (const after of [null, 50]) {
      const source = { ...counter(), wrapsAt: null };
      const meter = createEnergyMeter([source], NEVER_MS);
      const share = meter.begin();
      await begun();
      source.joules = after;
      expect(await share.end()).toBeNull();
      await meter.close();
    }
  });

  test('a source that fails ends nothing but its own figures', async () => {
    const bad = { read: () => Promise.reject(new Error('gone')), close: () => Promise.resolve() };
    const source = counter();
    const meter = createEnergyMeter([bad, source], NEVER_MS);
    const share = meter.begin();
    await begun();
    source.joules = 101;
    expect(await share.end()).toBe(1);
    await meter.close();
  });

  test('power is summed up over time, by device', async () => {
    let now = 0;
    const devices = [
      { key: 'gpu 0', watts: 100 as number | null },
      { key: 'gpu 1', watts: 40 as number | null },
    ];
    const source = summedPower(
      () => devices,
      () => Promise.resolve(),
      () => now,
    );
    const joules = async () => (await source.read()).map((one) => one.joules);
    expect(await joules()).toEqual([0, 0]);
    now = 2000;
    devices[0] = { key: 'gpu 0', watts: 200 };
    expect(await joules()).toEqual([300, 80]);
    now = 3000;
    devices[1] = { key: 'gpu 1', watts: null };
    expect(await joules()).toEqual([500]);
  });
});
