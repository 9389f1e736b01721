import { StringDecoder } from 'node:string_decoder';

/** Cuts the output of a program into lines; memory stays bounded whatever it prints. */
export interface LineSplitter {
  write(chunk: Uint8Array): void;
  /** Passes on what has no line end yet. */
  end(): void;
}

export interface LineHandlers {
  onLine: (line: string) => void;
  /** Text that the program then wrote over, as progress bars do; not part of any line. */
  onRewrite?: (text: string) => void;
}

/** Longer lines are cut: no log line needs more, and one without an end must not fill the memory. */
const MAX_LINE = 8_000;

export function createLineSplitter(handlers: LineHandlers): LineSplitter {
  const decoder = new StringDecoder('utf8');
  let pending = '';
  let leftOut = 0;
  /** A `\r` came last: the next character decides whether it is half of a line end. */
  let returned = false;

  const append = (text: string): void => {
    const room = MAX_LINE - pending.length;
    pending += text.slice(0, Math.max(0, room));
    leftOut += Math.max(0, text.length - room);
  };
  const take = (): string => {
    const text = leftOut === 0 ? pending : `${pending} ... (${leftOut} characters left out)`;
    pending = '';
    leftOut = 0;
    return text;
  };
  const rewrite = (): void => {
    returned = false;
    const text = take();
    if (text.trim() !== '') handlers.onRewrite?.(text);
  };
  const consume = (text: string): void => {
    // Split so that the ends stay in the list, each as an item of its own.
    for (const part of text.split(/(\r|\n)/)) {
      if (part === '') continue;
      if (part === '\n') {
        returned = false;
        handlers.onLine(take());
        continue;
      }
      if (returned) rewrite();
      if (part === '\r') returned = true;
      else append(part);
    }
  };
  return {
    write: (chunk) => consume(decoder.write(Buffer.from(chunk))),
    end: () => {
      consume(decoder.end());
      if (pending !== '' || leftOut > 0) handlers.onLine(take());
    },
  };
}
