import type { Check } from './allow-list.ts';
import { isSource } from './source-tree.ts';

const MAX_LINES = 300;

export const fileLengthCheck: Check = {
  name: 'file-length',
  kind: 'size',
  advice: `Split the file by what changes together. Over ${MAX_LINES} lines needs an entry with a reason.`,
  find: (tree) =>
    tree.paths.filter(isSource).flatMap((path) => {
      const lines = tree.read(path).replace(/\n$/, '').split('\n').length;
      if (lines <= MAX_LINES) return [];
      return [{ file: path, line: MAX_LINES, key: path, amount: lines, message: `the file has ${lines} lines` }];
    }),
};
