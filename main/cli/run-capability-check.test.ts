import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { provider as dice } from '../../packages/provider-sdk/examples/dice.ts';
import { readCommand } from './read-command.ts';
import { runCapabilityCheck } from './run-capability-check.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'capability-check-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function check(content: unknown, format: 'text' | 'json' = 'json') {
  const file = join(folder, 'provider.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  const { output, problem, exitCode } = await runCapabilityCheck({ kind: 'capability-check', format, file });
  return {
    exitCode,
    said: format === 'json' ? (JSON.parse(output) as { problems: string[] }).problems : output + problem,
  };
}

const [roll] = dice.describe().capabilities as Record<string, unknown>[];
const of = (...capabilities: object[]) => ({ provider: { id: 'dice', name: 'Dice' }, capabilities });

test('accepts the example of the SDK', async () => {
  expect(await check(dice.describe())).toEqual({ exitCode: 0, said: [] });
  expect(await check(dice.describe(), 'text')).toEqual({ exitCode: 0, said: 'valid\n' });
});

test.each([
  ['{', 'The file is no valid JSON'],
  [of({ ...roll, version: '1' }), 'capabilities.0.version'],
  [of({ ...roll, more: 1 }), 'more'],
  [of({ ...roll, risk: { level: 'none', reason: 'x' } }), 'capabilities.0.risk.level'],
  [of({ ...roll, id: 'project.file.roll' }), 'reserved'],
  [of({ ...roll, id: 'ext.other.roll' }), 'does not begin with “ext.dice.”'],
  [of(roll ?? {}, roll ?? {}), 'occurs twice'],
  // As the app does when the program connects.
  [of({ ...roll, parameters: { properties: { a: { $ref: 'https://example.com/x.json' } } } }), 'another schema'],
])('names what is wrong with %j', async (content, words) => {
  const { exitCode, said } = await check(content);
  expect([exitCode, said]).toEqual([1, [expect.stringContaining(words)]]);
});

test('is a command', () => {
  expect(readCommand(['capability', 'check', '/x.json'])).toMatchObject({ kind: 'capability-check', format: 'text' });
  expect(readCommand(['capability', 'check'])).toMatchObject({ kind: 'misused' });
  expect(readCommand(['capability', 'check', 'a', 'b'])).toMatchObject({ kind: 'misused' });
});
