import { z } from 'zod';
import { ProjectPath } from '../paths/project-path.ts';
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
  /** Ids of the plan's steps that drafted it. */
  steps: z.array(z.string()).optional(),
  /** For each piece the ids of the steps that made it; none: the user, or a turn without a plan. Absent without `steps`. */
  pieceSteps: z.array(z.array(z.string())).optional(),
  hunks: z.array(Hunk),
  /** Identifies this comparison of `before` and `after`: another one has another version, also after a restart. */
  version: z.string(),
  added: z.int().min(0),
  removed: z.int().min(0),
  isMerged: z.boolean().optional(),
  hasConflict: z.boolean(),
});
export type ProposedFile = z.infer<typeof ProposedFile>;

/** A step of a plan that drafted a part of a proposal. `summary` is shortened. */
export const ProposalStep = z.object({ id: z.string(), summary: z.string() });
export type ProposalStep = z.infer<typeof ProposalStep>;

/** `drafting`: the assistant is still editing. `review`: waiting for the user. Nothing of it is on disk. */
export const Proposal = z.object({
  id: z.string(),
  turn: z.string(),
  state: z.enum(['drafting', 'review']),
  /** `user`: the user's own change to more than the open text, such as a rename or a fix of all problems of a kind. */
  author: z.enum(['user', 'assistant']),
  summary: z.string(),
  files: z.array(ProposedFile),
  /** The steps that drafted the files, in the order of the plan; absent without a plan. */
  steps: z.array(ProposalStep).optional(),
  /** Problems that the proposal would introduce, without those that exist already. */
  newProblems: z.array(Diagnostic),
});
export type Proposal = z.infer<typeof Proposal>;

/**
 * Some pieces of a proposed file (see `shared/text/pieces.ts`). `take`: 0-based indexes of hunks. `edited`: lines of the user in place of
 * the proposed ones of a taken hunk.
 */
export const PieceRequest = z.strictObject({
  path: ProjectPath,
  /** The version of the proposed file that the indexes refer to. */
  version: z.string(),
  take: z.array(z.int().min(0)).min(1),
  edited: z.array(z.strictObject({ hunk: z.int().min(0), lines: z.array(z.string()) })).optional(),
});
export type PieceRequest = z.infer<typeof PieceRequest>;

/**
 * The part of a proposal that the user ticked: the named files (all, when omitted), and of those in `pieces` only some pieces.
 */
export const ProposalPart = z.strictObject({
  id: z.string().min(1).max(200),
  paths: z.array(ProjectPath).optional(),
  pieces: z.array(PieceRequest).optional(),
});
export type ProposalPart = z.infer<typeof ProposalPart>;

/**
 * `overwrite` names files to write although they changed on disk in the meantime; the text on disk is snapshotted first. `confirmed`
 * names files to write although a plan's validation blocks them; without it the refusal says why (`E_POLICY_VIOLATION`, reason
 * `patch.blocked`, `details.issues`). `E_CONFLICT` (reason `proposal.changed`) for pieces of another version of a file. Nothing is
 * written then.
 */
export const AcceptRequest = ProposalPart.extend({
  overwrite: z.array(ProjectPath).optional(),
  confirmed: z.array(ProjectPath).optional(),
});

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
