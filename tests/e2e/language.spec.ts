import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, type RunningApp, test } from './fixtures.ts';

test.use({ foldsStage: true });

const nameOf = (day: number): string => `day-${String(day).padStart(2, '0')}.txt`;
const sceneOf = (app: RunningApp, name: string): string => join(app.projectDir, 'game/scene', name);
const read = (app: RunningApp, day: number): Promise<string> => readFile(sceneOf(app, nameOf(day)), 'utf8');
const reviewOf = (page: Page) => page.getByRole('region', { name: 'Work · Review' });
const codeOf = (page: Page) => page.getByTestId('code');

/** Writes a game of forty similar scenes, each with a label of the same name and two lines without a semicolon. */
async function writeFortyDays(app: RunningApp): Promise<void> {
  for (let day = 1; day <= 40; day += 1) {
    const text = [
      `小满:第${day}天`,
      'label:again;',
      'choose:再说一遍:again|算了:done;',
      'label:done;',
      'changeBg:street.webp',
      `changeScene:${nameOf((day % 40) + 1)};`,
    ];
    await writeFile(sceneOf(app, nameOf(day)), `${text.join('\n')}\n`);
  }
  const ways = [1, 2, 7, 8].map((day) => `callScene:${nameOf(day)};`);
  await writeFile(sceneOf(app, 'start.txt'), `${ways.join('\n')}\nend;\n`);
}

/** Opens a scene from the first one, which links to every day: the list of scenes is next to the stage, which is collapsed. */
async function openDay(page: Page, day: number): Promise<void> {
  await page.getByRole('button', { name: 'start.txt', exact: true }).click();
  await pressOn(page, nameOf(day), 'F12');
  await expect(codeOf(page).getByText(`第${day}天`)).toBeVisible();
}

/** Clicks a word of the open scene and presses a key. */
async function pressOn(page: Page, word: string, key: string): Promise<void> {
  await codeOf(page).getByText(word, { exact: true }).first().click();
  await page.keyboard.press(key);
}

async function rename(page: Page, word: string, name: string): Promise<void> {
  await pressOn(page, word, 'F2');
  const field = page.locator('.rename-input');
  await expect(field).toBeFocused();
  await field.fill(name);
  await page.keyboard.press('Enter');
}

test('renames a label in forty scenes: previews it, excludes one file and undoes it', async ({ app }) => {
  const { page } = app;
  await writeFortyDays(app);
  await openDay(page, 7);
  await rename(page, 'again', 'done');
  await expect(page.getByRole('alert').filter({ hasText: '“done” is already taken' })).toBeVisible();

  await rename(page, 'again', 'once-more');
  const review = reviewOf(page);
  await expect(review.getByText('Rename “again” to “once-more”')).toBeVisible();
  await expect(review.getByRole('button', { name: 'All 40 files' })).toBeVisible();
  expect(await read(app, 7)).toContain('label:again;');
  await review.getByRole('checkbox', { name: 'Accept day-08.txt' }).click();
  await review.getByRole('button', { name: 'Accept the 39 chosen files' }).click();
  await expect.poll(() => read(app, 7)).toContain('label:once-more;\nchoose:再说一遍:once-more|算了:done;');
  await expect.poll(() => read(app, 40)).toContain('label:once-more;');
  expect(await read(app, 8)).toContain('label:again;');
  const undo = page.getByRole('button', { name: 'Undo' });
  const placeOf = async (element: Locator) => (await element.boundingBox())?.y ?? 0;
  await expect.poll(() => placeOf(undo)).toBeGreaterThan(0);
  await review.getByRole('button', { name: 'Discard' }).click();
  await expect(codeOf(page).getByText('once-more').first()).toBeVisible();

  // A later message does not move the button: a click that it takes between press and release is lost.
  const later = page.getByText('Discarded; nothing was written.');
  await expect.poll(async () => (await placeOf(undo)) - (await placeOf(later))).toBeGreaterThan(20);
  await undo.click();
  await expect.poll(() => read(app, 7)).toContain('label:again;');
  await expect(codeOf(page).getByText('again').first()).toBeVisible();

  // The editor's code actions still work after the diff of the review was closed.
  await pressOn(page, '第7天', 'Control+.');
  await expect(page.getByText('Leave this line as it is')).toHaveCount(1);
});

