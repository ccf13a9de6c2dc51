import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildStale } from './build.ts';

/** Runs the end-to-end tests: `npm run e2e -- [--host web|electron|package] [Playwright's arguments]`. All hosts by default. */
const ROOT = join(import.meta.dirname, '..');
const HOSTS = ['web', 'electron', 'package'];

const args = process.argv.slice(2);
const at = args.findIndex((argument) => argument === '--host' || argument.startsWith('--host='));
const host = at === -1 ? null : (args[at]?.split('=')[1] ?? args[at + 1] ?? '');
if (host !== null && !HOSTS.includes(host)) {
  console.error(`--host is one of ${HOSTS.join(', ')}, not "${host}".`);
  process.exit(2);
}
if (at !== -1) args.splice(at, args[at] === '--host' ? 2 : 1);

await buildStale((line) => console.log(line));
const playwright = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js');
const child = spawn(process.execPath, [playwright, 'test', ...(host === null ? [] : [`--project=${host}`]), ...args], {
  cwd: ROOT,
  stdio: 'inherit',
});
child.once('exit', (code) => {
  process.exitCode = code ?? 1;
});
