import { z } from 'zod';
import { Diagnostic } from './diagnostic.ts';
import { Hunk } from './diff.ts';
import { ChangedFile } from './snapshot.ts';

/**
 * One file of a proposal. `before` is the text on disk when the assistant first changed it (null: the file is new),
 * `after` the proposed text (null: the file is removed). When other lines of the file changed on disk in the meantime,
 * both are the merged texts (`isMerged`); `hasConflict` is true when both sides changed the same lines.
 */
export const ProposedFile = z.object({
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** The path before a rename; that file is removed in the same proposal. */
  from: z.string().optional(),
  hunks: z.array(Hunk),
  added: z.int().min(0),
  removed: z.int().min(0),
  isMerged: z.boolean().optional(),
  hasConflict: z.boolean(),
});
export type ProposedFile = z.infer<typeof ProposedFile>;

/** `drafting`: the assistant is still editing. `review`: waiting for the user. Nothing of it is on disk. */
export const Proposal = z.object({
  id: z.string(),
  turn: z.string(),
  state: z.enum(['drafting', 'review']),
  /** `user`: the user's own change to more than the open text, such as a rename or a fix of all problems of a kind. */
  author: z.enum(['user', 'assistant']),
  summary: z.string(),
  files: z.array(ProposedFile),
  /** Problems that the proposal would introduce, without those that exist already. */
  newProblems: z.array(Diagnostic),
});
export type Proposal = z.infer<typeof Proposal>;

/**
 * Result of accepting. `version` is the file's new version (null: removed), `merged` lists files in which changes made
 * in the meantime were kept. On `conflict` nothing was written; `conflicts` lists the files with conflicting lines.
 */
export const AcceptResult = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('applied'),
    group: z.string(),
    files: z.array(ChangedFile),
    merged: z.array(z.string()),
  }),
  z.object({ status: z.literal('conflict'), conflicts: z.array(z.string()) }),
]);
export type AcceptResult = z.infer<typeof AcceptResult>;
