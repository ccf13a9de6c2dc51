import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

// Software rendering is slow, especially on a busy machine.
test.setTimeout(150_000);
test.use({ opensProject: true });

const engineRoot = (page: Page) => page.frameLocator('iframe');
const textBox = (page: Page) => engineRoot(page).locator('#textBoxMain');
const choose = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'More for the stage' }).click();
  await page.getByRole('menuitem', { name }).or(page.getByRole('menuitemradio', { name })).click();
};
/** The number of the line that is marked as the one on the stage. */
const playingLine = async (page: Page): Promise<string | null> => {
  const top = await page.locator('.script-playing-sign').first().boundingBox();
  for (const number of await page.locator('[data-testid="code"] .line-numbers').all()) {
    const box = await number.boundingBox();
    if (box && top && Math.abs(box.y - top.y) < 3) return number.textContent();
  }
  return null;
};

test('plays from the start, this scene and the next choice, and marks the line in the text', async ({ app }) => {
  const { page } = app;
  await expect(textBox(page)).toContainText('六月');
  const first = await test.step('the line on the stage is marked', async () => {
    await expect(page.locator('.script-playing-sign').first()).toBeVisible();
    return Number(await playingLine(page));
  });
  expect(first).toBeGreaterThan(0);
  await test.step('on to the next choice', async () => {
    await choose(page, 'On to the next choice');
    // The story is played there, line by line.
    await expect(page.frameLocator('iframe').locator('#chooseContainer > *').first()).toBeVisible({ timeout: 60_000 });
    // It is in another scene than the open one.
    await expect(page.locator('.script-playing-sign')).toHaveCount(0);
  });
  await test.step('the line on the stage is named, and opens without moving the story', async () => {
    const menu = page.frameLocator('iframe').locator('#chooseContainer > *').first();
    const played = page.getByRole('button', { name: 'Open this line in the editor' });
    const label = async () => /^Playing (.+), line (\d+) /.exec((await played.getAttribute('aria-label')) ?? '') ?? [];
    const [, scene = ''] = await label();
    await played.click();
    await expect(page.getByRole('button', { name: `Close ${scene}` })).toBeVisible();
    // The last lines before the menu may still be played.
    await expect.poll(async () => (await label())[2] === (await playingLine(page))).toBe(true);
    await page.waitForTimeout(2_000);
    await expect(menu).toBeVisible();
    await expect(played).toBeVisible();
  });
  await test.step('from the start', async () => {
    await page.getByRole('button', { name: 'start.txt', exact: true }).first().click();
    await choose(page, 'From the start of the game');
    await expect.poll(async () => Number(await playingLine(page))).toBe(first);
  });
});

test('draws the game in the shape of other screens, and over the whole window until Esc', async ({ app }) => {
  const { page } = app;
  const frame = page.locator('iframe');
  const ratio = async () => {
    const box = await frame.boundingBox();
    return box ? box.width / box.height : 0;
  };
  await expect(textBox(page)).toContainText('六月');
  expect(await ratio()).toBeCloseTo(16 / 9, 1);
  for (const [name, expected] of [
    ['4:3', 4 / 3],
    ['9:16', 9 / 16],
    ['Phone', 390 / 664],
    ['16:9', 16 / 9],
  ] as const) {
    await choose(page, name);
    await expect.poll(ratio).toBeCloseTo(expected, 1);
  }
  await choose(page, 'Fill the window');
  await expect.poll(async () => (await frame.boundingBox())?.width ?? 0).toBeGreaterThan(1100);
  // The engine was not loaded again.
  await expect(textBox(page)).toContainText('六月');
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await frame.boundingBox())?.width ?? 0).toBeLessThan(700);
});

test('draws nothing and is silent while the stage is folded, and goes on after', async ({ app }) => {
  const { page } = app;
  await expect(textBox(page)).toContainText('六月');
  const engine = page.frames().find((frame) => frame.url().includes('lang='));
  if (!engine) throw new Error('The engine has no frame.');
  await engine.evaluate(async () => {
    const counted = window as unknown as { drawn: number; music: HTMLAudioElement; ticks: number };
    counted.drawn = 0;
    counted.ticks = 0;
    const draw = () => {
      counted.drawn += 1;
      requestAnimationFrame(draw);
    };
    draw();
    setInterval(() => {
      counted.ticks += 1;
    }, 20);
    counted.music = new Audio('game/bgm/before-the-rain-stops.wav');
    counted.music.loop = true;
    await counted.music.play().catch(() => undefined);
  });
  /** Frames, ticks of an interval, and whether music plays, in a second and a half. */
  const watch = () =>
    engine.evaluate(async () => {
      const counted = window as unknown as { drawn: number; music: HTMLAudioElement; ticks: number };
      const before = [counted.drawn, counted.ticks] as const;
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      return [counted.drawn > before[0], counted.ticks > before[1], !counted.music.paused];
    });
  await expect.poll(watch).toEqual([true, true, true]);
  await page.getByRole('button', { name: 'Hide the stage' }).click();
  await expect.poll(watch).toEqual([false, false, false]);
  await page.getByRole('button', { name: 'Show the stage' }).click();
  await expect.poll(watch).toEqual([true, true, true]);
  await expect(textBox(page)).toContainText('六月');
});

