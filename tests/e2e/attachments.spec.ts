import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { STORY_SCENE } from '../support/games/story-script.ts';
import type { FakeModelServer } from '../support/services/fake-model-server.ts';
import { chatOf, connectInSettings, expect, logOf, test } from './user-actions.ts';

test.use({ foldsStage: true });

const fieldOf = (page: Page) => chatOf(page).getByRole('textbox', { name: 'Message to the assistant' });
const listOf = (page: Page) => chatOf(page).getByRole('listbox', { name: 'What to mention' });
const chipsOf = (page: Page) => chatOf(page).getByRole('list', { name: 'With your message' });

/** The newest request that offers tools; the others ask for summaries. */
function toLastBody(service: FakeModelServer): string {
  return JSON.stringify(service.requests.findLast(({ body }) => body.tools?.length)?.body ?? {});
}

/** Pastes or drops a picture of 3000 by 2000 pixels into the message field. */
async function bringPicture(page: Page, how: 'paste' | 'drop'): Promise<void> {
  await fieldOf(page).evaluate(async (field, event) => {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: 3000, height: 2000 });
    const context = canvas.getContext('2d');
    if (context) {
      context.fillStyle = event === 'paste' ? '#336699' : '#993366';
      context.fillRect(0, 0, 3000, 2000);
    }
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    const data = new DataTransfer();
    data.items.add(new File([blob ?? ''], 'sea.png', { type: 'image/png' }));
    const options = { bubbles: true, cancelable: true };
    field.dispatchEvent(
      event === 'paste'
        ? new ClipboardEvent('paste', { ...options, clipboardData: data })
        : new DragEvent('drop', { ...options, dataTransfer: data }),
    );
  }, how);
}

test('mentions a scene and a character with the keyboard, and sends what they hold', async ({ app, service }) => {
  const { page } = app;
  await connectInSettings(page, service.url);
  await chatOf(page).getByText('Write', { exact: true }).click();
  const field = fieldOf(page);
  await field.pressSequentially('Look at @bri');
  await expect(listOf(page).getByRole('option').first()).toContainText('bridge');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(listOf(page)).toBeHidden();
  await expect(field).toHaveValue('Look at @bridge.txt ');
  await expect(chipsOf(page)).toContainText('bridge.txt');

  // While a word is being composed, the text is not what the user means yet.
  await field.dispatchEvent('compositionstart');
  await field.pressSequentially('@bo');
  await expect(listOf(page)).toBeHidden();
  await field.dispatchEvent('compositionend');
  await expect(listOf(page).getByRole('option').first()).toContainText('bookshop');
  await page.keyboard.press('Escape');
  for (let count = 0; count < 3; count += 1) await page.keyboard.press('Backspace');

  // An @ that the user closed stays text; the chip of another one is removed again.
  await field.pressSequentially('and @st');
  await expect(listOf(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(listOf(page)).toBeHidden();
  await field.pressSequentially('art @sta');
  await listOf(page)
    .getByRole('option', { name: /Scene: start\.txt/ })
    .click();
  await expect(chipsOf(page).getByRole('listitem')).toHaveCount(2);
  await chipsOf(page).getByRole('button', { name: 'Remove start.txt' }).focus();
  await page.keyboard.press('Backspace');
  await expect(chipsOf(page).getByRole('listitem')).toHaveCount(1);

  await field.focus();
  await page.keyboard.press('Enter');
  await expect(chatOf(page).getByText('Proposal: 1 file')).toBeVisible();
  const body = toLastBody(service);
  expect(body).toContain('<mention>{\\"kind\\":\\"scene\\",\\"path\\":\\"game/scene/bridge.txt\\"');
  expect(body).not.toContain('\\"path\\":\\"game/scene/start.txt\\",\\"totalLines\\"');
  await expect(chipsOf(page)).toBeHidden();
  await expect(logOf(page).getByRole('list', { name: 'Sent with the message' })).toContainText('bridge.txt');
});

test('asks about a problem and about a dragged scene in the same way', async ({ app, service }) => {
  const { page, projectDir } = app;
  await writeFile(join(projectDir, STORY_SCENE), 'changebg:bridge.webp;\n:rain;\nend;\n');
  await connectInSettings(page, service.url);
  await page.getByRole('button', { name: 'Show the stage' }).click();
  await page.getByRole('button', { name: /^start\.txt/ }).click();
  const problem = page.getByRole('region', { name: 'Problems' }).getByRole('listitem').filter({ hasText: 'changebg' });
  await problem.getByRole('button', { name: 'Ask the assistant' }).click();
  await expect(fieldOf(page)).toHaveValue('Please fix the problem in @start.txt:1.');
  await expect(chipsOf(page)).toContainText('start.txt:1');
  await page.getByRole('button', { name: 'bridge.txt', exact: true }).dragTo(fieldOf(page));
  await expect(chipsOf(page)).toContainText('bridge.txt');
  await page.keyboard.press('Enter');
  await expect.poll(() => toLastBody(service)).toContain('1| changebg:bridge.webp;');
  expect(toLastBody(service)).toContain('game/scene/bridge.txt');

  // A scene that vanished is named before anything is sent.
  await expect(chatOf(page).getByRole('button', { name: 'Stop' })).toBeHidden();
  await fieldOf(page).pressSequentially('Once more @bri');
  await page.keyboard.press('Tab');
  await rm(join(projectDir, 'game/scene/bridge.txt'));
  await expect(chatOf(page).getByText('“bridge.txt” is not there any more.')).toBeVisible();
  await expect(chatOf(page).getByRole('button', { name: 'Send', exact: true })).toBeDisabled();
  await chipsOf(page).getByRole('button', { name: 'Remove bridge.txt' }).click();
  await expect(chatOf(page).getByRole('button', { name: 'Send', exact: true })).toBeEnabled();
});

test('sends pasted and dropped pictures scaled down, shows them, and refuses for a model that sees none', async ({
  app,
  service,
}) => {
  const { page } = app;
  await connectInSettings(page, service.url);
  await bringPicture(page, 'paste');
  await expect(chipsOf(page).getByRole('img', { name: 'Picture 1' })).toBeVisible();
  await bringPicture(page, 'drop');
  await expect(chipsOf(page).getByRole('img', { name: 'Picture 2' })).toBeVisible();
  await chipsOf(page).getByRole('button', { name: 'Remove Picture 2' }).click();
  const size = await chipsOf(page)
    .getByRole('img', { name: 'Picture 1' })
    .evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);
  expect(size).toEqual([1568, 1045]);

  // The user knows that the model sees none.
  const settings = page.getByRole('region', { name: /Settings/ });
  await settings
    .getByRole('radiogroup', { name: /^Pictures for/ })
    .getByText('It does not')
    .click();
  await expect(chatOf(page).getByText('This model cannot see pictures.')).toBeVisible();
  await fieldOf(page).fill('What is in it?');
  await expect(chatOf(page).getByRole('button', { name: 'Send', exact: true })).toBeDisabled();
  await settings
    .getByRole('radiogroup', { name: /^Pictures for/ })
    .getByText('It sees them')
    .click();
  await expect(chatOf(page).getByText('This model cannot see pictures.')).toBeHidden();

  await fieldOf(page).focus();
  await page.keyboard.press('Enter');
  await expect(logOf(page).getByRole('img', { name: 'Picture 1' })).toBeVisible();
  await expect.poll(() => toLastBody(service)).toContain('data:image/png;base64,');
  await app.restart();
  await expect(logOf(app.page).getByRole('img', { name: 'Picture 1' })).toBeVisible();
});
