import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { licencesPlugin } from './scripts/packaging/licences-plugin.ts';
import { OWN_SCRIPTS } from './src-main/lib/own-files.ts';

/** The pages' zod; the name of this file says why. */
const NO_EVAL = path.resolve(import.meta.dirname, 'src-renderer/no-eval.ts');

/** Scripts that are started as files stay files; see `ownScript`. */
const SCRIPTS = Object.fromEntries(
  Object.entries(OWN_SCRIPTS).map(([name, file]) => [name, `src-main/${file}`]),
);

const licences = licencesPlugin(import.meta.dirname);

export default defineConfig({
  main: {
    plugins: [licences],
    build: {
      outDir: 'out/main',
      // Native packages stay outside: everything in `dependencies` is external by default.
      rollupOptions: { input: { ...SCRIPTS, electron: 'src-main/doors/electron/main.ts' } },
    },
  },
  preload: {
    plugins: [licences],
    build: {
      outDir: 'out/preload',
      // One file: a sandboxed preload can require `electron` and nothing else.
      rollupOptions: {
        input: { preload: 'src-main/doors/electron/preload.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
      },
    },
  },
  renderer: {
    root: 'src-renderer',
    // Served from `/` by both doors; relative, so that neither has to rewrite a page.
    base: './',
    plugins: [react(), licences],
    resolve: { alias: [{ find: /^zod$/, replacement: NO_EVAL }] },
    build: {
      outDir: 'out/renderer',
      emptyOutDir: true,
      minify: true,
      // Chromium of Electron 45 and the browsers of today: nothing is lowered or polyfilled.
      target: 'es2024',
      modulePreload: { polyfill: false },
      // The content security policy allows no `data:` but in images.
      assetsInlineLimit: 0,
      rollupOptions: { input: 'src-renderer/index.html' },
    },
  },
});