const stageScene = [
  // No picture that fades in: a choice that is made meanwhile only ends the fading.
  ':Begin;',
  'choose:Stay here:stay|Walk on:walk;',
  'label:stay;',
  'setVar:warmth=2;',
  'jumpLabel:after;',
  'label:walk;',
  'setVar:warmth=1;',
  'label:after;',
  ':First-{warmth};',
  ':Second-{warmth};',
  ':Third-{warmth};',
  '',
].join('\n');

test('asks by which choice a line is reached, remembers it and follows it', async ({ app }) => {
  const { page } = app;
  // A page whose engine starts takes no click on a busy machine.
  await expect(textBox(page)).toContainText('六月', { timeout: 60_000 });
  await writeFile(join(app.projectDir, 'game/scene/start.txt'), stageScene);
  await page.locator('[data-testid="code"]').getByText('Second', { exact: false }).first().click();
  await expect(textBox(page)).toContainText('Second-2');
  const way = page.getByRole('region', { name: 'The way to this line' });
  await expect(way).toContainText('Several choices in line 2 lead here');
  await way.getByRole('combobox', { name: 'Choice in line 2' }).click();
  await page.getByRole('option', { name: 'Walk on' }).click();
  await expect(textBox(page)).toContainText('Second-1');
  await expect(way).toContainText('Comes from the choice in line 2');
  // Remembered for other lines of the scene.
  await page.locator('[data-testid="code"]').getByText('Third', { exact: false }).first().click();
  await expect(textBox(page)).toContainText('Third-1');
});

/** A gate that opens for those who were kind, reached from two others. */
const GATED: Readonly<Record<string, string>> = {
  'start.txt': 'setVar:love=1;\n:Begin;\nchoose:Park:park.txt|Pier:pier.txt;\n',
  'park.txt': 'setVar:place=park;\nchangeScene:gate.txt;\n',
  'pier.txt': 'setVar:place=pier;\nsetVar:love=love+1;\nchangeScene:gate.txt;\n',
  'gate.txt': [
    ':Gate{place};',
    'jumpLabel:open -when=love>4;',
    ':Shut{love};',
    'end;',
    'label:open;',
    ':Open{love}{place};',
    'jumpLabel:never -when=love>4&&love<2;',
    'end;',
    'label:never;',
    ':Never;',
    'end;',
    ':Dead{love};',
    '',
  ].join('\n'),
};

test('comes to a line through earlier scenes and conditions, and says what it assumed', async ({ app }) => {
  const { page } = app;
  await expect(textBox(page)).toContainText('六月', { timeout: 60_000 });
  for (const [name, text] of Object.entries(GATED)) await writeFile(join(app.projectDir, 'game/scene', name), text);
  await page.getByRole('button', { name: 'gate.txt', exact: true }).click();
  const code = page.locator('[data-testid="code"]');
  const way = page.getByRole('region', { name: 'The way to this line' });
  await test.step('with what the scenes before it set', async () => {
    await code.getByText('Gate{', { exact: false }).first().click();
    await expect(textBox(page)).toContainText('Gatepark');
    await expect(way).toContainText('Several scenes lead to this one');
    await code.getByText('Shut{', { exact: false }).first().click();
    await expect(textBox(page)).toContainText('Shut1');
    await expect(page.getByText('the stage set')).toHaveCount(0);
  });
  await test.step('behind a condition, with the value that it needs', async () => {
    await code.getByText('Open{', { exact: false }).first().click();
    await expect(textBox(page)).toContainText('Open5park');
    await expect(page.getByText('the stage set love = 5 (for the condition in line 2)')).toBeVisible();
  });
  await test.step('from the scene that the user chooses, also for other lines', async () => {
    await way.getByRole('combobox', { name: 'The scene before' }).click();
    await page.getByRole('option', { name: 'pier.txt' }).click();
    await expect(textBox(page)).toContainText('Open5pier');
    await code.getByText('Shut{', { exact: false }).first().click();
    await expect(textBox(page)).toContainText('Shut2');
    await expect(way).toContainText('Comes from the scene');
  });
  await test.step('with a reason where nothing leads there', async () => {
    await code.getByText('Never', { exact: true }).first().click();
    await expect(page.getByText('no values for the condition “love>4&&love<2” in line 7')).toBeVisible({
      timeout: 2_000,
    });
    await code.getByText('Dead{', { exact: false }).first().click();
    await expect(page.getByText('Nothing in this scene leads to line 12')).toBeVisible({ timeout: 2_000 });
    await expect(textBox(page)).toContainText('Dead2');
  });
});

