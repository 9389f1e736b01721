import { z } from 'zod';
import { messageOf, VivariumError } from '../../../lib/index.ts';

const argumentsSchema = z.union([z.string(), z.record(z.string(), z.unknown())]);

const callSchema = z.union([
  z.strictObject({ id: z.string().optional(), name: z.string(), arguments: argumentsSchema }),
  z.strictObject({
    id: z.string().optional(),
    type: z.literal('function').optional(),
    function: z.strictObject({ name: z.string(), arguments: argumentsSchema }),
  }),
]);

const usageSchema = z.strictObject({
  prompt_tokens: z.int().nonnegative(),
  completion_tokens: z.int().nonnegative(),
  cached_tokens: z.int().nonnegative().optional(),
});

/** One assistant message, as the scripted server sends it. */
const replySchema = z.strictObject({
  role: z.literal('assistant').optional(),
  content: z.string().nullable().optional(),
  reasoning_content: z.string().nullable().optional(),
  tool_calls: z.array(callSchema).optional(),
  finish_reason: z.enum(['stop', 'length', 'tool_calls']).optional(),
  usage: usageSchema.optional(),
  /** Pause before the first piece. */
  delay_ms: z.int().nonnegative().optional(),
  comment: z.string().optional(),
});

const faultSchema = z.discriminatedUnion('fault', [
  z.strictObject({
    fault: z.literal('status'),
    status: z.int().min(300).max(599),
    message: z.string().optional(),
    times: z.int().positive().optional(),
  }),
  z.strictObject({
    /** Half of the reply, then the connection breaks. */
    fault: z.literal('cut_stream'),
    times: z.int().positive().optional(),
  }),
  z.strictObject({
    /** Half of the reply, then the stream ends as if all had been said, without a finish reason. */
    fault: z.literal('close_stream'),
    times: z.int().positive().optional(),
  }),
  z.strictObject({
    /** The connection breaks before any answer. */
    fault: z.literal('reset'),
    times: z.int().positive().optional(),
  }),
]);

const headSchema = z.strictObject({
  script: z.strictObject({
    model: z.string().min(1).optional(),
    context_tokens: z.int().positive().optional(),
  }),
});

const seedSchema = z.strictObject({ seed: z.int() });
const whenSchema = z.strictObject({ when: z.string().min(1), seed: z.int().optional() });
const commentSchema = z.strictObject({ comment: z.string() });

export type ScriptReply = z.infer<typeof replySchema>;
export type ScriptFault = z.infer<typeof faultSchema>;
export type ScriptUsage = z.infer<typeof usageSchema>;

/** What happens at one place of a conversation: first the faults, one a request, then the reply. */
export interface ScriptTurn {
  faults: ScriptFault[];
  /** `null` where the script ends after a fault. */
  reply: ScriptReply | null;
}

/** Replies for some of the attempts. */
export interface ScriptSection {
  /** Part of the first user message; `null` = whatever it says. */
  when: string | null;
  /** Base seed of the attempt; `null` = any. */
  seed: number | null;
  turns: ScriptTurn[];
}

export interface Script {
  model: string;
  contextTokens: number | null;
  /** In the order of the file; the first holds what stands before any `seed` or `when` line. */
  sections: ScriptSection[];
}

/**
 * Reads a script: JSON Lines as `docs/scripted-model.md` describes them.
 * @throws VivariumError `script_invalid` that names file and line
 */
export function parseScript(text: string, file: string): Script {
  const script: Script = { model: 'scripted', contextTokens: null, sections: [] };
  let section = openSection(script, { when: null, seed: null }, file);
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  for (const [index, raw] of lines.entries()) {
    const line = raw.trim();
    if (line === '') continue;
    const where = `${file}, line ${String(index + 1)}`;
    const value = parseLine(line, where);
    const kind = kindOf(value, where);
    if (kind.kind === 'head') readHead(kind.value.script, script);
    if (kind.kind === 'section') section = openSection(script, kind.value, where);
    if (kind.kind === 'fault') addFault(section, kind.value);
    if (kind.kind === 'reply') addReply(section, kind.value);
  }
  if (script.sections.every(({ turns }) => turns.length === 0))
    throw invalid(`${file} holds no reply`);
  return script;
}

type Line =
  | { kind: 'head'; value: z.infer<typeof headSchema> }
  | { kind: 'section'; value: Omit<ScriptSection, 'turns'> }
  | { kind: 'fault'; value: ScriptFault }
  | { kind: 'reply'; value: ScriptReply }
  | { kind: 'comment' };

function kindOf(value: object, where: string): Line {
  if ('script' in value) return { kind: 'head', value: check(headSchema, value, where) };
  if ('when' in value) {
    const { when, seed = null } = check(whenSchema, value, where);
    return { kind: 'section', value: { when, seed } };
  }
  if ('seed' in value) {
    return { kind: 'section', value: { when: null, ...check(seedSchema, value, where) } };
  }
  if ('fault' in value) return { kind: 'fault', value: check(faultSchema, value, where) };
  if (commentSchema.safeParse(value).success) return { kind: 'comment' };
  return { kind: 'reply', value: check(replySchema, value, where) };
}

function parseLine(line: string, where: string): object {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw invalid(`${where}: not JSON: ${messageOf(error)}`, error);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(`${where}: not a JSON object`);
  }
  return value;
}

function check<T>(schema: z.ZodType<T>, value: object, where: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const at = issue && issue.path.length > 0 ? ` at ${issue.path.join('.')}` : '';
  throw invalid(`${where}: ${issue?.message ?? 'not a reply'}${at}`, result.error);
}

function readHead(head: z.infer<typeof headSchema>['script'], script: Script): void {
  script.model = head.model ?? script.model;
  script.contextTokens = head.context_tokens ?? script.contextTokens;
}

function openSection(
  script: Script,
  { when, seed }: Omit<ScriptSection, 'turns'>,
  where: string,
): ScriptTurn[] {
  if (script.sections.some((before) => before.when === when && before.seed === seed)) {
    const what = when === null ? `seed ${String(seed)}` : `this "when"`;
    throw invalid(`${where}: ${what} was used before`);
  }
  const turns: ScriptTurn[] = [];
  script.sections.push({ when, seed, turns });
  return turns;
}

function addFault(section: ScriptTurn[], fault: ScriptFault): void {
  const repeated = Array.from({ length: fault.times ?? 1 }, () => fault);
  const open = section.at(-1);
  if (open?.reply === null) open.faults.push(...repeated);
  else section.push({ faults: repeated, reply: null });
}

function addReply(section: ScriptTurn[], reply: ScriptReply): void {
  const open = section.at(-1);
  if (open?.reply === null) open.reply = reply;
  else section.push({ faults: [], reply });
}

function invalid(message: string, cause?: unknown): VivariumError {
  return new VivariumError(
    'script_invalid',
    message,
    'Correct the script; docs/scripted-model.md describes its lines.',
    cause,
  );
}
