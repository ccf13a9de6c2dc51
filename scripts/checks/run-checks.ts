import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type AllowList, type Check, judge, toAllowList } from './allow-list.ts';
import { connectionCheck } from './connections.ts';
import { createDeadExportCheck } from './dead-exports.ts';
import { fileLengthCheck } from './file-length.ts';
import { folderSizeCheck } from './folder-size.ts';
import { functionLengthCheck } from './function-length.ts';
import { networkCheck } from './network.ts';
import { readTree } from './source-tree.ts';
import { stringCheck } from './strings.ts';
import { createWordCheck } from './words.ts';

const ROOT = join(import.meta.dirname, '../..');
const CHECKS: Check[] = [
  createWordCheck(),
  stringCheck,
  networkCheck,
  functionLengthCheck,
  fileLengthCheck,
  folderSizeCheck,
  connectionCheck,
  createDeadExportCheck(ROOT),
];

/**
 * `npx node scripts/checks/run-checks.ts [name …]`. `--update` removes entries that no longer occur from the allow lists;
 * `--regenerate` rewrites the lists with all findings, after a merge; review the result before a commit.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { update: { type: 'boolean', default: false }, regenerate: { type: 'boolean', default: false } },
});
const unknown = positionals.filter((name) => !CHECKS.some((check) => check.name === name));
if (unknown.length > 0) throw new Error(`No such check: ${unknown.join(', ')}`);

const tree = readTree(ROOT);
for (const check of CHECKS) {
  if (positionals.length > 0 && !positionals.includes(check.name)) continue;
  const path = join(import.meta.dirname, 'allowed', `${check.name}.json`);
  const allowed = JSON.parse(await readFile(path, 'utf8')) as AllowList;
  const findings = await check.find(tree);
  const verdict = judge(check, findings, allowed);
  let { problems } = verdict;
  let entries = Object.keys(allowed).length;
  if (values.update || values.regenerate) {
    const next = values.regenerate ? toAllowList(check, findings, allowed) : verdict.reduced;
    await writeFile(path, `${JSON.stringify(next, null, 2)}\n`);
    problems = judge(check, findings, next).problems;
    entries = Object.keys(next).length;
  }
  for (const problem of problems) console.log(problem);
  if (problems.length > 0) {
    console.log(`✗ ${check.name}: ${problems.length}. ${check.advice}`);
    process.exitCode = 1;
  } else console.log(`✓ ${check.name} (${entries} entries allowed)`);
}
