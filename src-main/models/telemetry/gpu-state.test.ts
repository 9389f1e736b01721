import { describe, expect, test } from 'vitest';
import { readGpuLine } from './gpu-output.ts';
import { createGpuState } from './gpu-state.ts';

const MIB = 1024 ** 2;
const A = 'GPU-8f9c5a4e-1111-2222-3333-444455556666';
const B = 'GPU-00000000-aaaa-bbbb-cccc-ddddeeeeffff';

function device(line: string) {
  const read = readGpuLine(line);
  if (read?.kind !== 'device') throw new Error(`no device: ${line}`);
  return read.device;
}

describe('a line of nvidia-smi', () => {
  test('a device with all its figures, with units or without', () => {
    const expected = {
      index: 0,
      uuid: A,
      name: 'NVIDIA GeForce RTX 4090',
      usedBytes: 1234 * MIB,
      freeBytes: 22830 * MIB,
      utilization: 0.12,
      celsius: 45,
      watts: 22.31,
      lost: false,
    };
    expect(device(`0, ${A}, NVIDIA GeForce RTX 4090, 1234, 22830, 12, 45, 22.31`)).toEqual(
      expected,
    );
    const units = `0, ${A}, NVIDIA GeForce RTX 4090, 1234 MiB, 22830 MiB, 12 %, 45, 22.31 W\r`;
    expect(device(units)).toEqual(expected);
  });

  test('what the driver does not say is not known: [N/A], [Not Supported], shared memory', () => {
    expect(device(`1, ${A}, NVIDIA GB10, [N/A], [N/A], 0, 38, 4.49`)).toMatchObject({
      usedBytes: null,
      freeBytes: null,
      utilization: 0,
      watts: 4.49,
      lost: false,
    });
    expect(device(`1, ${A}, Orin (nvgpu), 0, 0, [N/A], [Not Supported], N/A`)).toMatchObject({
      usedBytes: null,
      freeBytes: null,
      utilization: null,
      celsius: null,
      watts: null,
    });
    expect(device(`1, ${A}, Tesla, 0, 16384, 0, 30, 9`)).toMatchObject({ usedBytes: 0 });
    expect(readGpuLine(`${A}, 4711, [N/A]`)).toEqual({
      kind: 'process',
      process: { gpu: A, pid: 4711, bytes: null },
    });
  });

  test('a lost device is told from one that says little', () => {
    for (const word of ['[GPU is lost]', '[Unknown Error]', 'ERR!', '[GPU requires reset]']) {
      const line = `0, ${A}, NVIDIA RTX A2000, ${word}, ${word}, ${word}, ${word}, ${word}`;
      expect([word, device(line).lost, device(line).usedBytes]).toEqual([word, true, null]);
    }
  });

  test('blank lines and halves of lines are nothing; other text is a message', () => {
    const whole = `0, ${A}, NVIDIA GeForce RTX 4090, 1234, 22830, 12, 45, 22.31`;
    for (let end = 0; end < whole.lastIndexOf(','); end += 1) {
      expect([end, readGpuLine(whole.slice(0, end))]).toEqual([end, null]);
    }
    for (const blank of ['', ' ', '\r', ', , , , , , ,', `${A}, 4711`, `${A}, 4711, `, '45, 22.31'])
      expect([blank, readGpuLine(blank)]).toEqual([blank, null]);
    expect(readGpuLine('No devices were found')).toEqual({
      kind: 'message',
      text: 'No devices were found',
    });
    const escape = 'Unable to determine\x1b[31m the device handle';
    expect(readGpuLine(escape)).toMatchObject({
      text: String.raw`Unable to determine\x1b[31m the device handle`,
    });
  });
});

describe('the state of the devices', () => {
  function createState() {
    let clock = 0;
    const state = createGpuState({ deviceMs: 10_000, processMs: 15_000, now: () => clock });
    return { ...state, pass: (ms: number) => (clock += ms) };
  }
  const line = (index: number, uuid: string, utilization = '50') =>
    `${index}, ${uuid}, RTX, 100, 900, ${utilization}, 40, 20.0`;

  test('memory and utilization by process, over all devices they are on', () => {
    const state = createState();
    expect([state.devices(), state.bytesOf([7]), state.utilizationOf([7])]).toEqual([
      [],
      null,
      null,
    ]);
    [line(1, B, '100'), line(0, A), `${A}, 7, 100`, `${B}, 7, 200`, `${B}, 8, 1000`].forEach(
      state.take,
    );
    expect(state.devices().map(({ index }) => index)).toEqual([0, 1]);
    expect(state.bytesOf([7])).toBe(300 * MIB);
    expect(state.bytesOf([8, 7, 99])).toBe(1300 * MIB);
    expect(state.utilizationOf([7])).toBe(0.75);
    expect(state.utilizationOf([8])).toBe(1);
    expect([state.bytesOf([]), state.bytesOf([99])]).toEqual([null, null]);
    state.take(`${A}, 7, [N/A]`);
    expect(state.bytesOf([7])).toBeNull();
    expect(state.alert()).toBeNull();
  });

  test('a process that is no longer listed has no memory any more', () => {
    const state = createState();
    state.take(`${A}, 7, 100`);
    state.pass(14_000);
    state.take(`${A}, 8, 5`);
    expect(state.bytesOf([7, 8])).toBe(105 * MIB);
    state.pass(2000);
    expect([state.bytesOf([7]), state.bytesOf([8])]).toEqual([null, 5 * MIB]);
  });

  test('a device that was there and is silent, lost or gone is told, until it is back', () => {
    const state = createState();
    state.take('No devices were found');
    expect(state.alert()).toBeNull();
    state.take(line(0, A));
    state.pass(9_999);
    expect([state.devices().length, state.alert()]).toEqual([1, null]);
    state.pass(1);
    expect(state.devices()).toEqual([]);
    expect(state.alert()).toBe(
      'GPU 0 (RTX) can no longer be read. This happens after a suspend or a driver update: ' +
        'restart the machine, then the server.',
    );
    state.take('Unable to determine the device handle for GPU0000:01:00.0: Unknown Error');
    expect(state.alert()).toContain(
      'read. nvidia-smi says: Unable to determine the device handle for GPU0000:01:00.0: Unknown Error. This',
    );
    state.take(line(0, A));
    expect(state.alert()).toBeNull();
    state.take(`0, ${A}, RTX, [GPU is lost], [GPU is lost], [GPU is lost], 40, ERR!`);
    expect(state.alert()).toContain('GPU 0 (RTX) can no longer be read.');
    expect(state.utilizationOf([7])).toBeNull();
  });
});
