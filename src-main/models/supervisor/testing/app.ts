/**
 * A whole app for tests that kill it: starts a stand-in server, or keeps one, and waits. Arguments:
 * home, name, behaviour as JSON, `app` or `keeper`. Prints one line of JSON once ready.
 */
import { createSupervisor, reportKeeperFailure } from '../index.ts';
import type { StandInOptions } from './stand-in-engine.ts';
import { standInEngine } from './stand-in-engine.ts';
import { startRequest } from './start-request.ts';

const [home = '', name = '', behaviour = '{}', kind = 'app'] = process.argv.slice(2);
const supervisor = createSupervisor({
  home,
  env: process.env,
  limits: { tickMs: 100, graceMs: 500 },
});
const engine = standInEngine(JSON.parse(behaviour) as StandInOptions);
const request = startRequest(engine, { name });
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
  process.on(signal, () => void supervisor.close());
}
try {
  const ownerKind = kind === 'keeper' ? 'keeper' : 'app';
  const server = await supervisor.start({ ...request, ownerKind });
  process.stdout.write(`${JSON.stringify({ ...server.access(), pid: server.status().pid })}\n`);
  await server.ended;
} catch (error) {
  reportKeeperFailure(process.env, error);
  process.stdout.write(`${JSON.stringify({ failed: (error as { code?: string }).code })}\n`);
  process.exitCode = 3;
}
