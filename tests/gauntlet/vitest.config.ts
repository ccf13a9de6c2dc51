import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

/** The cases of the assistant against scripted services over HTTP; see docs/agent.md. */
export default defineConfig({ ...base, test: { ...base.test, include: ['tests/gauntlet/**/*.test.ts'] } });
