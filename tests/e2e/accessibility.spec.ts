import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { chatOf, expect, reviewOf, test } from './user-actions.ts';

test.use({ opensProject: false });
// Software rendering is slow.
test.setTimeout(300_000);

/**
 * Runs axe in both colour schemes. Excludes the engine's page and the content of the code editor, which has its own screen reader
 * mode.
 */
async function expectNoBarrier(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await new AxeBuilder({ page })
      // Otherwise axe opens a page for its report, which a window cannot do. Frames of other origins are skipped anyway.
      .setLegacyMode()
      .exclude('iframe')
      .exclude('.monaco-editor')
      .analyze();
    const found = violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html.slice(0, 160)) }));
    expect({ colorScheme, found }).toEqual({ colorScheme, found: [] });
  }
}

test('has no accessibility violations in any view, light and dark', async ({ app }) => {
  const { page } = app;
  await test.step('welcome', () => expectNoBarrier(page));
  await test.step('tour and work', async () => {
    await page.getByRole('button', { name: 'Guided tour' }).click();
    await expect(chatOf(page).getByRole('button', { name: 'Send a sample request' })).toBeVisible();
    // Until the engine has loaded, its buttons fade in and have too little contrast.
    await expect(page.getByRole('region', { name: 'Status' }).getByText('Stage connected')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Play here' })).toBeEnabled();
    await expectNoBarrier(page);
    await page.getByRole('button', { name: 'Hide the stage' }).click();
  });
  await test.step('review', async () => {
    await chatOf(page).getByRole('button', { name: 'Send a sample request' }).click();
    await chatOf(page).getByRole('button', { name: 'Do it' }).click();
    await expect(reviewOf(page).getByRole('button', { name: 'Accept all' })).toBeEnabled();
    await expectNoBarrier(page);
    await reviewOf(page).getByText('Text', { exact: true }).click();
    await expectNoBarrier(page);
  });
  await test.step('conversations', async () => {
    await page.getByRole('button', { name: 'Conversations' }).click();
    await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(1);
    await expectNoBarrier(page);
    await page.keyboard.press('Escape');
  });
  await test.step('history', async () => {
    await reviewOf(page).getByRole('button', { name: 'Accept all' }).click();
    await page.keyboard.press('Control+4');
    const history = page.getByRole('region', { name: /History/ });
    await expect(history).toBeVisible();
    await expectNoBarrier(page);
    await history.getByText('Whole game').click();
    await history.getByRole('button', { name: 'Keep this state' }).click();
    await history.getByRole('button', { name: /Kept by you/ }).click();
    await expect(history.getByText('Nothing is different.')).toBeVisible();
    await expectNoBarrier(page);
  });
  await test.step('audit log', async () => {
    await page.keyboard.press('Control+7');
    await page
      .getByRole('region', { name: 'Work · Audit log' })
      .getByRole('button', { name: /Write a file/ })
      .click();
    await expectNoBarrier(page);
  });
  for (const [view, key] of [
    ['assets', 'Control+3'],
    ['settings', 'Control+5'],
    ['story map', 'Control+6'],
  ] as const) {
    await test.step(view, async () => {
      await page.keyboard.press(key);
      await expectNoBarrier(page);
    });
  }
  await test.step('the stage while a key can be typed', async () => {
    await page.keyboard.press('Control+5');
    await page.getByText('DeepSeek').first().click();
    await page.getByRole('button', { name: 'Show the stage' }).click();
    await expect(page.getByText('The stage is off while a key can be typed')).toBeVisible();
    await expectNoBarrier(page);
  });
});

test('needs no mouse from asking to accepting', async ({ app }) => {
  const { page } = app;
  await page.getByRole('button', { name: 'Guided tour' }).focus();
  await page.keyboard.press('Enter');
  const send = chatOf(page).getByRole('button', { name: 'Send a sample request' });
  await expect(send).toBeVisible();
  await send.focus();
  await page.keyboard.press('Enter');
  const run = chatOf(page).getByRole('button', { name: 'Do it' });
  await expect(run).toBeVisible();
  await run.focus();
  await page.keyboard.press('Enter');
  await expect(reviewOf(page).getByRole('button', { name: 'Accept all' })).toBeEnabled();
  await page.keyboard.press('Control+Enter');
  await expect(chatOf(page).getByText('Accepted and written to the game')).toBeVisible();
});

test('keeps the focus when a view replaces the one that had it', async ({ app }) => {
  const { page } = app;
  await page.getByRole('button', { name: 'Guided tour' }).click();
  await page.getByRole('button', { name: 'Hide the stage' }).click();
  const text = page.getByTestId('code').getByRole('textbox').first();
  const middle = page.locator('#region-middle');
  await chatOf(page).getByRole('button', { name: 'Send a sample request' }).click();
  await chatOf(page).getByRole('button', { name: 'Do it' }).click();
  const accept = reviewOf(page).getByRole('button', { name: 'Accept all' });
  await expect(accept).toBeEnabled();
  await accept.focus();
  await page.keyboard.press('Enter');
  await expect(text).toBeFocused();
  for (const key of ['Control+6', 'Control+4', 'Control+7']) {
    await page.keyboard.press(key);
    await expect(middle).toBeFocused();
  }
  // A control of the view is the next stop.
  await expect(middle.getByRole('listitem').first()).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(middle.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Control+1');
  await expect(text).toBeFocused();
});
