import { useEffect, useState } from 'react';
import { componentsText } from '../text/en/components.ts';
import { Button, IconButton } from './button.tsx';

/** How long the button says that it worked. */
const SAID_MS = 2_000;

/** Puts exactly this text on the clipboard, and says so in words. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), SAID_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  const words = {
    idle: label ?? componentsText.copy,
    copied: componentsText.copied,
    failed: componentsText.copyFailed,
  }[state];
  const icon = state === 'copied' ? 'check' : state === 'failed' ? 'warning' : 'copy';
  return (
    <>
      {label === undefined ? (
        <IconButton icon={icon} label={words} onPress={copy} />
      ) : (
        <Button small icon={icon} onPress={copy}>
          {words}
        </Button>
      )}
      <span role="status" className="visually-hidden">
        {state === 'idle' ? '' : words}
      </span>
    </>
  );
}
