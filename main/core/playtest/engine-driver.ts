import { z } from 'zod';
import { AppError, type ErrorCode } from '../../../shared/errors.ts';
import type { PlaytestPlace } from '../../../shared/model/playtest/picks.ts';
import { toPlainSpeech } from '../../../shared/script/language-features/split-dialogue.ts';
import { START_PATH } from '../../../shared/script/project-index/project-facts.ts';
import { type EnginePage, isMemoryEnd } from '../ports/engine-pages.ts';
import type { FilledNames } from './seen/filled-names.ts';
import type { StaticRoutes } from './static-routes.ts';

export const START_TIMEOUT_MS = 60_000;
/** One part of a route; longer ones are continued as another. */
const MAX_STEPS = 200_000;
const MAX_REPEATS = 3;
/** A story that draws lots may leave a loop after many rounds. */
const MAX_RANDOM_REPEATS = 90;

const Text = z.string().transform((text) => text.slice(0, 500));
const Hidden = z.string().transform((text) => ({ text: text.slice(0, 500), length: toPlainSpeech(text).length }));
/** Addresses of scenes; longer ones are of no game. */
const Scene = z.string().max(2_000);
/** Lines that follow each other: the first and the last. */
const Run = z.tuple([z.int().min(0), z.int().min(0)]);
type Run = z.infer<typeof Run>;
const Runs = z.array(z.tuple([Scene, z.array(Run)])).max(10_000);
const Values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]).catch(null));

const Part = z.object({
  /** `limit`: the part is too long; `late`: the time of the run is over, and the part goes on. */
  stop: z.enum([
    ...['choice', 'end', 'dead-end', 'stuck', 'no-option', 'no-answer', 'loop', 'limit', 'late', 'refused'],
  ] as const),
  scene: Scene,
  line: z.int().min(0),
  stack: z.array(z.tuple([Scene, z.int()])).max(10_000),
  played: Runs,
  skipped: Runs,
  problems: z
    .array(
      z.object({
        level: z.enum(['error', 'exception', 'warning', 'blocked', 'unreadable']),
        text: Text,
        scene: Scene,
        line: z.int().min(0),
      }),
    )
    .max(1_000),
  steps: z.int().min(0),
  variables: Values,
  inputsLeft: z.int().min(0).default(0),
  options: z
    .array(z.object({ text: Text, isEnabled: z.boolean() }))
    .max(1_000)
    .optional(),
  choice: z
    .object({ scene: Scene, line: z.int().min(0) })
    .nullable()
    .optional(),
  overflows: z
    .array(z.object({ scene: Scene, line: z.int().min(0), shown: Text, hidden: Hidden }))
    .max(10_000)
    .default([]),
  /** Files that lines named by variables. */
  filled: z
    .array(z.object({ scene: Scene, line: z.int().min(0), file: Text }))
    .max(10_000)
    .default([]),
});

/** What the engine did until it waits for a choice or cannot go on. Lines are 0-based, scenes project paths. */
export interface RoutePart extends Omit<z.infer<typeof Part>, 'played' | 'skipped'> {
  played: PlayedLines;
  skipped: PlayedLines;
}

/** Lines that count for the coverage, by scene. */
type PlayedLines = [path: string, lines: number[]][];

/** What a driver throws where the page does not answer any more, or the story does not begin anew. */
export const ENDS: ReadonlySet<ErrorCode> = new Set(['E_TIMEOUT', 'E_PREVIEW_FAIL']);

/** Plays a story in one page of the engine. */
export interface EngineDriver {
  /** Begins the story anew; throws `E_PREVIEW_FAIL` where it does not. `inputs`: answers to its questions, in order; the engine's default for more. */
  restart(inputs?: readonly string[]): Promise<void>;
  /** Plays on. Throws `E_TIMEOUT` where the page gives no answer, or none that an engine gives. */
  advance(): Promise<RoutePart>;
  /** Takes the option at this place of the menu as it is shown, from 0. */
  choose(at: number): Promise<RoutePart>;
}

export interface DrivingOptions {
  page: EnginePage;
  /** The first scene, relative to the folder of scenes. */
  start?: string;
  /** How long to wait for the engine, in ms. */
  startMs: number;
  isRandom: boolean;
  measures: boolean;
  /** The lines of the game: a page may tell of others without end. */
  lines: StaticRoutes['lines'];
  /** Returns how much time the run has left, in ms; without it, a page has the time that its calls may take. */
  left?: () => number;
  /** Collects the files that lines name by variables. */
  filled?: FilledNames;
}

