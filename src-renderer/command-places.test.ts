import { expect, it } from 'vitest';
import { COMMANDS, nextParts } from '../src-main/contract/index.ts';
import { placeOfCommand } from './command-places.ts';
import { formatPlace } from './navigation.ts';

it.each([
  ['Run `vivarium images build`, or name a local image.', ['#/environment']],
  [
    'Build it with `vivarium images build`; `vivarium doctor` tells more.',
    Array(2).fill('#/environment'),
  ],
  ['Add a model with `vivarium models add PATH`.', ['#/models']],
  ['Start it again with `vivarium models start frog-4b`.', ['#/models/frog-4b']],
  [
    'Correct it with `vivarium models profile set frog`; see `vivarium models plan frog`.',
    ['#/models/frog/profile', '#/models/frog/plan'],
  ],
  ['Start a new session with `vivarium fix`.', ['#/new']],
  ['See what happened with `vivarium show 01J --steps`.', ['#/session/01J']],
  ['Run `vivarium export 01J` again.', ['#/session/01J/review']],
  ['`vivarium sessions` lists them.', ['#/sessions']],
  [
    'See `vivarium eval list` for the ids, then `vivarium eval show 01K`.',
    ['#/evaluations', '#/evaluations/01K'],
  ],
  ['Open the link that `vivarium serve` printed.', [null]],
])('%s', (text, hashes) => {
  const places = nextParts(text).flatMap((part) =>
    part.kind === 'command' ? [placeOfCommand(part.name, part.subject)] : [],
  );
  expect(places.map((place) => (place === null ? null : formatPlace(place)))).toEqual(hashes);
});

it('knows a place for each command but those that show the page, and those for tasks and trainers', () => {
  const without = COMMANDS.filter((name) => placeOfCommand(name, 'x') === null);
  expect(without.filter((name) => !name.startsWith('tasks '))).toEqual([
    'serve',
    'rollout',
    'train export',
    'app',
  ]);
});
