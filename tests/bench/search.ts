import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createReader } from '../../main/node/project-fs/project-files.ts';
import { createMatcher } from '../../main/node/search/matcher.ts';
import { searchFiles } from '../../main/tools/search-files.ts';
import { createProjectFolder } from '../support/games/project-folder.ts';
import { createToolBench } from '../support/tool-bench.ts';
import { type Comparison, compare, time } from './compare.ts';
import { BUILT_CLI, connectProgram } from './mcp/built-program.ts';

const FILES = 5000;
const LINES = 40;
/** One file in this number contains the word, so that both sides find and print the same. */
const FILES_PER_MATCH = 10;

const REQUEST = { path: 'game', regex: 'lighthouse', filePattern: '**/*.txt' };

const run = promisify(execFile);

/**
 * Measures `search_files` through the whole pipeline, against `grep -rn` on the same folder, with its process start. Cold: the
 * first call of the built program, which starts its threads and has read no file.
 */
export async function* benchSearch(): AsyncGenerator<Comparison> {
  const files: Record<string, string> = {};
  for (let index = 0; index < FILES; index += 1) {
    const lines = Array.from({ length: LINES }, (_, line) => `雪乃:第 ${index} 幕第 ${line} 句，海边的风很大。;\n`);
    if (index % FILES_PER_MATCH === 0) lines.splice(index % LINES, 0, 'jumpLabel:lighthouse;\n');
    files[`game/scene/chapter${index % 50}/scene${index}.txt`] = lines.join('');
  }
  const game = await createProjectFolder(files);
  const expected = FILES / FILES_PER_MATCH;
  const grep = () =>
    time(async () => {
      const { stdout } = await run('grep', ['-rn', 'lighthouse', `${game.root}/game`]);
      if (stdout.trim().split('\n').length !== expected) throw new Error('grep found something else.');
    });
  const requireAll = (found: unknown): void => {
    const { matches } = found as { matches: unknown[] };
    if (matches.length !== expected) throw new Error(`search_files found ${matches.length} of ${expected}.`);
  };
  const search = async (bench: ReturnType<typeof createToolBench>): Promise<void> => {
    requireAll(await bench.value('search_files', REQUEST));
  };
  const row = { name: `search_files over ${FILES} files`, goal: { ratio: 1.3 }, against: 'grep -rn', theirs: grep };
  const home = await mkdtemp(path.join(tmpdir(), 'bench-home-'));
  const matcher = createMatcher();
  const bench = createToolBench([searchFiles], { reader: createReader(game.root, { matcher }) });
  try {
    yield await compare({
      ...row,
      name: `${row.name}, first call of the built MCP program`,
      state: 'cold',
      rounds: 9,
      ours: async () => {
        const { client } = await connectProgram([BUILT_CLI, 'mcp', '--project', game.root], home);
        try {
          await client.listTools();
          return await time(async () => {
            const { structuredContent } = await client.callTool({ name: 'search_files', arguments: REQUEST });
            requireAll(structuredContent);
          });
        } finally {
          await client.close();
        }
      },
    });
    yield await compare({ ...row, rounds: 20, ours: () => time(() => search(bench)) });
  } finally {
    await matcher.close();
    await game.dispose();
    await rm(home, { recursive: true, force: true });
  }
}