/** Waits for the engine and creates its driver. Throws `E_PREVIEW_FAIL` where the engine does not start, and `playtest.memory`. */
export async function createEngineDriver(options: DrivingOptions): Promise<EngineDriver> {
  const { page, startMs, isRandom, measures, lines, left, filled, start = 'start.txt' } = options;
  const isReady = await page.call('ready', startMs).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'E_TIMEOUT' && !isMemoryEnd(error)) return false;
    throw error;
  });
  if (isReady !== true) throw silent('The engine did not start.');
  const how = {
    maxSteps: MAX_STEPS,
    maxRepeats: isRandom ? MAX_RANDOM_REPEATS : MAX_REPEATS,
    measures,
  };
  let rest: string[] = [];
  const play = async (name: 'advance' | 'choose', more: object): Promise<RoutePart> => {
    const maxMs = left && Math.max(0, left());
    const answer = Part.safeParse(await page.call(name, { ...how, ...more, maxMs, inputs: rest }, maxMs));
    if (!answer.success) throw new AppError('E_TIMEOUT', 'The page of the game gave an answer that no engine gives.');
    rest = rest.slice(rest.length - Math.min(rest.length, answer.data.inputsLeft));
    const part = toProjectPaths(answer.data, lines);
    for (const { file, scene, line } of part.filled) filled?.add(file, toPlace(scene, line));
    return part;
  };
  return {
    async restart(inputs = []) {
      rest = [...inputs];
      if ((await page.call('restart', start, left?.())) !== true) throw silent('The story could not be started.');
    },
    advance: () => play('advance', {}),
    choose: (at) => play('choose', { at }),
  };
}

function silent(message: string): AppError {
  return new AppError('E_PREVIEW_FAIL', message, {
    hint: 'Check that game/config.txt and game/scene/start.txt exist, and that no script of the game keeps the engine busy.',
    reason: 'playtest.noStart',
  });
}

/** Replaces addresses by project paths. Scenes that the game does not have become its first one, or are left out. */
function toProjectPaths(part: z.infer<typeof Part>, lines: StaticRoutes['lines']): RoutePart {
  const toKnown = (url: string, other: string): string => {
    const path = toPath(url);
    return lines.has(path) ? path : other;
  };
  const isKnown = ({ scene }: { scene: string }): boolean => lines.has(scene);
  const toPlaced = <T extends { scene: string }>(one: T): T => ({ ...one, scene: toKnown(one.scene, '') });
  return {
    ...part,
    scene: toKnown(part.scene, START_PATH),
    stack: part.stack.map(([url, line]) => [toKnown(url, ''), line]),
    played: toKnownLines(part.played, lines),
    skipped: toKnownLines(part.skipped, lines),
    problems: part.problems.map(toPlaced),
    overflows: part.overflows.map(toPlaced).filter(isKnown),
    filled: part.filled.map((one) => ({ ...toPlaced(one), file: toPath(one.file) })).filter(isKnown),
    ...(part.choice && { choice: { ...part.choice, scene: toKnown(part.choice.scene, START_PATH) } }),
  };
}

/** Returns the game's lines within these runs, which may be in any order and overlap. Linear in the runs and the game. */
function toKnownLines(scenes: z.infer<typeof Runs>, lines: StaticRoutes['lines']): PlayedLines {
  const byPath = new Map<string, Run[]>();
  for (const [url, runs] of scenes) {
    const path = toPath(url);
    if (!lines.has(path)) continue;
    const known = byPath.get(path) ?? [];
    for (const run of runs) known.push(run);
    byPath.set(path, known);
  }
  return [...byPath].map(([path, runs]) => {
    runs.sort(([one], [other]) => one - other);
    const found: number[] = [];
    let at = 0;
    for (const line of lines.get(path) ?? []) {
      while (isBefore(runs[at], line)) at += 1;
      const run = runs[at];
      if (run !== undefined && run[0] <= line) found.push(line);
    }
    return [path, found];
  });
}

const isBefore = (run: Run | undefined, line: number): boolean => run !== undefined && run[1] < line;

/** Returns the project path of an address: `./game/scene/a.txt?x` → `game/scene/a.txt`. */
export function toPath(url: string): string {
  const plain = url.replace(/[?#].*$/s, '').replace(/^https?:\/\/[^/]*/, '');
  const parts: string[] = [];
  for (const part of plain.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** The place of a 0-based line. */
export function toPlace(path: string, line: number): PlaytestPlace {
  return { path, line: line + 1 };
}
