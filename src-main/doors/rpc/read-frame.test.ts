import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  MAX_CLIENT_FRAME_CHARS,
  serverFrameSchema,
  type ClientFrame,
} from '../../contract/index.ts';
import { readFrame } from './read-frame.ts';
import { serveChannel } from './serve-channel.ts';
import { createTestHandlers, createWire, TEST_CONTRACT } from './testing.ts';

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const NAMES = ['type', 'id', '__proto__', 'a'];
const ODD = ['', 0, -1, 1.5, 2 ** 60, null, true, [], {}, 'call', 'é\u0000\ud800', '__proto__'];

function anyValue(random: () => number, depth = 0): unknown {
  const kind = Math.floor(random() * (depth > 3 ? 2 : 4));
  if (kind < 2) return ODD[Math.floor(random() * ODD.length)];
  const size = Math.floor(random() * 4);
  const values = Array.from({ length: size }, () => anyValue(random, depth + 1));
  if (kind === 2) return values;
  return Object.fromEntries(values.map((value, index) => [NAMES[index] ?? '', value]));
}

function validFrame(random: () => number): ClientFrame {
  const id = 1 + Math.floor(random() * 1e9);
  const kind = Math.floor(random() * 4);
  if (kind === 0) return { type: 'call', id, name: String(random()), input: anyValue(random) };
  if (kind === 1) return { type: 'cancel', id };
  if (kind === 2) return { type: 'taken', id, count: 1 + Math.floor(random() * 1e6) };
  return { type: 'ping' };
}

describe('frames', () => {
  it('every valid one is read as it was written', () => {
    const random = randomOf(1);
    for (let round = 0; round < 2_000; round += 1) {
      const frame = validFrame(random);
      const text = JSON.stringify(frame);
      expect(readFrame(text)).toEqual({ ok: true, frame: JSON.parse(text) });
    }
  });

  it('every cut or changed one is read or refused, never a crash', () => {
    const random = randomOf(2);
    for (let round = 0; round < 2_000; round += 1) {
      const text = JSON.stringify(validFrame(random));
      const at = Math.floor(random() * text.length);
      const changed =
        random() < 0.5
          ? text.slice(0, at)
          : text.slice(0, at) + String.fromCharCode(random() * 65_536) + text.slice(at + 1);
      const read = readFrame(changed);
      expect(read.ok || typeof read.message === 'string').toBe(true);
    }
  });

  it('each frame of any kind is answered by valid frames, at most one ending per id', async () => {
    const random = randomOf(3);
    const wire = createWire();
    const { handlers } = createTestHandlers();
    const names = Object.keys(TEST_CONTRACT).filter((name) => name !== 'wait');
    const channel = serveChannel({
      contract: TEST_CONTRACT,
      handlers,
      connection: wire.connection,
    });
    let refusedAtLeast = 0;
    for (let id = 1; id <= 300; id += 1) {
      const name = names[Math.floor(random() * names.length)] ?? '';
      wire.send({ type: 'call', id, name, input: anyValue(random) });
      const before = wire.frames.length;
      wire.sendText(JSON.stringify(anyValue(random)));
      refusedAtLeast += 1;
      expect(wire.frames.length).toBeGreaterThan(before);
      while (channel.open > 0) await setImmediate();
    }
    for (const frame of wire.frames) expect(serverFrameSchema.parse(frame)).toEqual(frame);
    const endings = wire.frames
      .filter(({ type }) => type === 'result' || type === 'error')
      .map((frame) => ('id' in frame ? frame.id : null));
    const own = endings.filter((id) => id !== null);
    expect(own).toHaveLength(300);
    expect(new Set(own).size).toBe(300);
    expect(endings.length - own.length).toBe(refusedAtLeast);
  });

  it('names the id of a bad frame where it can be read', () => {
    expect(readFrame('{"type":"call","id":7}')).toMatchObject({ ok: false, id: 7 });
    expect(readFrame('{"type":"call","id":-7}')).toMatchObject({ ok: false, id: null });
    expect(readFrame('[7]')).toMatchObject({
      ok: false,
      id: null,
      message: /^a frame is not valid/,
    });
    expect(readFrame('{')).toEqual({ ok: false, id: null, message: 'a frame is not JSON' });
  });

  it('refuses one that is too long without reading it', () => {
    const text = `"${'x'.repeat(MAX_CLIENT_FRAME_CHARS)}"`;
    expect(readFrame(text)).toEqual({
      ok: false,
      id: null,
      message: `a frame is longer than ${MAX_CLIENT_FRAME_CHARS} characters`,
    });
  });
});
