import { LIMITS } from '../../stage/scripts/stage-bridge-script.ts';
import { CLOCK_SCRIPT } from './clock-script.ts';
import { DRAWN_FILES_SCRIPT } from './drawn-files-script.ts';
import { MEASURE_SCRIPT } from './measure-script.ts';
import { PLAYER_SCRIPT } from './player-script.ts';
import { PROBE_SCRIPT } from './probe-script.ts';

/** Runs in the engine's page before any other script of the page. Old syntax: it is sent without a build step. */
export const PLAYTEST_SCRIPT = `(() => {
  'use strict';
  ${LIMITS}
${CLOCK_SCRIPT}${PROBE_SCRIPT}${DRAWN_FILES_SCRIPT}${MEASURE_SCRIPT}${PLAYER_SCRIPT}})();`;
