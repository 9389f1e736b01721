import { useEffect, useState } from 'react';
import type { Review } from '../../../src-main/contract/index.ts';
import { readFile, type ReadFile } from './patch/read-file.ts';

/** Work between two frames. */
const SLICE_MS = 8;

interface Reading {
  sha256: string;
  read: ReadFile[];
}

/**
 * The files of a patch, read a few at a time so that a long one holds nothing up. A decision changes
 * nothing in it, so it is read once per patch.
 */
export function useReadFiles(review: Review): readonly (ReadFile | undefined)[] {
  const { sha256, files } = review;
  const [reading, setReading] = useState<Reading>(() => ({ sha256, read: readSome(files, []) }));
  const current = reading.sha256 === sha256 ? reading.read : NONE;
  useEffect(() => {
    if (current.length >= files.length) return undefined;
    const timer = setTimeout(() => setReading({ sha256, read: readSome(files, current) }));
    return () => clearTimeout(timer);
  }, [sha256, files, current]);
  return current;
}

const NONE: ReadFile[] = [];

function readSome(files: Review['files'], before: readonly ReadFile[]): ReadFile[] {
  const read = [...before];
  const until = performance.now() + SLICE_MS;
  while (
    read.length < files.length &&
    (read.length === before.length || performance.now() < until)
  ) {
    const file = files[read.length];
    if (file === undefined) break;
    read.push(readFile(file, read.length));
  }
  return read;
}
