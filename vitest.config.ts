import { defineConfig } from 'vitest/config';

/** Unit tests stand beside their file, contract tests in tests/contract; all run in Node, without a DOM. */
export default defineConfig({
  test: {
    include: ['{shared,main,renderer,preload,scripts}/**/*.test.ts', 'tests/{contract,support}/**/*.test.ts'],
    environment: 'node',
    // Files share a worker's modules: half the time. Nothing here keeps state in a module, and what does is the next bug.
    isolate: false,
    restoreMocks: true,
    testTimeout: 10_000,
  },
});