test('shows a rename in review again after the app was closed and after it was killed', async ({ app }) => {
  // The app is started four times.
  test.slow();
  await writeFortyDays(app);
  await openDay(app.page, 7);
  await rename(app.page, 'again', 'once-more');
  await expect(reviewOf(app.page).getByRole('button', { name: 'All 40 files' })).toBeVisible();
  await app.restart();
  await expect(reviewOf(app.page).getByText('Rename “again” to “once-more”')).toBeVisible();
  await app.kill();
  await app.restart();
  const review = reviewOf(app.page);
  await expect(review.getByRole('button', { name: 'All 40 files' })).toBeVisible();
  expect(await read(app, 7)).toContain('label:again;');
  await review.getByRole('button', { name: 'Accept all' }).click();
  await expect.poll(() => read(app, 40)).toContain('label:once-more;');
  await app.restart();
  await expect(app.page.getByRole('navigation', { name: 'Views' })).toBeVisible();
  await expect(reviewOf(app.page)).toBeHidden();
});

test('undoes a rename in every file with Ctrl+Z, redoes it with Ctrl+Y, and never undoes it partially', async ({
  app,
}) => {
  const { page } = app;
  await writeFortyDays(app);
  await openDay(page, 7);
  await rename(page, 'again', 'once-more');
  await reviewOf(page).getByRole('button', { name: 'Accept all' }).click();
  await expect.poll(() => read(app, 40)).toContain('label:once-more;');
  await pressOn(page, '第7天', 'Control+End');
  await page.keyboard.type('; more');
  await expect.poll(() => read(app, 7)).toContain('; more');

  // Typing is undone first, then the whole rename.
  await expect(async () => {
    await page.keyboard.press('Control+Z');
    expect(await read(app, 40)).toContain('label:again;');
  }).toPass();
  expect(await read(app, 7)).not.toContain('; more');
  await expect.poll(() => read(app, 7)).toContain('label:again;');
  await expect(codeOf(page).getByText('again').first()).toBeVisible();
  await page.keyboard.press('Control+Y');
  await expect.poll(() => read(app, 40)).toContain('label:once-more;');
  await expect(codeOf(page).getByText('once-more').first()).toBeVisible();

  const changed = `${await read(app, 12)}; by another program\n`;
  await writeFile(sceneOf(app, 'day-12.txt'), changed);
  await page.keyboard.press('Control+Z');
  const notice = page
    .getByRole('alert')
    .filter({ hasText: 'cannot be undone in all 40 files: day-12.txt changed since' });
  await expect(notice).toBeVisible();
  expect([await read(app, 7), await read(app, 12)]).toEqual([expect.stringContaining('label:once-more;'), changed]);
  await notice.getByRole('button', { name: 'Only in this file' }).click();
  await expect.poll(() => read(app, 7)).toContain('label:again;');
  expect(await read(app, 40)).toContain('label:once-more;');
});

test('renames a scene and updates every reference and its tab', async ({ app }) => {
  const { page } = app;
  await writeFortyDays(app);
  await openDay(page, 8);
  await openDay(page, 7);
  await rename(page, 'day-08.txt', 'rainy/eight.txt');
  await reviewOf(page).getByRole('button', { name: 'Accept all' }).click();
  await expect.poll(() => read(app, 7)).toContain('changeScene:rainy/eight.txt;');
  // The editor cancels a rename when the text changes meanwhile.
  await expect(page.getByText(/“rainy\/eight\.txt”: 4 files changed/)).toBeVisible();
  await rename(page, 'again', 'once-more');
  await reviewOf(page).getByRole('button', { name: 'Accept all' }).click();
  await expect.poll(() => read(app, 7)).toContain('label:once-more;');
  // Undo is offered for the last change only: undoing the one before would lose this one.
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(1);
  expect(await readFile(sceneOf(app, 'rainy/eight.txt'), 'utf8')).toContain('第8天');
  await expect(access(sceneOf(app, 'day-08.txt'))).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(page.getByRole('navigation', { name: 'Open files' }).getByRole('listitem')).toContainText([
    'start.txt',
    'day-07.txt',
    'eight.txt',
  ]);
});

test('fixes all problems of one kind in the whole game', async ({ app }) => {
  const { page } = app;
  await writeFortyDays(app);
  await openDay(page, 1);
  const fixAll = page.getByText(/^All 80 like this, in .*: Add the semicolon/);
  // The action counts what the check of the game has found so far.
  await expect(async () => {
    // The menu of an earlier try covers the page.
    await page.keyboard.press('Escape');
    await expect(page.locator('.context-view-block').filter({ visible: true })).toHaveCount(0, { timeout: 1_000 });
    await pressOn(page, '第1天', 'Control+.');
    await expect(fixAll).toBeVisible({ timeout: 3_000 });
  }).toPass({ timeout: 60_000 });
  await fixAll.click();
  const review = reviewOf(page);
  await expect(review.getByRole('button', { name: 'All 40 files' })).toBeVisible();
  expect(await read(app, 33)).toContain('第33天\n');
  await review.getByRole('button', { name: 'Accept all' }).click();
  await expect.poll(() => read(app, 33)).toContain('小满:第33天;\n');
  expect(await read(app, 1)).toContain('changeBg:street.webp;\n');
  await expect(page.getByRole('button', { name: 'Add the semicolon' })).toHaveCount(0);
});

