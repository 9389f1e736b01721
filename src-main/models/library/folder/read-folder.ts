import { basename, dirname, join } from 'node:path';
import type { ModelFacts } from '../../servers/library-types.ts';
import { chatTemplateFacts } from '../chat-template.ts';
import { type ModelCard, readModelCard } from '../licences.ts';
import { layersOfConfig } from './layers.ts';
import { dtypeName, type Quantization, quantizationOf } from './quantization.ts';
import { type ModelConfig, readConfig, readJsonObject, size, text } from './read-config.ts';
import type { SafeTensor } from './safetensors-header.ts';
import { additionalTemplates, checkTokenizer, findChatTemplate } from './tokenizer.ts';
import { readWeights } from './weights.ts';

/** Small files that belong to a model; pickles, code and pictures do not. */
const BELONGS = /\.(?:json|jinja|txt|model|tiktoken|md)$|^(?:licen[cs]e|notice|copying)/i;
const SUMS = /sha256|checksum/i;

export interface FolderModel {
  /** Relative to the folder, sorted. */
  files: string[];
  facts: ModelFacts;
}

/**
 * A model in a Hugging Face folder, checked and described from its small files and the headers of
 * its weights.
 *
 * @param names the plain files in the folder
 * @throws VivariumError `model_file_invalid`
 */
export async function readFolderModel(
  folder: string,
  names: readonly string[],
  onFile: (path: string) => void = () => {},
): Promise<FolderModel> {
  const config = await readConfig(folder);
  const weights = await readWeights(folder, names, onFile);
  await checkTokenizer(folder, names);
  const template = await findChatTemplate(folder);
  const card = await readModelCard(folder);
  const trainedContextTokens = size(
    config.text,
    'max_position_embeddings',
    'n_positions',
    'max_seq_len',
    'max_sequence_length',
    'seq_length',
  );
  const quantization = await quantizationIn(folder, config);
  const small = names.filter((name) => BELONGS.test(name) && !SUMS.test(name));
  const further = await additionalTemplates(folder);
  return {
    files: [...new Set([...small, ...further, ...weights.files])].toSorted(),
    facts: {
      format: 'safetensors',
      architecture: config.architecture,
      ...sizesOf(weights.tensors, quantization),
      trainedContextTokens,
      layers: layersOfConfig(config.text, trainedContextTokens),
      licences: card.licences,
      chatTemplate: chatTemplateFacts(template),
      vocabularySize: size(config.text, 'vocab_size', 'padded_vocab_size'),
      names: namesOf(folder, config, card),
    },
  };
}

/** NVIDIA's tool writes it into a file of its own. */
async function quantizationIn(folder: string, config: ModelConfig): Promise<Quantization | null> {
  if (config.quantization !== null) return quantizationOf(config.quantization);
  const own = await readJsonObject(join(folder, 'hf_quant_config.json'), 2 ** 20);
  const inner = own?.['quantization'];
  if (typeof inner !== 'object' || inner === null) return null;
  return quantizationOf({ quant_method: 'modelopt', ...inner });
}

function sizesOf(
  tensors: readonly SafeTensor[],
  quantization: Quantization | null,
): Pick<ModelFacts, 'parameters' | 'quantization' | 'weightBytes'> {
  const bytes = new Map<string, number>();
  let weightBytes = 0;
  let numbers = 0;
  for (const tensor of tensors) {
    weightBytes += tensor.bytes;
    bytes.set(tensor.dtype, (bytes.get(tensor.dtype) ?? 0) + tensor.bytes);
    // Scales of quantized weights are no parameters of the model.
    if (!/scale(?:_inv)?$/.test(tensor.name)) numbers += tensor.numbers;
  }
  const [dominant] = [...bytes].toSorted((a, b) => b[1] - a[1])[0] ?? ['unknown'];
  return {
    parameters: quantization?.packed === true ? null : numbers,
    quantization: quantization?.name ?? dtypeName(dominant),
    weightBytes,
  };
}

function namesOf(folder: string, config: ModelConfig, card: ModelCard): string[] {
  const stated = text(config.text, '_name_or_path');
  const found = [folderName(folder), ...card.names, ...(stated === null ? [] : [stated])];
  return [...new Set(found)];
}

/** Hugging Face's cache keeps a model as `models--ORGANIZATION--NAME/snapshots/COMMIT`. */
export function folderName(folder: string): string {
  const cached = /(?:^|\/)models--(?:[^/]*--)?([^/]+)\/snapshots\/[^/]+$/.exec(
    folder.replaceAll('\\', '/'),
  );
  if (cached?.[1] !== undefined) return cached[1];
  const own = basename(folder);
  // A bare commit, or the folder an exporter made, says less than what it lies in.
  return /^(?:[0-9a-f]{40}|files|model|snapshot|hf)$/i.test(own) ? basename(dirname(folder)) : own;
}
