import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readGgufFileInfo } from 'node-llama-cpp';
import { describe, expect, it } from 'vitest';
import { GEMMA, SMOLLM, TADPOLE } from '../engines/llamacpp/testing.ts';
import { readGgufHeader } from './gguf/read-header.ts';
import { inspectModel } from './inspect.ts';
import { openLibrary, temporaryFolder } from './testing.ts';

describe('real GGUF files', () => {
  it.each([TADPOLE, SMOLLM, GEMMA])('are read as node-llama-cpp reads them: %s', async (file) => {
    const ours = await readGgufHeader(file);
    const theirs = await readGgufFileInfo(file, { logWarnings: false });
    const names = (theirs.tensorInfo ?? []).map(({ name }) => name);
    expect(ours.tensors.map(({ name }) => name)).toEqual(names);
    const last = ours.tensors.toSorted((a, b) => a.offset - b.offset).at(-1);
    const end = (theirs.infoEndOffset ?? 0) + (last?.offset ?? 0) + (last?.bytes ?? 0);
    // The sizes from our table of types end where the file does, but for its padding.
    expect(statSync(file).size - end).toBeGreaterThanOrEqual(0);
    expect(statSync(file).size - end).toBeLessThan(32);
    const numbers = theirs.tensorInfo?.map(({ dimensions }) =>
      dimensions.reduce((product: number, side) => product * Number(side), 1),
    );
    expect(ours.tensors.map((tensor) => tensor.numbers)).toEqual(numbers);
  });

  it('SmolLM2 is added with what it says of itself', async () => {
    const home = temporaryFolder();
    const { facts, name, files } = await openLibrary(home).add(SMOLLM, { copy: true });
    expect(name).toBe('smollm2-135m-instruct.q4_1');
    expect(files).toHaveLength(1);
    expect(facts).toMatchObject({
      format: 'gguf',
      architecture: 'llama',
      parameters: 134_515_008,
      quantization: 'Q4_1',
      trainedContextTokens: 8_192,
      vocabularySize: 49_152,
      licences: [{ source: 'general.license', licence: 'apache-2.0' }],
      layers: { total: 30, fullAttention: 30, kvHeads: 3, keySize: 64, valueSize: 64 },
      chatTemplate: { source: 'tokenizer.chat_template', callFormat: null, tools: false },
    });
    expect((await openLibrary(home).verify(name)).ok).toBe(true);
  });

  it('S07 Gemma 3 270M is a base model: refused without a template, read with one', async () => {
    await expect(openLibrary(temporaryFolder()).add(GEMMA)).rejects.toMatchObject({
      code: 'model_file_invalid',
      message: 'gemma3-270m.gguf has no chat template.',
    });
    const template = { source: 'given', text: '{{ messages }}' };
    const { facts, entry, folder } = await inspectModel(GEMMA, { template });
    expect(join(folder, entry)).toBe(GEMMA);
    expect(facts.layers).toEqual({
      total: 18,
      hiddenSize: 640,
      fullAttention: 3,
      sliding: { layers: 15, windowTokens: 512 },
      recurrent: null,
      kvHeads: 1,
      keySize: 256,
      valueSize: 256,
    });
    expect(facts.licences).toEqual([{ source: 'general.license', licence: 'gemma' }]);
  });
});
