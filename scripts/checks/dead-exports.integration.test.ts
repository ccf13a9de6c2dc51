import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createDeadExportCheck } from './dead-exports.ts';

// Two knip processes, which are slow on a busy machine.
const TIMEOUT_MS = 180_000;

/** Contains each case in a file of its own, because every further project costs two processes. */
const FILES = {
  'package.json': '{ "name": "sample", "type": "module" }',
  'knip.json': '{ "entry": ["main.ts!", "*.test.ts"], "project": ["**/*.ts!", "!**/*.test.ts!"] }',
  'main.ts': "import { used } from './a.ts';\nimport './clean.ts';\nimport { kept } from './b.ts';\nused(kept);",
  'a.ts': 'export const used = (_: () => number) => own;\nexport const own = 1;\nexport type Unused = 1;',
  'b.ts': 'export const kept = () => both;\nexport const both = 1;\nexport const tested = 1;',
  'b.test.ts': "import { both, tested } from './b.ts';\nconsole.log(both, tested);",
  'clean.ts': 'const a = 1;\nconsole.log(a);',
  'lost.ts': 'export const lost = 1;',
};

// The check itself shows that a project without dead code passes: `npm run check` applies it to this one.
test(
  'finds unused files, exports and types, and exports that only tests use, unless their own file uses them as well',
  async () => {
    const root = await mkdtemp(join(tmpdir(), 'webgal-agent-dead-exports-'));
    try {
      for (const [path, text] of Object.entries(FILES)) {
        await mkdir(dirname(join(root, path)), { recursive: true });
        await writeFile(join(root, path), text);
      }
      const found = await createDeadExportCheck(root).find({ paths: [], read: () => '' });
      expect(found.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([
        'lost.ts:1 unused (files): lost.ts',
        'a.ts:2 unused (exports): own',
        'a.ts:3 unused (types): Unused',
        'b.ts:3 used by tests only (exports): tested',
      ]);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  },
  TIMEOUT_MS,
);
