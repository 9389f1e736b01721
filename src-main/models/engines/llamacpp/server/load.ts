import { readFile, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  getLlama,
  getModuleVersion,
  type GgufFileInfo,
  GgufFileType,
  type Llama,
  LlamaLogLevel,
  type LlamaModel,
  readGgufFileInfo,
} from 'node-llama-cpp';
import { messageOf } from '../../../../lib/index.ts';
import type { StartMessage } from '../protocol.ts';
import { chooseThreads } from '../threads.ts';
import { compileTemplate, type PromptTemplate } from './chat-template.ts';
import type { ChatBackend } from './complete.ts';
import { controlTexts, createDisarm } from './control-text.ts';
import { CHECKPOINTS, GPU_MIN_BYTES } from '../limits.ts';
import { createMeter } from './meter.ts';
import { createProbeSlot } from './probe-slot.ts';
import { cutOff, StartFailure, toStartFailure } from './start-failure.ts';
import { createSlotPool } from './slots.ts';

/**
 * Prompt tokens evaluated at a time. A processor core needs seconds for 512 tokens even of a small
 * model and gains little from more than 128 at once; a graphics device needs many to be used well.
 */
const PROMPT_CHUNK = { cpu: 128, gpu: 512 };
/** The native log is delivered on its own queue and may come after the failure it explains. */
export const LOG_DELAY_MS = 200;

export interface Loaded {
  backend: ChatBackend;
  details: Record<string, string | number>;
}

export interface LoadWatch {
  /** Lines of the native code. */
  log(line: string): void;
  /** A big model on a slow disk takes minutes; this shows that it is getting on. */
  progress(text: string): void;
}

/**
 * Loads the model and makes it ready to answer.
 *
 * @throws StartFailure with cause and next step.
 */
export async function loadModel(start: StartMessage, watch: LoadWatch): Promise<Loaded> {
  const nativeErrors: string[] = [];
  try {
    const info = await readGgufFileInfo(start.file, {
      sourceType: 'filesystem',
      logWarnings: false,
    });
    const bytes = await sizeOfParts(info);
    const template = await templateOf(start, info);
    const threads = start.threads ?? chooseThreads(bytes, availableParallelism());
    const llama = await openEngine(start, bytes, threads, (line) => {
      if (/^(error|fatal): /.test(line)) nativeErrors.push(line.slice(line.indexOf(' ') + 1));
      watch.log(line);
    });
    const model = await llama.loadModel({
      modelPath: start.file,
      ...gpuLayersOf(start),
      onLoadProgress: inTenths((percent) => watch.progress(`loading the model: ${percent} %`)),
    });
    const context = await openContext(start, model, threads);
    const backend: ChatBackend = {
      ...context,
      ...{ model, template: compileFor(model, template), parallel: start.parallel },
      disarm: createDisarm(controlTexts(info)),
      probe: createProbeSlot(model, threads),
      meter: createMeter(),
      tokensPerTurn: start.tokensPerTurn,
      prefixCaching: start.prefixCaching,
      callStyle: template.includes('<function=') ? 'xml' : 'json',
    };
    return { backend, details: await describe(info, llama, model, bytes, threads, start.parallel) };
  } catch (error) {
    await sleep(LOG_DELAY_MS);
    throw toStartFailure(error, nativeErrors);
  }
}

/**
 * Only binaries that came with the package: nothing is built and nothing is downloaded.
 * @throws StartFailure `gpu_missing`: what was planned for a graphics device would crawl without one.
 */
async function openEngine(
  start: StartMessage,
  bytes: number,
  threads: number,
  log: (line: string) => void,
): Promise<Llama> {
  const tooSmall = start.device === 'auto' && bytes < GPU_MIN_BYTES;
  const llama = await getLlama({
    gpu: start.device === 'cpu' || tooSmall ? false : 'auto',
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.info,
    maxThreads: threads,
    logger: (level, text) => {
      // Dots are llama.cpp's progress bar.
      if (text.trim() !== '.') log(`${level}: ${text.trimEnd()}`);
    },
  });
  if (start.device !== 'gpu' || llama.gpu !== false) return llama;
  throw new StartFailure(
    'gpu_missing',
    'llama.cpp finds no graphics device that it can use.',
    'Check the driver (after a sleep it may need a restart), or choose the device cpu.',
  );
}

function gpuLayersOf(start: StartMessage): { gpuLayers?: number | 'max' } {
  if (start.gpuLayers !== null) return { gpuLayers: start.gpuLayers };
  return start.device === 'gpu' ? { gpuLayers: 'max' } : {};
}

