/**
 * A whole app for tests that kill it: starts a stand-in server, or keeps one, and waits. Arguments:
 * home, name, behaviour as JSON, `app` or `keeper`. Prints one line of JSON once ready.
 */
import { createSupervisor, keepServer, reportKeeperFailure } from '../index.ts';
import type { StandInOptions } from './stand-in-engine.ts';
import { standInEngine, startRequest } from './stand-in-engine.ts';

const [home = '', name = '', behaviour = '{}', kind = 'app'] = process.argv.slice(2);
const supervisor = createSupervisor({
  home,
  env: process.env,
  limits: { tickMs: 100, graceMs: 500 },
});
const engine = standInEngine(JSON.parse(behaviour) as StandInOptions);
const request = startRequest(engine, { name });
try {
  if (kind === 'keeper') {
    await keepServer(supervisor, request);
  } else {
    const server = await supervisor.start(request);
    process.stdout.write(`${JSON.stringify({ ...server.access(), pid: server.status().pid })}\n`);
    await server.ended;
  }
} catch (error) {
  reportKeeperFailure(process.env, error);
  process.stdout.write(`${JSON.stringify({ failed: (error as { code?: string }).code })}\n`);
  process.exitCode = 3;
}
