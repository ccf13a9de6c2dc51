import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { writeBrowserLauncher } from '../support/window/browser.ts';
import { test as base, expect as baseExpect } from './fixtures.ts';

const test = base.extend({
  // The web host plays in the browser of this computer.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies from this pattern
  environment: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'webgal-agent-browser-'));
    await use({ WEBGAL_AGENT_BROWSER: await writeBrowserLauncher(folder) });
    await rm(folder, { recursive: true, force: true });
  },
});
// Software rendering is slow, especially on a busy machine.
test.setTimeout(600_000);
const expect = baseExpect.configure({ timeout: 90_000 });
test.use({ opensProject: true, actionTimeout: 60_000 });

/** A name that is typed, two options of one text, one that is hidden, and one that a variable shows. */
const START = [
  ':开头;',
  'getUserInput:name -title=你的名字 -buttonText=好;',
  'choose:去海边:sea|去海边:lake|(love>3)->不会出现:sea;',
  'label:sea;',
  'setVar:love=1;',
  'changeScene:good.txt;',
  'label:lake;',
  'setVar:love=2;',
  ':湖边，{name};',
  'choose:(love>1)->说出来:tell|不说:quiet;',
  'label:tell;',
  'changeScene:good.txt;',
  'label:quiet;',
  ':安静;',
  'end;',
  '',
].join('\n');

const stageMenu = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'More for the stage' }).click();
  await page.getByRole('menuitem', { name }).click();
};
const recording = (page: Page) => page.getByRole('region', { name: 'Recording a route' });
const tests = (page: Page) => page.getByRole('list', { name: 'Story tests' });

/** The first click gives the game the keyboard. */
const takeTheStage = (page: Page) =>
  page
    .getByRole('button', { name: 'Click to play; the keyboard goes to the game then' })
    .click({ position: { x: 5, y: 5 } });

/** Clicks on the stage, as a player does, until it shows something. */
async function playOn(page: Page, selector: string): Promise<void> {
  const stage = page.frameLocator('iframe');
  await expect(async () => {
    if (await stage.locator(selector).first().isVisible()) return;
    await stage.locator('#FullScreenClick').dispatchEvent('click');
    await expect(stage.locator(selector).first()).toBeVisible({ timeout: 10_000 });
  }).toPass();
}

/** Plays `START` by the second of the equal options, as a player does. */
async function playToTheLake(page: Page): Promise<void> {
  const stage = page.frameLocator('iframe');
  await expect(stage.locator('#textBoxMain')).toContainText(/开.*头/);
  await takeTheStage(page);
  await playOn(page, '#user-input');
  await stage.locator('#user-input').fill('小满');
  await stage.getByText('好', { exact: true }).click();
  await expect(recording(page)).toContainText('choices 0, typed answers 1');
  await stage.getByText('去海边').nth(1).click();
  await expect(stage.locator('#textBoxMain')).toContainText(/湖.*满/);
  await expect(recording(page)).toContainText('choices 1, typed answers 1');
  await playOn(page, '#chooseContainer >> text=说出来');
  await stage.getByText('说出来').click();
  await expect(recording(page)).toContainText('choices 2, typed answers 1');
  await expect(stage.locator('#textBoxMain')).toContainText(/结.*2/);
}

