import { basename } from 'node:path';
import { damaged, invalid } from '../invalid.ts';
import { findModelFiles } from './find-parts.ts';
import { type GgufHeader, readGgufHeader } from './read-header.ts';
import { numberOf, textOf } from './read-metadata.ts';

export interface GgufModel {
  /** Absolute, in order; engines are given the first. */
  parts: [string, ...string[]];
  /** Of the first part, which has all metadata; tensors are those of all parts. */
  header: GgufHeader;
}

/**
 * A GGUF model, given any of its parts: the headers of all of them, checked against each other.
 *
 * @throws VivariumError `model_file_invalid`
 */
export async function readGgufModel(
  file: string,
  onFile: (path: string) => void = () => {},
): Promise<GgufModel> {
  const parts = await findModelFiles(file);
  const headers: GgufHeader[] = [];
  for (const part of parts) {
    onFile(part);
    headers.push(await readGgufHeader(part));
  }
  const [first] = headers;
  if (first === undefined) throw damaged(file, 'it has no header');
  checkParts(parts, headers);
  const tensors = headers.flatMap((header) => header.tensors);
  const bytes = headers.reduce((sum, header) => sum + header.bytes, 0);
  const header = { metadata: first.metadata, tensors, bytes };
  checkIsModel(file, header);
  return { parts, header };
}

/** Parts of two different models, a renamed part, or one put in twice. */
function checkParts(parts: readonly string[], headers: readonly GgufHeader[]): void {
  for (const [index, { metadata }] of headers.entries()) {
    const path = parts[index] ?? '';
    const count = numberOf(metadata, 'split.count') ?? 1;
    if (count !== parts.length && (count > 1 || parts.length > 1)) {
      throw invalid(
        `${path} says that it is one of ${count} parts, but its name says one of ${parts.length}.`,
        'Give all parts the names they were published with: NAME-00001-of-00003.gguf and so on.',
      );
    }
    if (parts.length === 1) return;
    const number = numberOf(metadata, 'split.no');
    if (number !== null && number !== index) {
      throw invalid(
        `${path} says that it is part ${number + 1}, but its name says part ${index + 1}.`,
        'Give all parts the names they were published with.',
      );
    }
  }
  const stated = numberOf(headers[0]?.metadata ?? new Map(), 'split.tensors.count');
  const found = headers.reduce((sum, header) => sum + header.tensors.length, 0);
  if (stated !== null && stated !== found) {
    throw damaged(
      parts[0] ?? '',
      `its parts hold ${found} tensors, where ${stated} should be: one is of another model`,
    );
  }
}

/** GGUF files that are well-formed and still no language model. */
function checkIsModel(file: string, { metadata, tensors }: GgufHeader): void {
  const type = textOf(metadata, 'general.type');
  const architecture = textOf(metadata, 'general.architecture');
  if (type === 'adapter') {
    throw invalid(
      `${basename(file)} is a LoRA adapter, not a whole model.`,
      'Give the model that it was merged into; adapters alone cannot be served.',
    );
  }
  if (type === 'mmproj' || architecture === 'clip') {
    throw invalid(
      `${basename(file)} is the vision part of a model.`,
      'Give the GGUF file of the language model itself.',
    );
  }
  if (type === 'imatrix' || architecture === 'imatrix') {
    throw invalid(
      `${basename(file)} holds statistics for quantizing, not a model.`,
      'Give the GGUF file of the model itself.',
    );
  }
  if (architecture === null) throw damaged(file, 'it names no architecture');
  if (tensors.length === 0) {
    throw invalid(
      `${basename(file)} has no weights; it is a vocabulary only.`,
      'Give the GGUF file of the model itself.',
    );
  }
  const hasTokens = metadata.has('tokenizer.ggml.tokens') && metadata.has('tokenizer.ggml.model');
  if (!hasTokens) {
    throw invalid(
      `${basename(file)} has no tokenizer.`,
      'Get a file that was converted with its tokenizer.',
    );
  }
}
