import { basename, dirname } from 'node:path';
import type { ModelFacts } from '../../servers/library-types.ts';
import { chatTemplateFacts, type FoundTemplate } from '../chat-template.ts';
import { invalid } from '../invalid.ts';
import { type ModelCard, readModelCard } from '../licences.ts';
import { layersOfGguf } from './layers.ts';
import { type Metadata, lengthOf, numberOf, textOf } from './read-metadata.ts';
import type { GgufHeader } from './read-header.ts';
import type { GgufModel } from './read-model.ts';
import { fileTypeName } from './tensor-types.ts';

/**
 * @param given template that stands in where the file has none
 * @throws VivariumError `model_file_invalid` when there is no chat template or no sizes
 */
export async function factsOfGguf(
  { parts, header }: GgufModel,
  given?: FoundTemplate,
): Promise<ModelFacts> {
  const [first] = parts;
  const { metadata, tensors } = header;
  const architecture = textOf(metadata, 'general.architecture') ?? '';
  const template = templateOf(metadata) ?? given;
  if (template === undefined) {
    throw invalid(
      `${basename(first)} has no chat template.`,
      'It is a base model, or was converted without one: get the chat (instruct) version.',
    );
  }
  const card = await cardBeside(first);
  const stated = ['general.license', 'general.license.name'].flatMap((source) => {
    const licence = textOf(metadata, source);
    return licence === null || licence === '' ? [] : [{ source, licence }];
  });
  return {
    format: 'gguf',
    architecture,
    parameters: tensors.reduce((sum, { numbers }) => sum + numbers, 0),
    quantization: quantizationOf(header),
    weightBytes: tensors.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
    weightTypes: Object.fromEntries(bytesByType(header)),
    trainedContextTokens: numberOf(metadata, `${architecture}.context_length`),
    layers: layersOfGguf(first, metadata),
    licences: [...stated, ...card.licences],
    chatTemplate: chatTemplateFacts(template),
    vocabularySize: lengthOf(metadata, 'tokenizer.ggml.tokens'),
    names: [...new Set([...namesOf(metadata), ...card.names, stemOf(first)])],
  };
}

/** `model-00001-of-00003.gguf` without part and extension. */
export function stemOf(file: string): string {
  return basename(file)
    .replace(/\.gguf$/i, '')
    .replace(/-\d{5}-of-\d{5}$/, '');
}

/** With tools, which we always send, llama.cpp uses the template named for them. */
function templateOf(metadata: Metadata): FoundTemplate | null {
  for (const source of ['tokenizer.chat_template.tool_use', 'tokenizer.chat_template']) {
    const text = textOf(metadata, source);
    if (text !== null && text.trim() !== '') return { source, text };
  }
  return null;
}

function quantizationOf(header: GgufHeader): string {
  const { metadata } = header;
  const stated = fileTypeName(numberOf(metadata, 'general.file_type') ?? -1);
  if (stated !== null) return stated;
  const largest = [...bytesByType(header)].toSorted((a, b) => b[1] - a[1])[0];
  return largest?.[0] ?? 'unknown';
}

/** A type that is newer than our table is counted with a byte a number. */
function bytesByType({ tensors }: GgufHeader): Map<string, number> {
  const bytes = new Map<string, number>();
  for (const tensor of tensors) {
    bytes.set(tensor.type, (bytes.get(tensor.type) ?? 0) + (tensor.bytes ?? tensor.numbers));
  }
  return bytes;
}

/** A README with a front matter is a model card; one in a folder of downloads says nothing here. */
async function cardBeside(file: string): Promise<ModelCard> {
  const none: ModelCard = { licences: [], names: [], hasFrontMatter: false };
  const card = await readModelCard(dirname(file)).catch(() => none);
  return card.hasFrontMatter ? card : none;
}

function namesOf(metadata: Metadata): string[] {
  const keys = ['general.name', 'general.basename', 'general.finetune'];
  const bases = Array.from({ length: 4 }, (_, index) => `general.base_model.${index}.name`);
  return [...keys, ...bases]
    .map((key) => textOf(metadata, key))
    .filter((name) => name !== null && name !== '')
    .map((name) => name ?? '');
}
