import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { BRANCHING, toBranchingGame, writeScenes } from '../support/games/branching-game.ts';
import { callApp } from '../support/window/call-app.ts';
import { expect, type RunningApp, test } from './fixtures.ts';
import { saveDownload } from './save-download.ts';

test.use({ foldsStage: true, opensProject: true });

const mapOf = (page: Page) => page.getByRole('region', { name: 'Work · Story map' });
const boxOf = (page: Page, title: string) => mapOf(page).locator(`[data-story-node="${title}"]`);

test('finds an ending in a game of 150 scenes, opens its line and saves the map as a picture', async ({ app }) => {
  const { page, projectDir } = app;
  const scenes = join(projectDir, 'game', 'scene');

  await test.step('writes the game', async () => {
    // A reload before the page has exchanged the token of its link would leave it without a session.
    await expect(page.getByText(/^\d+ scenes/)).toBeVisible();
    for (const name of await readdir(scenes)) await rm(join(scenes, name), { recursive: true });
    await writeScenes(projectDir, toBranchingGame());
    await page.reload();
    await expect(page.getByText(new RegExp(`^${BRANCHING.scenes} scenes`))).toBeVisible();
  });

  await test.step('opens the map folded by chapter at the open scene, with the number of problems', async () => {
    await page.keyboard.press('Control+6');
    await expect(boxOf(page, 'start')).toBeInViewport();
    await expect(boxOf(page, 'start')).toHaveAttribute('aria-current', 'true');
    for (const [word, count] of [
      ['Ending', 10],
      ['Dead end', 1],
      ['Never reached', 5],
      ['Missing', 1],
    ]) {
      await expect(mapOf(page).getByRole('button', { name: `${word} ${count}`, exact: true })).toBeVisible();
    }
    await expect(boxOf(page, '小雪')).toHaveAttribute('aria-expanded', 'false');
    expect(await mapOf(page).locator('[data-story-node]').count()).toBeLessThan(45);
  });

  await test.step('ends texts within their box', async () => {
    const texts = mapOf(page).locator('[data-story-node] > span');
    const ends = await texts.evaluateAll((spans) =>
      spans.map((span) => {
        const box = span.parentElement?.getBoundingClientRect();
        return Math.round((box?.right ?? 0) - span.getBoundingClientRect().right);
      }),
    );
    expect(Math.min(...ends)).toBeGreaterThan(0);
  });

  await test.step('unfolds a chapter with a click and folds it again', async () => {
    await mapOf(page).getByRole('button', { name: 'Show the whole map' }).click();
    await expect(boxOf(page, '小雪')).toBeInViewport();
    await boxOf(page, '小雪').click();
    await expect(boxOf(page, '小雪_第一章_相遇')).toBeInViewport();
    await expect(boxOf(page, '小雪')).toHaveCount(0);
    await mapOf(page).getByRole('button', { name: 'Fold 小雪' }).click();
    await expect(boxOf(page, '小雪')).toBeInViewport();
    await expect(boxOf(page, '小雪_第一章_相遇')).toHaveCount(0);
    await boxOf(page, '小雪').click();
    await expect(boxOf(page, '小雪_第一章_相遇')).toBeInViewport();
  });

  await test.step('keeps the focus on a chapter that keys fold and unfold, and shows the one that is left', async () => {
    await boxOf(page, '小雪_第一章_相遇').focus();
    await page.keyboard.press('-');
    await expect(boxOf(page, '小雪')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(boxOf(page, '小雪')).toHaveCount(0);
    await expect(mapOf(page).locator('[data-story-node]:focus')).toHaveAttribute('data-story-node', /^小雪_/);
    await mapOf(page).getByRole('button', { name: 'Show the whole map' }).click();
    await boxOf(page, '结局').click();
    await expect(boxOf(page, BRANCHING.ending)).toHaveCount(1);
    await mapOf(page).getByRole('button', { name: 'Fold all' }).click();
    await expect(boxOf(page, '结局')).toBeInViewport();
    await expect(boxOf(page, '结局')).toBeFocused();
    await boxOf(page, '小雪').click();
  });

  await test.step('is searched by a key from the text; Esc closes the legend', async () => {
    await page.keyboard.press('Control+1');
    await page.getByTestId('code').click();
    await page.keyboard.press('Control+Shift+F');
    const field = mapOf(page).getByRole('textbox', { name: 'Scene, line or speaker' });
    await expect(field).toBeFocused();
    await page.keyboard.type('小雪');
    await expect(mapOf(page).getByText(/^\d+ of \d+/)).toBeVisible();
    // Every line is listed, opens with the word selected, and the search is still there on return.
    await mapOf(page).getByRole('button', { name: /小雪/ }).filter({ hasText: /^\d+/ }).nth(1).click();
    await expect(page.locator('.selected-text').first()).toBeAttached();
    await page.keyboard.press('Control+6');
    await expect(field).toHaveValue('小雪');
    await field.press('Escape');
    await mapOf(page).getByText('Map', { exact: true }).click();
    await mapOf(page).getByRole('button', { name: 'What the signs mean' }).click();
    await expect(page.getByText('Ending', { exact: true }).last()).toBeVisible();
    const legend = page.getByRole('dialog');
    await expect(legend).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(legend).toHaveCount(0);
  });

  await test.step('opens a missing scene through its mark', async () => {
    await mapOf(page).getByRole('button', { name: 'Missing 1', exact: true }).click();
    await expect(boxOf(page, BRANCHING.missing)).toBeInViewport();
    await expect(boxOf(page, BRANCHING.missing)).toHaveAttribute('data-marks', 'missing');
    await mapOf(page).getByRole('button', { name: 'Missing 1', exact: true }).click();
  });

  await test.step('searches an ending in a folded chapter, which is centred with the path to it', async () => {
    await mapOf(page).getByText('List', { exact: true }).click();
    await mapOf(page).getByRole('textbox', { name: 'Scene, line or speaker' }).fill('灯塔');
    await expect(mapOf(page).getByText('1 of 2 · 1 line')).toBeVisible();
    await expect(
      mapOf(page)
        .getByRole('listitem')
        .getByText(/^(choose:|…).*灯塔/),
    ).toBeVisible();
    await mapOf(page).getByText('Map', { exact: true }).click();
    await expect(boxOf(page, BRANCHING.ending)).toBeInViewport();
    await expect(boxOf(page, '小雪_终章')).toHaveAttribute('data-relation', 'before');
  });

  await test.step('moves to the previous scene with the arrow keys and opens its line', async () => {
    await boxOf(page, BRANCHING.ending).focus();
    await page.keyboard.press('ArrowLeft');
    await expect(boxOf(page, '小雪_终章')).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect(boxOf(page, '小雪_终章')).not.toBeFocused();
    await boxOf(page, BRANCHING.ending).click();
    await expect(page.getByText(`${BRANCHING.ending}.txt, line 1`)).toBeVisible();
  });

  await test.step('returns to the same position and shows a scene written meanwhile', async () => {
    await page.keyboard.press('Control+6');
    await expect(boxOf(page, BRANCHING.ending)).toBeInViewport();
    await expect(boxOf(page, BRANCHING.ending)).toHaveAttribute('aria-current', 'true');
    await writeFile(join(projectDir, 'game', 'scene', BRANCHING.missing), '小雪:终于写了。;\nend;\n');
    await expect(mapOf(page).getByRole('button', { name: /^Missing/ })).toHaveCount(0);
    await expect(boxOf(page, BRANCHING.ending)).toBeInViewport();
    const written = BRANCHING.missing.replace('.txt', '');
    await mapOf(page).getByRole('textbox', { name: 'Scene, line or speaker' }).fill(written);
    await expect(boxOf(page, written)).toHaveAttribute('data-marks', 'ending');
  });

  await test.step('saves the whole map, as lines and as dots', async () => {
    const svg = (await save(app, 'Vector picture (SVG)')).toString();
    expect(svg.match(/<title>[^<]+<\/title>/)?.length).toBe(1);
    expect(svg).toContain('&lt;b&gt;&quot;看&amp;看&quot;&lt;/b&gt;');
    for (const title of [BRANCHING.ending, BRANCHING.deadEnd, BRANCHING.unreachable]) expect(svg).toContain(title);
    // The picture refers to no URL except the namespace.
    expect([...new Set(svg.match(/\b\w+:\/\/[^"]*/g))]).toEqual(['http://www.w3.org/2000/svg']);
    expect(svg).not.toMatch(/href|url\(|<script|<image|<style/);
    const png = await save(app, 'Picture (PNG)');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16) > 4000, png.readUInt32BE(20) > 2000]).toEqual([true, true]);
  });
  expect(app.pageErrors).toEqual([]);
});

async function save(app: RunningApp, format: string): Promise<Buffer> {
  await mapOf(app.page).getByRole('button', { name: 'Export' }).click();
  return saveDownload(app, () => app.page.getByRole('menuitem', { name: format }).click());
}

test('shows the ends of long names, in which scenes differ', async ({ app }) => {
  const { page, projectDir } = app;
  const names = ['朝', '夜'].map((end) => `第一章_雨の降る町の小さな喫茶店で待つ_${end}`);
  const scenes = join(projectDir, 'game', 'scene');
  for (const name of names) await writeFile(join(scenes, `${name}.txt`), 'A:x;\nend;\n');
  await writeFile(join(scenes, 'start.txt'), `choose:A:${names[0]}.txt|B:${names[1]}.txt;\n`);
  await expect(page.getByText(/^\d+ scenes/)).toBeVisible();
  await page.keyboard.press('Control+6');
  for (const name of names) {
    const box = mapOf(page).getByRole('button', { name: new RegExp(`^${name}`) });
    await expect(box).toBeVisible();
    const isCut = await box.evaluate((element, end) => {
      const spans = [...element.querySelectorAll('span')].filter(({ children }) => children.length === 0);
      const last = spans.find((span) => span.textContent?.endsWith(end));
      return last === undefined || last.scrollWidth > last.clientWidth;
    }, name.slice(-1));
    expect(isCut).toBe(false);
  }
});

test('takes what is typed at once after the key of the search, and not the text', async ({ app }) => {
  const { page, projectDir } = app;
  const before = await readFile(join(projectDir, 'game/scene/start.txt'), 'utf8');
  await page.getByTestId('code').getByText('小满').first().click();
  for (const _ of [1, 2]) await page.keyboard.press('Control+Shift+F');
  await page.keyboard.type('Quxx', { delay: 30 });
  await page.keyboard.press('Backspace');
  const field = mapOf(page).getByRole('textbox', { name: 'Scene, line or speaker' });
  await expect(field).toHaveValue('Qux');
  await expect(field).toBeFocused();
  await page.keyboard.type('!');
  await expect(field).toHaveValue('Qux!');
  await page.waitForTimeout(1500);
  expect(await readFile(join(projectDir, 'game/scene/start.txt'), 'utf8')).toBe(before);
});

test('shows the list of found lines again where a line was opened', async ({ app }) => {
  const { page, projectDir } = app;
  const lines = Array.from({ length: 400 }, (_, at) => `:harbour ${at};`);
  await writeFile(join(projectDir, 'game/scene/bridge.txt'), `${lines.join('\n')}\nend;\n`);
  await page.getByTestId('code').getByText('小满').first().click();
  await page.keyboard.press('Control+Shift+F');
  await page.keyboard.type('harbour');
  const list = mapOf(page).getByRole('list', { name: 'Story map' });
  await expect(list.getByRole('button', { name: 'harbour 5' }).first()).toBeVisible();
  await list.evaluate((rows) => rows.closest('[class*="root"]')?.scrollTo(0, 6000));
  const name = await list
    .getByRole('button', { name: /harbour \d{3}/ })
    .nth(15)
    .innerText();
  // By its text: rows move while the list measures them.
  await list
    .getByRole('button')
    .filter({ hasText: name.split('\n').at(-1) ?? '' })
    .click();
  await expect(page.getByRole('region', { name: 'Work · Write' })).toBeVisible();
  await page.keyboard.press('Control+Shift+F');
  const current = list.locator('[aria-current="true"]');
  await expect(current).toBeInViewport();
  expect(await current.innerText()).toBe(name);
});

test('lists the lines that use a picture, from its tile', async ({ app }) => {
  const { page } = app;
  await page.getByRole('button', { name: 'Assets', exact: true }).click();
  await page.getByRole('button', { name: 'Find where bridge.webp is used' }).click();
  await expect(mapOf(page).getByRole('textbox', { name: 'Scene, line or speaker' })).toHaveValue('bridge.webp');
  await mapOf(page).getByRole('button', { name: '5 changeBg:bridge.webp -next;' }).click();
  await expect(page.getByText('bridge.txt, line 5')).toBeVisible();
});

test('draws the map in the language that was chosen while it was left', async ({ app }) => {
  const { page } = app;
  await expect(page.getByText(/^\d+ scenes/)).toBeVisible();
  // The worker takes the story with the new words when the map is shown no more.
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    let at = 0;
    Worker.prototype.postMessage = function (
      message: { name: string; input: { words?: { locale: string } } },
      ...others: []
    ) {
      if (message.name === 'take') document.body.dataset.taken = message.input.words?.locale;
      // None overtakes another.
      at = Math.max(at, performance.now() + (message.name === 'take' ? 1500 : 0));
      setTimeout(() => postMessage.call(this, message, ...others), at - performance.now());
    };
  });
  await page.keyboard.press('Control+6');
  const boxes = page.locator('[data-story-node="start"]');
  await expect(boxes).toContainText('lines');
  await callApp(page, 'settings.update', { locale: 'ja' });
  await expect(page.getByRole('region', { name: /ストーリーマップ/ })).toBeVisible();
  await expect(page.locator('body')).toHaveAttribute('data-taken', 'ja');
  await page.keyboard.press('Control+1');
  await page.waitForTimeout(2500);
  await page.keyboard.press('Control+6');
  await expect(boxes).toContainText(/\d 行/);
});
