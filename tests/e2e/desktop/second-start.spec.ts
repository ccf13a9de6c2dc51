import { chmod, chown, cp, writeFile } from 'node:fs/promises';
import { basename, dirname, join, parse } from 'node:path';
import type { Page } from '@playwright/test';
import { STORY_SCENE } from '../../support/games/story-script.ts';
import { handToDesktopUser } from '../../support/window/desktop.ts';
import { expect, type RunningApp, test } from '../fixtures.ts';

test.use({ foldsStage: true });

/** Creates a second game next to the first, with its own title. */
async function makeOtherGame(app: RunningApp, name = 'sea', title = 'The sea'): Promise<string> {
  const folder = join(dirname(app.projectDir), name);
  await cp(app.projectDir, folder, { recursive: true });
  await writeFile(join(folder, 'game', 'config.txt'), `Game_name:${title};\n`);
  handToDesktopUser(folder);
  return folder;
}

const titleOf = (page: Page) => page.getByRole('button', { name: /open another game/ });
const codeOf = (page: Page) => page.getByTestId('code');

/** Returns the first window's state and the number of windows. */
const readWindows = ({ desktop }: RunningApp) =>
  desktop.evaluate(({ BrowserWindow }) => {
    const windows = BrowserWindow.getAllWindows();
    return { count: windows.length, isVisible: windows[0]?.isVisible(), isFocused: windows[0]?.isFocused() };
  });

test('ends a second start immediately and brings the hidden first window to the front', async ({ app }) => {
  await expect(titleOf(app.page)).toContainText('雨停之前');
  await app.desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  expect(await readWindows(app)).toMatchObject({ count: 1, isVisible: false });
  expect(await app.startBeside([])).toBe(0);
  await expect.poll(() => readWindows(app)).toEqual({ count: 1, isVisible: true, isFocused: true });
  await expect(titleOf(app.page)).toContainText('雨停之前');
});

test('explains that a second start cannot switch to safe mode', async ({ app }) => {
  await expect(titleOf(app.page)).toContainText('雨停之前');
  expect(await app.startBeside(['--safe-mode'])).toBe(0);
  await expect(app.page.getByRole('status').filter({ hasText: 'Close it first' })).toBeVisible();
  await expect(titleOf(app.page)).toContainText('雨停之前');
});

test('opens the project of a second start, and a folder dropped on the icon', async ({ app }) => {
  const sea = await makeOtherGame(app);
  await expect(titleOf(app.page)).toContainText('雨停之前');
  // Relative to the working directory of the second start.
  expect(await app.startBeside(['--project', basename(sea)], dirname(sea))).toBe(0);
  await expect(titleOf(app.page)).toContainText('The sea');
  expect(await app.startBeside([app.projectDir])).toBe(0);
  await expect(titleOf(app.page)).toContainText('雨停之前');
  expect(await readWindows(app)).toMatchObject({ count: 1 });
});

/** Valid folder names; those with `"` or a backslash are not valid on Windows. */
const NAMES = [
  ...[
    '日 本',
    '雨ü のß',
    '日本語 café 🎮',
    '海边的 游戏 (final)',
    'été à Nîmes',
    '🎮 🎲',
    "it's 100 % %20 done",
    '한국어 ñ 中\u3000文',
  ],
  ...(process.platform === 'win32' ? [] : ['a "quoted" 名', 'back\\slash 雨', 'tab\there 雨\u00a0x']),
];

test('opens folders of a second start with any characters in their names', async ({ app }) => {
  test.setTimeout(60_000 + NAMES.length * 15_000);
  await expect(titleOf(app.page)).toContainText('雨停之前');
  for (const [index, name] of NAMES.entries()) {
    const folder = await makeOtherGame(app, name, `Game ${index}`);
    expect(await app.startBeside(['--project', folder])).toBe(0);
    await expect(titleOf(app.page), name).toContainText(`Game ${index}`);
  }
});

test('says in the app’s language why the folder of the first start cannot be opened', async ({ app }) => {
  await app.restart(['--project', app.documents, '--lang=en']);
  await expect(app.page.getByRole('alert').filter({ hasText: 'There is no WebGAL game' })).toBeVisible();
  await expect(app.page.getByRole('button', { name: 'Guided tour' })).toBeVisible();
});

test('names a folder that may not be read, and the root of the disk', async ({ app }) => {
  const locked = await makeOtherGame(app, 'locked');
  const cases = [
    { project: locked, closed: locked, named: /locked.+cannot be read/ },
    { project: locked, closed: join(locked, 'game'), named: /game.+cannot be read/ },
    { project: join(locked, 'game'), closed: locked, named: /game.+cannot be read/ },
  ];
  for (const { project, closed, named } of cases) {
    await chmod(closed, 0o000);
    // As root this is the account of the tests, not that of the window.
    if (process.getuid?.() === 0) await chown(closed, 0, 0);
    try {
      expect(await app.startBeside(['--project', project])).toBe(0);
      await expect(app.page.getByRole('alert').filter({ hasText: named }).first()).toBeVisible();
    } finally {
      await chmod(closed, 0o755);
    }
  }
  expect(await app.startBeside(['--project', parse(locked).root])).toBe(0);
  await expect(app.page.getByRole('alert').filter({ hasText: /\S\u2069?” holds much more/ })).toBeVisible();
});

test('refuses a folder without a game in the window and keeps the open game', async ({ app }) => {
  await expect(titleOf(app.page)).toContainText('雨停之前');
  expect(await app.startBeside(['--project', app.documents])).toBe(0);
  await expect(app.page.getByRole('alert').filter({ hasText: 'There is no WebGAL game' })).toBeVisible();
  await expect(titleOf(app.page)).toContainText('雨停之前');
});

test('saves the open game before a second start opens another, and keeps one whose text cannot be saved', async ({
  app,
}) => {
  const { page, projectDir } = app;
  const sea = await makeOtherGame(app);
  const file = join(projectDir, STORY_SCENE);
  await codeOf(page).getByText('小满').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('; mine');
  await writeFile(file, ':from outside;\nend;\n');
  await expect(page.getByRole('alert').filter({ hasText: 'changed outside' })).toBeVisible();
  expect(await app.startBeside(['--project', sea])).toBe(0);
  await expect(page.getByText(/has text that could not be saved yet/)).toBeVisible();
  await expect(titleOf(page)).toContainText('雨停之前');
  await expect(codeOf(page).getByText('; mine')).toBeVisible();
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  expect(await app.startBeside(['--project', sea])).toBe(0);
  await expect(titleOf(page)).toContainText('The sea');
});