test('plays the same choices back to the same sentence after an edit, and says where a choice is gone', async ({
  app,
}) => {
  const { page } = app;
  const path = join(app.projectDir, 'game/scene/start.txt');
  const stage = page.frameLocator('iframe');
  await writeFile(path, stageScene);
  await page.locator('[data-testid="code"]').getByText('Begin').first().click();
  await choose(page, 'From the start of the game');
  await expect(textBox(page)).toContainText('Begin');
  await page.locator('[data-testid="code"]').getByText('Begin').first().click();
  await page.keyboard.press('End');
  const next = page.getByRole('button', { name: 'Next line' });
  await expect(async () => {
    await next.click();
    await expect(stage.locator('#chooseContainer')).toContainText('Walk on', { timeout: 3_000 });
  }).toPass();
  await page
    .getByRole('button', { name: 'Click to play; the keyboard goes to the game then' })
    .click({ position: { x: 5, y: 5 } });
  await stage.locator('#chooseContainer').getByText('Walk on').first().click();
  await expect(textBox(page)).toContainText('First-1');
  await expect(async () => {
    await next.click();
    await expect(textBox(page)).toContainText('Second-1', { timeout: 3_000 });
  }).toPass();
  const changed = stageScene.replace('label:after;', 'label:after;\n:New;').replace('Second', 'Changed');
  await writeFile(path, changed);
  await expect(textBox(page)).toContainText('Changed-1');
  await expect(page.getByRole('button', { name: 'Stop here' })).toHaveCount(0);
  // Above the cursor, whose line moves.
  for (const notes of ['; a note\n', '; a note\n; another\n']) {
    await writeFile(path, `${notes}${changed}`);
    await expect(page.getByTestId('code')).toContainText(notes.trim().split('; ').at(-1) ?? '');
    await page.waitForTimeout(2_500);
    await expect(textBox(page)).toContainText('Changed-1');
  }
  await writeFile(path, stageScene.replace('Walk on', 'Run on').replace('Second', 'Changed'));
  await expect(page.getByText('The choice “Walk on” is no longer there')).toBeVisible();
  await expect(stage.locator('#chooseContainer')).toContainText('Run on');
});

test('fills the screen, and is back in its place after', async ({ app }) => {
  const { page } = app;
  const isFull = () => page.evaluate(() => document.fullscreenElement !== null);
  await expect(textBox(page)).toContainText('六月');
  await choose(page, 'Full screen');
  await expect.poll(isFull).toBe(true);
  await expect.poll(async () => (await page.locator('iframe').boundingBox())?.width ?? 0).toBeGreaterThan(1100);
  await expect(textBox(page)).toContainText('六月');
  // As the browser's own Esc does, which a driven page does not receive.
  await page.evaluate(() => document.exitFullscreen());
  await expect.poll(async () => (await page.locator('iframe').boundingBox())?.width ?? 0).toBeLessThan(700);
  await choose(page, 'Full screen');
  await expect.poll(isFull).toBe(true);
  await page.getByRole('button', { name: 'Back to its place' }).click();
  await expect.poll(isFull).toBe(false);
  await expect.poll(async () => (await page.locator('iframe').boundingBox())?.width ?? 0).toBeLessThan(700);
});

test('plays the line whose number is clicked', async ({ app }) => {
  const { page } = app;
  await expect(textBox(page)).toContainText('六月');
  const path = join(app.projectDir, 'game/scene/start.txt');
  await writeFile(path, ':One;\n:Two;\n:Three;\n:Four;\nend;\n');
  await expect(page.getByTestId('code')).toContainText('Three');
  await page.locator('[data-testid="code"] .line-numbers').getByText('2', { exact: true }).click();
  await expect(textBox(page)).toContainText('Two');
  await page.waitForTimeout(1_000);
  await expect(textBox(page)).toContainText('Two');
  await expect(page.getByText('start.txt, line 2')).toBeVisible();
});

test('shows the game after Esc in it, which engines answer with a page that hides it', async ({ app }) => {
  const { page } = app;
  await expect(textBox(page)).toContainText('六月');
  await page
    .getByRole('button', { name: 'Click to play; the keyboard goes to the game then' })
    .click({ position: { x: 5, y: 5 } });
  for (const key of ['Escape', 'Backquote']) {
    await page.keyboard.press(key);
    await page.waitForTimeout(500);
    await expect(engineRoot(page).locator('#html-body__panic-overlay')).toHaveText('');
  }
});

test('keeps a picture in a small window, whatever there is to say of the story', async ({ app }) => {
  const { page } = app;
  await expect(textBox(page)).toContainText('六月');
  await page.setViewportSize({ width: 1024, height: 700 });
  const faults = Array.from({ length: 12 }, (_, at) => `changeBg:missing-${at}.webp -next;\nbgm:missing-${at}.mp3;\n`);
  await writeFile(join(app.projectDir, 'game/scene/start.txt'), `${faults.join('')}:One;\n:Two;\nend;\n`);
  await expect(page.getByTestId('code')).toContainText('missing-1');
  await choose(page, 'This scene from its start');
  const problems = page.getByRole('region', { name: 'Problems on stage' });
  await expect(problems.getByRole('listitem')).not.toHaveCount(0);
  await expect.poll(() => problems.getByRole('listitem').count()).toBeGreaterThan(5);
  const frame = page.locator('iframe');
  await expect.poll(async () => (await frame.boundingBox())?.height ?? 0).toBeGreaterThan(150);
});
