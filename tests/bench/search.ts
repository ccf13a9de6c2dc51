import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createReader } from '../../main/node/project-fs/project-files.ts';
import { createMatcher } from '../../main/node/search/matcher.ts';
import { searchFiles } from '../../main/tools/search-files.ts';
import { createGameFolder } from '../support/games/game-folder.ts';
import { createToolBench } from '../support/tool-bench.ts';
import { type Comparison, compare, time } from './compare.ts';

const FILES = 5000;
const LINES = 40;
/** One file in this number contains the word, so that both sides find and print the same. */
const FILES_PER_MATCH = 10;

const run = promisify(execFile);

/**
 * Measures `search_files` through the whole pipeline, against `grep -rn` on the same folder, both with process start. Cold: the
 * first search of a program, which starts its threads and has read no file.
 */
export async function* benchSearch(): AsyncGenerator<Comparison> {
  const files: Record<string, string> = {};
  for (let index = 0; index < FILES; index += 1) {
    const lines = Array.from({ length: LINES }, (_, line) => `雪乃:第 ${index} 幕第 ${line} 句，海边的风很大。;\n`);
    if (index % FILES_PER_MATCH === 0) lines.splice(index % LINES, 0, 'jumpLabel:lighthouse;\n');
    files[`game/scene/chapter${index % 50}/scene${index}.txt`] = lines.join('');
  }
  const game = await createGameFolder(files);
  const expected = FILES / FILES_PER_MATCH;
  const grep = () =>
    time(async () => {
      const { stdout } = await run('grep', ['-rn', 'lighthouse', `${game.root}/game`]);
      if (stdout.trim().split('\n').length !== expected) throw new Error('grep found something else.');
    });
  const search = async (bench: ReturnType<typeof createToolBench>): Promise<void> => {
    const found = await bench.value('search_files', { path: 'game', regex: 'lighthouse', filePattern: '**/*.txt' });
    const { matches } = found as { matches: unknown[] };
    if (matches.length !== expected) throw new Error(`search_files found ${matches.length} of ${expected}.`);
  };
  const row = { name: `search_files over ${FILES} files`, goal: { ratio: 1.3 }, against: 'grep -rn', theirs: grep };
  const matcher = createMatcher();
  const bench = createToolBench([searchFiles], { reader: createReader(game.root, { matcher }) });
  try {
    yield await compare({
      ...row,
      name: `${row.name}, from sources`,
      state: 'cold',
      rounds: 7,
      ours: async () => {
        const fresh = createMatcher();
        const first = createToolBench([searchFiles], { reader: createReader(game.root, { matcher: fresh }) });
        const spent = await time(() => search(first));
        await fresh.close();
        return spent;
      },
    });
    yield await compare({ ...row, rounds: 20, ours: () => time(() => search(bench)) });
  } finally {
    await matcher.close();
    await game.dispose();
  }
}
