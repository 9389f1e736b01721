/**
 * A whole app around a real engine, for tests that kill it: starts the server, prints one line of
 * JSON, generates without end. Arguments: home; for vLLM its places as JSON.
 */
import { createChatModel } from '../../client.ts';
import { ENDLESS } from '../../engines/llamacpp/testing.ts';
import { createSupervisor } from '../index.ts';
import { llamaCppRequest, vllmRequest, type VllmPlaces } from './real-request.ts';

const [home = '', places] = process.argv.slice(2);
const supervisor = createSupervisor({ home, env: process.env });
const request =
  places === undefined ? llamaCppRequest() : vllmRequest(JSON.parse(places) as VllmPlaces);
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
