import { type Browser, expect, type Page, test } from '@playwright/test';
import type { Buffers, Stage } from '../../../main/core/services.ts';
import type { ProjectFolder } from '../../support/games/project-folder.ts';
import { launchBrowser } from '../../support/window/browser.ts';
import { type OpenStage, openStage } from '../../support/window/open-stage.ts';

/** Tests the stage with the real engine in a real browser, because only the engine defines what is shown. */
test.describe.configure({ timeout: 120_000 });

const START = 'game/scene/start.txt';
const SCENE = `changeBg:beach.svg -next;
setVar:love=1;
雪乃:第一句;
choose:留下:stay|离开:leave;
label:stay;
changeBg:missing.png;
setVar:love=love+5;
jumpLabel:after;
label:leave;
setVar:love=love-9;
changeScene:other.txt;
label:after;
好感是 {love};
再来一次？;
choose:再来:stay|够了:done;
label:done;
雪乃:再见;
`;

const picture = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="1920" height="1080"><rect width="1920" height="1080" fill="${color}"/></svg>`;

let browser: Browser;
let opened: OpenStage;
let game: ProjectFolder;
let stage: Stage;
let buffers: Buffers;
let page: Page;

test.beforeAll(async () => {
  browser = await launchBrowser();
});
test.afterAll(async () => {
  await browser.close();
});

test.beforeEach(async () => {
  opened = await openStage(browser, {
    'game/config.txt': 'Game_name:Test;\nGame_key:stage-test;\n',
    [START]: SCENE,
    'game/scene/other.txt': '雪乃:另一幕;\n',
    'game/background/beach.svg': picture('#3a8bc8'),
  });
  ({ game, stage, buffers, page } = opened);
});
test.afterEach(() => opened?.close());

const engine = () => opened.engine();
const shown = () => {
  const { shown: now } = stage.state();
  return now && { scene: now.scene, line: now.line, speaker: now.speaker, text: now.text, love: now.variables.love };
};

test('shows a line with the state of all lines before it and continues from there', async () => {
  stage.show({ path: START, line: 13, source: 'saved' });
  // The path through the first option: its variable is set, the other option's is not; the speaker is the last one named.
  await expect.poll(shown).toEqual({ scene: START, line: 13, speaker: '雪乃', text: '好感是 6', love: 6 });
  await expect(engine().locator('#textBoxMain')).toContainText('好');

  await test.step('reports a missing file with its line', async () => {
    await expect
      .poll(() => stage.state().problems)
      .toEqual([
        {
          id: 'missing-background:game/background/missing.png',
          reason: 'missing-background',
          subject: 'game/background/missing.png',
          place: { path: START, line: 6 },
        },
      ]);
  });

  await test.step('plays the lines before a choice that jumps back', async () => {
    stage.show({ path: START, line: 15, source: 'saved' });
    await expect.poll(() => shown()?.line).toBe(15);
    // Software rendering keeps the page too busy for real pointer input.
    await engine().getByText('再来', { exact: true }).first().dispatchEvent('click');
    // The story stops at the missing picture; a flattened script would have continued.
    await expect.poll(() => shown()?.line).toBe(6);
  });
});

test('shows text that is not on disk', async () => {
  buffers.set(START, '雪乃:还没保存的一句;\n');
  stage.show({ path: START, line: 1, source: 'saved' });
  await expect.poll(() => shown()?.text).toBe('还没保存的一句');

  opened.drafts.set(START, '雪乃:提案里的一句;\n');
  stage.show({ path: START, line: 1, source: 'proposal' });
  await expect.poll(() => shown()?.text).toBe('提案里的一句');
  await expect(engine().locator('#textBoxMain')).toContainText('案');
  expect(await game.text(START)).toBe(SCENE);

  await test.step('repeats after the engine was reloaded', async () => {
    stage.reload();
    await expect.poll(() => stage.state().shown).toBe(null);
    await expect.poll(() => shown()?.text).toBe('提案里的一句');
  });
});

test('reports what the engine cannot do and where the story stops', async () => {
  await game.put('game/scene/bad.txt', 'A:ok;\nsetVar:x=foo(1,);\nA:never;\n');
  stage.show({ path: 'game/scene/bad.txt', line: 3, source: 'saved' });
  await expect
    .poll(() => stage.state().problems.map(({ reason, place }) => [reason, place?.line]))
    .toEqual([['stuck', 2]]);
  // The error is told once, as the reason.
  expect(stage.state().problems[0]?.subject).toMatch(/^\[\$parse:\w+\](?!.*angularjs\.org)/);
  expect(stage.state().shown?.line).toBe(1);
});

test('blocks network requests of the game', async () => {
  const asked: string[] = [];
  await page.route(
    (url) => url.hostname === 'stranger.example',
    (route) => {
      asked.push(route.request().url());
      return route.abort();
    },
  );
  await game.put('game/scene/out.txt', 'changeBg:https://stranger.example/a.png -next;\nA:x;\n');
  stage.show({ path: 'game/scene/out.txt', line: 2, source: 'saved' });
  await expect
    .poll(() => stage.state().problems.map(({ reason, subject, place }) => [reason, subject, place?.line]))
    .toEqual([['blocked-address', 'https://stranger.example/a.png', 1]]);
  expect(asked).toEqual([]);
});

test('mutes and unmutes sound', async () => {
  const frame = page.frames().find((candidate) => candidate.url().includes('lang=en'));
  // There is no source to play; the rejection is irrelevant.
  await frame?.evaluate('window.sound = new Audio(); window.sound.play().catch(() => {}); 0');
  const isMuted = () => frame?.evaluate('window.sound.muted');
  const mute = (muted: boolean) =>
    page.evaluate(
      `document.querySelector('iframe').contentWindow.postMessage({ stage: 'mute', muted: ${muted} }, '*')`,
    );
  await mute(true);
  await expect.poll(isMuted).toBe(true);
  await mute(false);
  await expect.poll(isMuted).toBe(false);
});

test('reports the content of the stage to the assistant', async () => {
  const preview = await stage.preview(START, new AbortController().signal);
  expect(preview.url).toMatch(/^http:\/\/stage-[0-9a-f]+\.localhost:\d+\/\?lang=en&scene=start\.txt$/);
  expect(preview.logs).toContain(`The stage stands at line 3 of ${START}. In the text box: 雪乃: 第一句`);
  expect(preview.logs).toContain(`${START} line 6: file not found: game/background/missing.png`);
  expect(preview.firstErrorLine).toBe(6);
});
