import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { mayLeaveNothingOut, test } from '../fixtures.ts';

const hasXdotool = (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, 'xdotool')));

/** `test` for stories that need a real key or pointer. It is a program of X displays, so no other system is asked for it. */
export const withXdotool = hasXdotool || (mayLeaveNothingOut && process.platform === 'linux') ? test : test.skip;

/** For the title of such a story. */
export const xdotoolReason = hasXdotool ? '' : ' (left out: there is no xdotool)';
