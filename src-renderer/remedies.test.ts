import { expect, it } from 'vitest';
import type { Place } from './navigation.ts';
import { placesNamed } from './remedies.ts';

const ENVIRONMENT: Place = { screen: 'environment' };
const MODELS: Place = { screen: 'models' };

it.each<[string, Place[]]>([
  ['Run `vivarium images build`, or name a local image with --image.', [ENVIRONMENT]],
  ['Start Docker; vivarium doctor says what is wrong with it.', [ENVIRONMENT]],
  ['Free some space (`vivarium clean` removes leftovers of dead runs).', [ENVIRONMENT]],
  ['Build it with `vivarium images build`; `vivarium doctor` tells more.', [ENVIRONMENT]],
  ['The library is empty: add a model with "vivarium models add PATH".', [MODELS]],
  ['Did you mean frog? "vivarium models list" shows all.', [MODELS]],
  ['Start it again: vivarium models start frog-4b', [{ screen: 'model', name: 'frog-4b' }]],
  ['Start it again with `vivarium models start frog-4b`.', [{ screen: 'model', name: 'frog-4b' }]],
  ['Stop it first: vivarium models stop frog.', [{ screen: 'model', name: 'frog' }]],
  ['Check its files: vivarium models verify.', [MODELS]],
  [
    'Correct the profile with `vivarium models profile set frog`; `vivarium models plan frog` shows all faults.',
    [
      { screen: 'model', name: 'frog', tab: 'profile' },
      { screen: 'model', name: 'frog', tab: 'plan' },
    ],
  ],
  ['Start a new session with `vivarium fix`.', [{ screen: 'new', repository: null }]],
  ['See what happened with `vivarium show 01J --steps`.', [{ screen: 'sessions' }]],
  ['Open the link that `vivarium serve` printed.', []],
  ['Install git.', []],
])('%s', (text, places) => {
  expect(placesNamed(text)).toEqual(places);
});
