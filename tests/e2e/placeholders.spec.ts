import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

// Software rendering is slow, especially on a busy machine.
test.setTimeout(150_000);
test.use({ opensProject: true });

const FILES = [
  'game/background/harbour.jpg',
  'game/figure/mei-smile.webp',
  'game/figure/mei.png',
  'game/bgm/harbour.mp3',
  'game/vocal/mei-1.ogg',
];
const SCENE =
  'changeBg:harbour.jpg -next;\nchangeFigure:mei-smile.webp -next;\nminiAvatar:mei.png;\nbgm:harbour.mp3;\nMei:We are here. -mei-1.ogg;\nchangeFigure:mei.gif -left -next;\nMei:At last.;\nend;\n';

const reviewOf = (page: Page): Locator => page.getByRole('region', { name: 'Work · Review' });
const drawnSize = (picture: Locator): Promise<number[]> =>
  picture.evaluate((element: HTMLImageElement) => [element.naturalWidth, element.naturalHeight]);

test('makes placeholders for a game of texts, plays them, and takes them out again', async ({ app }) => {
  const { page, projectDir } = app;
  const areThere = () =>
    Promise.all(
      FILES.map((path) =>
        access(join(projectDir, path)).then(
          () => true,
          () => false,
        ),
      ),
    );
  /** What the engine asked the stage for and did not get. */
  const notFound = new Set<string>();
  page.on('response', (response) => {
    const path = new URL(response.url()).pathname.slice(1);
    if (!FILES.includes(path)) return;
    if (response.status() === 404) notFound.add(path);
    else notFound.delete(path);
  });
  const stageProblems = page.getByRole('region', { name: 'Problems on stage' });
  const textBox = page.frameLocator('iframe').locator('#textBoxMain');
  const playFromStart = async () => {
    await page.getByRole('button', { name: 'More for the stage' }).click();
    await page.getByRole('menuitem', { name: 'From the start of the game' }).click();
    await expect(textBox).toContainText('here.', { timeout: 30_000 });
  };

  await test.step('the stage reports what is missing', async () => {
    await writeFile(join(projectDir, 'game/scene/start.txt'), SCENE);
    await playFromStart();
    await expect(stageProblems).toContainText('harbour.jpg');
    await expect.poll(() => [...notFound].sort()).toEqual([...FILES].sort());
  });

  await test.step('the list of problems offers placeholders, by keyboard', async () => {
    await page
      .getByRole('region', { name: 'Problems', exact: true })
      .getByRole('button', { name: 'Create placeholders…' })
      .press('Enter');
    const offer = page.getByRole('dialog', { name: 'Create placeholders…' });
    await expect(offer).toContainText('1 background, 1 figure, 1 portrait, 1 piece of music, 1 voice or effect');
    await expect(offer.getByRole('listitem').filter({ hasText: 'mei.gif' })).toContainText('file type');
    await offer.getByRole('button', { name: 'Show 5 placeholders' }).press('Enter');
  });

  await test.step('the review shows drawn pictures; nothing is written yet', async () => {
    const files = page.getByLabel('Files of the proposal');
    await expect(files.getByRole('listitem')).toHaveCount(5);
    await files.getByText('harbour.jpg').click();
    await expect.poll(() => drawnSize(reviewOf(page).getByRole('img', { name: 'Proposed' }))).toEqual([2560, 1440]);
    await files.getByText('mei-smile.webp').click();
    await expect.poll(() => drawnSize(reviewOf(page).getByRole('img', { name: 'Proposed' }))).toEqual([720, 1440]);
    expect(await areThere()).toEqual(FILES.map(() => false));
  });

  await test.step('the accepted ones are found by the engine', async () => {
    await reviewOf(page).getByRole('button', { name: 'Accept all' }).click();
    await expect.poll(areThere).toEqual(FILES.map(() => true));
    await playFromStart();
    await expect.poll(() => [...notFound]).toEqual([]);
    for (const path of FILES) await expect(stageProblems).not.toContainText(path.slice(path.lastIndexOf('/') + 1));
  });

  await test.step('undo removes them', async () => {
    await page.keyboard.press('Control+4');
    const history = page.getByRole('region', { name: /History/ });
    await history.getByRole('listitem').first().getByRole('button').first().click();
    await history
      .getByRole('button', { name: /^Restore/ })
      .first()
      .click();
    await expect.poll(areThere).toEqual(FILES.map(() => false));
  });
  expect(app.pageErrors).toEqual([]);
});
