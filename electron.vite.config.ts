import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

/** The pages' zod; the name of this file says why. */
const NO_EVAL = path.resolve(import.meta.dirname, 'src-renderer/no-eval.ts');

/** The preload follows with the Electron door. */
export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      // Native packages stay outside: everything in `dependencies` is external by default.
      rollupOptions: { input: { cli: 'src-main/doors/cli/main.ts' } },
    },
  },
  renderer: {
    root: 'src-renderer',
    // Served from `/` by both doors; relative, so that neither has to rewrite a page.
    base: './',
    plugins: [react()],
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
