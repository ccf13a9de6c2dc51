import { AppError } from '../../../shared/errors.ts';
import { findChosenOption, toOptionText } from '../../../shared/model/playtest/chosen-option.ts';
import type { Pick } from '../../../shared/model/playtest/picks.ts';
import type {
  StoryTest,
  StoryTestFailure,
  StoryTestResult,
  VariableCheck,
} from '../../../shared/model/playtest/story-test.ts';
import type { TriedRoute } from '../../../shared/model/playtest/tried-route.ts';
import { wordPlace } from '../../../shared/model/playtest/word-report.ts';
import type { StoryValue } from '../../../shared/model/stage.ts';
import { START_PATH } from '../../../shared/script/project-index/project-facts.ts';
import { isMemoryEnd } from '../ports/engine-pages.ts';
import { ENDS, type EngineDriver, type RoutePart, toPlace } from './engine-driver.ts';

/** Variables that a test can offer; a story has some tens. */
const MAX_VARIABLES = 500;

/**
 * Plays tests one after the other, each from the start. Ends early when stopped, or with a test whose page does not answer any more or
 * that cannot be started.
 */
export async function playStoryTests(
  tests: readonly StoryTest[],
  { driver, signal, pause }: { driver: EngineDriver; signal: AbortSignal; pause?: () => Promise<void> },
): Promise<StoryTestResult[]> {
  const results: StoryTestResult[] = [];
  for (const test of tests) {
    await pause?.();
    if (signal.aborted) break;
    try {
      results.push((await playStoryTest(test, driver)).result);
    } catch (error) {
      // Stopping ends the page during a test; the tests before it, and the routes, are kept.
      if (signal.aborted) break;
      if (!(error instanceof AppError) || !ENDS.has(error.code)) throw error;
      const place = { path: START_PATH, line: 1 };
      const expected = isMemoryEnd(error) ? 'no-memory' : error.code === 'E_TIMEOUT' ? 'no-answer' : 'no-restart';
      const failure: StoryTestFailure = { reason: 'fault', expected, found: wordPlace(place) };
      results.push({ name: test.name, place, picks: [], failure });
      break;
    }
  }
  return results;
}

/** Plays one test from the start. */
export async function playStoryTest(test: StoryTest, driver: EngineDriver): Promise<TriedRoute> {
  await driver.restart(test.inputs);
  const picks: Pick[] = [];
  const scenes = new Set<string>();
  let part = await driver.advance();
  const note = () => {
    for (const [path] of part.played) scenes.add(path);
  };
  const end = (failure: StoryTestFailure | null): TriedRoute => {
    const place = toPlace(part.scene, Math.max(0, part.line - 1));
    const ending = part.stop === 'end' ? part.scene : null;
    const reached = { ending, scenes: [...scenes], variables: toKnown(part.variables) };
    return { result: { name: test.name, place, picks, failure }, reached };
  };
  note();
  for (const wanted of test.choose) {
    const expected = toOptionText(wanted);
    if (part.stop !== 'choice') return end(toEarlyEnd(part, expected));
    const options = part.options ?? [];
    const at = findChosenOption(options, wanted);
    const found = options.map(({ text }) => text).join(' | ');
    if (at < 0) return end({ reason: 'no-option', expected, found });
    const menu = part.choice ?? { scene: part.scene, line: Math.max(0, part.line - 1) };
    picks.push({ ...toPlace(menu.scene, menu.line), option: at, text: options[at]?.text ?? expected });
    part = await driver.choose(at);
    note();
    if (part.stop === 'refused') return end({ reason: 'no-option', expected, found });
  }
  return end(judge(test, part, scenes));
}

/** The story went no further before this option. */
function toEarlyEnd(part: RoutePart, wanted: string): StoryTestFailure {
  const found = wordPlace(toPlace(part.scene, Math.max(0, part.line - 1)));
  return part.stop === 'end'
    ? { reason: 'ended', expected: wanted, found }
    : { reason: 'fault', expected: part.stop, found };
}

function judge({ expect }: StoryTest, part: RoutePart, scenes: ReadonlySet<string>): StoryTestFailure | null {
  const here = wordPlace(toPlace(part.scene, Math.max(0, part.line - 1)));
  const isFault = part.stop !== 'end' && part.stop !== 'choice';
  if (isFault) return { reason: 'fault', expected: part.stop, found: here };
  if (expect.ending !== undefined) {
    if (part.stop === 'choice') return { reason: 'waits', expected: expect.ending, found: here };
    const ending = part.scene;
    const wanted = toScenePath(expect.ending);
    if (ending !== wanted) return { reason: 'other-ending', expected: expect.ending, found: ending };
  }
  if (expect.scene !== undefined && !scenes.has(toScenePath(expect.scene))) {
    return { reason: 'no-scene', expected: expect.scene, found: here };
  }
  for (const check of expect.variables ?? []) {
    const value = part.variables[check.name];
    if (!isTrue(value ?? null, check)) {
      return {
        reason: 'variable',
        expected: `${check.name} ${check.is} ${String(check.value)}`,
        found: value === undefined || value === null ? '–' : String(value),
      };
    }
  }
  return null;
}

function toKnown(variables: RoutePart['variables']): TriedRoute['reached']['variables'] {
  const known = Object.entries(variables).filter((entry): entry is [string, StoryValue] => entry[1] !== null);
  return Object.fromEntries(known.slice(0, MAX_VARIABLES));
}

function toScenePath(name: string): string {
  if (name.startsWith('game/scene/')) return name;
  return `game/scene/${/\.[^/]+$/.test(name) ? name : `${name}.txt`}`;
}

/** Compares numbers as numbers, also where the engine stores them as text. */
function isTrue(found: string | number | boolean | null, { is, value }: VariableCheck): boolean {
  if (found === null) return is === '!=';
  const areNumbers = typeof value === 'number' && found !== '' && !Number.isNaN(Number(found));
  const [one, other] = areNumbers ? [Number(found), value] : [String(found), String(value)];
  switch (is) {
    case '==':
      return one === other;
    case '!=':
      return one !== other;
    case '>':
      return one > other;
    case '>=':
      return one >= other;
    case '<':
      return one < other;
    case '<=':
      return one <= other;
  }
}
