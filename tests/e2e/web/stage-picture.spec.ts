import { type Browser, expect, test } from '@playwright/test';
import { launchBrowser } from '../../support/window/browser.ts';
import { type OpenStage, openStage } from '../../support/window/open-stage.ts';

/** The picture that the engine's page draws of itself, on the real engine, beside the browser's own picture of the same page. */
test.describe.configure({ timeout: 120_000 });

const START = 'game/scene/start.txt';
const FILES = {
  'game/config.txt': 'Game_name:Picture;\nGame_key:picture;\n',
  [START]:
    'changeBg:beach.svg -next;\n雪乃:海边的第一句话，这里有很多字。;\nchoose:留下:stay|离开:stay;\nlabel:stay;\nend;\n',
  'game/background/beach.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" width="1920" height="1080"><rect width="1920" height="1080" fill="#3a8bc8"/></svg>',
};

let browser: Browser;
let opened: OpenStage;
test.beforeAll(async () => {
  browser = await launchBrowser();
});
test.afterAll(() => browser.close());
test.beforeEach(async () => {
  opened = await openStage(browser, FILES);
  opened.stage.show({ path: START, line: 2, source: 'saved' });
  await expect.poll(() => opened.stage.state().isAtPlace).toBe(true);
});
test.afterEach(() => opened?.close());

const takePicture = async (): Promise<string> => {
  let picture: string | null = null;
  await expect(async () => {
    picture = await opened.link.driver.takePicture();
    expect(picture).not.toBeNull();
  }).toPass();
  return picture ?? '';
};

/** Compares two pictures of one page in a grid: the share of cells whose mean colour differs by less than a sixth. */
const compare = (one: string, other: string): Promise<{ width: number; height: number; alike: number }> =>
  opened.page.evaluate(
    async ([first = '', second = '']) => {
      const read = async (source: string) => {
        const image = new Image();
        image.src = source;
        await image.decode();
        const canvas = document.createElement('canvas');
        Object.assign(canvas, { width: 64, height: 36 });
        const context = canvas.getContext('2d');
        context?.drawImage(image, 0, 0, 64, 36);
        const { data } = context?.getImageData(0, 0, 64, 36) ?? { data: new Uint8ClampedArray() };
        return { data, width: image.width, height: image.height };
      };
      const [a, b] = [await read(first), await read(second)];
      let alike = 0;
      for (let at = 0; at < a.data.length; at += 4) {
        const differences = [0, 1, 2].map((part) => Math.abs((a.data[at + part] ?? 0) - (b.data[at + part] ?? 0)));
        if (Math.max(...differences) < 40) alike += 1;
      }
      return { width: a.width, height: a.height, alike: alike / (a.data.length / 4) };
    },
    [one, other],
  );

const ownPicture = async () => `data:image/jpeg;base64,${await takePicture()}`;
const browserPicture = async () => `data:image/png;base64,${(await opened.page.screenshot()).toString('base64')}`;

test('looks as the page does, with its text box and its menu', async () => {
  await expect(opened.engine().locator('#textBoxMain')).toContainText('海');
  // The box fades in.
  await opened.page.waitForTimeout(2000);
  const text = await ownPicture();
  const { width, height, alike } = await compare(text, await browserPicture());
  // Larger than on the page, as far as a picture goes: letters of a small panel could not be read.
  expect([width, height]).toEqual([1024, 576]);
  expect(alike).toBeGreaterThan(0.97);
  await expect.poll(() => opened.link.driver.step()).toMatchObject({ state: { choices: [{ text: '留下' }, {}] } });
  await opened.page.waitForTimeout(1000);
  const menu = await ownPicture();
  expect((await compare(menu, await browserPicture())).alike).toBeGreaterThan(0.97);
  expect((await compare(text, menu)).alike).toBeLessThan(0.97);
  expect(opened.stage.state().problems).toEqual([]);
});

test('is refused when the page sends anything but a small JPEG, and the app goes on', async () => {
  const frame = opened.page.frames().find((one) => one !== opened.page.mainFrame());
  for (const forged of [
    'data:image/jpeg,http://evil.example/a.jpg',
    `data:image/jpeg;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')}`,
  ]) {
    await frame?.evaluate((value) => {
      HTMLCanvasElement.prototype.toDataURL = () => value;
    }, forged);
    expect(await opened.link.driver.takePicture()).toBeNull();
  }
  await expect.poll(() => opened.link.driver.readState()).toMatchObject({ done: true });
});
