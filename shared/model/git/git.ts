import { z } from 'zod';

/**
 * Why the repository of a game is not used. `file`: `.git` is a file that names another folder. `elsewhere`: it leads to another
 * folder. `config`: its settings would run programs that cannot be turned off. `owner`: it belongs to another account.
 * `unreadable`: Git cannot read it, or takes too long.
 */
const GitRefusal = z.enum(['file', 'elsewhere', 'config', 'owner', 'unreadable']);
export type GitRefusal = z.infer<typeof GitRefusal>;

/** Why nothing can be committed now. `noName`: Git does not know the user's name and address. */
const GitBlock = z.enum(['merging', 'conflicts', 'noName']);
export type GitBlock = z.infer<typeof GitBlock>;

/** The repository that contains the open game. */
export const GitState = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('ready'),
    /** Null: no branch is checked out. */
    branch: z.string().nullable(),
    /** Number of files of the game that differ from the last commit. */
    changes: z.int().min(0),
  }),
  z.object({ status: z.literal('refused'), reason: GitRefusal }),
]);
export type GitState = z.infer<typeof GitState>;

export const MAX_GIT_FILES = 5000;

/** A file that differs from the last commit. */
export const GitFile = z.object({
  path: z.string(),
  change: z.enum(['added', 'changed', 'removed']),
  /** True if a change that was accepted in the app since the last commit wrote it. */
  isAccepted: z.boolean(),
});
export type GitFile = z.infer<typeof GitFile>;

/** What can be committed, with the titles of the accepted changes since the last commit, oldest first. */
export const GitChanges = z.object({
  files: z.array(GitFile).max(MAX_GIT_FILES),
  total: z.int().min(0),
  titles: z.array(z.string()),
  blocked: GitBlock.nullable(),
});
export type GitChanges = z.infer<typeof GitChanges>;

/** The id of a commit. */
export const GitCommitId = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/);

/** Number of versions of a file that can be listed in all. */
export const MAX_GIT_VERSIONS = 2000;

/** A commit that changed a file. */
export const GitVersion = z.object({
  id: GitCommitId,
  /** When it was committed, in milliseconds. */
  at: z.number(),
  author: z.string(),
  /** The first line of its message. */
  title: z.string(),
  /** The file's name in this commit. */
  name: z.string(),
  change: z.enum(['added', 'changed', 'renamed', 'removed']),
});
export type GitVersion = z.infer<typeof GitVersion>;

/** Versions of a file, newest first. `isCut`: Git was stopped before it had looked at all commits. */
export const GitVersions = z.object({ versions: z.array(GitVersion), isMore: z.boolean(), isCut: z.boolean() });
export type GitVersions = z.infer<typeof GitVersions>;
