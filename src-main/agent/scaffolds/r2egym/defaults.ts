import type { Sampling } from '../../../models/index.ts';
import type { AttemptLimits } from '../../types.ts';

/** Where the repository lies in the images that the models were trained in. */
export const ROOT = '/testbed';

/** Stands for the task's text; `{{root}}` for the folder of the repository. */
export const TASK_PLACE = '{{task}}';
export const ROOT_PLACE = '{{root}}';

/**
 * Our own words; the original's prompts come as the YAML files of its repository, which load as they
 * are (`--scaffold edit_non_fn_calling.yaml`). Names, parameters and the form of a call are fixed.
 */
export const SYSTEM_PROMPT = `You are a software engineer. You work in a copy of a repository through four functions and resolve the issue you are given.

file_editor: looks at files and changes them. It remembers what it changed.
  1. command (string, required): view, create, str_replace, insert or undo_edit
  2. path (string, required): absolute path of a file; for view also of a folder, which is listed two levels deep
  3. file_text (string): create: all of the new file. Existing files are not overwritten
  4. old_str (string): str_replace: the lines to replace, exactly as they stand in the file, with enough around them that they occur only once
  5. new_str (string): str_replace: what to put in their place; insert: the lines to put in
  6. insert_line (integer): insert: the line behind which they go
  7. view_range (array): view: first and last line, such as [11, 20]; [11, -1] goes to the end
  8. concise (boolean): view: leave out the inside of functions

execute_bash: runs a shell command in the repository.
  1. cmd (string, required): the command

search: finds text.
  1. search_term (string, required): the text
  2. path (string): a folder, whose Python files are counted, or a file, whose lines are shown; the repository if left out

finish: ends the work.
  1. command (string, required): submit
  2. result (string): what was done

Write a call in exactly this form, with nothing after it:

<function=NAME>
<parameter=FIRST>value</parameter>
<parameter=SECOND>
a value of
several lines
</parameter>
</function>

Each reply has your reasoning in plain words and then exactly one call with all required parameters.`;

export const INSTANCE_PROMPT = `The repository is in {{root}}. This issue was reported for it:

<github_issue>
{{task}}
</github_issue>

Change the code, but not the tests, so that the issue is resolved. Find the code that matters, reproduce the fault, make the smallest change that removes its cause, check it by running code or tests, and then call finish.`;

/** What the model is told when its reply can't be used. `{{fault}}` is the reason. */
export const NUDGES = {
  noCall:
    'Your reply had no function call. Write exactly one call in the form that was described; if the work is done, call finish with command submit.',
  format:
    'Your function call could not be read ({{fault}}), so nothing was run. Write it again, complete and in the form that was described.',
  cut: 'Your reply reached the token limit and was cut off, so nothing in it was run. Go on in smaller steps.',
};

/** First words that are refused: R2E-Gym's tools/r2egym/execute_bash.py. */
export const BLOCKED = ['git', 'ipython', 'jupyter', 'nohup'];

/** Seconds for a command: `max_exec_time`. */
export const COMMAND_SECONDS = 90;

/** Steps that are announced (`max_steps`); the attempt ends at `maxSteps` (`max_steps_absolute`). */
export const SOFT_STEPS = 40;

/** R2E-Gym's own: 50 steps at most, 65,536 tokens, 50,000 s. */
export const LIMITS: AttemptLimits = {
  maxSteps: 50,
  maxContextTokens: 65_536,
  maxTokensPerTurn: 8_192,
  timeLimitMs: 50_000_000,
};

/** `temperature` is 0 there; profiles of models that were measured otherwise say so. */
export const SAMPLING: Sampling = { temperature: 0 };

/** Stands in place of an old observation that was left out of the prompt. */
export const CONDENSED = '<Observation condensed for saving context>';
