import { expect, test } from 'vitest';
import type { GitVersion } from '../../../shared/model/git/git.ts';
import type { HistoryGroup } from '../../../shared/model/snapshot.ts';
import { toVersions } from './to-versions.ts';

const PATH = 'game/scene/start.txt';
const group = (at: number, path = PATH): HistoryGroup => ({
  ...{ id: `g${at}`, title: `change ${at}`, at, origin: 'agent', isUndone: false },
  files: [{ snapshotId: `s${at}`, path, at, existed: true }],
});
const commit = (at: number): GitVersion => ({
  ...{ id: `c${at}`, at, author: 'Yuki', title: `commit ${at}`, name: PATH, change: 'changed' },
});
const keys = (groups: HistoryGroup[], commits: GitVersion[]) => toVersions(PATH, groups, commits).map(({ key }) => key);

test('puts kept texts of the file and commits in one list, newest first', () => {
  const groups = [group(9), group(7, 'game/scene/other.txt'), group(4)];
  expect(keys(groups, [commit(8), commit(2)])).toEqual(['s9', 'c8', 's4', 'c2']);
});

test('keeps the order of commits whose times are wrong', () => {
  expect(keys([group(5)], [commit(1), commit(9), commit(3)])).toEqual(['s5', 'c1', 'c9', 'c3']);
  expect(keys([group(5)], [commit(6), commit(1e15), commit(Number.NaN), commit(3)])).toHaveLength(5);
});
