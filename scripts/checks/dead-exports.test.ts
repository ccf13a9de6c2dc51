import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDeadExportCheck } from './dead-exports.ts';

// Each test starts a knip process, which is slow on a busy machine.
const TIMEOUT_MS = 180_000;

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'webgal-agent-dead-exports-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function find(texts: Record<string, string>): Promise<string[]> {
  const all = {
    'package.json': '{ "name": "sample", "type": "module" }',
    'knip.json': '{ "entry": ["main.ts!"], "project": ["**/*.ts!", "!**/*.test.ts!"] }',
    ...texts,
  };
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return (await createDeadExportCheck(root).find({ paths: [], read: () => '' })).map(
    ({ file, line, message }) => `${file}:${line} ${message}`,
  );
}

test(
  'finds unused exports, types and files',
  async () => {
    expect(
      await find({
        'main.ts': "import { used } from './a.ts';\nused();",
        'a.ts': 'export const used = () => own;\nexport const own = 1;\nexport type Unused = 1;',
        'lost.ts': 'export const lost = 1;',
      }),
    ).toEqual(['lost.ts:1 unused (files): lost.ts', 'a.ts:2 unused (exports): own', 'a.ts:3 unused (types): Unused']);
  },
  TIMEOUT_MS,
);

test(
  'finds exports that only tests use, and accepts those that their own file uses as well',
  async () => {
    expect(
      await find({
        'main.ts': "import { used } from './a.ts';\nused();",
        'a.ts': 'export const used = () => own;\nexport const own = 1;\nexport const tested = 1;',
        'a.test.ts': "import { own, tested } from './a.ts';\nconsole.log(own, tested);",
        'knip.json': '{ "entry": ["main.ts!", "*.test.ts"], "project": ["**/*.ts!", "!**/*.test.ts!"] }',
      }),
    ).toEqual(['a.ts:3 used by tests only (exports): tested']);
  },
  TIMEOUT_MS,
);

test(
  'accepts a project without unused code',
  async () => {
    expect(await find({ 'main.ts': "import './a.ts';", 'a.ts': 'const a = 1;\nconsole.log(a);' })).toEqual([]);
  },
  TIMEOUT_MS,
);
