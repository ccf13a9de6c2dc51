import { availableParallelism } from 'node:os';
import { defaultExclude, defineConfig } from 'vitest/config';

const FOLDERS = ['{shared,main,renderer,preload,scripts,packages}', 'tests/{contract,support}'];
const UNIT = FOLDERS.map((folders) => `${folders}/**/*.test.ts`);
const INTEGRATION = FOLDERS.map((folders) => `${folders}/**/*.integration.test.ts`);

/**
 * Unit tests stand beside their file, contract tests in tests/contract; all run in Node, without a DOM. Those that start programs or
 * browsers, kill them, or race on the disk for seconds are integration tests.
 */
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: UNIT, exclude: [...defaultExclude, ...INTEGRATION] },
      },
      { extends: true, test: { name: 'integration', include: INTEGRATION } },
    ],
    environment: 'node',
    setupFiles: ['tests/support/seed-properties.ts'],
    // Files share a worker's modules, which halves the time. A module that keeps state therefore makes tests depend on each other.
    isolate: false,
    // Two fifths of the time of the workers is waiting for the disk, for sockets and for programs that they start.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    restoreMocks: true,
    // As in playwright.config.ts: CI runs everything once, on a busy machine. A test that needed another try is printed by its name.
    retry: process.env.WEBGAL_AGENT_REQUIRE_WINDOW === '1' ? 1 : 0,
    testTimeout: 30_000,
    // Waits for programs, sockets and the disk: long enough for a machine that is busy with something else.
    expect: { poll: { timeout: 20_000 } },
  },
});
