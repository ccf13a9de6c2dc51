import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildStale } from './build.ts';

/**
 * Makes the installer of the system it runs on, into `release/`: NSIS on Windows, dmg on a Mac, AppImage on Linux.
 * Arguments go to electron-builder as they are (`npm run package -- --dir`).
 */
const ROOT = join(import.meta.dirname, '..');

await buildStale((line) => console.log(line));
const cli = join(ROOT, 'node_modules', 'electron-builder', 'cli.js');
const args = ['--config', 'electron-builder.yml', '--publish', 'never', ...process.argv.slice(2)];
const child = spawn(process.execPath, [cli, ...args], { cwd: ROOT, stdio: 'inherit' });
child.once('exit', (code) => {
  process.exitCode = code ?? 1;
});
