import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, readScene, test } from '../user-actions.ts';

/** When this file exists, the app's process raises an unhandled rejection and an uncaught exception. */
const TRIGGER = join(tmpdir(), `webgal-agent-fault-${randomUUID()}`);
const FAULTS = `
  import { existsSync, rmSync } from 'node:fs';
  setInterval(() => {
    if (!existsSync(${JSON.stringify(TRIGGER)})) return;
    rmSync(${JSON.stringify(TRIGGER)});
    Promise.reject(new Error('a stray rejection'));
    setTimeout(() => { throw new Error('a stray exception'); });
  }, 50).unref();
`;

test.use({
  foldsStage: true,
  environment: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(FAULTS)}` },
});

test('logs uncaught faults and keeps unsaved text', async ({ app }) => {
  const { page, projectDir } = app;
  const before = await readScene(projectDir);
  await page.getByTestId('code').getByText('小满').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('; typed before');
  await writeFile(TRIGGER, '');
  await expect.poll(() => existsSync(TRIGGER)).toBe(false);
  await expect.poll(() => app.output()).toContain('[uncaught exception] Error: a stray exception');
  expect(app.output()).toContain('[unhandled rejection] Error: a stray rejection');
  await page.keyboard.type(', and after');
  await expect.poll(() => readScene(projectDir)).toBe(`${before}; typed before, and after`);
});
