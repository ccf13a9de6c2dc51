import { posix } from 'node:path';
import type { Check } from './allow-list.ts';
import { isSource, isTest } from './source-tree.ts';

const MAX_FILES = 15;
/** Folders that are lists by design, with one file for each entry, named after it. */
const LISTS: ReadonlySet<string> = new Set(['main/tools']);
/** Style sheets belong to a component and are not counted. */
const COUNTED = (path: string): boolean => isSource(path) || (/^tests\/.*\.tsx?$/.test(path) && !isTest(path));

export const folderSizeCheck: Check = {
  name: 'folder-size',
  kind: 'size',
  advice: `Give each topic a folder of its own. More than ${MAX_FILES} sources beside their tests need an entry with a reason.`,
  find: (tree) => {
    const folders = Map.groupBy(tree.paths.filter(COUNTED), (path) => posix.dirname(path));
    return [...folders].flatMap(([folder, { length }]) => {
      if (length <= MAX_FILES || LISTS.has(folder)) return [];
      return [{ file: folder, line: 1, key: folder, amount: length, message: `the folder has ${length} sources` }];
    });
  },
};