test('shows the documentation of a command and jumps to a label, a scene and a picture', async ({ app }) => {
  const { page } = app;
  await writeFortyDays(app);
  await openDay(page, 7);
  const hover = page.locator('.monaco-hover:visible');
  await codeOf(page).getByText('changeBg', { exact: true }).first().hover();
  await expect(hover).toContainText('Changes the background');
  await codeOf(page).getByText('street.webp', { exact: true }).first().hover();
  await expect(hover.getByRole('img')).toBeVisible();
  await expect(hover).toContainText('scenes.');

  const status = page.getByRole('region', { name: 'Status' });
  await codeOf(page).getByText('再说一遍').click();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('F12');
  await expect(status).toContainText('day-07.txt, line 4');
  await pressOn(page, 'again', 'Shift+F12');
  await expect(page.getByText('References (2)')).toBeVisible();
  await page.keyboard.press('Escape');
  await pressOn(page, 'day-08.txt', 'F12');
  await expect(status).toContainText('day-08.txt, line 1');
  await page.getByRole('button', { name: 'Outline' }).click();
  await expect(page.getByText(/^Outline \(\d+\)$/)).toBeVisible();
  await page.getByRole('option', { name: /^done/ }).click();
  await expect(status).toContainText('day-08.txt, line 4');
  await pressOn(page, 'street.webp', 'F12');
  await expect(page.getByRole('listitem').filter({ hasText: 'street.webp' })).toHaveAttribute('aria-current', 'true');
});

test('draws the outline and the list of commands for users who want less motion', async ({ app }) => {
  const { page } = app;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const key of ['Control+Shift+O', 'F1']) {
    await pressOn(page, '小满', key);
    await expect(page.locator('.quick-input-widget').getByRole('option').first()).toBeInViewport();
    await page.keyboard.press('Escape');
  }
});

test('shows word counts next to lines when switched on, and formats a scene without changing it', async ({ app }) => {
  const { page } = app;
  await writeFortyDays(app);
  await writeFile(sceneOf(app, nameOf(2)), '小满: 第2天   -next  ;  note\nchangeBg:street.webp   -next\n');
  await openDay(page, 2);
  await expect(codeOf(page).getByText('· no voice')).toHaveCount(0);
  await page.keyboard.press('Control+5');
  for (const name of ['Word counts beside the lines', 'Lines without a voice']) {
    const toggle = page.getByRole('switch', { name });
    await expect(toggle).not.toBeChecked();
    // The input of the switch is covered by its track.
    await toggle.click({ force: true });
    await expect(toggle).toBeChecked();
  }
  await page.keyboard.press('Control+1');
  await expect(codeOf(page).getByText('· no voice')).toBeVisible();
  await expect(codeOf(page).getByText('· 3 words', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Scene actions' }).click();
  await page.getByRole('menuitem', { name: /^Tidy up/ }).click();
  await expect.poll(() => read(app, 2)).toBe('小满:第2天 -next;  note\nchangeBg:street.webp -next;\n');
});

test('undoes step by step what the history undid, a rename always in every file', async ({ app }) => {
  const { page } = app;
  await writeFortyDays(app);
  await openDay(page, 7);
  await codeOf(page).getByText('第7天').first().click();
  await page.keyboard.press('End');
  await page.keyboard.type('下雨');
  await expect.poll(() => read(app, 7)).toContain('第7天下雨');
  await rename(page, 'again', 'once-more');
  await reviewOf(page).getByRole('button', { name: 'Accept all' }).click();
  await expect.poll(() => read(app, 40)).toContain('label:once-more;');
  await page.keyboard.press('Control+4');
  const history = page.getByRole('region', { name: /History/ });
  await history.getByText('All changes', { exact: true }).click();
  await history.getByRole('list', { name: 'Changes, newest first' }).getByText('Rename “again”').first().click();
  await history.getByRole('button', { name: 'Undo it in all 40 files' }).click();
  await expect.poll(() => read(app, 40)).toContain('label:again;');
  await page.keyboard.press('Control+1');
  await codeOf(page).getByText('第7天').first().click();
  const isWhole = async () => {
    const texts = await Promise.all([1, 7, 8, 40].map((day) => read(app, day)));
    return new Set(texts.map((text) => text.includes('label:once-more;'))).size === 1;
  };
  for (let step = 1; step <= 6; step += 1) {
    await page.keyboard.press('Control+Z');
    await page.waitForTimeout(2_500);
    // A busy machine may still write the other files.
    await expect.poll(async () => [step, await isWhole()]).toEqual([step, true]);
  }
});
