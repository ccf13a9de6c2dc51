import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { mayLeaveNothingOut, test } from '../fixtures.ts';

const hasXdotool = (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, 'xdotool')));

/** `test` for tests that need real input. Skipped without xdotool, which exists for X displays only. */
export const withXdotool = hasXdotool || (mayLeaveNothingOut && process.platform === 'linux') ? test : test.skip;

/** Suffix for the titles of such tests. */
export const xdotoolReason = hasXdotool ? '' : ' (skipped: xdotool is not installed)';
