import { defineConfig } from 'vitest/config';

/** Unit tests stand beside their file, contract tests in tests/contract; all run in Node, without a DOM. */
export default defineConfig({
  test: {
    include: ['{shared,main,renderer,preload,scripts}/**/*.test.ts', 'tests/{contract,support}/**/*.test.ts'],
    environment: 'node',
    // Files share a worker's modules: half the time. Nothing here keeps state in a module, and what does is the next bug.
    isolate: false,
    // Many tests wait, for the disk or for programs they start: a worker for each core, where one fewer is usual.
    maxWorkers: '100%',
    restoreMocks: true,
    testTimeout: 30_000,
    // Waits for programs, sockets and the disk: long enough for a machine that is busy with something else.
    expect: { poll: { timeout: 20_000 } },
  },
});
