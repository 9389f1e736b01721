import { homedir } from 'node:os';
import path from 'node:path';
import { VivariumError } from '../lib/index.ts';
import { shownUrl } from './client/redact.ts';

/** A MODEL argument, taken apart. */
export type ModelSpec =
  | { kind: 'script'; file: string }
  | { kind: 'gguf'; file: string }
  /** A model of the library, by its name; its server is used or started. */
  | { kind: 'library'; name: string }
  | EndpointSpec;

export interface EndpointSpec {
  kind: 'endpoint';
  /** Without user, password, query and fragment. */
  baseUrl: string;
  /** Name after `#`; `null` = the only one the server has. */
  model: string | null;
  /** User and password of the URL, decoded; empty where there were none. */
  user: string;
  password: string;
  query: Record<string, string>;
}

const FORMS =
  'Use a name of `vivarium models list`, script:FILE, gguf:FILE, or the base URL of a model server such as http://127.0.0.1:8000/v1#name.';

/** As the library names models; a file name without its prefix is more likely a slip. */
const LIBRARY_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const FILE_NAME = /\.(gguf|jsonl)$/;

/**
 * Reads a MODEL argument. Relative files are resolved against the working folder, `~/` against the
 * home folder (shells leave it alone after `gguf:`). Nothing is opened yet.
 * @throws VivariumError `model_spec_invalid`
 */
export function parseModelSpec(text: string): ModelSpec {
  const spec = text.trim();
  const file = /^(script|gguf):(?!\/\/)(.*)$/s.exec(spec);
  if (file) {
    const kind = file[1] === 'script' ? 'script' : 'gguf';
    const name = file[2] ?? '';
    if (name === '') throw invalid(`no file is named after "${kind}:"`, FORMS);
    return { kind, file: resolveFile(name) };
  }
  if (/^https?:/i.test(spec)) return parseEndpoint(spec);
  if (spec === '') throw invalid('no model is named', FORMS);
  if (LIBRARY_NAME.test(spec) && !FILE_NAME.test(spec)) return { kind: 'library', name: spec };
  throw invalid(`"${withoutSecrets(spec)}" names no model`, hintFor(spec));
}

/** The spec as it is shown and recorded: no key, password or query. */
export function shownSpec(spec: ModelSpec): string {
  if (spec.kind === 'library') return spec.name;
  if (spec.kind !== 'endpoint') return `${spec.kind}:${spec.file}`;
  return shownUrl(spec.baseUrl) + (spec.model === null ? '' : `#${spec.model}`);
}

function parseEndpoint(text: string): EndpointSpec {
  let url: URL;
  try {
    url = new URL(text);
  } catch (error) {
    throw invalid(`"${withoutSecrets(text)}" is not a URL`, FORMS, error);
  }
  const bare = url.pathname === '' || url.pathname === '/';
  const base = `${url.origin}${bare ? '/v1' : url.pathname.replace(/\/+$/, '')}`;
  return {
    kind: 'endpoint',
    baseUrl: base.replace(/\/chat\/completions$/, ''),
    model: url.hash.length > 1 ? decode(url.hash.slice(1)) : null,
    user: decode(url.username),
    password: decode(url.password),
    query: Object.fromEntries(url.searchParams),
  };
}

/** Names may hold a percent sign that was never meant as an escape. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function resolveFile(name: string): string {
  return path.resolve(name.startsWith('~/') ? path.join(homedir(), name.slice(2)) : name);
}

function hintFor(spec: string): string {
  if (/\.gguf$/i.test(spec)) return `Did you mean gguf:${spec}?`;
  if (/\.jsonl$/i.test(spec)) return `Did you mean script:${spec}?`;
  if (/^[\w.[\]:-]+:\d+(\/|#|$)/.test(spec)) return `Did you mean http://${spec}?`;
  return FORMS;
}

/** Wrong specs are shown in messages too, and may hold a password all the same. */
function withoutSecrets(text: string): string {
  return text.replace(/\/\/[^/@]*@/, '//').replace(/\?[^#]*/, '');
}

function invalid(message: string, next: string, cause?: unknown): VivariumError {
  return new VivariumError('model_spec_invalid', message, next, cause);
}
