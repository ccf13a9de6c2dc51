import { z } from 'zod';
import { ProjectPath } from '../../paths/project-path.ts';
import { GitChanges, GitCommitId, GitState, MAX_GIT_FILES } from './git.ts';

const toMethod = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output });

/** The methods of the contract about the repository that the open game is in. */
export const gitMethods = {
  /** The repository that the open game is in; null where there is none or no Git. */
  'git.state': toMethod(z.strictObject({}), z.object({ git: GitState.nullable() })),
  /** What can be committed. Throws with a reason `git.…`, as the following method does. */
  'git.changes': toMethod(z.strictObject({}), GitChanges),
  /** Commits the named files as they are on the disk, and nothing else. Calling it is the user's consent. */
  'git.commit': toMethod(
    z.strictObject({
      paths: z.array(ProjectPath).min(1).max(MAX_GIT_FILES),
      message: z.string().trim().min(1).max(20_000),
    }),
    z.object({ id: GitCommitId }),
  ),
} as const;
