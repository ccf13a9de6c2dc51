import { expect, test } from '../fixtures.ts';
import { findStage } from './find-stage.ts';

// Software rendering is slow.
test.setTimeout(120_000);

/** What a script of a game does; each would fill the main process, which Chromium lets queue lines without limit. */
const FLOODS = {
  'small lines without end': `setInterval(() => { for (let count = 0; count < 2000; count += 1) console.debug(count); })`,
  'huge lines': `setInterval(() => console.log('x'.repeat(20_000_000)), 100)`,
  'lines of a frame of its own': `{
    const frame = document.createElement('iframe');
    document.body.append(frame);
    setInterval(() => { for (let count = 0; count < 2000; count += 1) frame.contentWindow.console.debug(count); });
  }`,
};

for (const [what, script] of Object.entries(FLOODS)) {
  test(`ends a game that writes ${what} to the console, and works on`, async ({ app }) => {
    const { page } = app;
    const frame = await findStage(page);
    await frame.evaluate(`void setTimeout(() => { ${script} }, 100)`);
    await expect(page.getByText('This game kept sending messages')).toBeVisible({ timeout: 60_000 });
    const code = page.getByTestId('code');
    await code.getByText('小满').first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('; alive', { delay: 20 });
    await expect(code.getByText('; alive')).toBeVisible();
    await expect(page.getByText('Saved', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Start again' }).click();
    await findStage(page);
    expect(app.pageErrors).toEqual([]);
  });
}
