import type { Sampling, ToolSpec } from '../../../models/index.ts';
import type { AttemptLimits } from '../../types.ts';

/** Our own words; a scaffold file can bring others. */
export const SYSTEM_PROMPT = [
  'You work as a software engineer in a local copy of a repository.',
  'Look at files, change them and run commands with the tools you are given.',
  'Do what the task asks, check the result where you can, and end with a short answer.',
].join('\n');

/** Stands for the task's text; by default the user message is that text and nothing else. */
export const TASK_PLACE = '{{task}}';

/** What the model is told when its reply can't be used. `{{fault}}` is the reason. */
export const NUDGES = {
  empty:
    'Your reply had neither an answer nor a tool call. Go on with a tool call, or give your final answer if the task is done.',
  format:
    'Your tool call could not be read ({{fault}}), so it was not run. Write the call again, complete and in the usual form.',
  cut: 'Your reply reached the token limit and was cut off, so nothing in it was run. Go on in smaller steps, and write long content in several calls.',
};

const text = (description: string): object => ({ type: 'string', description });

/** Names and parameters are those of Leaf (microsoft/FrogNano, harness/leaf/tools.py). */
export const TOOLS: readonly ToolSpec[] = [
  tool('Read', 'Shows a text file with its lines numbered.', ['file_path'], {
    file_path: text('File to show.'),
    offset: { type: 'integer', description: 'First line to show, counted from 1.' },
    limit: { type: 'integer', description: 'How many lines to show at most.' },
  }),
  tool(
    'Write',
    'Creates a file or replaces all of it; missing folders are made.',
    ['file_path', 'content'],
    {
      file_path: text('File to write.'),
      content: text('All of the new content.'),
    },
  ),
  tool(
    'Edit',
    'Replaces a piece of a text file that is given exactly.',
    ['file_path', 'old_string', 'new_string'],
    {
      file_path: text('File to change.'),
      old_string: text('The piece as it stands in the file.'),
      new_string: text('What to put in its place.'),
      replace_all: {
        type: 'boolean',
        description: 'Replace the piece everywhere; otherwise it must occur only once.',
      },
    },
  ),
  tool('Glob', 'Lists the files whose paths match a pattern.', ['pattern'], {
    pattern: text('The pattern, such as **/*.py.'),
    path: text('Folder to look in; the repository if left out.'),
  }),
  tool('Bash', 'Runs a command with bash in the folder of the repository.', ['command'], {
    command: text('The command.'),
    description: text('What the command is for, in a few words.'),
    timeout: { type: 'number', description: 'Seconds after which it is ended.' },
  }),
];

function tool(
  name: string,
  description: string,
  required: string[],
  properties: Record<string, object>,
): ToolSpec {
  return { name, description, parameters: { type: 'object', properties, required } };
}

/** The published evaluation of FrogNano: 150 steps, 131,072 tokens, 10,800 s. */
export const LIMITS: AttemptLimits = {
  maxSteps: 150,
  maxContextTokens: 131_072,
  maxTokensPerTurn: 8_192,
  timeLimitMs: 10_800_000,
};

/** As Leaf sends it (reference: model card and `harness/leaf/agent.py`). */
export const SAMPLING: Sampling = {
  temperature: 0.6,
  topP: 0.95,
  topK: 20,
  minP: 0,
  presencePenalty: 0,
  repetitionPenalty: 1,
  templateArguments: { enable_thinking: true },
};
