import { z } from 'zod';
import { Pick, PlaytestPlace } from './picks.ts';
import { StoryTestResult } from './story-test.ts';

/** Which engine plays: the one that came with the game, or the app's. */
export const PLAYTEST_ENGINES = ['own', 'bundled'] as const;
export type PlaytestEngine = (typeof PLAYTEST_ENGINES)[number];

/** What a playtest can find. The texts are `playtest:finding.<code>`; `subject` is their value. */
export const FindingCode = z.enum([
  'exception',
  'engine-error',
  'missing-file',
  'unreadable-file',
  'blocked-address',
  'stuck-line',
  'no-option',
  'no-answer',
  'no-memory',
  'no-restart',
  'endless-loop',
  'dead-end',
  'unreachable-scene',
  'unreachable-ending',
  'never-true',
  'never-offered',
  'text-overflow',
]);
export type FindingCode = z.infer<typeof FindingCode>;

export const PlaytestFinding = z.object({
  code: FindingCode,
  severity: z.enum(['error', 'warning']),
  place: PlaytestPlace,
  /** The file, the message of the engine, the option or the condition; may be blank. */
  subject: z.string(),
  /** Of `text-overflow`: how many characters players do not see, without blanks; the subject is the beginning of a long text. */
  hidden: z.int().min(0).optional(),
  /** The choices that lead there; null for what no route reaches. */
  route: z.array(Pick).nullable(),
});
export type PlaytestFinding = z.infer<typeof PlaytestFinding>;

/** Lines that players see or the engine runs, without comments and labels. `never`: runs of lines that no route played. */
export const SceneCoverage = z.object({
  path: z.string(),
  lines: z.int(),
  played: z.int(),
  never: z.array(z.object({ first: z.int(), last: z.int() })),
});
export type SceneCoverage = z.infer<typeof SceneCoverage>;

/** How a route ended. `again`: at a menu that another route had played with the same variables. */
export const RouteEnd = z.enum([
  'end',
  'dead-end',
  'stuck',
  'no-option',
  'no-answer',
  'no-memory',
  'loop',
  'limit',
  'again',
  'stopped',
]);
export type RouteEnd = z.infer<typeof RouteEnd>;

export const PlaytestRoute = z.object({ picks: z.array(Pick), end: RouteEnd, place: PlaytestPlace });
export type PlaytestRoute = z.infer<typeof PlaytestRoute>;

/** A line with `end`, or a scene, with the fewest choices that lead there among the played routes; null if none does. */
export const Reached = z.object({ place: PlaytestPlace, route: z.array(Pick).nullable() });
export type Reached = z.infer<typeof Reached>;

export const PlaytestReport = z.object({
  /** `complete`: no other route can reach more. `budget`: the limits of time, routes or one route's length ended it. */
  status: z.enum(['complete', 'budget', 'stopped']),
  /** The engine of the game. */
  engineVersion: z.string(),
  /** The engine that it was played on. */
  playedEngineVersion: z.string(),
  findings: z.array(PlaytestFinding),
  routes: z.array(PlaytestRoute),
  endings: z.array(Reached),
  scenes: z.array(Reached),
  coverage: z.object({ lines: z.int(), played: z.int(), scenes: z.array(SceneCoverage) }),
  /** Options of menus, and how many of them were taken. */
  options: z.object({ total: z.int(), taken: z.int() }),
  /** The results of the story's own tests (`story-tests.json`). */
  tests: z.array(StoryTestResult),
  /** Statements that the engine ran. */
  steps: z.int(),
  ms: z.int(),
});
export type PlaytestReport = z.infer<typeof PlaytestReport>;

/** Limits of one playtest. */
export interface PlaytestBudget {
  maxRoutes: number;
  maxMs: number;
}

export const DEFAULT_BUDGET: PlaytestBudget = { maxRoutes: 500, maxMs: 10 * 60_000 };

export const PlaytestProgress = z.object({
  routes: z.int(),
  played: z.int(),
  lines: z.int(),
  /** Statements that the engine ran. */
  steps: z.int(),
  /** Number of findings so far. */
  findings: z.int(),
});
export type PlaytestProgress = z.infer<typeof PlaytestProgress>;
