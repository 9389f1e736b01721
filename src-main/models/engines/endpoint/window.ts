import { z } from 'zod';
import type { Probe } from './http.ts';

const size = z.number().int().positive().nullish().catch(null);

/** A row of `/v1/models`; the window goes by a different name in each server. */
export const modelRowSchema = z.looseObject({
  id: z.string(),
  owned_by: z.string().nullish().catch(null),
  /** vLLM and SGLang. */
  max_model_len: size,
  /** LM Studio; the one that is loaded, not the longest possible. */
  loaded_context_length: size,
  context_length: size,
  context_window: size,
  /** llama.cpp; `n_ctx_train` beside it is only what the model was trained with. */
  meta: z.looseObject({ n_ctx: size }).nullish().catch(null),
});

export type ModelRow = z.infer<typeof modelRowSchema>;

const propsSchema = z.looseObject({
  default_generation_settings: z.looseObject({ n_ctx: size }).nullish().catch(null),
  build_info: z.string().nullish().catch(null),
});
const sglangSchema = z.looseObject({ context_length: size });

/** What a server says about itself beyond its list of models. */
export interface ServerFacts {
  contextTokens: number | null;
  details: Record<string, string>;
}

/**
 * The real window of a model, from the first place that names it: the list of models (vLLM, SGLang),
 * llama.cpp's `/props` (the window of one slot), SGLang's server info, then weaker members of the list.
 */
export async function readServerFacts(
  probe: Probe,
  baseUrl: string,
  row: ModelRow | null,
): Promise<ServerFacts> {
  const details: Record<string, string> = row?.owned_by ? { server: row.owned_by } : {};
  if (row?.max_model_len) return { contextTokens: row.max_model_len, details };
  const root = baseUrl.replace(/\/v1$/, '');
  const props = propsSchema.safeParse(await ask(probe, `${root}/props`)).data;
  if (props?.build_info) details['build'] = props.build_info;
  const slot = props?.default_generation_settings?.n_ctx;
  if (slot) return { contextTokens: slot, details };
  const weaker =
    row?.loaded_context_length ?? row?.meta?.n_ctx ?? row?.context_length ?? row?.context_window;
  if (weaker) return { contextTokens: weaker, details };
  return { contextTokens: await sglangWindow(probe, root), details };
}

async function sglangWindow(probe: Probe, root: string): Promise<number | null> {
  for (const path of ['/get_server_info', '/server_info', '/get_model_info']) {
    const info = sglangSchema.safeParse(await ask(probe, root + path)).data;
    if (info?.context_length) return info.context_length;
  }
  return null;
}

/** These pages are extras that most servers lack: any failure means that they say nothing. */
async function ask(probe: Probe, url: string): Promise<unknown> {
  try {
    const { status, body } = await probe.get(url);
    return status === 200 ? body : null;
  } catch {
    return null;
  }
}
