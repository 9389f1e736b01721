import type { Change } from 'gitdiff-parser';
import { useEffect, useMemo, useState } from 'react';
import type { HunkTokens } from 'react-diff-view';
import { highlightedLines } from '../../../components/code/highlight.ts';
import { languageOf } from '../../../components/code/lines.ts';
import '../../../components/code/syntax.css';
import { editsOf } from '../patch/edits.ts';
import { keyOf } from '../patch/read-file.ts';
import { type Colours, sideOf, tokensOf } from '../patch/tokens.ts';

/** Longer pieces stay plain: they are no code that anybody reads. */
const LONGEST_CHUNK = 12_000;
const PLAIN: Colours = { old: null, new: null };

/** What is drawn for some lines: plain at first, with colours when the highlighter is there. */
export function useTokens(changes: readonly Change[], path: string): HunkTokens {
  const [coloured, setColoured] = useState<{ of: readonly Change[]; colours: Colours } | null>(
    null,
  );
  const language = languageOf(path);
  useEffect(() => {
    if (language === null || isLong(changes)) return undefined;
    let current = true;
    // When scrolling is over: what only flies past is not coloured.
    const timer = setTimeout(() => {
      void coloursOf(language, changes).then((colours) => {
        if (current) setColoured({ of: changes, colours });
      });
    }, SETTLE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [language, changes]);
  const colours = coloured?.of === changes ? coloured.colours : PLAIN;
  return useMemo(
    () => tokensOf(changes, colours, editsOf(changes), keyOf) as unknown as HunkTokens,
    [changes, colours],
  );
}

const SETTLE_MS = 60;

async function coloursOf(language: string, changes: readonly Change[]): Promise<Colours> {
  const side = async (name: 'old' | 'new') => {
    const text = sideOf(changes, name)
      .map(({ content }) => content)
      .join('\n');
    // Without colours it is still code.
    return highlightedLines(language, text).catch(() => null);
  };
  return { old: await side('old'), new: await side('new') };
}

function isLong(changes: readonly Change[]): boolean {
  let length = 0;
  for (const { content } of changes) length += content.length;
  return length > LONGEST_CHUNK;
}
