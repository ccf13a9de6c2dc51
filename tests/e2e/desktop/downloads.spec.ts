import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { withXdotool, xdotoolReason } from './with-xdotool.ts';

// A locale that exists on every machine: without one, Chromium drops non-ASCII characters from file names.
test.use({ foldsStage: true, systemLocale: 'C.UTF-8' });

/** Presses keys in the system's dialog, which Playwright cannot control. */
const press = (...args: string[]): string => execFileSync('xdotool', args).toString().trim();

withXdotool(`saves the story map to the path chosen in the system’s dialog${xdotoolReason}`, async ({ app }) => {
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

test('offers a picture of the map in a save dialog and does not save it without one', async ({ app }) => {
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
  // Without a path the system shows a dialog.
  expect(await offered).toEqual({ name: '雨停之前 – Story map.png', place: '', isPrevented: false });
});
