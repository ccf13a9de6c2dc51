import { createHash } from 'node:crypto';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { createFakeModelServer } from '../support/services/fake-model-server.ts';
import { ask, CANARY, chatOf, connectInSettings, expect, reviewOf, test } from './user-actions.ts';

test.use({ foldsStage: true });

const STUDIO = join(import.meta.dirname, '..', 'support', 'providers', 'studio-server.ts');
const BLOCK = JSON.stringify({ mcpServers: { studio: { command: process.execPath, args: [STUDIO] } } });
const PICTURE = 'game/figure/aki.png';
const SIDE = 96;

/** Resolves to the sides of a picture that the page could decode, in pixels. */
const drawnSize = (picture: Locator): Promise<number[]> =>
  picture.evaluate((element: HTMLImageElement) => [element.naturalWidth, element.naturalHeight]);

test('shows the picture of a service, puts it into the game by a proposal, and takes it out again', async ({ app }) => {
  const script = [
    { calls: [{ name: 'ext_studio_draw', args: { prompt: 'Aki in the rain', width: SIDE, height: SIDE } }] },
    { calls: [{ name: 'attempt_completion', args: { result: 'It is drawn.' } }] },
  ];
  const model = await createFakeModelServer(
    ({ body }) => {
      const answers = (body.messages ?? []).filter(({ role }) => role === 'tool').length;
      return script[Math.min(answers, 1)] ?? { text: ['…'] };
    },
    { key: CANARY },
  );
  const { page, projectDir } = app;
  const file = join(projectDir, PICTURE);
  const isThere = () =>
    access(file).then(
      () => true,
      () => false,
    );
  await connectInSettings(page, model.url);
  const services = page.getByRole('region', { name: 'Other services' });
  const row = services.locator('[data-service="studio"]');
  await services.getByLabel('Add a service').fill(BLOCK);
  await services.getByRole('button', { name: 'Add', exact: true }).click();
  await row.getByRole('combobox').click();
  await page.getByRole('option', { name: 'Also do things' }).click();
  await row.getByRole('button', { name: 'Start' }).click();
  await expect(row).toHaveAttribute('data-status', 'ready', { timeout: 20_000 });

  await test.step('shows it below the call, at its real size', async () => {
    await ask(page, 'Draw Aki');
    await chatOf(page).locator('[data-consent="pending"]').getByRole('button', { name: 'Allow once' }).click();
    const picture = chatOf(page).getByRole('img', { name: 'Picture 1' });
    await expect.poll(() => drawnSize(picture)).toEqual([SIDE, SIDE]);
    await expect(chatOf(page).getByText('It is drawn.').first()).toBeVisible();
    // The model is told of the picture and does not get its bytes.
    const sent = JSON.stringify(model.requests.at(-1)?.body);
    expect([sent.includes('filesNote'), sent.includes('iVBORw0KGgo')]).toEqual([true, false]);
  });

  await test.step('proposes it, by keyboard; nothing is written yet', async () => {
    await chatOf(page).getByRole('button', { name: 'Put it into the game…' }).press('Enter');
    await page.getByLabel('File name').fill('aki');
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Files of the proposal')).toContainText(`picture added · ${SIDE} × ${SIDE} · 1 kB`);
    const picture = reviewOf(page).getByRole('img', { name: 'Proposed' });
    await expect.poll(() => drawnSize(picture)).toEqual([SIDE, SIDE]);
    expect(await isThere()).toBe(false);
  });

  await test.step('accepts: the file has the bytes of the service', async () => {
    await reviewOf(page).getByRole('button', { name: 'Accept all' }).click();
    await expect.poll(isThere).toBe(true);
    const hash = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
    await access(join(projectDir, '.webgal_agent', 'assets', hash));
  });

  await test.step('undoes: the file is gone, and comes back', async () => {
    await page.keyboard.press('Control+4');
    const history = page.getByRole('region', { name: /History/ });
    await history.getByRole('listitem').first().getByRole('button').first().click();
    await history
      .getByRole('button', { name: /^Restore/ })
      .first()
      .click();
    await expect.poll(isThere).toBe(false);
    const notice = page.getByRole('status').filter({ hasText: '1 file is restored.' });
    await notice.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(isThere).toBe(true);
  });
  expect(app.pageErrors).toEqual([]);
  await model.close();
});
