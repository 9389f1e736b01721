import { setTimeout as sleep } from 'node:timers/promises';
import {
  getLlama,
  LlamaLogLevel,
  readGgufFileInfo,
  type LlamaModel,
  type Token,
} from 'node-llama-cpp';
import { VivariumError } from '../../../../lib/index.ts';
import type { ChatTokenizer, EncodedChat, TokenRun } from '../tokenizer-types.ts';
import { chatRequestSchema, type RequestMessage } from './chat-request.ts';
import type { PromptTemplate } from './chat-template.ts';
import { HttpError } from './http-error.ts';
import { controlTexts, createDisarm, type Disarm } from './control-text.ts';
import { compileFor, LOG_DELAY_MS } from './load.ts';
import { toStartFailure } from './start-failure.ts';

/**
 * The tokenizer and chat template of a GGUF; its weights are not read. The same steps as those of the
 * server: what it would read for a conversation is what this gives.
 *
 * @param given Jinja text that replaces the template of the model, which else has one
 * @throws VivariumError `model_file_invalid`, `engine_failed`
 */
export async function loadChatTokenizer(
  file: string,
  given: string | null,
): Promise<ChatTokenizer> {
  const errors: string[] = [];
  try {
    const info = await readGgufFileInfo(file, { sourceType: 'filesystem', logWarnings: false });
    const source = given ?? info.metadata.tokenizer.chat_template ?? '';
    const llama = await getLlama({
      ...{ gpu: false, build: 'never', skipDownload: true, progressLogs: false },
      logLevel: LlamaLogLevel.error,
      logger: (_, text) => errors.push(text),
    });
    const model = await llama.loadModel({ modelPath: file, vocabOnly: true });
    const parts = { model, template: compileFor(model, source) };
    const harmless = createDisarm(controlTexts(info));
    return {
      encode: (messages, tools, { marks = 'text', learnLineEnds = false } = {}) => {
        try {
          const disarm = marks === 'text' ? harmless : createDisarm([]);
          return encode({ ...parts, disarm, learnLineEnds }, messages, tools);
        } catch (error) {
          if (error instanceof HttpError) return { why: 'the chat template refuses its messages' };
          throw error;
        }
      },
      tokenize: (text) => model.tokenize(text, true),
      decode: (ids) => model.detokenize(ids as Token[], true),
      close: () => llama.dispose(),
    };
  } catch (error) {
    await sleep(LOG_DELAY_MS);
    const failure = toStartFailure(error, errors);
    throw new VivariumError(failure.code, failure.message, failure.next, error);
  }
}

interface Parts {
  model: LlamaModel;
  template: PromptTemplate;
  disarm: Disarm;
  learnLineEnds: boolean;
}

/**
 * Pieces of a conversation as `ChatTokenizer.encode` has them: each prompt and each reply is taken
 * by itself, as in a session, where the reply is no part of what the server is given.
 */
function encode(
  parts: Parts,
  given: readonly unknown[],
  tools: readonly unknown[],
): EncodedChat | { why: string } {
  const { data: request } = chatRequestSchema.safeParse({ messages: given, tools });
  if (request === undefined) return { why: 'the messages are none of a chat' };
  const { messages, mark } = parts.disarm(request.messages);
  const rendered = (count: number, ends: boolean): string =>
    parts.template.render({ ...request, messages: messages.slice(0, count) }, ends);
  const full = rendered(messages.length, true);
  const runs: TokenRun[] = [];
  let at = 0;
  const take = (end: number, learned: boolean): void => {
    const ids = full
      .slice(at, end)
      .split(mark)
      .flatMap((part) => parts.model.tokenize(part, true));
    if (ids.length > 0)
      runs.push({ ids: runs.length === 0 ? begun(parts.model, ids) : ids, learned });
    at = end;
  };
  for (const index of replies(messages)) {
    const begin = rendered(index, false);
    const whole = rendered(index + 1, true);
    if (!full.startsWith(begin) || !full.startsWith(whole) || begin.length < at) {
      return { why: 'the chat template changes earlier turns once others follow' };
    }
    take(begin.length, false);
    const said = whole.slice(begin.length);
    take(begin.length + (parts.learnLineEnds ? said.length : endOfTurn(parts.model, said)), true);
  }
  take(full.length, false);
  return { text: full.replaceAll(mark, ''), runs };
}

function replies(messages: readonly RequestMessage[]): number[] {
  return messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []));
}

/** The start token is added only where the template does not write it. */
function begun({ tokens: { bos, shouldPrependBosToken } }: LlamaModel, ids: Token[]): Token[] {
  return shouldPrependBosToken && bos !== null && ids[0] !== bos ? [bos, ...ids] : ids;
}

/** A reply ends with the token that ends its turn; line ends after it are the template's. */
function endOfTurn({ tokens }: LlamaModel, text: string): number {
  const trimmed = text.trimEnd();
  const marks = [tokens.eosString, tokens.eotString].filter((mark) => mark !== null);
  const end = marks.some((mark) => trimmed.endsWith(mark));
  return end ? trimmed.length : text.length;
}
