import { connectModel, expect, test } from '../as-a-writer.ts';
import type { RunningApp } from '../fixtures.ts';

test.setTimeout(150_000);

/** What the app has told the system since `listen`. */
interface Told {
  progress: number[];
  notifications: { title: string; body: string }[];
}

/** Records what reaches the system; the real functions still run. */
function listen({ desktop }: RunningApp): Promise<void> {
  return desktop.evaluate(({ BrowserWindow, Notification }) => {
    const told: Told = { progress: [], notifications: [] };
    const shown: Electron.Notification[] = [];
    Object.assign(globalThis, { told, shown });
    const window = BrowserWindow.getAllWindows()[0];
    if (!window) throw new Error('There is no window.');
    const setProgressBar = window.setProgressBar.bind(window);
    window.setProgressBar = (progress, options) => {
      if (told.progress.at(-1) !== progress) told.progress.push(progress);
      setProgressBar(progress, options);
    };
    const { show } = Notification.prototype;
    Notification.prototype.show = function () {
      told.notifications.push({ title: this.title, body: this.body });
      shown.push(this);
      show.call(this);
    };
  });
}

const readTold = ({ desktop }: RunningApp): Promise<Told> =>
  desktop.evaluate(() => (globalThis as unknown as { told: Told }).told);

const hide = ({ desktop }: RunningApp) =>
  desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());

/** Sends a message as the page does. A hidden page draws no frame, which a click of Playwright's waits for. */
function askUnseen({ page }: RunningApp): Promise<void> {
  return page.evaluate(async () => {
    const { appWire } = globalThis as unknown as {
      appWire: { call(method: string, input: unknown): Promise<unknown> };
    };
    await appWire.call('chat.send', { text: 'Add a line about the rain', mode: 'act' });
  });
}

test.describe('a turn', () => {
  test.use({ foldsStage: true });

  test('shows in the task bar, and is reported when the window is in the background', async ({ app, service }) => {
    const { page } = app;
    await connectModel(page, service.url);
    await expect(page.getByText(/^It works/)).toBeVisible();
    await listen(app);
    await hide(app);
    await askUnseen(app);
    const proposal = { title: expect.any(String), body: 'A proposal is waiting for your review.' };
    await expect.poll(async () => (await readTold(app)).notifications).toEqual([proposal]);
    expect((await readTold(app)).progress).toEqual([2, -1]);
    // The conversation stays in the window.
    expect(JSON.stringify(await readTold(app))).not.toContain('rain');

    await app.desktop.evaluate(() => {
      (globalThis as unknown as { shown: Electron.Notification[] }).shown[0]?.emit('click');
    });
    const isVisible = () => app.desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
    await expect.poll(isVisible).toBe(true);
  });

  test('is not reported when notifications are off', async ({ app, service }) => {
    const { page } = app;
    await connectModel(page, service.url);
    await expect(page.getByText(/^It works/)).toBeVisible();
    await page.getByRole('switch', { name: 'Notifications' }).click({ force: true });
    await expect(page.getByRole('switch', { name: 'Notifications' })).not.toBeChecked();
    await listen(app);
    await hide(app);
    await askUnseen(app);
    await expect.poll(async () => (await readTold(app)).progress).toEqual([2, -1]);
    expect((await readTold(app)).notifications).toEqual([]);
  });
});

test.describe('the title', () => {
  test.use({ foldsStage: true });

  test('names the game and marks unsaved text', async ({ app }) => {
    const { page } = app;
    const title = () => app.desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getTitle() ?? '');
    await expect.poll(title).toMatch(/^[^●].* — WebGAL Agent$/);
    const plain = await title();
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('switch', { name: 'Save by itself' }).click({ force: true });
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Write' }).click();
    await page.locator('.monaco-editor .view-lines').first().click();
    await page.keyboard.type(';words');
    await expect.poll(title).toBe(`● ${plain}`);
    await page.keyboard.press('Control+S');
    await expect.poll(title).toBe(plain);
  });
});
