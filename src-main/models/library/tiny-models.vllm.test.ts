import { readFileSync, truncateSync, cpSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../lib/index.ts';
import { openLibrary, temporaryFolder } from './testing.ts';

/** Written by transformers itself, as published models are. */
const folderOf = (name: string): string =>
  fileURLToPath(new URL(`../../../.cache/vllm/models/${name}`, import.meta.url));

describe('folders as transformers writes them', () => {
  it('Qwen3: sharded, the template in the config of the tokenizer', async () => {
    const library = openLibrary(temporaryFolder());
    const { facts, files } = await library.add(folderOf('tiny-qwen3'), { copy: true });
    expect(facts).toMatchObject({
      format: 'safetensors',
      architecture: 'Qwen3ForCausalLM',
      parameters: 360_896,
      quantization: 'bfloat16',
      weightBytes: 721_792,
      trainedContextTokens: 8_192,
      layers: { total: 2, fullAttention: 2, recurrent: null, kvHeads: 2, keySize: 32 },
      licences: [{ source: 'README.md (front matter)', licence: 'apache-2.0' }],
      chatTemplate: { source: 'tokenizer_config.json', tools: true, callFormat: 'hermes' },
      vocabularySize: 2_048,
    });
    expect(files.filter(({ path }) => path.endsWith('.safetensors'))).toHaveLength(2);
    expect((await library.verify('tiny-qwen3')).ok).toBe(true);
  });

  it('Qwen3.5: hybrid, the template in a file of its own', async () => {
    const { facts, files } = await openLibrary(temporaryFolder()).add(folderOf('tiny-qwen35'));
    expect(facts).toMatchObject({
      architecture: 'Qwen3_5ForCausalLM',
      parameters: 630_604,
      layers: { total: 4, fullAttention: 1, recurrent: { layers: 3, bytesPerSequence: 411_648 } },
      chatTemplate: { source: 'chat_template.jinja', callFormat: 'qwen3_coder', thinking: true },
    });
    const config = readFileSync(join(folderOf('tiny-qwen35'), 'config.json'));
    expect(files.find(({ path }) => path === 'config.json')?.sha256).toBe(sha256(config));
  });

  it.each(['tiny-qwen3', 'tiny-qwen35'])('S07 %s with a shard cut by one byte', async (name) => {
    const root = temporaryFolder();
    const folder = join(root, basename(name));
    cpSync(folderOf(name), folder, { recursive: true });
    const shards = (await openLibrary(join(root, 'a')).add(folder)).files.filter(({ path }) =>
      path.endsWith('.safetensors'),
    );
    const last = shards.at(-1);
    truncateSync(join(folder, last?.path ?? ''), (last?.bytes ?? 0) - 1);
    await expect(openLibrary(join(root, 'b')).add(folder)).rejects.toMatchObject({
      code: 'model_file_invalid',
      message: expect.stringContaining(`${last?.path ?? ''} is cut off or damaged`) as string,
    });
  });
});
