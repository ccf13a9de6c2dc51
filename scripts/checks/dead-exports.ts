import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { Check, Finding } from './allow-list.ts';

const run = promisify(execFile);
const KNIP = join(import.meta.dirname, '../../node_modules/knip/bin/knip.js');

const Issue = z.object({ name: z.string(), line: z.number().optional() });
const Report = z.object({ issues: z.array(z.object({ file: z.string() }).catchall(z.unknown())) });

/**
 * Creates the check for unused exports, files and packages, found by knip (knip.json), and for exports of the product that only tests
 * use. An export that its own file uses as well may be exported for a test.
 */
export function createDeadExportCheck(root: string): Check {
  return {
    name: 'dead-exports',
    kind: 'count',
    advice:
      'Remove the code, or the word "export" if only its own file uses it. What knip cannot see is an entry in knip.json.',
    async find() {
      const [all, tested] = await Promise.all([
        runKnip(root, []),
        withProductConfig(root, (config) => runKnip(root, ['--production', '--config', config])),
      ]);
      const unused = toFindings(all, 'unused');
      const known = new Set(unused.map(({ file, line }) => `${file}:${line}`));
      const byTests = toFindings(tested, 'used by tests only').filter(
        ({ file, line }) => !known.has(`${file}:${line}`),
      );
      return [...unused, ...byTests];
    },
  };
}

/** Calls `use` with knip.json in which a use in the own file counts. */
async function withProductConfig<T>(root: string, use: (config: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'webgal-agent-knip-'));
  try {
    const config = join(folder, 'knip.json');
    const known: object = JSON.parse(await readFile(join(root, 'knip.json'), 'utf8'));
    await writeFile(config, JSON.stringify({ ...known, ignoreExportsUsedInFile: true }));
    return await use(config);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs knip, which exits with 1 for findings and with 2 if it could not run. */
async function runKnip(root: string, options: readonly string[]): Promise<string> {
  const args = [KNIP, '--directory', root, '--reporter', 'json', '--no-progress', ...options];
  try {
    return (await run(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (error) {
    const { code, stdout } = error as { code?: number; stdout?: string };
    if (code === 1 && stdout) return stdout;
    throw error;
  }
}

function toFindings(stdout: string, lead: string): Finding[] {
  // The report is the last line; configurations that knip loads may print before it.
  const report = Report.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
  return report.issues.flatMap(({ file, ...kinds }) =>
    Object.entries(kinds).flatMap(([kind, value]) =>
      z
        .array(Issue)
        .catch([])
        .parse(value)
        .map(({ name, line = 1 }) => ({ file, line, key: file, amount: 1, message: `${lead} (${kind}): ${name}` })),
    ),
  );
}
