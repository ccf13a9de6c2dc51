import { type Browser, expect, test } from '@playwright/test';
import { launchBrowser } from '../../support/window/browser.ts';
import { openStage } from '../../support/window/open-stage.ts';

test.setTimeout(180_000);
const SLOW = { timeout: 60_000 };
const START = 'game/scene/start.txt';
const STYLE = 'game/template/Stage/TextBox/textbox.scss';
const toStyle = (colour: string) => `.TextBox_main{background-color:${colour};}`;

let browser: Browser;
test.beforeAll(async () => {
  browser = await launchBrowser();
});
test.afterAll(() => browser.close());

test('shows a changed style of the template without starting the engine again', async () => {
  const { stage, game, page, engine, close } = await openStage(browser, {
    'game/config.txt': 'Game_name:Reload;\nGame_key:reload;\n',
    'game/template/template.json': '{"name":"Own","webgal-version":"4.5.18"}',
    [STYLE]: toStyle('rgb(1, 2, 3)'),
    'game/template/UI/Title/title.scss': '',
    'game/template/Stage/Choose/choose.scss': '',
    [START]: 'A:one;\nA:two;\n',
  });
  try {
    const box = engine().locator('#textBoxMain');
    const colour = () => box.evaluate((element) => getComputedStyle(element).backgroundColor);
    const game0 = page.frames()[1];
    stage.show({ path: START, line: 1, source: 'saved' });
    await expect(box).toContainText('one', SLOW);
    await expect.poll(colour, SLOW).toBe('rgb(1, 2, 3)');
    await game0?.evaluate(() => Object.assign(window, { isSamePage: true }));
    const isSamePage = () => page.frames()[1]?.evaluate(() => 'isSamePage' in window);

    await game.put(STYLE, toStyle('rgb(4, 5, 6)'));
    stage.filesChanged([STYLE]);
    await expect.poll(colour, SLOW).toBe('rgb(4, 5, 6)');
    expect(await isSamePage()).toBe(true);
    await expect(box).toContainText('one');
  } finally {
    await close();
  }
});
