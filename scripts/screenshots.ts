import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { _electron, type ElectronApplication, type Locator, type Page } from '@playwright/test';
import type { Rectangle } from 'electron';
import { type Desktop, findDesktopSupport, handToDesktopUser, openDesktop } from '../tests/support/window/desktop.ts';
import { buildStale } from './build.ts';

/**
 * Takes the screenshots of the documents in the real window during the guided tour: `npm run screenshots`. Captures the screen,
 * native menus included. Options: `--out` sets the folder, `--size` the width (1024, 1280, 1920), `--language` the language
 * (`zh-CN`, `en`). Needs a runtime, a display or Xvfb, and xdotool for the menus.
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
/** Size of the screen, larger than any window; captures are cropped to the window. */
const SCREEN = { width: 1920, height: 1200 };
/** Views that are also captured at the large size, because their layout depends most on it. */
const KEPT_LARGE = ['welcome', 'work', 'review', 'stage'];
/** Too small to read the text of the engine at 1280 pixels. */
const ONLY_LARGE = ['stage'];
const MENUS = ['file', 'edit', 'view', 'help'];
/** Horizontal positions of the menu titles, in pixels. */
const MENU_X = { 'zh-CN': [20, 57, 95, 133], en: [18, 50, 88, 128] };
/** Number of consecutive seconds in which the stage must show what is waited for: a figure of the scene before leaves slowly. */
const STEADY_SECONDS = 4;
/** Minimum share of the figure's yellow coat in the stage's picture, and the timeout until it is drawn. */
const COAT_SHARE = 0.02;
const STAGE_TIMEOUT_MS = 120_000;

const { values } = parseArgs({
  options: { out: { type: 'string' }, size: { type: 'string' }, language: { type: 'string', default: 'zh-CN' } },
});
const out = values.out ?? join(ROOT, 'docs', 'screenshots');
const language = values.language as Language;
const [chat, common, project, review, shell, tours, welcome, practice] = await Promise.all(
  [
    'page/chat',
    'page/common',
    'page/project',
    'page/review',
    'page/shell',
    'page/tour',
    'page/welcome',
    'practice',
  ].map(async (name) => JSON.parse(await readFile(join(ROOT, 'shared', 'i18n', language, `${name}.json`), 'utf8'))),
);
/** Texts of the page that the script uses to find elements. */
const words = {
  tour: welcome.tour,
  stageReady: shell.status.stage.ready,
  send: tours.send,
  begin: chat.plan.run,
  acceptAll: review.foot.accept,
  play: review.foot.play,
  text: review.view.text,
  accepted: chat.review.accepted,
  close: common.close,
  find: project.search,
  /** The first sentence of the scene that the practice assistant proposes. */
  proposed: String(practice.passage.opening).split(/[.。]/)[0] ?? '',
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

/** Captures the window, or an area of it in pixels from its upper left corner. */
type Take = (name: string, area?: Rectangle) => Promise<void>;

/** Runs once through the app; `kept` names the pictures to keep. */
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
      const isKept = kept ? kept.includes(name) : !ONLY_LARGE.includes(name);
      if (isKept) await capture(program, join(out, `${name}-${suffix}.png`), area);
    };
    await tour(program, page, take);
  } finally {
    await program.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Captures the screen in an area of the window. */
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

/** Takes a picture at each step from the welcome page to the history. */
async function tour(program: ElectronApplication, page: Page, take: Take): Promise<void> {
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const middle = page.locator('#region-middle');
  // Software rendering of the engine is slow.
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
  await waitForStage(program, page, words.proposed);
  await rest(5000);
  await take('review');
  await take('stage', await findArea(program, page.locator('#region-stage')));
  await middle.getByText(words.text, { exact: true }).click();
  // The diff loads the editor, colours its text and scrolls to the change.
  await middle.locator('.line-insert').first().waitFor({ timeout: STAGE_TIMEOUT_MS });
  await waitForColours(middle, '.view-lines');
  await rest();
  await take('review-text');
  await middle.getByRole('button', { name: words.acceptAll }).click();
  await page.getByText(words.accepted).waitFor();
  await page.keyboard.press('Control+4');
  await middle.getByRole('button', { name: 'start.txt' }).filter({ visible: true }).first().click();
  await waitForColours(middle, '.line-delete');
  await waitForColours(middle, '.modified .view-lines:not(.line-delete)');
  // The notice of the written files covers the scenes.
  await page.getByRole('status').getByRole('button', { name: words.close }).click();
  await page.mouse.move(0, 0);
  await rest();
  await take('history');
  await page.keyboard.press('Control+3');
  await middle.getByRole('textbox', { name: words.find }).waitFor();
  await rest();
  await take('assets');
  await page.keyboard.press('Control+5');
  await page.getByText('DeepSeek').first().click();
  // The stage fades out while a key can be typed.
  await rest(6000);
  await take('settings');
}

/** Waits until the lines of a diff are coloured: a text without colours has one kind of token. */
async function waitForColours(area: Locator, lines: string): Promise<void> {
  const coloured = area.locator(`.monaco-diff-editor ${lines} span[class*="mtk"]:not(.mtk1)`);
  await coloured.filter({ visible: true }).first().waitFor({ timeout: STAGE_TIMEOUT_MS });
}

/** Captures the native menus, opened by a real pointer: they are windows of the system that receive no page events. */
async function takeMenus(program: ElectronApplication, page: Page, take: Take): Promise<void> {
  const xdotool = (...args: string[]) => execFileSync('xdotool', args, { env: { ...process.env, ...desktop.env } });
  for (const [index, menu] of MENUS.entries()) {
    xdotool('mousemove', String(MENU_X[language][index]), '14', 'click', '1');
    await page.waitForTimeout(2500);
    await take(`menu-${menu}`);
    xdotool('key', 'Escape');
    xdotool('key', 'Escape');
    await page.waitForTimeout(1000);
  }
  const field = await findArea(program, page.getByRole('textbox', { name: words.find }).first());
  xdotool('mousemove', String(field.x + 40), String(field.y + Math.round(field.height / 2)), 'click', '3');
  await page.waitForTimeout(700);
  await take('menu-text-field');
  xdotool('key', 'Escape');
}

/**
 * Waits until the stage shows this text and the figure, which is detected by its yellow coat: software rendering is slow, and the
 * engine draws the figure last.
 */
async function waitForStage(program: ElectronApplication, page: Page, text: string): Promise<void> {
  const area = await findArea(program, page.locator('iframe').first());
  const until = Date.now() + STAGE_TIMEOUT_MS;
  // The engine renders each character, or each word, several times, on top of each other.
  const shown = new RegExp([...text.replace(/\s/g, '')].join('.*?'));
  const readText = () => page.frameLocator('iframe').locator('body').textContent();
  for (let steady = 0; steady < STEADY_SECONDS; ) {
    const isShown = shown.test((await readText())?.replace(/\s/g, '') ?? '');
    steady = isShown && (await measureCoat(program, area)) >= COAT_SHARE ? steady + 1 : 0;
    if (Date.now() > until) throw new Error('The stage did not show its figure.');
    await page.waitForTimeout(1000);
  }
}

/** Returns the share of the area's pixels that have the colour of the coat. */
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

/** Returns an element's bounds in the window, menu bar included. */
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
