import { type Browser, expect, test } from '@playwright/test';
import { launchBrowser } from '../../support/window/browser.ts';
import { type OpenStage, openStage } from '../../support/window/open-stage.ts';

test.describe.configure({ timeout: 120_000 });

const START = 'game/scene/start.txt';
const PIXEL =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="80"><rect width="40" height="80" fill="red"/></svg>';
const FILES = {
  'game/config.txt': 'Game_name:Looks;\nGame_key:looks;\n',
  'game/figure/a.svg': PIXEL,
  'game/background/b.svg': PIXEL,
  [START]: `changeBg:b.svg -next;
changeFigure:a.svg -left -next;
setTransform:{"position":{"x":-200,"y":40},"scale":{"x":1.5,"y":1.5},"alpha":0.5} -target=fig-left -duration=0 -next;
setTransform:{"rotation":0.5} -target=bg-main -duration=0 -next;
changeFigure:doll/model.json -id=doll -motion=wave -expression=smile -next;
A:look;
`,
};

let browser: Browser;
let opened: OpenStage;
test.beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openStage(browser, FILES);
});
test.afterAll(async () => {
  await opened?.close();
  await browser.close();
});

test('the stage names expression and motion, and what a script changed', async () => {
  opened.stage.show({ path: START, line: 6, source: 'saved' });
  await expect
    .poll(() => opened.stage.state().shown)
    .toMatchObject({
      ...{ text: 'look', looks: { background: { turned: 28.6 } } },
      figures: [
        {
          ...{ file: 'game/figure/a.svg', position: 'left' },
          look: { moved: { x: -200, y: 40 }, size: { x: 1.5, y: 1.5 }, opacity: 0.5 },
        },
        {
          ...{ file: 'game/figure/doll/model.json', position: 'center', id: 'doll' },
          ...{ expression: 'smile', motion: 'wave' },
        },
      ],
    });
});
