import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** WCAG 2.2: 4.5 for text (AA), 3 for marks, borders of controls and focus rings. */
const TEXT = 4.5;
const MARK = 3;
/** What the contrast theme promises (AAA). */
const STRONG = 7;

const SURFACES = ['bg', 'panel', 'raise', 'hover'];
const TEXTS = ['text', 'soft', 'faint', 'accent', 'ok', 'warn', 'bad', 'info'];
const CODE = ['text', 'comment', 'keyword', 'string', 'number', 'title', 'type'];
const CHARTS = ['chart-1', 'chart-2', 'chart-3', 'chart-4', 'chart-5'];

const TEXT_PAIRS: Array<[string, string]> = [
  ...TEXTS.flatMap((text) => SURFACES.map((surface): [string, string] => [text, surface])),
  ...CODE.map((kind): [string, string] => [`code-${kind}`, 'code-bg']),
  ...['ok', 'warn', 'bad', 'info'].map((state): [string, string] => [state, `${state}-soft`]),
  ...['text', 'soft', 'accent'].map((text): [string, string] => [text, 'accent-soft']),
  ...['ok', 'warn', 'bad', 'info'].map((state): [string, string] => ['text', `${state}-soft`]),
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['add-text', 'add'],
  ['add-text', 'add-strong'],
  ['del-text', 'del'],
  ['del-text', 'del-strong'],
  ['hunk', 'panel'],
  ['hidden-text', 'hidden-bg'],
  ['text', 'selection'],
];

const MARK_PAIRS: Array<[string, string]> = [
  ...SURFACES.slice(0, 3).flatMap((surface): Array<[string, string]> => [
    ['focus', surface],
    ['line-strong', surface],
  ]),
  ...CHARTS.map((chart): [string, string] => [chart, 'bg']),
];

type Tokens = Map<string, [light: string, dark: string]>;

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');
const usual = tokensIn(/:root \{([^}]*)\}/.exec(css)?.[1] ?? '');
const contrast: Tokens = new Map([
  ...usual,
  ...tokensIn(/:root\[data-contrast\] \{([^}]*)\}/.exec(css)?.[1] ?? ''),
]);

describe('contrast of the tokens', () => {
  it.each(TEXT_PAIRS)('%s on %s is readable in light and dark', (front, back) => {
    expect(worstContrast(usual, front, back)).toBeGreaterThanOrEqual(TEXT);
  });

  it.each(MARK_PAIRS)('%s on %s can be seen in light and dark', (front, back) => {
    expect(worstContrast(usual, front, back)).toBeGreaterThanOrEqual(MARK);
  });

  it.each(TEXT_PAIRS.filter(([, back]) => !back.endsWith('-strong') && back !== 'selection'))(
    '%s on %s is strong in the contrast theme',
    (front, back) => {
      expect(worstContrast(contrast, front, back)).toBeGreaterThanOrEqual(STRONG);
    },
  );
});

/** The lower of the ratios in light and in dark. */
function worstContrast(tokens: Tokens, front: string, back: string): number {
  const [fronts, backs] = [tokens.get(front), tokens.get(back)];
  if (fronts === undefined || backs === undefined) throw new Error(`no token ${front} or ${back}`);
  return Math.min(contrastOf(fronts[0], backs[0]), contrastOf(fronts[1], backs[1]));
}

function tokensIn(block: string): Tokens {
  const pairs = block.matchAll(/--([\w-]+): light-dark\((#[\da-f]{6}), (#[\da-f]{6})\);/g);
  return new Map([...pairs].map(([, name = '', light = '', dark = '']) => [name, [light, dark]]));
}

/** Relative luminance and ratio as WCAG 2.2 defines them. */
function contrastOf(first: string, second: string): number {
  const [bright = 0, dim = 0] = [luminance(first), luminance(second)].toSorted((a, b) => b - a);
  return (bright + 0.05) / (dim + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
