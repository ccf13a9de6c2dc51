import { HOARDS } from '../../support/attacks/hoards.ts';
import { expect, test } from '../fixtures.ts';
import { findStage } from './find-stage.ts';

// Software rendering is slow.
test.setTimeout(120_000);

for (const [what, script] of Object.entries(HOARDS)) {
  test(`stops a game that fills the memory ${what}, and starts it again`, async ({ app }) => {
    const { page } = app;
    const frame = await findStage(page);
    await frame.evaluate(`void setTimeout(() => { ${script} }, 100)`);
    await expect(page.getByText('This game needed too much memory')).toBeVisible({ timeout: 40_000 });
    const measure = () =>
      app.desktop.evaluate((electron) =>
        electron.app.getAppMetrics().reduce((sum, { memory }) => sum + memory.workingSetSize / 1024, 0),
      );
    await expect.poll(measure, 'megabytes of all processes').toBeLessThan(1_800);
    const code = page.getByTestId('code');
    await code.getByText('小满').first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('; alive', { delay: 20 });
    await expect(code.getByText('; alive')).toBeVisible();
    await page.getByRole('button', { name: 'Start again' }).click();
    await findStage(page);
    expect(app.pageErrors).toEqual([]);
  });
}
