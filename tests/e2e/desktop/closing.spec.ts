import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { STORY_SCENE } from '../../support/games/story-script.ts';
import { expect, type RunningApp, test } from '../fixtures.ts';
import { readScene } from '../user-actions.ts';

test.use({ foldsStage: true });

/** Recorded dialogs and the button that answers them; null leaves them open. The real dialog would wait for a user. */
interface Questions {
  asked: { message: string; buttons: string[] }[];
  answer: number | null;
}

declare global {
  var questions: Questions;
}

async function answerQuestions({ desktop }: RunningApp, answer: number | null): Promise<void> {
  await desktop.evaluate(({ dialog }, response) => {
    globalThis.questions = { asked: globalThis.questions?.asked ?? [], answer: response };
    dialog.showMessageBox = (async (_window: unknown, options: Electron.MessageBoxOptions) => {
      const { message, buttons = [], signal, cancelId = 0 } = options;
      globalThis.questions.asked.push({ message, buttons });
      const { answer: pressed } = globalThis.questions;
      if (pressed === null) await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      return { response: pressed ?? cancelId, checkboxChecked: false };
    }) as unknown as typeof dialog.showMessageBox;
  }, answer);
}

const readQuestions = ({ desktop }: RunningApp) => desktop.evaluate(() => globalThis.questions.asked);

/** Closes the window like its close button. */
const close = ({ desktop }: RunningApp) =>
  desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());

async function type({ page }: RunningApp, text: string): Promise<void> {
  await page.getByTestId('code').getByText('小满').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(text);
}

/** Types text that cannot be saved, because another program writes the same file. */
async function typeAgainstChange(app: RunningApp): Promise<void> {
  await type(app, '; mine');
  await writeFile(join(app.projectDir, STORY_SCENE), ':from outside;\nend;\n');
  await expect(app.page.getByRole('alert').filter({ hasText: 'changed outside' })).toBeVisible();
}

test('saves before it closes right after typing, without a question', async ({ app }) => {
  const before = await readScene(app.projectDir);
  // On a slow machine the save may take longer than the timeout; it then closes the question.
  await answerQuestions(app, null);
  const closed = app.desktop.waitForEvent('close');
  const ended = new Promise((resolve) => app.desktop.process().once('exit', resolve));
  await type(app, '; the last thought');
  // Within the autosave delay of half a second.
  await close(app);
  await closed;
  expect(await ended).toBe(0);
  expect(await readScene(app.projectDir)).toBe(`${before}; the last thought`);
});

test('asks about text that cannot be saved: Stay keeps the window, Close anyway closes it', async ({ app }) => {
  await answerQuestions(app, 0);
  await typeAgainstChange(app);
  await close(app);
  const question = { message: 'Some changes are not saved yet', buttons: ['Keep editing', 'Close anyway'] };
  await expect.poll(() => readQuestions(app)).toEqual([question]);
  await expect(app.page.getByTestId('code').getByText('; mine')).toBeVisible();
  await app.page.keyboard.type('!');
  await expect(app.page.getByTestId('code').getByText('; mine!')).toBeVisible();

  await answerQuestions(app, 1);
  const closed = app.desktop.waitForEvent('close');
  await close(app);
  await closed;
  expect(await readScene(app.projectDir)).toBe(':from outside;\nend;\n');
});

test.describe('in Chinese', () => {
  test.use({ systemLocale: 'zh_CN.UTF-8' });

  test('asks in the language of the system', async ({ app }) => {
    await answerQuestions(app, 0);
    await type(app, '; mine');
    await writeFile(join(app.projectDir, STORY_SCENE), ':from outside;\nend;\n');
    await expect(app.page.getByRole('alert').first()).toBeVisible();
    await close(app);
    const question = { message: '还有内容没有保存', buttons: ['继续编辑', '仍要关闭'] };
    await expect.poll(() => readQuestions(app)).toEqual([question]);
  });
});
