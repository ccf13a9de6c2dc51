import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'stdout-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Every way in which a library may print, with one protocol line in the middle. */
const NOISY_PROGRAM = `
import { Worker } from 'node:worker_threads';
import { reserveStdout } from ${JSON.stringify(path.join(import.meta.dirname, 'reserve-stdout.ts'))};
const stdout = reserveStdout();
console.log('log'); console.info('info'); console.table([{ a: 1 }]); console.dir({ b: 2 });
process.stdout.write('written ' + process.stdout.isTTY); process.stdout.write(Buffer.from('bytes'));
await stdout.write('ours\\n');
await new Promise((resolve) => new Worker('console.log("from a thread")', { eval: true }).once('exit', resolve));
process.stdout.end('the end');
`;

it('keeps other output off standard output', async () => {
  const program = path.join(folder, 'talkative.ts');
  await writeFile(program, NOISY_PROGRAM);
  const child = spawn(process.execPath, [program]);
  const heard = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    heard.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    heard.err += text;
  });
  await new Promise((resolve) => child.once('close', resolve));
  expect(heard.out).toBe('ours\n');
  for (const word of ['log', 'info', 'written', 'bytes', 'from a thread', 'the end']) expect(heard.err).toContain(word);
});