/** Calls back when the share has grown by a tenth, with whole percents. */
function inTenths(callBack: (percent: number) => void): (share: number) => void {
  let shown = 0;
  return (share) => {
    const tenths = Math.floor(share * 10);
    if (tenths <= shown) return;
    shown = tenths;
    callBack(tenths * 10);
  };
}

async function templateOf(start: StartMessage, info: GgufFileInfo): Promise<string> {
  const source = (await givenTemplate(start)) ?? info.metadata.tokenizer?.chat_template;
  if (typeof source === 'string' && source.trim() !== '') return source;
  throw new StartFailure(
    'template_missing',
    'The model file has no chat template, so it is probably a base model that was not trained to chat.',
    'Use an instruction-tuned GGUF, or give the template the model was trained with.',
  );
}

async function givenTemplate({ chatTemplate }: StartMessage): Promise<string | null> {
  if (chatTemplate === null || 'text' in chatTemplate) return chatTemplate?.text ?? null;
  try {
    return await readFile(chatTemplate.file, 'utf8');
  } catch (error) {
    throw new StartFailure(
      'template_invalid',
      `The chat template ${chatTemplate.file} cannot be read: ${messageOf(error)}`,
      'Give a Jinja file that is there, or none to use that of the model.',
    );
  }
}

async function openContext(
  start: StartMessage,
  model: LlamaModel,
  threads: number,
): Promise<Pick<ChatBackend, 'slots' | 'contextTokens' | 'promptChunk'>> {
  const promptChunk = model.gpuLayers === 0 ? PROMPT_CHUNK.cpu : PROMPT_CHUNK.gpu;
  const trained = start.trainedContextTokens ?? model.trainContextSize;
  const wanted = Math.min(start.contextTokens ?? trained, trained);
  const context = await model.createContext({
    contextSize: start.mayShrink ? { max: wanted } : wanted,
    sequences: start.parallel,
    batchSize: Math.min(PROMPT_CHUNK.gpu, wanted),
    threads,
  });
  const sequences = Array.from({ length: start.parallel }, () =>
    context.getSequence({ checkpoints: CHECKPOINTS }),
  );
  // llama.cpp rounds the window up; the model was not trained beyond its own.
  const contextTokens = Math.min(context.contextSize, wanted);
  return { slots: createSlotPool(sequences), contextTokens, promptChunk };
}

/** @throws StartFailure `template_invalid` */
export function compileFor(model: LlamaModel, source: string): PromptTemplate {
  const { bosString, eosString } = model.tokens;
  try {
    return compileTemplate(source, { bos: bosString ?? '', eos: eosString ?? '' });
  } catch (error) {
    throw new StartFailure(
      'template_invalid',
      `The chat template cannot be read: ${messageOf(error)}`,
      'Give a corrected chat template, or use another GGUF of this model.',
    );
  }
}

/**
 * Bytes of all parts.
 * @throws StartFailure when a part ends inside its own header: the reader takes what is missing for
 * zeros and would find a model without a template or tensors there.
 */
async function sizeOfParts(info: GgufFileInfo): Promise<number> {
  let sum = 0;
  for (const part of info.sourceData) {
    if (part.type !== 'path') continue;
    const { size } = await stat(part.path);
    if (size < part.length) throw cutOff();
    sum += size;
  }
  return sum;
}

async function describe(
  info: GgufFileInfo,
  llama: Llama,
  model: LlamaModel,
  bytes: number,
  threads: number,
  parallel: number,
): Promise<Record<string, string | number>> {
  const { general } = info.metadata;
  const { release } = llama.llamaCppRelease;
  const quantisation =
    general.file_type === undefined ? undefined : GgufFileType[general.file_type];
  return {
    architecture: general.architecture,
    ...(quantisation === undefined
      ? {}
      : { quantisation: quantisation.replace(/^(MOSTLY|ALL)_/, '') }),
    parameters: countParameters(info),
    trainedContextTokens: model.trainContextSize,
    weightBytes: bytes,
    threads,
    parallel,
    gpu: llama.gpu === false ? 'none' : `${llama.gpu}, ${model.gpuLayers} layers`,
    engineVersion: `node-llama-cpp ${await getModuleVersion()}, llama.cpp ${release}`,
    ...(general.name === undefined ? {} : { modelName: general.name }),
    ...(general.license === undefined ? {} : { license: general.license }),
  };
}

function countParameters(info: GgufFileInfo): number {
  const tensors = info.fullTensorInfo ?? info.tensorInfo ?? [];
  return tensors.reduce(
    (sum, tensor) => sum + tensor.dimensions.reduce<number>((size, side) => size * Number(side), 1),
    0,
  );
}
