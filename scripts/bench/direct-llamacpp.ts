import { fork } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { getLlama, LlamaLogLevel, type Token } from 'node-llama-cpp';
import { compileTemplate } from '../../src-main/models/engines/llamacpp/server/chat-template.ts';
import { chatRequestSchema } from '../../src-main/models/engines/llamacpp/server/chat-request.ts';

/** One turn with node-llama-cpp called directly, no server in between. */
export interface DirectTurn {
  content: string;
  maxTokens: number;
}

export interface DirectReply {
  text: string;
  tokens: number;
}

export interface DirectModel {
  complete(turn: DirectTurn): Promise<DirectReply>;
  close(): void;
}

/** What both sides sample with. */
export const SAMPLING = { temperature: 0, topK: 40, topP: 0.95, minP: 0.05 };

/** Loads a model in a child process like that of our server. */
export async function openDirect(file: string, settings: DirectSettings): Promise<DirectModel> {
  const child = fork(import.meta.filename, [file, JSON.stringify(settings)], {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
  });
  await once(child, 'message');
  return {
    complete: async (turn) => {
      const told = once(child, 'message') as Promise<[DirectReply]>;
      child.send(turn);
      return (await told)[0];
    },
    close: () => child.kill('SIGKILL'),
  };
}

export interface DirectSettings {
  contextTokens: number;
  threads: number;
}

async function main(): Promise<void> {
  const file = process.argv[2] ?? '';
  const { contextTokens, threads } = JSON.parse(process.argv[3] ?? '{}') as DirectSettings;
  const llama = await getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.disabled,
    maxThreads: threads,
  });
  const model = await llama.loadModel({ modelPath: file });
  const context = await model.createContext({
    contextSize: contextTokens,
    batchSize: Math.min(512, contextTokens),
    threads,
  });
  const sequence = context.getSequence();
  const template = compileTemplate(model.fileInfo.metadata.tokenizer.chat_template ?? '', {
    bos: model.tokens.bosString ?? '',
    eos: model.tokens.eosString ?? '',
  });
  const answer = async ({ content, maxTokens }: DirectTurn): Promise<DirectReply> => {
    const messages = [{ role: 'user', content }];
    const prompt = model.tokenize(template.render(chatRequestSchema.parse({ messages })), true);
    // What two prompts share (a system prompt of the template) stays in memory, as in our server.
    await sequence.adaptStateToTokens(prompt.slice(0, -1), false);
    const rest = prompt.slice(sequence.nextTokenIndex);
    const reply: Token[] = [];
    let text = '';
    for await (const token of sequence.evaluate(rest, SAMPLING)) {
      reply.push(token);
      text += model.detokenize([token], true);
      if (reply.length >= maxTokens) break;
    }
    return { text, tokens: reply.length };
  };
  process.on('message', (turn) => {
    void answer(turn as DirectTurn).then((reply) => process.send?.(reply));
  });
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.send?.('ready');
}

if (process.argv[1] === import.meta.filename) await main();
