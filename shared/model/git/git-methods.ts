import { z } from 'zod';
import { method } from '../../method.ts';
import { ProjectPath } from '../../paths/project-path.ts';
import { ChangedFile } from '../snapshot.ts';
import { GitChanges, GitCommitId, GitState, GitVersions, MAX_GIT_FILES, MAX_GIT_VERSIONS } from './git.ts';

/** A version of a file: a commit and the file's name in it, which may have been another. */
const version = z.strictObject({ path: ProjectPath, id: GitCommitId, name: ProjectPath });

/** The methods of the contract about the repository that the open game is in. */
export const gitMethods = {
  /** The repository that the open game is in; null where there is none or no Git. */
  'git.state': method(z.strictObject({}), z.object({ git: GitState.nullable() })),
  /** What can be committed. Throws with a reason `git.…`, as the following method does. */
  'git.changes': method(z.strictObject({}), GitChanges),
  /** Commits the named files as they are on the disk, and nothing else. Calling it is the user's consent. */
  'git.commit': method(
    z.strictObject({
      paths: z.array(ProjectPath).min(1).max(MAX_GIT_FILES),
      message: z.string().trim().min(1).max(20_000),
    }),
    z.object({ id: GitCommitId }),
  ),
  /** The commits that changed a file, newest first. */
  'git.versions': method(
    z.strictObject({
      path: ProjectPath,
      skip: z.int().min(0).max(MAX_GIT_VERSIONS),
      limit: z.int().min(1).max(200),
    }),
    GitVersions,
  ),
  /** A file's text in a commit and on the disk now; null: no such file. Throws `E_ENCODING`, `E_TOO_LARGE`. */
  'git.version': method(version, z.object({ kept: z.string().nullable(), now: z.string().nullable() })),
  /** Writes a file as it was in a commit; a file that it did not have is removed. The present text is snapshotted first. */
  'git.restore': method(version, z.object({ group: z.string(), files: z.array(ChangedFile) })),
} as const;
