import { codeBlock, sha256 } from '../../lib/index.ts';
import type { FailingTest, StatementFacts } from '../types.ts';
import { assertionPart, plain, readAssertion, type Assertion } from './failing-output.ts';
import { leaksOf } from './leaks.ts';

const SHOWN_TESTS = 5;
const MAX_NAME = 200;

/**
 * A statement from the failing output alone: other words for other seeds, the same for the same. It
 * is passed through the check for leaks; what would leak gives way to one that says less.
 */
export function templateStatement(facts: StatementFacts): string {
  const part =
    facts.failing.map(({ output }) => assertionPart(output)).find((one) => one !== '') ?? '';
  const read = readAssertion(part);
  const pick = picker(facts);
  const opening = pick('opening', openings(read));
  const closing = pick('closing', CLOSINGS);
  const tests = testsOf(facts.failing, pick('tests', TESTS_LEADS));
  const output = part === '' ? [] : [`${pick('output', OUTPUT_LEADS)}\n\n${codeBlock(part)}`];
  const drafts = [
    [opening, tests, ...output, closing],
    [pick('plain', PLAIN_OPENINGS), tests, ...output, closing],
    [pick('plain', PLAIN_OPENINGS), tests, closing],
    [pick('plain', PLAIN_OPENINGS), closing],
    ...LAST_RESORTS.map((text) => [text]),
  ].map((draft) => draft.join('\n\n'));
  const fit = drafts.find((draft) => leaksOf(draft, facts).length === 0);
  return fit ?? LAST_RESORTS[0];
}

type Pick = (what: string, from: readonly string[]) => string;

function picker({ seed, failing }: StatementFacts): Pick {
  const names = failing.map(({ name }) => name).join('\n');
  return (what, from) => {
    const number = Number.parseInt(sha256(`${seed}\n${what}\n${names}`).slice(0, 8), 16);
    return from[number % from.length] ?? '';
  };
}

function openings({ exception, expected, got }: Assertion): string[] {
  const found: string[] = [];
  if (expected !== null && got !== null) {
    found.push(
      `A result is wrong: ${got} comes back where ${expected} is due.`,
      `Something gives ${got}. It should be ${expected}.`,
      `We see ${got} in a place where ${expected} was expected.`,
      `The outcome should be ${expected}, but at present it is ${got}.`,
    );
  }
  if (exception !== null && exception !== 'AssertionError') {
    found.push(
      `A call that used to work ends with ${exception}.`,
      `Since the last change ${exception} is raised in a case that should go through.`,
      `There is a ${exception} where none belongs.`,
    );
  }
  return found.length > 0 ? found : [...PLAIN_OPENINGS];
}

const PLAIN_OPENINGS = [
  'Something in this project no longer behaves as it should.',
  'There is a regression: behaviour that worked before is wrong now.',
  'A case that should work gives a wrong outcome.',
  'Part of the behaviour differs from what its tests describe.',
  'A bug has crept in and shows in the tests.',
] as const;

const TESTS_LEADS = [
  'This is seen in:',
  'It shows when these are run:',
  'Failing at the moment:',
  'The following should pass and does not:',
];

const OUTPUT_LEADS = [
  'What is printed:',
  'The report says:',
  'From the log:',
  'This is what comes out:',
];

const CLOSINGS = [
  'Please find the cause and mend it. Tests are not to be changed.',
  'Find out why and repair it at the root; leave the tests as they are.',
  'The cause should be corrected in the code, without a change to the tests.',
  'Correct it so that these pass again and all others keep passing.',
];

const LAST_RESORTS = [
  'Some behaviour of this project is wrong. Run the tests, find the cause, and mend it.',
  'What this project does differs from what was meant. Find out why by running its checks, and repair that.',
] as const;

function testsOf(failing: readonly FailingTest[], lead: string): string {
  const names = failing.slice(0, SHOWN_TESTS).map(({ name }) => {
    const line = plain(name).replace(/\s+/g, ' ');
    return `- ${line.length > MAX_NAME ? `${line.slice(0, MAX_NAME)}…` : line}`;
  });
  const more = failing.length - names.length;
  if (more > 0) names.push(`- and ${more} more`);
  return `${lead}\n\n${names.join('\n')}`;
}
