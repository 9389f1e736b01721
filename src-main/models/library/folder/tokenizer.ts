import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { FoundTemplate } from '../chat-template.ts';
import { contentKind, refuseKind } from '../content-kind.ts';
import { damaged, invalid } from '../invalid.ts';
import { readSmall } from '../read-at.ts';
import { readJsonObject } from './read-config.ts';
import { checkWholeJson } from './whole-json.ts';

const MAX_TEMPLATE_BYTES = 4 * 2 ** 20;
/** Some list all added tokens in it. */
const MAX_TOKENIZER_CONFIG_BYTES = 32 * 2 ** 20;

const HOW = 'Copy all small files of the published model, not only the weights.';

/** @throws VivariumError `model_file_invalid` when there is none, or it is cut off */
export async function checkTokenizer(folder: string, names: readonly string[]): Promise<void> {
  const has = (name: string): boolean => names.includes(name);
  for (const name of names.filter((name) => /^tokenizer\.(?:json|model)$/.test(name))) {
    const kind = await contentKind(join(folder, name));
    if (kind === 'lfs pointer') throw refuseKind(join(folder, name), kind);
  }
  if (has('tokenizer.json')) return checkWholeJson(join(folder, 'tokenizer.json'));
  const other = names.find((name) => name === 'tekken.json' || /\.(?:tiktoken|model)$/.test(name));
  if (other !== undefined) {
    const text = await readSmall(join(folder, other), MAX_TOKENIZER_CONFIG_BYTES);
    if (text === '') throw damaged(join(folder, other), 'it is empty');
    return undefined;
  }
  if (has('vocab.json') && has('merges.txt')) return checkWholeJson(join(folder, 'vocab.json'));
  throw invalid(
    `${folder} has no tokenizer (tokenizer.json, tokenizer.model, or vocab.json with merges.txt).`,
    HOW,
  );
}

/**
 * The chat template in the order transformers looks for it. Where several are named, the one for
 * tools is told of, since we always send tools.
 *
 * @throws VivariumError `model_file_invalid` when there is none
 */
export async function findChatTemplate(folder: string): Promise<FoundTemplate> {
  const found =
    (await fromFiles(folder)) ??
    (await fromJson(folder, 'chat_template.json', MAX_TEMPLATE_BYTES)) ??
    (await fromJson(folder, 'tokenizer_config.json', MAX_TOKENIZER_CONFIG_BYTES));
  if (found !== null) return found;
  throw invalid(
    `${folder} has no chat template (chat_template.jinja, or one in tokenizer_config.json).`,
    `It is a base model, or the file was left out. ${HOW}`,
  );
}

async function fromFiles(folder: string): Promise<FoundTemplate | null> {
  const sources = ['additional_chat_templates/tool_use.jinja', 'chat_template.jinja'];
  for (const source of sources) {
    const text = await readSmall(join(folder, source), MAX_TEMPLATE_BYTES);
    if (text !== null && text.trim() !== '') return { source, text };
  }
  return null;
}

const named = z.array(z.object({ name: z.string(), template: z.string() }));

async function fromJson(
  folder: string,
  source: string,
  limitBytes: number,
): Promise<FoundTemplate | null> {
  const value = (await readJsonObject(join(folder, source), limitBytes))?.['chat_template'];
  if (typeof value === 'string' && value.trim() !== '') return { source, text: value };
  const list = named.safeParse(value).data ?? [];
  const chosen =
    list.find(({ name }) => name === 'tool_use') ?? list.find(({ name }) => name === 'default');
  if (chosen === undefined || chosen.template.trim() === '') return null;
  return { source: `${source} (${chosen.name})`, text: chosen.template };
}

/** Templates in the folder of further ones, as paths relative to the model's. */
export async function additionalTemplates(folder: string): Promise<string[]> {
  const inner = 'additional_chat_templates';
  const found = await readdir(join(folder, inner)).catch(() => []);
  return found.filter((name) => name.endsWith('.jinja')).map((name) => `${inner}/${name}`);
}
