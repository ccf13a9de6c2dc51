import { z } from 'zod';
import { Diagnostic } from './diagnostic.ts';
import { Hunk } from './diff.ts';
import { ChangedFile } from './snapshot.ts';

/**
 * One file of a proposal. `before` is the text on disk when the assistant first touched it (null: the file is new),
 * `after` the text it proposes (null: the file goes). Where the file changed meanwhile elsewhere than the proposal, both
 * are those of the merge (`isMerged`); `clash` is set when both changed the same lines.
 */
export const ProposedFile = z.object({
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** The file it was before it got another name; that one goes in the same proposal. */
  from: z.string().optional(),
  hunks: z.array(Hunk),
  added: z.int().min(0),
  removed: z.int().min(0),
  isMerged: z.boolean().optional(),
  clash: z.boolean(),
});
export type ProposedFile = z.infer<typeof ProposedFile>;

/** `drafting`: the assistant is still at it. `review`: waiting for the writer. Nothing of it is on disk. */
export const Proposal = z.object({
  id: z.string(),
  turn: z.string(),
  state: z.enum(['drafting', 'review']),
  /** True for a change of the writer's own that touches more than the text she is in: a rename, a fix of all of a kind. */
  isHers: z.boolean().optional(),
  summary: z.string(),
  files: z.array(ProposedFile),
  /** Problems the proposal would bring in, not those that were there before. */
  newProblems: z.array(Diagnostic),
});
export type Proposal = z.infer<typeof Proposal>;

/**
 * What came of accepting. `version` is what a file is at now (null: it went), `merged` names the files in which changes
 * made meanwhile were kept. On `clash` nothing at all was written; `clashes` names the files in which lines meet.
 */
export const AcceptResult = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('applied'),
    group: z.string(),
    files: z.array(ChangedFile),
    merged: z.array(z.string()),
  }),
  z.object({ status: z.literal('clash'), clashes: z.array(z.string()) }),
]);
export type AcceptResult = z.infer<typeof AcceptResult>;
