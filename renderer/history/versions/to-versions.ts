import type { GitVersion } from '../../../shared/model/git/git.ts';
import type { HistoryGroup } from '../../../shared/model/snapshot.ts';

/** A text of one file that can be restored: one that the app kept, or one of a commit. */
export type FileVersion =
  | {
      kind: 'snapshot';
      key: string;
      at: number;
      title: string;
      origin: HistoryGroup['origin'];
      existed: boolean;
    }
  | ({ kind: 'commit'; key: string } & GitVersion);

/**
 * Returns the texts of a file that the app kept, and its commits, newest first. Each of the two lists keeps its order, because the time of
 * a commit can be anything.
 */
export function toVersions(
  path: string,
  groups: readonly HistoryGroup[],
  commits: readonly GitVersion[],
): FileVersion[] {
  const versions: FileVersion[] = [];
  let next = 0;
  const addCommits = (until: number) => {
    for (let one = commits[next]; one && !(one.at < until); one = commits[next]) {
      versions.push({ kind: 'commit', key: one.id, ...one });
      next += 1;
    }
  };
  for (const { title, origin, files } of groups) {
    const file = files.find((each) => each.path === path);
    if (!file) continue;
    addCommits(file.at);
    versions.push({ kind: 'snapshot', key: file.snapshotId, at: file.at, title, origin, existed: file.existed });
  }
  addCommits(Number.NEGATIVE_INFINITY);
  return versions;
}
