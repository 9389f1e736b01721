/**
 * Another program that uses a model: joins its server, or starts it for itself, prints one line of
 * JSON, then generates without end. Arguments: home, name of the model.
 */
import process from 'node:process';
import { createModelService } from '../../src-main/models/index.ts';
import { KEEPER, USERS_OWN } from './vllm-home.ts';

const [home = '', name = ''] = process.argv.slice(2);
const service = createModelService({
  home,
  env: { ...process.env, ...USERS_OWN, VIVARIUM_HOME: home },
  samples: { add: () => undefined, latest: () => null },
  keeperCommand: KEEPER,
});
const { chat, started, pid } = await service.use(name);
const request = {
  messages: [{ role: 'user' as const, content: 'Tell me about rivers.' }],
  tools: [],
  sampling: { temperature: 1 },
  maxTokens: 3_000,
};
let told = false;
const onDelta = (): void => {
  if (told) return;
  told = true;
  process.stdout.write(`${JSON.stringify({ started, pid })}\n`);
};
for (;;) await chat.complete({ ...request, onDelta });
