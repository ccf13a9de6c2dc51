import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

const { projects: _, ...shared } = base.test ?? {};

/** The cases of the assistant against scripted services over HTTP; see docs/agent.md. */
export default defineConfig({
  ...base,
  // Cases prepare whole games, and some turns answer at length, which takes long on a busy machine.
  test: { ...shared, hookTimeout: 60_000, testTimeout: 120_000, include: ['tests/gauntlet/**/*.test.ts'] },
});
