/** Commands of the command line that a failure may send people to, by their words. */
export const COMMANDS = [
  'fix',
  'sessions',
  'show',
  'export',
  'resume',
  'doctor',
  'clean',
  'serve',
  'rollout',
  'train export',
  'images list',
  'images import',
  'images build',
  'models add',
  'models list',
  'models show',
  'models verify',
  'models remove',
  'models rename',
  'models profile show',
  'models profile set',
  'models profile export',
  'models profile import',
  'models plan',
  'models start',
  'models stop',
  'models restart',
  'models logs',
  'models status',
  'models bench',
  'app',
  'eval run',
  'eval list',
  'eval show',
  'eval regrade',
  'eval report',
  'eval label',
  'eval export',
  'tasks list',
  'tasks calibrate',
  'tasks import',
  'tasks from-releases',
  'tasks add',
  'tasks check',
  'tasks preflight',
  'tasks synth',
] as const;

export type CommandName = (typeof COMMANDS)[number];

/** A piece of what to do next: words, or a command that a door may offer in its own way. */
export type NextPart =
  | { kind: 'text'; text: string }
  | {
      kind: 'command';
      name: CommandName;
      /** What it is done to, such as a model's name; `null` when the words leave it open. */
      subject: string | null;
      /** As it is typed in a terminal. */
      text: string;
    };

const QUOTED = /`vivarium ([^`]+)`/g;
/** `PATH` or `NAME` stands for a word of the reader's own. */
const PLACEHOLDER = /^[A-Z]+$/;

/**
 * A `next` or `remedy` in its parts. A command stands in it as it is typed, in backticks, for the
 * terminal; a window shows its own button there. What is no command of ours stays text.
 */
export function nextParts(text: string): NextPart[] {
  const parts: NextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(QUOTED)) {
    const [quoted, typed = ''] = match;
    const words = typed.split(/\s+/);
    const name = COMMANDS.find((command) => startsWith(words, command.split(' ')));
    if (name === undefined) continue;
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) });
    const subject = words[name.split(' ').length];
    const isNamed = subject !== undefined && !subject.startsWith('-') && !PLACEHOLDER.test(subject);
    parts.push({
      ...{ kind: 'command', name, subject: isNamed ? subject : null },
      text: quoted.slice(1, -1),
    });
    end = match.index + quoted.length;
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) });
  return parts;
}

function startsWith(words: readonly string[], command: readonly string[]): boolean {
  return command.every((word, at) => words[at] === word);
}
