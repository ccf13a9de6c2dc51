import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { _electron, type ElectronApplication, type Locator, type Page } from '@playwright/test';
import type { Rectangle } from 'electron';
import { type Desktop, findDesktopSupport, handToDesktopUser, openDesktop } from '../tests/support/desktop.ts';
import { buildStale } from './build.ts';

/**
 * Takes the pictures of the documents from the real window, by walking the guided tour: `npm run screenshots`. What is kept is
 * what the screen shows, native menus included. Options: `--out` names another folder, `--size` another width (1024, 1280,
 * 1920), `--language` the language (`zh-CN`, `en`). Needs a runtime, a display or Xvfb, and xdotool for the menus.
 */
const ROOT = join(import.meta.dirname, '..');
const SIZES = {
  1024: { width: 1024, height: 720 },
  1280: { width: 1280, height: 800 },
  1920: { width: 1920, height: 1080 },
};
type Width = keyof typeof SIZES;
const SYSTEM_LOCALES = { 'zh-CN': 'zh_CN.UTF-8', en: 'en_US.UTF-8' };
type Language = keyof typeof SYSTEM_LOCALES;
/** The whole screen, larger than any window: what lies beyond the window is cut off. */
const SCREEN = { width: 1920, height: 1200 };
/** The views that change most with the room they have, for the documents. */
const KEPT_LARGE = ['welcome', 'work', 'review'];
const MENUS = ['file', 'edit', 'view', 'help'];
/** Where each menu's name stands, in pixels from the left. */
const MENU_X = { 'zh-CN': [20, 57, 95, 133], en: [18, 50, 88, 128] };
/** How much of the stage's picture the girl's yellow coat takes at least, and how long it may take to be drawn. */
const COAT_SHARE = 0.02;
const STAGE_TIMEOUT_MS = 120_000;

const { values } = parseArgs({
  options: { out: { type: 'string' }, size: { type: 'string' }, language: { type: 'string', default: 'zh-CN' } },
});
const out = values.out ?? join(ROOT, 'docs', 'screenshots');
const language = values.language as Language;
const [chat, project, review, shell, tours, welcome] = await Promise.all(
  ['chat', 'project', 'review', 'shell', 'tour', 'welcome'].map(async (name) =>
    JSON.parse(await readFile(join(ROOT, 'renderer', 'i18n', language, `${name}.json`), 'utf8')),
  ),
);
/** The words on the page that the walk goes by. */
const words = {
  tour: welcome.tour,
  stageReady: shell.status.stage.ready,
  send: tours.send,
  begin: chat.plan.run,
  acceptAll: review.foot.accept,
  play: review.foot.play,
  text: review.view.text,
  accepted: chat.review.accepted,
  find: project.search,
};
await buildStale((line) => console.log(line));
await mkdir(out, { recursive: true });
const support = await findDesktopSupport();
if ('missing' in support) throw new Error(`No window can be opened: ${support.missing}`);
const desktop = await openDesktop(support.runtime);
try {
  for (const theme of ['light', 'dark'] as const) {
    if (values.size) await walk(desktop, theme, Number(values.size) as Width);
    else {
      await walk(desktop, theme, 1280);
      await walk(desktop, theme, 1920, KEPT_LARGE);
    }
  }
} finally {
  await desktop.close();
}

/** Keeps a picture of the window, or of an area of it, in pixels from its upper left corner. */
type Take = (name: string, area?: Rectangle) => Promise<void>;

