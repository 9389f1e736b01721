import type { TrainFormat } from './types.ts';

/** LLaMA-Factory's description of the files; `null` for forms that it does not read. */
export function datasetInfo(
  format: TrainFormat,
  files: readonly string[],
): Record<string, unknown> | null {
  const columns = COLUMNS[format];
  if (columns === undefined) return null;
  const entry = (name: string) => ({ file_name: `${name}.jsonl`, ...columns });
  return Object.fromEntries(files.map((name) => [`vivarium_${name}`, entry(name)]));
}

const COLUMNS: Partial<Record<TrainFormat, Record<string, unknown>>> = {
  sharegpt: {
    formatting: 'sharegpt',
    columns: { messages: 'conversations', system: 'system', tools: 'tools' },
  },
  openai: {
    formatting: 'openai',
    columns: { messages: 'messages', tools: 'tools' },
    tags: {
      ...{ role_tag: 'role', content_tag: 'content', user_tag: 'user' },
      ...{ assistant_tag: 'assistant', observation_tag: 'tool', system_tag: 'system' },
    },
  },
};
