import { STORY_SUMMARY } from '../support/games/story-script.ts';
import { ask, chatOf, connectInSettings, expect, logOf, test } from './user-actions.ts';

test.use({ foldsStage: true });

test.beforeEach(async ({ app, service }) => connectInSettings(app.page, service.url));

test('summarises a conversation on request, and uses the full text again', async ({ app, service }) => {
  const { page } = app;
  // The first request with the message: later ones of its turn hold what the assistant said since.
  const sent = (text: string) => {
    const all = service.requests.map(({ body }) => JSON.stringify(body.messages));
    return all.find((messages) => messages.includes(text)) ?? '';
  };
  await ask(page, 'Add a line about the rain', 'Plan');
  await expect(logOf(page).getByText('Plan · 3 steps')).toBeVisible();
  const ring = chatOf(page).getByRole('button', { name: /of what the model can read/ });
  await ring.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Summarise now' }).click();
  const row = logOf(page).getByRole('button', { name: /Earlier messages were summarised/ });
  await row.click();
  await expect(logOf(page).getByText(STORY_SUMMARY)).toBeVisible();

  await ask(page, 'And now?', 'Plan');
  await expect.poll(() => sent('And now?')).toContain(STORY_SUMMARY);
  expect(sent('And now?')).not.toContain('我先读一读');

  await expect(chatOf(page).getByLabel('Stop')).toBeHidden();
  await logOf(page).getByRole('button', { name: 'Use the full text again' }).click();
  await expect(logOf(page).getByRole('button', { name: /reads the full text again/ })).toBeVisible();
  await ask(page, 'Once more', 'Plan');
  await expect.poll(() => sent('Once more')).toContain('我先读一读');
});

test('says that nothing was changed when the assistant only claims it', async ({ app }) => {
  const { page } = app;
  await ask(page, 'Change the opening [claim]');
  await expect(logOf(page).getByText(/Nothing was changed this time/)).toBeVisible();
});

test('lets the assistant go on after very many steps without repeating the request', async ({ app, service }) => {
  const { page } = app;
  await ask(page, 'Look everywhere [steps]');
  const goOn = logOf(page).getByRole('button', { name: 'Go on' });
  await expect(goOn).toBeVisible({ timeout: 60_000 });
  const before = service.requests.length;
  await goOn.click();
  await expect.poll(() => service.requests.length).toBeGreaterThan(before);
  await expect(logOf(page).getByText('Look everywhere [steps]')).toHaveCount(1);
});

test('takes a click while the conversation scrolls', async ({ app }) => {
  const { page } = app;
  for (let count = 1; count <= 6; count += 1) {
    await ask(page, 'Change the opening [claim]');
    await expect(logOf(page).getByText(/Nothing was changed this time/)).toHaveCount(count);
  }
  await ask(page, 'Look everywhere [steps]');
  const goOn = logOf(page).getByRole('button', { name: 'Go on' });
  await expect(goOn).toBeVisible({ timeout: 60_000 });
  const room = await goOn.evaluate(async (button) => {
    let scroller = button.parentElement;
    while (
      scroller &&
      getComputedStyle(scroller).overflowY !== 'auto' &&
      getComputedStyle(scroller).overflowY !== 'scroll'
    )
      scroller = scroller.parentElement;
    // The list scrolls to its end within some frames.
    for (let look = 0; look < 100 && (scroller?.scrollTop ?? 0) <= 10; look += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    const top = scroller?.scrollTop ?? 0;
    let step = 2;
    setInterval(() => {
      step = -step;
      scroller?.scrollBy(0, step);
    }, 30);
    await new Promise((resolve) => setTimeout(resolve, 300));
    return top;
  });
  expect(room).toBeGreaterThan(10);
  await expect(chatOf(page).getByLabel('Stop')).toBeHidden();
  const place = await goOn.boundingBox();
  await page.mouse.click((place?.x ?? 0) + 20, (place?.y ?? 0) + 8);
  // Not the button that stops: the assistant may have finished before it is looked for.
  await expect(chatOf(page).getByText('Proposal: 1 file')).toBeVisible({ timeout: 30_000 });
});

test('keeps the head of what is unfolded at the end where it was clicked', async ({ app }) => {
  const { page } = app;
  await ask(page, 'Look everywhere [steps]');
  await expect(logOf(page).getByRole('button', { name: 'Go on' })).toBeVisible({ timeout: 60_000 });
  const head = logOf(page).locator('button[aria-expanded="false"]').last();
  await expect(head).toBeInViewport();
  const placeOf = async () => (await logOf(page).locator('button[aria-expanded]').last().boundingBox())?.y ?? 0;
  const before = await placeOf();
  await head.click();
  await expect(logOf(page).locator('button[aria-expanded="true"]')).toHaveCount(1);
  // The rows below are measured within some frames.
  await page.waitForTimeout(500);
  expect(Math.abs((await placeOf()) - before)).toBeLessThan(8);
  await expect(page.getByRole('button', { name: 'Jump to newest' })).toBeVisible();
});
