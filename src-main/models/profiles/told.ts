import { z } from 'zod';

/** Fault text of a member that there is none of. */
export const UNKNOWN_MEMBER = 'unknown';

/** Begins a fault text that says more than what is expected. */
export const REFUSED = 'refused:';

/**
 * A schema whose only fault text is `expected`: what people have to write, in their words. Faults
 * inside of maps keep their own place and text.
 */
export function told<T>(inner: z.ZodType<T>, expected: string): z.ZodType<T> {
  return z.unknown().transform((value, context) => {
    const parsed = inner.safeParse(value);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) {
      const path = [...issue.path];
      if (issue.code === 'unrecognized_keys') {
        for (const key of issue.keys)
          context.addIssue({ code: 'custom', path: [...path, key], message: UNKNOWN_MEMBER });
      } else {
        const message = path.length > 0 ? issue.message : expected;
        context.addIssue({ code: 'custom', path, message });
      }
    }
    return z.NEVER;
  });
}

const UNITS = { '': 1, k: 1024, m: 1024 ** 2 } as const;

/** Tokens of `131072`, `128k` or `1m` (k = 1,024); `null` when it is none of these. */
export function parseTokens(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return null;
  const match = /^(\d+(?:\.\d+)?) ?([km]?)$/i.exec(text.trim());
  if (!match) return null;
  const unit = (match[2] ?? '').toLowerCase() as keyof typeof UNITS;
  const tokens = Number(match[1]) * UNITS[unit];
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : null;
}

/** Number of tokens as people write it. */
export const tokens = told(
  z.unknown().transform((value, context) => {
    const parsed = parseTokens(value);
    if (parsed !== null) return parsed;
    context.addIssue({ code: 'custom', message: 'tokens' });
    return z.NEVER;
  }),
  'tokens such as 131072 or 128k',
);
