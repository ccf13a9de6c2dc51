import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { STORY_LINE, STORY_LINE_SHORT, STORY_SCENE } from '../support/games/story-script.ts';
import type { FakeModelServer } from '../support/services/fake-model-server.ts';
import { askForProposal, chatOf, connectModel, expect, logOf, readScene, test } from './user-actions.ts';

test.use({ foldsStage: true });

/** The last request of a turn, without the instructions. */
function toSent(service: FakeModelServer): string {
  const request = service.requests.findLast(({ body }) => body.tools?.length);
  return JSON.stringify(request?.body.messages?.slice(1) ?? []);
}

test('an undo is shown in the conversation, and the assistant takes it into account', async ({ app, service }) => {
  const { page, projectDir } = app;
  await connectModel(page, service.url);
  await page.keyboard.press('Control+1');
  const before = await readScene(projectDir);
  await askForProposal(page);
  await chatOf(page).getByRole('button', { name: 'Accept all' }).click();
  await expect.poll(() => readScene(projectDir)).toContain(STORY_LINE);
  await chatOf(page).getByRole('button', { name: 'Go back' }).click();
  await expect.poll(() => readScene(projectDir)).toBe(before);
  await expect(logOf(page).getByText(/^Undone:\s*start\.txt$/)).toBeVisible();
  await expect(logOf(page).getByText('Accepted, then undone')).toBeVisible();

  // The scripted model proposes the shorter line when it is told that its first one is gone.
  await askForProposal(page, 'Something about the rain again');
  await expect.poll(() => toSent(service)).toContain('They are NOT on disk any more');
  expect(toSent(service)).not.toMatch(/now on disk|Written to the files/i);
  await chatOf(page).getByRole('button', { name: 'Accept all' }).click();
  await expect.poll(() => readScene(projectDir)).toContain(STORY_LINE_SHORT);
});

test('a file that was changed while the app was closed is named with the next message', async ({ app, service }) => {
  const { page, projectDir } = app;
  await connectModel(page, service.url);
  await page.keyboard.press('Control+1');
  await askForProposal(page);
  await chatOf(page).getByRole('button', { name: 'Accept all' }).click();
  await expect.poll(() => readScene(projectDir)).toContain(STORY_LINE);
  const accepted = await readScene(projectDir);
  await app.kill();
  await writeFile(join(projectDir, STORY_SCENE), accepted.replace(STORY_LINE, ':A line of mine.;'));
  await app.restart();
  await askForProposal(app.page, 'Go on with the rain');
  await expect(logOf(app.page).getByText(/^Changed outside the app:\s*start\.txt$/)).toBeVisible();
  await expect.poll(() => toSent(service)).toContain('Someone outside the app changed files that you know');
});
