import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { WIRE_GLOBAL, type Wire } from '../../../shared/wire.ts';
import { STORY_SCENE } from '../../support/games/story-script.ts';
import { expect, type RunningApp, test } from '../fixtures.ts';

test.use({ foldsStage: true });
// The page loads twice in each test.
test.setTimeout(180_000);
const RELOADED = { timeout: 60_000 };
// Killed, because closing would ask about the unsaved text.
test.afterEach(({ app }) => app.kill());

/** Answers every message box with `button` and counts them. The real dialog cannot be used without a window manager. */
async function answerDialogs(desktop: ElectronApplication, button: number): Promise<void> {
  await desktop.evaluate(({ dialog }, response) => {
    const asked: string[] = [];
    Object.assign(globalThis, { asked });
    dialog.showMessageBox = (async (_window: unknown, options: { message: string; signal?: AbortSignal }) => {
      asked.push(options.message);
      return { response, checkboxChecked: false };
    }) as typeof dialog.showMessageBox;
  }, button);
}

/** Kills the page's process, like the system does when memory runs out. */
async function killPage({ desktop }: RunningApp): Promise<void> {
  await desktop.evaluate(({ BrowserWindow }) => {
    const pid = BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId();
    if (pid) process.kill(pid, 'SIGKILL');
  });
}

/** Evaluates in the page through the main process: Playwright loses a page whose process has ended. */
function readPage(desktop: ElectronApplication, expression: string): Promise<string> {
  return desktop.evaluate(async ({ BrowserWindow }, code) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    if (!contents || contents.isCrashed()) return '';
    // Electron never settles an evaluation in a page that is being destroyed.
    const late = new Promise<string>((resolve) => setTimeout(resolve, 5000, ''));
    const answer = contents.executeJavaScript(code).then(String, () => '');
    return Promise.race([answer, late]);
  }, expression);
}

const CODE = "document.querySelector('[data-testid=code]')?.textContent.replaceAll('\\u00a0', ' ') ?? ''";
const STATE = "document.body.textContent.replaceAll('\\u00a0', ' ')";

/** Calls the app like the page. */
function call(page: Page, method: string, input: unknown): Promise<unknown> {
  return page.evaluate(
    ([global, name, argument]) => (globalThis as unknown as Record<string, Wire>)[global]?.call(name, argument),
    [WIRE_GLOBAL, method, input] as const,
  );
}

async function stopAutosave(page: Page): Promise<void> {
  await call(page, 'settings.update', { autosave: false });
}

/** Waits until the app has received the typed text. */
async function expectBuffered(page: Page, text: string): Promise<void> {
  await expect.poll(async () => JSON.stringify(await call(page, 'script.unsaved', {}))).toContain(text);
}

async function typeAtStart(page: Page, text: string): Promise<void> {
  await page.getByTestId('code').getByText('小满').first().click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type(text);
}

for (const autosave of [true, false]) {
  test(`restores text typed before the page was killed, autosave ${autosave ? 'on' : 'off'}`, async ({ app }) => {
    const { page, projectDir, desktop } = app;
    const file = join(projectDir, STORY_SCENE);
    const before = await readFile(file, 'utf8');
    if (!autosave) await stopAutosave(page);
    await answerDialogs(desktop, 0);
    await typeAtStart(page, '; typed before the crash');
    // Text of the last 150 ms can be lost, so wait until the app has received it or it is saved.
    if (autosave) {
      await expect
        .poll(async () => (await readFile(file, 'utf8')) + JSON.stringify(await call(page, 'script.unsaved', {})))
        .toContain('typed before the crash');
    } else await expectBuffered(page, 'typed before the crash');
    await killPage(app);
    await expect.poll(() => readPage(desktop, CODE), RELOADED).toContain('typed before the crash');
    if (autosave) {
      await expect.poll(() => readFile(file, 'utf8')).toBe(`; typed before the crash${before}`);
    } else {
      await expect.poll(() => readPage(desktop, STATE), RELOADED).toContain('What you had typed and not saved is back');
      expect(await readFile(file, 'utf8')).toBe(before);
    }
    expect(await desktop.evaluate(() => (globalThis as unknown as { asked: string[] }).asked)).toEqual([
      'The window has stopped working',
    ]);
    const log = await readFile(join(app.home, 'logs', 'desktop.log'), 'utf8');
    expect(log).toContain('[page process] killed, exit code');
    expect(log).not.toContain('typed before the crash');
    expect(log).not.toContain(projectDir);
  });
}

test('keeps both texts when the file changed while the page was gone', async ({ app }) => {
  const { page, projectDir, desktop } = app;
  const file = join(projectDir, STORY_SCENE);
  await stopAutosave(page);
  await typeAtStart(page, '; mine');
  await expectBuffered(page, '; mine');
  // The dialog is answered only after the file has changed.
  await desktop.evaluate(({ dialog }) => {
    dialog.showMessageBox = (() =>
      new Promise((resolve) => {
        Object.assign(globalThis, { answer: () => resolve({ response: 0, checkboxChecked: false }) });
      })) as typeof dialog.showMessageBox;
  });
  await killPage(app);
  await expect.poll(() => desktop.evaluate(() => 'answer' in globalThis)).toBe(true);
  await writeFile(file, ':from outside;\nend;\n');
  await desktop.evaluate(() => (globalThis as unknown as { answer(): void }).answer());
  await expect.poll(() => readPage(desktop, STATE), RELOADED).toContain('changed outside while you were typing');
  await expect.poll(() => readPage(desktop, CODE), RELOADED).toContain('; mine');
  expect(await readFile(file, 'utf8')).toBe(':from outside;\nend;\n');
});

test('reloads an unresponsive page and restores the typed text', async ({ app }) => {
  const { page, desktop } = app;
  await stopAutosave(page);
  await typeAtStart(page, '; before the hang');
  await expectBuffered(page, 'before the hang');
  await answerDialogs(desktop, 0);
  await desktop.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    void window?.webContents.executeJavaScript('for (;;);').catch(() => undefined);
    // The page really hangs. Chromium does not report it while a debugger is attached, so the event is emitted here.
    setTimeout(() => window?.emit('unresponsive'), 500);
  });
  await expect.poll(() => readPage(desktop, CODE), RELOADED).toContain('before the hang');
  expect(await desktop.evaluate(() => (globalThis as unknown as { asked: string[] }).asked)).toEqual([
    'The window does not respond',
  ]);
});
