import { z } from 'zod';
import { ProjectPath } from '../../paths/project-path.ts';
import { StageProblem } from '../stage.ts';

const line = z.int().min(1);

/** Problems of the stage that one message names at most. */
export const MAX_STAGE_NEWS = 20;

const StageNews = z.strictObject({
  problem: StageProblem.shape.reason,
  subject: z.string().max(300),
  path: z.string().max(500).optional(),
  line: line.optional(),
});
export type StageNews = z.infer<typeof StageNews>;

/**
 * What the user has in view when a message is sent. Counts and places only, except for the selection. Without an open file: neither
 * `path` nor what belongs to it.
 */
export const EditorContext = z.strictObject({
  path: ProjectPath.optional(),
  line: line.optional(),
  selection: z.string().max(20_000).optional(),
  /** First and last visible line of the text; absent while another view covers it. */
  visible: z.tuple([line, line]).optional(),
  /** What the stage shows, and what went wrong on it since the conversation was last told. */
  stage: z
    .strictObject({
      scene: z.string().max(500),
      line: z.int().min(0),
      /** Problems that the engine reported. */
      problems: z.int().min(1).optional(),
      news: z.array(StageNews).max(MAX_STAGE_NEWS).optional(),
    })
    .optional(),
  /** Open problems of the file at `path`; without one, of the whole game. */
  problems: z.strictObject({ errors: z.int().min(0), warnings: z.int().min(0) }).optional(),
});
export type EditorContext = z.infer<typeof EditorContext>;
