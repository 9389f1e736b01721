import { describe, expect, it } from 'vitest';
import {
  formatPlace,
  HOME,
  parsePlace,
  type Place,
  sameScreen,
  sessionPlace,
} from './navigation.ts';

const PLACES: Array<[string, Place]> = [
  ['#/sessions', { screen: 'sessions' }],
  ['#/session/01J9', sessionPlace('01J9')],
  ['#/session/01J9/review', sessionPlace('01J9', { tab: 'review' })],
  ['#/session/01J9?step=12', sessionPlace('01J9', { step: 12 })],
  [
    '#/session/01J9/charts?step=0&attempt=2',
    sessionPlace('01J9', { tab: 'charts', step: 0, attempt: 2 }),
  ],
  [
    '#/session/01J9/review?attempt=1&wide=1',
    sessionPlace('01J9', { tab: 'review', attempt: 1, wide: true }),
  ],
  ['#/new', { screen: 'new', repository: null }],
  ['#/new?repository=%2Fhome%2Fa+b%2Fc%26d', { screen: 'new', repository: '/home/a b/c&d' }],
  ['#/models', { screen: 'models' }],
  ['#/models/Frog%2FNano%20%3F4B', { screen: 'model', name: 'Frog/Nano ?4B' }],
  ['#/models/frog/plan', { screen: 'model', name: 'frog', tab: 'plan' }],
  ['#/environment', { screen: 'environment' }],
  ['#/settings', { screen: 'settings' }],
  ['#/settings/about', { screen: 'settings', tab: 'about' }],
];

describe('places and hashes', () => {
  it.each(PLACES)('%s is read and written', (hash, place) => {
    expect(parsePlace(hash)).toEqual(place);
    expect(formatPlace(place)).toBe(hash);
  });

  it.each([
    '',
    '#',
    '#/',
    '#/nowhere',
    '#/session',
    '#/session/',
    '#/session/%E0%A4',
    'javascript:alert(1)',
  ])('%j leads to the list of sessions', (hash) => {
    expect(parsePlace(hash)).toEqual(HOME);
  });

  it('takes unknown tabs and numbers that are none as their defaults', () => {
    expect(parsePlace('#/session/a/nothing?step=-1&attempt=1e9')).toEqual(sessionPlace('a'));
    expect(parsePlace('#/models/frog/nothing')).toEqual({ screen: 'model', name: 'frog' });
    expect(parsePlace('#/settings/nothing')).toEqual({ screen: 'settings' });
  });

  it('knows when a move stays on the screen', () => {
    expect(sameScreen(sessionPlace('a'), sessionPlace('a', { tab: 'review' }))).toBe(true);
    expect(sameScreen(sessionPlace('a'), sessionPlace('b'))).toBe(false);
    expect(sameScreen({ screen: 'models' }, { screen: 'model', name: 'x' })).toBe(false);
    expect(sameScreen({ screen: 'model', name: 'x' }, { screen: 'model', name: 'x' })).toBe(true);
    expect(sameScreen({ screen: 'settings' }, { screen: 'settings' })).toBe(true);
  });
});
