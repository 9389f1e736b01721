import { describe, expect, it } from 'vitest';
import { createLineSplitter } from './line-splitter.ts';

function split(...chunks: (string | Uint8Array)[]): { lines: string[]; rewritten: string[] } {
  const lines: string[] = [];
  const rewritten: string[] = [];
  const splitter = createLineSplitter({
    onLine: (line) => lines.push(line),
    onRewrite: (text) => rewritten.push(text),
  });
  for (const chunk of chunks) splitter.write(Buffer.from(chunk));
  splitter.end();
  return { lines, rewritten };
}

describe('the output of a program', () => {
  it('is cut at line ends of any kind, wherever its pieces are', () => {
    expect(split('a\nb\r\nc', '\r', '\n', '\n', 'd').lines).toEqual(['a', 'b', 'c', '', 'd']);
  });

  it('keeps of a progress bar what it came to', () => {
    expect(split('start\n 1%\r 5', '0%\r', '100%\r\nend\n')).toEqual({
      lines: ['start', '100%', 'end'],
      rewritten: [' 1%', ' 50%'],
    });
    expect(split('50%\r')).toEqual({ lines: ['50%'], rewritten: [] });
  });

  it('keeps characters that are cut into bytes', () => {
    const bytes = Buffer.from('größe\n');
    expect(split(bytes.subarray(0, 3), bytes.subarray(3)).lines).toEqual(['größe']);
  });

  it('is bounded where no line end comes', () => {
    const [line = ''] = split(...Array.from({ length: 100 }, () => 'x'.repeat(10_000))).lines;
    expect(line.length).toBeLessThan(8_100);
    expect(line).toMatch(/x \.\.\. \(992000 characters left out\)$/);
  });
});
