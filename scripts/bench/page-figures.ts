/** What a page, its process and its files cost. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright';

const RENDERER = path.resolve(import.meta.dirname, '../../out/renderer');

/** Milliseconds from a change of the hash to the frame after a selector is there. */
export async function timeToShow(page: Page, hash: string, selector: string): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const began = performance.now();
    location.hash = ${JSON.stringify(hash)};
    const look = () => {
      if (document.querySelector(${JSON.stringify(selector)}) === null) requestAnimationFrame(look);
      else requestAnimationFrame((now) => resolve(now - began));
    };
    look();
  })`);
}

/** Scrolls an element for some time, as a wheel does. @returns milliseconds of each frame */
export async function scrollFrames(
  page: Page,
  selector: string,
  options: { frames: number; pixels: number },
): Promise<number[]> {
  return page.evaluate<number[]>(`new Promise((resolve) => {
    const within = document.querySelector(${JSON.stringify(selector)});
    let scroller = within;
    const scrolls = (one) => /auto|scroll/.test(getComputedStyle(one).overflowY)
      && one.scrollHeight > one.clientHeight + 10;
    while (scroller !== null && !scrolls(scroller)) scroller = scroller.parentElement;
    scroller ??= [...within.querySelectorAll('*')].find(scrolls);
    const took = [];
    let before = performance.now();
    const step = (now) => {
      took.push(now - before);
      before = now;
      scroller.scrollTop += ${options.pixels};
      if (took.length < ${options.frames}) requestAnimationFrame(step);
      else resolve(took.slice(2));
    };
    requestAnimationFrame(step);
  })`);
}

/** Proportional memory in bytes of the renderer processes that this process started. */
export function rendererBytes(): number {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(all.map((pid) => [pid, parentOf(pid)]));
  const isOurs = (pid: string): boolean => {
    const parent = parents.get(pid);
    return parent === String(process.pid) || (parent !== undefined && isOurs(parent));
  };
  const pages = all.filter((pid) => read(`/proc/${pid}/cmdline`).includes('--type=renderer'));
  return pages.filter(isOurs).reduce((sum, pid) => sum + memoryOf(pid), 0);
}

/** Proportional memory of a process in bytes. */
export function memoryOf(pid: string): number {
  return Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024;
}

/** Bytes, compressed, of everything that the page loads before any lazy part. */
export function firstBundleBytes(): number {
  const page = readFileSync(path.join(RENDERER, 'index.html'), 'utf8');
  const named = [...page.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, file = '']) => file);
  const seen = new Set<string>();
  const load = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    if (!file.endsWith('.js')) return;
    const text = readFileSync(path.join(RENDERER, file), 'utf8');
    for (const [, next = ''] of text.matchAll(/(?:from|^import|;import)\s*"\.\/([^"]+)"/g)) {
      load(path.join(path.dirname(file), next));
    }
  };
  for (const file of named) load(file);
  const size = (file: string) => gzipSync(readFileSync(path.join(RENDERER, file))).length;
  return [...seen].reduce((sum, file) => sum + size(file), size('index.html'));
}

function parentOf(pid: string): string | undefined {
  return /^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1];
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
