import { defineConfig } from 'electron-vite';

/** The main process alone; preload and renderer follow with the Electron door. */
export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      // Native packages stay outside: everything in `dependencies` is external by default.
      rollupOptions: { input: { cli: 'src-main/doors/cli/main.ts' } },
    },
  },
});
