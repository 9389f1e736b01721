import type { ModelTab, Place } from './navigation.ts';

/** Parts of a model by the command that tells the same. */
const MODEL_PARTS: Readonly<Record<string, ModelTab | null>> = {
  ...{ bench: 'bench', logs: 'log', plan: 'plan', profile: 'profile', status: 'measures' },
  ...{ remove: null, restart: null, show: 'facts', start: null, stop: null, verify: 'facts' },
};

const COMMAND = /\bvivarium ((?:doctor|clean|fix|images|sessions|show|export|resume)\b|models )/g;
const NAME = /^[\w.@-]+(?<!\.)/;

/**
 * Places of the app where what a message advises can be done: messages name commands, which a person
 * before a page has no use for. In their order, each once; empty when it names none.
 */
export function placesNamed(text: string): Place[] {
  const found = [...text.matchAll(COMMAND)].map(({ index, 0: command }) =>
    placeOf(command.slice('vivarium '.length).trim(), text.slice(index + command.length)),
  );
  const keys = found.map((place) => JSON.stringify(place));
  return found.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
}

function placeOf(command: string, rest: string): Place {
  switch (command) {
    case 'models':
      return modelPlace(rest);
    case 'fix':
      return { screen: 'new', repository: null };
    case 'sessions':
    case 'show':
    case 'export':
    case 'resume':
      return { screen: 'sessions' };
    default:
      return { screen: 'environment' };
  }
}

/** `start frog` is that model; `list` and names like NAME are the library. */
function modelPlace(rest: string): Place {
  const [word = '', ...more] = rest.split(/\s+/, 3);
  const given = word === 'profile' ? more[1] : more[0];
  const name = NAME.exec(given ?? '')?.[0];
  const part = MODEL_PARTS[word];
  if (part === undefined || name === undefined || name === name.toUpperCase()) {
    return { screen: 'models' };
  }
  return { screen: 'model', name, ...(part === null ? {} : { tab: part }) };
}
