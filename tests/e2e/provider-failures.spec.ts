import { createFakeModelServer } from '../support/services/fake-model-server.ts';
import {
  ask,
  CANARY,
  chatOf,
  connectInSettings,
  connectModel,
  expect,
  logOf,
  readScene,
  test,
} from './user-actions.ts';

test.use({ foldsStage: true });

test('reports a wrong key and offers the settings', async ({ app, service }) => {
  const { page } = app;
  await connectInSettings(page, service.url, 'sk-not-the-right-one');
  await expect(
    page.getByRole('region', { name: /Settings/ }).getByText(/does not accept (the|this) key/),
  ).toBeVisible();
  await ask(page, 'Hello');
  await expect(logOf(page).getByText(/does not accept (the|this) key/)).toBeVisible();
  await expect(chatOf(page).getByRole('button', { name: 'Open settings' })).toBeVisible();
});

test('keeps a partial answer, changes nothing and offers to continue when the service breaks off', async ({
  app,
  service,
}) => {
  const { page, projectDir } = app;
  const before = await readScene(projectDir);
  await connectModel(page, service.url);
  await ask(page, 'Tell me more [die]');
  await expect(chatOf(page).getByText('我先看一看')).toBeVisible();
  await expect(logOf(page).getByText(/The answer broke off half-way\. Nothing was written/)).toBeVisible();
  await expect(chatOf(page).getByRole('button', { name: 'Continue' })).toBeVisible();
  expect(await readScene(projectDir)).toBe(before);
});

test('stops the assistant and keeps the partial answer', async ({ app, service }) => {
  const { page } = app;
  await connectModel(page, service.url);
  await ask(page, 'Talk for a long time [slow]');
  await expect(chatOf(page).getByText(/慢慢说第3句/)).toBeVisible();
  await chatOf(page).getByRole('button', { name: 'Stop' }).click();
  await expect(chatOf(page).getByText(/You stopped the assistant/)).toBeVisible();
  await expect(chatOf(page).getByText(/慢慢说第3句/)).toBeVisible();
  await expect.poll(() => service.aborted()).toBeGreaterThan(0);
  await ask(page, 'And again, shortly [empty]');
  // A blank answer is asked for again, with pauses.
  await expect(chatOf(page).getByLabel('Stop')).toBeHidden({ timeout: 40_000 });
});

test('counts down to another attempt at a busy service, which a stop ends', async ({ app, service }) => {
  const { page } = app;
  await connectModel(page, service.url);
  await ask(page, 'Hello [wait]');
  const wait = chatOf(page).getByTestId('waiting');
  await expect(wait).toContainText(/limits the number of requests\. Asking again in \d+ s/);
  const first = await wait.textContent();
  await expect(wait).not.toHaveText(first ?? '');
  await wait.getByRole('button', { name: 'Stop' }).click();
  await expect(chatOf(page).getByText(/You stopped the assistant/)).toBeVisible();
  await expect(wait).toBeHidden();
});

test('shows the words of the service with one click', async ({ app, service }) => {
  const { page } = app;
  await connectModel(page, service.url);
  await ask(page, 'Hello [402]');
  await expect(logOf(page).getByText(/no money left/)).toBeVisible();
  const words = logOf(page).getByText(/The service said: .*Insufficient Balance/);
  await expect(words).toBeHidden();
  await logOf(page).getByText('Why', { exact: true }).click();
  await expect(words).toBeVisible();
});

test('breaks the words of the service where the chat is narrow', async ({ app }) => {
  const { page } = app;
  const message = `Invalid-Request:${'unbroken'.repeat(20)}`;
  const service = await createFakeModelServer(() => ({ status: 402, body: { error: { message } } }), { key: CANARY });
  await connectModel(page, service.url);
  await page.setViewportSize({ width: 900, height: 600 });
  await ask(page, 'Hello');
  await logOf(page).getByText('Why', { exact: true }).click();
  const words = logOf(page).getByText(/The service said: /);
  await expect(words).toBeVisible();
  expect(await words.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await service.close();
});

test('changes the model and its thinking from the composer by keyboard', async ({ app, service }) => {
  const { page } = app;
  await connectModel(page, service.url);
  const menu = chatOf(page).getByRole('button', { name: 'Model: story-1' });
  await menu.focus();
  await page.keyboard.press('Enter');
  const high = page.getByRole('menuitemradio', { name: 'High' });
  await expect(page.getByRole('menuitemradio', { name: 'story-1' })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(high).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(high).toBeHidden();
  await ask(page, 'Hello [empty]');
  await expect.poll(() => service.requests.at(-1)?.body.reasoning_effort).toBe('high');
});
