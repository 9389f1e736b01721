import type { InputOf } from '../../../src-main/contract/index.ts';

/** What the form holds besides the issue; kept as a draft. Empty texts and `null` = as usual. */
export interface FixForm {
  repository: string;
  model: string;
  scaffold: string;
  verify: string;
  protect: string;
  image: string;
  attempts: number | null;
  seed: number | null;
  maxSteps: number | null;
  minutes: number | null;
  memoryGib: number | null;
  cpus: number | null;
}

export const EMPTY_FORM: FixForm = {
  ...{ repository: '', model: '', scaffold: '', verify: '', protect: '', image: '' },
  ...{ attempts: null, seed: null, maxSteps: null, minutes: null, memoryGib: null, cpus: null },
};

const GIB = 1024 ** 3;

/** What is asked of the core: only what a person filled in. */
export function fixOf(form: FixForm, issue: string): InputOf<'sessions/check'> {
  const limits = {
    ...(form.memoryGib !== null && { memoryBytes: Math.round(form.memoryGib * GIB) }),
    ...(form.cpus !== null && { cpus: form.cpus }),
  };
  const protect = form.protect.split('\n').map(trimmed).filter(isThere);
  return {
    issue,
    ...texts(form),
    ...(protect.length > 0 && { protect }),
    ...(form.attempts !== null && { attempts: form.attempts }),
    ...(form.seed !== null && { seed: form.seed }),
    ...(form.maxSteps !== null && { maxSteps: form.maxSteps }),
    ...(form.minutes !== null && { timeLimitSeconds: form.minutes * 60 }),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
}

function texts(form: FixForm): Partial<Record<(typeof TEXTS)[number], string>> {
  const filled = TEXTS.map((name) => [name, form[name].trim()] as const);
  return Object.fromEntries(filled.filter(([, text]) => isThere(text)));
}

const TEXTS = ['repository', 'model', 'scaffold', 'verify', 'image'] as const;

/** A kept draft; whatever is not understood of it is as usual. */
export function parseForm(text: string): FixForm {
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found !== 'object' || found === null) return EMPTY_FORM;
    const members = Object.entries(EMPTY_FORM).map(([name, usual]) => {
      const kept = (found as Record<string, unknown>)[name];
      const fits = typeof usual === 'string' ? typeof kept === 'string' : typeof kept === 'number';
      return [name, fits ? kept : usual];
    });
    return Object.fromEntries(members) as FixForm;
  } catch {
    return EMPTY_FORM;
  }
}

/** Whether a path can be looked at: the core takes absolute ones. */
export function isAbsolute(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path.trim());
}

function trimmed(text: string): string {
  return text.trim();
}

function isThere(text: string): boolean {
  return text !== '';
}
