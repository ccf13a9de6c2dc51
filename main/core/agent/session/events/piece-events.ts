import { z } from 'zod';
import { StepMarks } from '../../../../../shared/model/plan/step-mark.ts';
import { ProjectPath } from '../../../../../shared/paths/project-path.ts';

const LoggedDraft = z.object({
  base: z.string().nullable(),
  before: z.string().nullable(),
  text: z.string().nullable(),
  marks: StepMarks.optional(),
});

/**
 * A piece of a draft in a decision. `line`: 1-based, in the text that was written. `removes`: the number of lines that it takes away.
 * `text`: its lines, cut when long; absent if the decision has too many.
 */
const LoggedPiece = z.object({ line: z.int(), removes: z.int(), text: z.string().optional() });

/** What the user decided about the pieces of a file. `more`: pieces that are not listed. */
const LoggedPieces = z.object({
  path: z.string(),
  accepted: z.array(LoggedPiece),
  /** Accepted with other lines: `text` are the user's, `proposed` those of the assistant. */
  edited: z.array(LoggedPiece.extend({ proposed: z.string().optional() })),
  /** Not accepted. */
  left: z.array(LoggedPiece),
  more: z.int().optional(),
});
export type LoggedPieces = z.infer<typeof LoggedPieces>;

/** Of files of which only a part was decided, or that the user edited. */
export const decidedPieces = z.array(LoggedPieces).optional().catch(undefined);

/** Only a part of a draft is about to be written: its text then, and the draft of what still waits (null: nothing). */
export const DraftPartEvent = z.object({
  t: z.literal('draft.part'),
  at: z.number(),
  turn: z.string(),
  path: ProjectPath,
  text: z.string().nullable(),
  rest: LoggedDraft.nullable(),
});
