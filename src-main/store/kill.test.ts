import Database from 'better-sqlite3';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openStore } from './index.ts';

const KILLS = 50;
/** Child start-up is not what is killed here, so the clock runs from its first acknowledged step. */
const KILL_WITHIN_MS = 60;

/** Runs the child, kills it at a random moment and returns the steps it had acknowledged. */
function runAndKill(file: string, sessionId: string): Promise<{ step: number; number: number }[]> {
  const script = fileURLToPath(new URL('./append-forever.ts', import.meta.url));
  const child = spawn(process.execPath, [script, file, sessionId], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (data: Buffer) => {
    if (output === '') setTimeout(() => child.kill('SIGKILL'), Math.random() * KILL_WITHIN_MS);
    output += data.toString();
  });
  return new Promise((resolve, reject) => {
    child.on('close', (code, signal) => {
      if (signal !== 'SIGKILL') {
        reject(new Error(`the child ended by itself, with code ${code}`));
        return;
      }
      // A line that the kill cut off was not acknowledged.
      const lines = output.slice(0, output.lastIndexOf('\n')).split('\n');
      resolve(
        lines.map((line) => {
          const [step, number] = line.split(' ').map(Number);
          return { step: step ?? Number.NaN, number: number ?? Number.NaN };
        }),
      );
    });
  });
}

test(`P11: a process killed at ${KILLS} random moments loses at most the running step`, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vivarium-kill-'));
  const file = path.join(folder, 'record.sqlite');
  let expectedEvents = 0;
  let expectedSteps = 0;
  try {
    for (let round = 0; round < KILLS; round += 1) {
      const sessionId = `k${round}`;
      const acknowledged = await runAndKill(file, sessionId);

      const database = new Database(file);
      expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
      database.close();
      const store = openStore(file);
      const events = store.events({ sessionId });
      const steps = events
        .filter((event) => event.body.type === 'step.finished')
        .map((event) => ({
          step: event.body.type === 'step.finished' ? event.body.step : Number.NaN,
          number: event.number,
        }));
      expect(steps.slice(0, acknowledged.length)).toEqual(acknowledged);
      // One more may be on record: appended, and killed before it could say so.
      expect(steps.length - acknowledged.length).toBeLessThanOrEqual(1);
      expect(events.map((event) => event.number)).toEqual(
        events.map((_, index) => expectedEvents + index + 1),
      );
      expect(store.session(sessionId).steps).toBe(steps.length);
      for (const { body } of events) {
        if (body.type !== 'step.finished') continue;
        for (const change of body.changes) {
          if (change.kind === 'file') expect(store.blob(change.blob).length).toBeGreaterThan(0);
        }
      }
      expect(store.markInterrupted(() => false)).toBe(1);
      expectedEvents += events.length + 1;
      expectedSteps += steps.length;
      store.close();
    }
    expect(expectedSteps).toBeGreaterThan(KILLS);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 180_000);
