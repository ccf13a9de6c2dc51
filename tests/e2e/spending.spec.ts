import type { Locator, Page } from '@playwright/test';
import { ask, chatOf, connectInSettings, expect, test } from './user-actions.ts';

test.use({ foldsStage: true });

const settingsOf = (page: Page): Locator => page.getByRole('region', { name: /Settings/ });

/** Fills a field and leaves it, which stores it. */
async function fill(field: Locator, text: string): Promise<void> {
  await field.fill(text);
  await field.blur();
}

test.beforeEach(async ({ app, service }) => connectInSettings(app.page, service.url));

test('shows what a conversation costs, and asks before a limit is passed', async ({ app, service }) => {
  const { page } = app;
  const settings = settingsOf(page);
  const ring = chatOf(page).getByRole('button', { name: /of what the model can read/ });
  const panel = page.getByRole('dialog', { name: /of what the model can read/ });

  await ask(page, 'Add a line about the rain', 'Plan');
  await expect(chatOf(page).getByText('Plan · 3 steps')).toBeVisible();
  await ring.click();
  await expect(panel).toContainText('This turnprice unknown');
  await page.keyboard.press('Escape');

  // 100 tokens read and 20 written cost 1.2 dollars a request.
  await fill(settings.getByLabel('Read', { exact: true }), '10000');
  await fill(settings.getByLabel('Written', { exact: true }), '10000');
  await settings.getByRole('combobox', { name: 'Currency' }).click();
  await page.getByRole('option', { name: 'USD' }).click();
  await settings.getByRole('combobox', { name: 'Unit' }).first().click();
  await page.getByRole('option', { name: 'USD' }).click();
  await fill(settings.getByLabel('Limit for a turn', { exact: true }), '3');

  const before = service.requests.length;
  await ask(page, 'Add a line about the rain');
  const card = chatOf(page).locator('[data-cap="pending"]');
  await expect(card).toBeFocused();
  await expect(card).toContainText('This turn is about to pass your limit');
  await expect(card).toContainText('Your limit: $3.00.');
  expect(service.requests).toHaveLength(before);
  // A key pressed while the card appears is not an answer.
  await page.waitForTimeout(700);
  await page.keyboard.press('Escape');
  await expect(chatOf(page).getByText('You stopped', { exact: true })).toBeVisible();
  expect(service.requests).toHaveLength(before);

  await ask(page, 'Add a line about the rain');
  await card.getByRole('button', { name: /^Go on, up to \$/ }).click();
  await expect(chatOf(page).getByText('Proposal: 1 file')).toBeVisible();
  await ring.click();
  await expect(panel).toContainText(/This turn\$\d+\.\d\d/);
  await expect(panel).toContainText(/This conversationat least \$\d+\.\d\d/);
  await expect(panel).toContainText(/Today, all gamesat least \$\d+\.\d\d/);
});