/** Walks once through the app; `kept` names the pictures to keep. */
async function walk(desktop: Desktop, theme: 'light' | 'dark', width: Width, kept?: readonly string[]): Promise<void> {
  process.umask(0);
  const folder = await mkdtemp(join(tmpdir(), 'webgal-agent-shots-'));
  handToDesktopUser(folder);
  const program = await _electron.launch({
    executablePath: desktop.program,
    chromiumSandbox: true,
    args: [join(desktop.out, 'main', 'electron.js'), ...desktop.switches, `--lang=${language}`],
    env: {
      ...(process.env as Record<string, string>),
      ...desktop.env,
      HOME: folder,
      XDG_CONFIG_HOME: join(folder, 'config'),
      WEBGAL_AGENT_HOME: join(folder, 'data'),
      WEBGAL_AGENT_DOCUMENTS: join(folder, 'documents'),
      WEBGAL_AGENT_KEYCHAIN: 'memory',
      LC_ALL: SYSTEM_LOCALES[language],
      LANGUAGE: language.replace('-', '_'),
    },
  });
  try {
    const page = await program.firstWindow();
    await program.evaluate(
      ({ BrowserWindow, nativeTheme }, { theme, size }) => {
        nativeTheme.themeSource = theme;
        BrowserWindow.getAllWindows()[0]?.setBounds({ x: 0, y: 0, ...size });
      },
      { theme, size: SIZES[width] },
    );
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    const suffix = width === 1280 ? theme : width === 1920 ? `${theme}-large` : `${theme}-${width}`;
    const take: Take = async (name, area = { x: 0, y: 0, ...SIZES[width] }) => {
      if (!kept || kept.includes(name)) await capture(program, join(out, `${name}-${suffix}.png`), area);
    };
    await tour(program, page, take);
  } finally {
    await program.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Keeps what the screen shows in this area of the window. */
async function capture(program: ElectronApplication, path: string, area: Rectangle): Promise<void> {
  const base64 = await program.evaluate(
    async ({ desktopCapturer }, { screen, area }) => {
      const [source] = await desktopCapturer.getSources({ types: ['screen'], thumbnailSize: screen });
      const picture = source?.thumbnail.crop(area);
      return picture?.toPNG().toString('base64') ?? '';
    },
    { screen: SCREEN, area },
  );
  await writeFile(path, Buffer.from(base64, 'base64'));
}

/** From the welcome page to the history, a picture at each stop. */
async function tour(program: ElectronApplication, page: Page, take: Take): Promise<void> {
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const middle = page.locator('#region-middle');
  // Pictures take their time where the engine draws on the processor.
  const rest = (milliseconds = 2500) => page.waitForTimeout(milliseconds);
  await button(words.tour).waitFor();
  await rest();
  await take('welcome');
  await button(words.tour).click();
  await page.getByText(words.stageReady).waitFor();
  await page.getByTestId('code').getByText('小满').first().click();
  await waitForStage(program, page, '请问');
  await rest();
  await take('work');
  await takeMenus(program, page, take);
  await button(words.send).click();
  await button(words.begin).click();
  await middle.getByRole('button', { name: words.acceptAll }).waitFor();
  await middle.getByRole('button', { name: words.play, exact: true }).click();
  await waitForStage(program, page, '雨忽然大了起来');
  await rest(5000);
  await take('review');
  await take('stage', await findArea(program, page.locator('#region-stage')));
  await middle.getByText(words.text, { exact: true }).click();
  await rest();
  await take('review-text');
  await middle.getByRole('button', { name: words.acceptAll }).click();
  await page.getByText(words.accepted).waitFor();
  await page.keyboard.press('Control+4');
  await middle.getByRole('button', { name: 'start.txt' }).first().click();
  await rest();
  await take('history');
  await page.keyboard.press('Control+5');
  await page.getByText('DeepSeek').first().click();
  await rest();
  await take('settings');
  await page.keyboard.press('Control+3');
  await middle.getByRole('textbox', { name: words.find }).waitFor();
  await rest();
  await take('assets');
}

/** The native menus, opened by a real pointer: they are windows of the system, which no page event reaches. */
async function takeMenus(program: ElectronApplication, page: Page, take: Take): Promise<void> {
  const xdotool = (...args: string[]) => execFileSync('xdotool', args, { env: { ...process.env, ...desktop.env } });
  for (const [index, menu] of MENUS.entries()) {
    // The menus stand side by side; a pointer that moves from one to the next opens that one.
    xdotool('mousemove', String(MENU_X[language][index]), '14');
    if (index === 0) xdotool('click', '1');
    await page.waitForTimeout(2500);
    await take(`menu-${menu}`);
  }
  xdotool('key', 'Escape');
  xdotool('key', 'Escape');
  await page.waitForTimeout(700);
  const field = await findArea(program, page.getByRole('textbox', { name: words.find }).first());
  xdotool('mousemove', String(field.x + 40), String(field.y + Math.round(field.height / 2)), 'click', '3');
  await page.waitForTimeout(700);
  await take('menu-text-field');
  xdotool('key', 'Escape');
}

/**
 * Waits until the stage shows this text and the girl, whose coat alone is yellow: the engine draws on the processor here, and the
 * figure last, over the background.
 */
async function waitForStage(program: ElectronApplication, page: Page, text: string): Promise<void> {
  const area = await findArea(program, page.locator('iframe').first());
  const until = Date.now() + STAGE_TIMEOUT_MS;
  // The engine writes each character several times, one above the other.
  const shown = new RegExp([...text].map((character) => `${character}+`).join(''));
  const readText = () => page.frameLocator('iframe').locator('body').textContent();
  while (!shown.test((await readText())?.replace(/\s/g, '') ?? '') || (await measureCoat(program, area)) < COAT_SHARE) {
    if (Date.now() > until) throw new Error('The stage did not show its figure.');
    await page.waitForTimeout(1000);
  }
}

/** The share of the area's points that have the colour of the coat. */
async function measureCoat(program: ElectronApplication, area: Rectangle): Promise<number> {
  return program.evaluate(
    async ({ desktopCapturer }, { screen, area }) => {
      const [source] = await desktopCapturer.getSources({ types: ['screen'], thumbnailSize: screen });
      const points = source?.thumbnail.crop(area).toBitmap() ?? new Uint8Array();
      let yellow = 0;
      // Blue, green, red, alpha.
      for (let at = 0; at < points.length; at += 4) {
        const [blue = 0, green = 0, red = 0] = points.subarray(at, at + 3);
        if (red > 215 && green > 160 && green < 215 && blue < 90) yellow += 1;
      }
      return points.length === 0 ? 0 : yellow / (points.length / 4);
    },
    { screen: SCREEN, area },
  );
}

/** Where an element stands in the window, the menu bar included. */
async function findArea(program: ElectronApplication, element: Locator): Promise<Rectangle> {
  const box = await element.boundingBox();
  const bar = await program.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    return (window?.getContentBounds().y ?? 0) - (window?.getBounds().y ?? 0);
  });
  if (!box) throw new Error('The element is not on the page.');
  return {
    x: Math.round(box.x),
    y: Math.round(box.y + bar),
    width: Math.round(box.width),
    height: Math.round(box.height),
  };
}
