/**
 * A whole app around a real engine, for tests that kill it: starts the server, prints one line of
 * JSON, generates without end. Arguments: home, engine.
 */
import { createLlamaCppEngine } from '../../engines/llamacpp/server-engine.ts';
import { createChatModel } from '../../client.ts';
import { ENDLESS } from '../../engines/llamacpp/testing.ts';
import { launchInput } from '../../testing/launch.ts';
import { createSupervisor } from '../index.ts';

const [home = ''] = process.argv.slice(2);
const supervisor = createSupervisor({ home, env: process.env });
const { profile, model, plan, machine } = launchInput();
const engine = createLlamaCppEngine();
const request = { profile, model, plan, machine, engine, ownerKind: 'app' as const };
const server = await supervisor.start(request);
const access = server.access();
const { pid, timings } = server.status();
process.stdout.write(`${JSON.stringify({ ...access, pid, timings })}\n`);
const chat = createChatModel({
  baseUrl: `${access.root}/v1`,
  apiKey: access.key,
  model: access.servedName,
  contextTokens: 2_048,
});
for (;;) await chat.complete(ENDLESS);
