import { z } from 'zod';
import { ErrorData } from '../../errors.ts';
import { PlaytestFinding, PlaytestProgress, PlaytestReport, Reached, SceneCoverage } from './report.ts';

/** Which texts a playtest plays: the disk, unsaved text over it, or the proposal over both. */
export const PlaytestSource = z.enum(['saved', 'unsaved', 'proposed']);
export type PlaytestSource = z.infer<typeof PlaytestSource>;

/**
 * What the user asks for. `onlyTests`: the tests of the story without the routes; `test`: only the test of that name; `resumes`: goes on
 * where the last run ended early.
 */
export const PlaytestRequest = z.strictObject({
  source: PlaytestSource,
  onlyTests: z.boolean().default(false),
  test: z.string().max(200).optional(),
  resumes: z.boolean().optional(),
});
export type PlaytestRequest = z.infer<typeof PlaytestRequest>;

/** The playtest of the open game that the user started. */
export const PlaytestState = z.object({
  /** `pausing`: it pauses when the present route has ended. */
  status: z.enum(['idle', 'running', 'pausing', 'paused']),
  /** What runs or ran last. */
  request: PlaytestRequest.nullable(),
  /** Null until something was played. */
  progress: PlaytestProgress.nullable(),
  /** Time of the run so far, without pauses. */
  ms: z.int().min(0),
  /** Grows with each result; 0 while there is none. */
  result: z.int().min(0),
  /** The texts of the last run of the routes, if it ended early and another can go on where it ended. */
  resumable: PlaytestSource.nullable(),
  /** Scenes whose present text is not the one that the last result is about. */
  changed: z.array(z.string()),
  /** Why the last run has no result. */
  error: ErrorData.nullable(),
});
export type PlaytestState = z.infer<typeof PlaytestState>;

/** More are not listed in the page; an exported report has all. */
export const MAX_SHOWN_FINDINGS = 2_000;

/** A report as the page shows it: bounded, and without the single routes. */
export const PlaytestResult = PlaytestReport.omit({ routes: true, findings: true, endings: true, scenes: true }).extend(
  {
    /** The `result` of the state. */
    number: z.int(),
    /** When the run ended, in milliseconds since 1970. */
    at: z.number(),
    request: PlaytestRequest,
    routes: z.int(),
    findings: z.array(PlaytestFinding).max(MAX_SHOWN_FINDINGS),
    /** Findings of each kind, all of them. */
    errors: z.int(),
    warnings: z.int(),
    endings: z.array(Reached).max(MAX_SHOWN_FINDINGS),
    scenes: z.array(Reached).max(MAX_SHOWN_FINDINGS),
  },
);
export type PlaytestResult = z.infer<typeof PlaytestResult>;

/** What the last run did not play of one scene, with the lines that it is about. */
export const PlayedScene = z.object({
  at: z.number(),
  lines: z.array(z.string()),
  never: SceneCoverage.shape.never,
});
export type PlayedScene = z.infer<typeof PlayedScene>;
