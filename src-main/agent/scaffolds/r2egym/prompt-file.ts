import { z } from 'zod';
import { ROOT_PLACE, TASK_PLACE } from './defaults.ts';
import type { R2egymFile } from './file.ts';

/** A prompt file of R2E-Gym's repository, as it stands there (agenthub/config). */
const promptFileSchema = z.object({
  system_prompt: z.string(),
  instance_prompt: z.string(),
  command_files: z.array(z.string()).default([]),
});

/** Whether a YAML value is meant as such a file. */
export function isPromptFile(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'instance_prompt' in value;
}

/** Tools of the other families in that repository; their models are driven otherwise. */
const FOREIGN = /str_replace_editor|submit|search_dir|str_replace_with_edit/;

/** What Python's `.format()` is given there besides the task; nothing of it is known here. */
const EMPTY = new Set([
  'gt_patch',
  'test_patch_hint',
  'candidate_patch',
  'candidate_patch_correctness',
  'command_docs',
  'demo',
]);

/**
 * Reads it as a scaffold file. Settings of its model client are not ours.
 * @throws Error with the fault, in one line
 */
export function readPromptFile(value: unknown): R2egymFile {
  const file = promptFileSchema.parse(value);
  const foreign = file.command_files.find((one) => FOREIGN.test(one));
  if (foreign !== undefined) {
    throw new Error(`command_files: ${foreign} is not one of the tools of scaffold r2egym`);
  }
  return {
    extends: 'r2egym',
    system: file.system_prompt,
    user: formatted(file.instance_prompt),
  };
}

/** Python's `str.format`: `{{` and `}}` are braces, `{name}` a place. */
function formatted(template: string): string {
  let hasTask = false;
  const text = template.replace(/\{\{|\}\}|\{([^{}]*)\}|[{}]/g, (match, name?: string) => {
    if (match === '{{') return '{';
    if (match === '}}') return '}';
    if (name === undefined) {
      throw new Error(`instance_prompt: a single ${match}; Python's format wants it doubled`);
    }
    if (name === 'problem_statement') {
      hasTask = true;
      return TASK_PLACE;
    }
    if (name === 'working_dir') return ROOT_PLACE;
    if (EMPTY.has(name)) return '';
    throw new Error(`instance_prompt: {${name}} is not known here`);
  });
  if (!hasTask) throw new Error('instance_prompt: {problem_statement} is missing');
  return text;
}
