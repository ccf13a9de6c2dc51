import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { withXdotool, xdotoolReason } from './with-xdotool.ts';

// A locale that every machine has: without one, Chromium drops what is not ASCII from file names.
test.use({ foldsStage: true, systemLocale: 'C.UTF-8' });

/** Presses keys in the dialog as a person does; it is the system's own and no test can reach into it. */
const press = (...args: string[]): string => execFileSync('xdotool', args).toString().trim();

withXdotool(`the story map is saved where the system’s dialog says${xdotoolReason}`, async ({ app }) => {
  const { page } = app;
  const path = join(app.documents, 'map.svg');
  await expect(page.getByTestId('code').getByText('小满').first()).toBeVisible();
  await page.keyboard.press('Control+6');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'Vector picture (SVG)' }).click();
  const find = (): string => {
    try {
      return press('search', '--onlyvisible', '--name', 'Story map.svg$');
    } catch {
      return '';
    }
  };
  await expect.poll(find).not.toBe('');
  const [dialog = ''] = find().split('\n');
  press('windowfocus', '--sync', dialog);
  press('key', 'ctrl+a');
  press('type', '--delay', '20', path);
  press('key', 'Return');
  await expect.poll(() => readFile(path, 'utf8').catch(() => '')).toContain('</svg>');
});

test('a picture of the map is asked about and not saved unasked', async ({ app }) => {
  const { page } = app;
  await expect(page.getByTestId('code').getByText('小满').first()).toBeVisible();
  await page.keyboard.press('Control+6');
  const offered = app.desktop.evaluate(
    ({ BrowserWindow }) =>
      new Promise<object>((resolve) => {
        const { session } = BrowserWindow.getAllWindows()[0]?.webContents ?? {};
        session?.once('will-download', (event, item) => {
          resolve({ name: item.getFilename(), place: item.getSavePath(), isPrevented: event.defaultPrevented });
          item.cancel();
        });
      }),
  );
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'Picture (PNG)' }).click();
  // Without a place the system asks.
  expect(await offered).toEqual({ name: '雨停之前 – Story map.png', place: '', isPrevented: false });
});
