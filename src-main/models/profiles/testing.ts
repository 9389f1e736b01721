import type { LibraryModel, ModelFacts } from '../servers/types.ts';
import { recognise } from './recognise.ts';

/** Facts of FrogNano-4B in bfloat16; tests change what they are about. */
export function factsFor(changes: Partial<ModelFacts> = {}, template: object = {}): ModelFacts {
  return {
    format: 'safetensors',
    architecture: 'Qwen3_5ForConditionalGeneration',
    parameters: 4_540_000_000,
    quantization: 'bfloat16',
    weightBytes: 9_080_000_000,
    trainedContextTokens: 262_144,
    layers: {
      ...{ total: 32, hiddenSize: 2560, fullAttention: 8, sliding: null },
      recurrent: { layers: 24, bytesPerSequence: 52_428_800 },
      ...{ kvHeads: 4, keySize: 256, valueSize: 256 },
    },
    licences: [{ source: 'README.md (front matter)', licence: 'mit' }],
    chatTemplate: {
      ...{ source: 'chat_template.jinja', sha256: '0'.repeat(64), tools: true },
      ...{ callFormat: 'qwen3_coder', thinking: true },
      ...template,
    },
    vocabularySize: 248_320,
    names: ['FrogNano-4B-2609', 'Qwen/Qwen3.5-4B'],
    ...changes,
  };
}

/** A model of the library with these facts, recognised as at import. */
export function modelFor(facts: ModelFacts, name = 'frog'): LibraryModel {
  return {
    name,
    addedAt: 0,
    folder: '/media/stick/model',
    copied: false,
    entry: '/media/stick/model',
    files: [],
    sha256: '0'.repeat(64),
    sums: null,
    facts,
    preset: recognise(facts),
  };
}