test('records a route on the stage, saves it as a story test, runs it and takes it back', async ({ app }) => {
  const { page, projectDir } = app;
  const file = join(projectDir, 'game/story-tests.json');
  await writeFile(join(projectDir, 'game/scene/good.txt'), ':结局-{love};\nend;\n');
  await writeFile(join(projectDir, 'game/scene/start.txt'), START);
  await page.getByRole('button', { name: 'Playtest', exact: true }).click();
  await page.getByText(/^Story tests \(0\)$/).click();
  await page.getByRole('button', { name: 'Record a route' }).click();
  await playToTheLake(page);

  await test.step('an edit keeps the route: it is played back with the typed name', async () => {
    await writeFile(join(projectDir, 'game/scene/start.txt'), START.replace(':安静;', ':很安静;'));
    await expect(page.getByRole('button', { name: 'Stop here' })).toHaveCount(0);
    await expect(recording(page)).toContainText('choices 2, typed answers 1');
    await expect(page.frameLocator('iframe').locator('#textBoxMain')).toContainText(/结.*2/);
  });
  const dialog = page.getByRole('dialog', { name: 'A new story test' });
  await test.step('the dialog proposes what the route reaches', async () => {
    await recording(page).getByRole('button', { name: 'Save as a test…' }).click();
    await expect(dialog.getByText('The route leads to an ending at good.txt:2')).toBeVisible();
    await expect(dialog.getByRole('checkbox', { name: 'The story ends in' })).toBeChecked();
    await expect(dialog.getByRole('checkbox', { name: 'love' })).toBeChecked();
    await expect(dialog.getByRole('checkbox', { name: 'name' })).not.toBeChecked();
    await expect(dialog.getByRole('textbox', { name: 'Answer 1' })).toHaveValue('小满');
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('湖边');
    await dialog.getByRole('button', { name: 'Save and run' }).click();
    await expect(dialog).toHaveCount(0);
  });
  await test.step('it is written and passes', async () => {
    await expect(tests(page)).toContainText('passed: 湖边');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      tests: [
        {
          name: '湖边',
          choose: [{ text: '去海边', nth: 2 }, '说出来'],
          inputs: ['小满'],
          expect: { ending: 'good.txt', variables: [{ name: 'love', is: '>=', value: 2 }] },
        },
      ],
    });
  });
  await test.step('it fails in words when the story has changed, and is changed and removed with undo', async () => {
    await writeFile(join(projectDir, 'game/scene/start.txt'), START.replace('love=2', 'love=1'));
    await tests(page).getByRole('button', { name: 'Run the test “湖边”' }).click();
    await expect(tests(page)).toContainText('failed: 湖边: the option “说出来” is not offered');
    await tests(page).getByRole('button', { name: 'Change the test “湖边”' }).click();
    const edited = page.getByRole('dialog', { name: 'Change the story test' });
    await expect(edited.getByText(/The route could not be repeated/)).toBeVisible();
    await edited.getByRole('textbox', { name: 'Choice 2' }).fill('不说');
    await edited.getByRole('checkbox', { name: 'The story ends in' }).uncheck();
    await edited.getByRole('checkbox', { name: 'love' }).uncheck();
    await edited.getByRole('button', { name: 'Save and run' }).click();
    await expect(tests(page)).toContainText('passed: 湖边');
    const before = await readFile(file, 'utf8');
    expect(JSON.parse(before).tests[0].choose).toEqual([{ text: '去海边', nth: 2 }, '不说']);
    await tests(page).getByRole('button', { name: 'Remove the test “湖边”' }).click();
    await expect.poll(() => readFile(file, 'utf8')).toBe('{\n  "tests": []\n}\n');
    await page.getByText('Removed the story test “湖边”').waitFor();
    // The notice before it fades out.
    await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => readFile(file, 'utf8')).toBe(before);
  });
});

test('does not write a file with a fault, and takes the route that was played without recording', async ({ app }) => {
  const { page, projectDir } = app;
  const file = join(projectDir, 'game/story-tests.json');
  await writeFile(
    join(projectDir, 'game/scene/start.txt'),
    ':开头;\nchoose:留下:stay|走:go;\nlabel:stay;\n:留下了;\nend;\nlabel:go;\nend;\n',
  );
  const stage = page.frameLocator('iframe');
  const playToStay = async () => {
    await expect(stage.locator('#textBoxMain')).toContainText(/开.*头/);
    await takeTheStage(page);
    await playOn(page, '#chooseContainer >> text=留下');
    await stage.getByText('留下').click();
    await expect(stage.locator('#textBoxMain')).toContainText(/留.*了/);
  };
  await stageMenu(page, 'Record a route from the start');
  await playToStay();
  // The page of the engine reports a choice a moment after it shows what follows.
  await expect(recording(page)).toContainText('choices 1');
  await test.step('a jump ends a recording, which is kept until it is saved or not', async () => {
    await stageMenu(page, 'From the start of the game');
    await expect(recording(page)).toContainText('The recording has ended, because the stage was sent to another line');
    await expect(recording(page)).toContainText('choices 1');
    await recording(page).getByRole('button', { name: 'Don’t save' }).click();
    await expect(recording(page)).toHaveCount(0);
  });
  await playToStay();
  await writeFile(file, '{"tests": [');
  await stageMenu(page, 'Save the route so far as a test…');
  const dialog = page.getByRole('dialog', { name: 'A new story test' });
  await expect(dialog.getByRole('textbox', { name: 'Choice 1' })).toHaveValue('留下');
  await dialog.getByRole('button', { name: 'Save and run' }).click();
  await expect(dialog.getByRole('alert')).toContainText('The tests in game/story-tests.json cannot be read');
  expect(await readFile(file, 'utf8')).toBe('{"tests": [');
  await rm(file);
  await expect.poll(() => existsSync(file)).toBe(false);
  await dialog.getByRole('button', { name: 'Save and run' }).click();
  await expect(tests(page)).toContainText('passed: Route: 留下');
});
