import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { askForProposal, CANARY, chatOf, connectInSettings, expect, reviewOf, test } from './user-actions.ts';

test.use({ foldsStage: true });

/** Returns every file below a folder that contains `needle`. */
async function filesWith(folder: string, needle: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(files.map(async (file) => ({ file, bytes: await readFile(file) })));
  return texts.filter(({ bytes }) => bytes.includes(needle)).map(({ file }) => file);
}

test('sends a key only to the service', async ({ app, service }) => {
  const { page } = app;
  const answers: string[] = [];
  page.on('response', async (response) => {
    // The event stream never ends, so it has no text; its content is on the page, which is searched below.
    if (!response.url().includes('/call/')) return;
    answers.push(await response.text().catch(() => ''));
  });
  await connectInSettings(page, service.url);
  await page.keyboard.press('Control+1');
  await askForProposal(page, `My key is in the settings; add a line`);
  await reviewOf(page).getByRole('button', { name: 'Accept all' }).click();
  await expect(chatOf(page).getByText('Accepted and written to the game')).toBeVisible();

  expect(service.requests.every(({ headers }) => headers.authorization === `Bearer ${CANARY}`)).toBe(true);
  expect(service.requests.some(({ body }) => JSON.stringify(body).includes(CANARY))).toBe(false);
  const places = {
    game: await filesWith(app.projectDir, CANARY),
    home: await filesWith(app.home, CANARY),
    output: app.output().includes(CANARY),
    page: (await page.content()).includes(CANARY),
    storage: await page.evaluate((key) => JSON.stringify({ ...localStorage, ...sessionStorage }).includes(key), CANARY),
    answers: answers.some((answer) => answer.includes(CANARY)),
  };
  expect(places).toEqual({ game: [], home: [], output: false, page: false, storage: false, answers: false });

  await page.keyboard.press('Control+5');
  const settings = page.getByRole('region', { name: /Settings/ });
  await settings.getByRole('button', { name: 'Forget all keys' }).click();
  await settings.getByRole('dialog').getByRole('button', { name: 'Forget all keys' }).click();
  await expect(settings.getByText('No key is kept.')).toBeVisible();
});
