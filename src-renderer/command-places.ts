import type { CommandName } from '../src-main/contract/index.ts';
import { type ModelTab, type Place, sessionPlace } from './navigation.ts';

type ModelCommand = Extract<CommandName, `models ${string}`>;

const isOfModels = (name: CommandName): name is ModelCommand => name.startsWith('models ');

/** Part of a model where a command's work is done; `null` = the head of its page, on any part. */
const MODEL_PARTS: Partial<Record<ModelCommand, ModelTab | null>> = {
  'models show': 'facts',
  'models verify': 'facts',
  'models remove': null,
  'models rename': null,
  'models profile show': 'profile',
  'models profile set': 'profile',
  'models profile export': 'profile',
  'models profile import': 'profile',
  'models plan': 'plan',
  'models start': null,
  'models stop': null,
  'models restart': null,
  'models logs': 'log',
  'models status': 'measures',
  'models bench': 'bench',
};

/** Where in the app a command's work is done; `null` = only in a terminal. */
export function placeOfCommand(name: CommandName, subject: string | null): Place | null {
  if (isOfModels(name)) return modelPlace(subject, MODEL_PARTS[name]);
  switch (name) {
    case 'serve':
    case 'rollout':
    case 'train export':
    case 'app':
    case 'tasks list':
    case 'tasks import':
    case 'tasks from-releases':
    case 'tasks add':
    case 'tasks calibrate':
    case 'tasks check':
    case 'tasks preflight':
    case 'tasks synth':
      return null;
    case 'fix':
      return { screen: 'new', repository: null };
    case 'sessions':
      return { screen: 'sessions' };
    case 'show':
    case 'resume':
      return subject === null ? { screen: 'sessions' } : sessionPlace(subject);
    case 'export':
      return subject === null ? { screen: 'sessions' } : sessionPlace(subject, { tab: 'review' });
    case 'doctor':
    case 'clean':
    case 'images list':
    case 'images import':
    case 'images build':
      return { screen: 'environment' };
    case 'eval run':
    case 'eval list':
      return { screen: 'evaluations' };
    case 'eval show':
    case 'eval regrade':
    case 'eval report':
    case 'eval label':
    case 'eval export':
      return subject === null ? { screen: 'evaluations' } : { screen: 'evaluation', run: subject };
  }
}

function modelPlace(name: string | null, part: ModelTab | null | undefined): Place {
  if (name === null || part === undefined) return { screen: 'models' };
  return { screen: 'model', name, ...(part === null ? {} : { tab: part }) };
}
