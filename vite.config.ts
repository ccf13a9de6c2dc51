import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { createChunkGroups } from './scripts/chunk-groups.ts';
import { collectLicences } from './scripts/collect-licences.ts';

/** Builds the page. `base` is relative, for the bundle is served from http on one host and from app:// on the other. */
export default defineConfig({
  root: 'renderer',
  base: './',
  plugins: [react(), collectLicences()],
  build: {
    outDir: '../out/renderer',
    emptyOutDir: true,
    chunkSizeWarningLimit: 4000,
    rolldownOptions: {
      output: { codeSplitting: { groups: createChunkGroups() } },
    },
  },
  worker: { format: 'es' },
});
