import { expect, it } from 'vitest';
import type { DriverReply, EngineState } from '../../ports/stage-driver.ts';
import { createPatience } from './patience.ts';

const at = (line: number): EngineState => ({
  ...{ file: 'start.txt', scene: 'start.txt', line, jumped: false, stage: {} },
  ...{ choices: [], hasInput: false, isOnTitle: false, hasTextBox: true },
});
const failed = (reason: 'waits' | 'busy' | 'loading' | 'endless' | 'not-ready', line: number): DriverReply => ({
  ...{ done: false, reason, state: at(line) },
});
const silent: DriverReply = { done: false, reason: 'no-answer', state: null };

it('waits for half a minute where the story stands still, from its last move', async () => {
  let now = 0;
  const mayGoOn = createPatience(() => now);
  const after = (seconds: number, reply: DriverReply): Promise<boolean> => {
    now += seconds * 1_000;
    return mayGoOn(reply);
  };
  expect(await after(1, { done: true, state: at(1) })).toBe(true);
  expect(await after(29, failed('waits', 1))).toBe(true);
  // A busy page does not say that it moved, but it shows another line.
  expect(await after(29, failed('busy', 2))).toBe(true);
  expect(await after(29, failed('loading', 2))).toBe(true);
  expect(await after(1, failed('waits', 2))).toBe(false);
});

it('does not wait where the story itself is at fault, or is closed', async () => {
  const mayGoOn = createPatience();
  expect(await mayGoOn(failed('endless', 1))).toBe(false);
  expect(await mayGoOn({ done: false, reason: 'closed', state: null })).toBe(false);
});

it('asks a silent page five more times, and again after an answer', async () => {
  const mayGoOn = createPatience();
  const asked = () => Promise.all(Array.from({ length: 6 }, () => mayGoOn(silent)));
  expect(await asked()).toEqual([true, true, true, true, true, false]);
  expect(await mayGoOn({ done: true, state: at(1) })).toBe(true);
  expect(await asked()).toEqual([true, true, true, true, true, false]);
});

it('waits for ten seconds for an engine that starts', async () => {
  let now = 0;
  const mayGoOn = createPatience(() => now);
  now = 9_000;
  expect(await mayGoOn(failed('not-ready', 0))).toBe(true);
  now = 10_000;
  expect(await mayGoOn(failed('not-ready', 0))).toBe(false);
});
