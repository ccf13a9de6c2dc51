import type { RunningApp } from '../fixtures.ts';
import { connectInSettings, connectModel, expect, test } from '../user-actions.ts';

test.setTimeout(150_000);

/** Progress and notifications that the app reported to the system since `listen`. */
interface Reported {
  progress: number[];
  notifications: { title: string; body: string }[];
}

/** Records reports to the system; the real functions still run. */
function listen({ desktop }: RunningApp): Promise<void> {
  return desktop.evaluate(({ BrowserWindow, Notification }) => {
    const reported: Reported = { progress: [], notifications: [] };
    const shown: Electron.Notification[] = [];
    Object.assign(globalThis, { reported, shown });
    const window = BrowserWindow.getAllWindows()[0];
    if (!window) throw new Error('There is no window.');
    const setProgressBar = window.setProgressBar.bind(window);
    window.setProgressBar = (progress, options) => {
      if (reported.progress.at(-1) !== progress) reported.progress.push(progress);
      setProgressBar(progress, options);
    };
    const { show } = Notification.prototype;
    Notification.prototype.show = function () {
      reported.notifications.push({ title: this.title, body: this.body });
      shown.push(this);
      show.call(this);
    };
  });
}

const readReported = ({ desktop }: RunningApp): Promise<Reported> =>
  desktop.evaluate(() => (globalThis as unknown as { reported: Reported }).reported);

const hide = ({ desktop }: RunningApp) =>
  desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());

/** Sends a message as the page does. Playwright's click waits for a frame, which a hidden page does not draw. */
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

  test('shows progress in the task bar and a notification when the window is in the background', async ({
    app,
    service,
  }) => {
    const { page } = app;
    await connectModel(page, service.url);
    await listen(app);
    await hide(app);
    await askUnseen(app);
    const proposal = { title: expect.any(String), body: 'A proposal is waiting for your review.' };
    await expect.poll(async () => (await readReported(app)).notifications).toEqual([proposal]);
    expect((await readReported(app)).progress).toEqual([2, -1]);
    // Text of the conversation is not reported.
    expect(JSON.stringify(await readReported(app))).not.toContain('rain');

    await app.desktop.evaluate(() => {
      (globalThis as unknown as { shown: Electron.Notification[] }).shown[0]?.emit('click');
    });
    const isVisible = () => app.desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
    await expect.poll(isVisible).toBe(true);
  });

  test('shows no notification when notifications are off', async ({ app, service }) => {
    const { page } = app;
    await connectInSettings(page, service.url);
    await expect(page.getByText(/^It works/)).toBeVisible();
    await page.getByRole('switch', { name: 'Notifications' }).click({ force: true });
    await expect(page.getByRole('switch', { name: 'Notifications' })).not.toBeChecked();
    await listen(app);
    await hide(app);
    await askUnseen(app);
    await expect.poll(async () => (await readReported(app)).progress).toEqual([2, -1]);
    expect((await readReported(app)).notifications).toEqual([]);
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
