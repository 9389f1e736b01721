import { settingsSchema, type Handlers, type Settings } from '../../contract/index.ts';
import type { Environment } from '../environment.ts';
import { defined } from './defined.ts';

const AREA = 'settings';
const KEY = 'app';
const DRAFTS = 'drafts';

/** What the user set; members that are not there, or that this build cannot read, are the defaults. */
export function readSettings({ store }: Environment): Settings {
  const kept = store.kept.get(AREA, KEY);
  const whole = settingsSchema.safeParse(kept ?? {});
  if (whole.success) return whole.data;
  // One broken member does not cost the others.
  const sound = Object.entries(typeof kept === 'object' && kept !== null ? kept : {}).filter(
    ([name, value]) => settingsSchema.partial().safeParse({ [name]: value }).success,
  );
  return settingsSchema.parse(Object.fromEntries(sound));
}

type Names = 'settings/get' | 'settings/set' | 'drafts/get' | 'drafts/set';

export function settingHandlers(environment: Environment): Pick<Handlers, Names> {
  return {
    'settings/get': async () => readSettings(environment),
    'settings/set': async (changes) => {
      const settings = settingsSchema.parse({ ...readSettings(environment), ...defined(changes) });
      environment.store.kept.set(AREA, KEY, settings);
      return settings;
    },
    'drafts/get': async ({ key }) => {
      const text = environment.store.kept.get(DRAFTS, key);
      return { text: typeof text === 'string' ? text : null };
    },
    'drafts/set': async ({ key, text }) => {
      const { kept } = environment.store;
      if (text === null) kept.remove(DRAFTS, key);
      else kept.set(DRAFTS, key, text);
      return {};
    },
  };
}
