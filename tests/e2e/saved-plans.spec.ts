import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { STORY_SCENE } from '../support/games/story-script.ts';
import { createFakeModelServer, type FakeRequest, type FakeStep } from '../support/services/fake-model-server.ts';
import { ask, CANARY, chatOf, connectModel, expect, readScene, reviewOf, test as storyTest } from './user-actions.ts';

const AWARD = '给玩家一枚成就';
const LINE = 'callSteam:rain;';

/** Plans one step that calls out of the game. */
function planScript({ body }: FakeRequest): FakeStep {
  if (!JSON.stringify(body.tools ?? []).includes('propose_plan')) return { text: '好。' };
  const operations = [{ op: 'insert', path: STORY_SCENE, expect: '', text: LINE }];
  const steps = [{ type: 'scene_edit', summary: AWARD, path: STORY_SCENE, operations }];
  return { calls: [{ name: 'propose_plan', args: { text: '计划如下。', steps } }] };
}

const test = storyTest.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies from this pattern
  service: async ({}, use) => {
    const service = await createFakeModelServer(planScript, { key: CANARY });
    await use(service);
    await service.close();
  },
});

// Software rendering is slow, especially on a busy machine.
test.setTimeout(150_000);
test.use({ foldsStage: true });

test('keeps a plan that cannot run, also after a restart, and carries it out from another conversation', async ({
  app,
  service,
}) => {
  const { projectDir } = app;
  const folder = join(projectDir, '.webgal_agent/saved-plans');
  const before = await readScene(projectDir);
  await connectModel(app.page, service.url);
  await app.page.keyboard.press('Control+1');
  await expect(app.page.getByRole('button', { name: 'Saved plans' })).toBeHidden();
  await ask(app.page, 'An award, please', 'Plan');
  await expect(chatOf(app.page).getByText('Saved: you find it again')).toBeVisible();

  await test.step('a broken and a foreign plan are no harm', async () => {
    const [name = ''] = await readdir(folder);
    const text = await readFile(join(folder, name), 'utf8');
    await writeFile(join(folder, 'broken.json'), 'not a plan');
    await writeFile(
      join(folder, 'theirs.json'),
      text.replaceAll(AWARD, 'Theirs').replaceAll(name.replace('.json', ''), 'theirs'),
    );
  });
  await app.restart();
  const { page } = app;
  const chat = chatOf(page);
  await page.keyboard.press('Control+1');
  await chat.getByRole('button', { name: 'New conversation' }).click();
  await expect(chat.getByText(AWARD)).toBeHidden();
  const open = chat.getByRole('button', { name: 'Saved plans' });
  const list = page.getByRole('dialog', { name: 'Saved plans' });

  await test.step('is listed with what holds it back, discarded and brought back', async () => {
    await open.press('Enter');
    await expect(list.getByText('1 saved plan cannot be read and is left out.')).toBeVisible();
    const theirs = list.getByRole('listitem').filter({ hasText: 'Theirs' });
    await expect(theirs).toContainText('Came with the game');
    await expect(theirs.getByRole('button', { name: 'Reopen' })).toHaveCount(0);
    await list.getByRole('button', { name: AWARD, exact: true }).press('Enter');
    await expect(list.getByText('Uses a command that is not allowed here')).toBeVisible();
    await list.getByRole('button', { name: `Discard: ${AWARD}` }).press('Enter');
    await expect(list.getByText('The plan was discarded.')).toBeVisible();
    await expect(list.getByRole('button', { name: AWARD, exact: true })).toBeHidden();
    await page.keyboard.press('Tab');
    await expect(list.getByRole('button', { name: 'Undo' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(list.getByRole('button', { name: `Reopen: ${AWARD}` })).toBeVisible();
  });

  await list.getByRole('button', { name: `Reopen: ${AWARD}` }).press('Enter');
  await expect(list).toBeHidden();
  await expect(chat.getByText('Plan · 1 step')).toBeVisible();
  await expect(chat.getByText('Uses a command that is not allowed here')).toBeVisible();
  await expect(chat.getByRole('button', { name: 'Do it' })).toBeDisabled();
  await chat.getByRole('switch', { name: 'I have checked this step; it may be drafted' }).press('Space');
  await chat.getByRole('button', { name: 'Do it' }).click();
  await expect(reviewOf(page).getByText('callSteam:rain')).toBeVisible();
  expect(await readScene(projectDir)).toBe(before);
  await open.click();
  await expect(list.getByRole('button', { name: AWARD, exact: true })).toBeHidden();
  await expect(list.getByText('Theirs')).toBeVisible();
  expect(app.pageErrors).toEqual([]);
});

const GREET = '打个招呼';

/** Plans one step with a name that is still open. */
function openScript({ body }: FakeRequest): FakeStep {
  if (!JSON.stringify(body.tools ?? []).includes('propose_plan')) return { text: '好。' };
  const operations = [{ op: 'insert', path: STORY_SCENE, expect: '', text: ':{谁}来了。;' }];
  const steps = [{ type: 'scene_edit', summary: GREET, path: STORY_SCENE, operations }];
  return { calls: [{ name: 'propose_plan', args: { text: '计划如下。', steps } }] };
}

test.describe('a plan with an open name', () => {
  test.use({
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies from this pattern
    service: async ({}, use) => {
      const service = await createFakeModelServer(openScript, { key: CANARY });
      await use(service);
      await service.close();
    },
  });

  test('is filled in on its card, and runs without the model', async ({ app, service }) => {
    const { page } = app;
    await connectModel(page, service.url);
    await page.keyboard.press('Control+1');
    await ask(page, 'A greeting, please', 'Plan');
    const chat = chatOf(page);
    await expect(chat.getByRole('button', { name: 'Do it' })).toBeDisabled();
    const field = chat.getByRole('textbox', { name: 'What belongs in place of “谁”?' });
    await field.fill('雪乃');
    await field.press('Enter');
    await expect(field).toBeHidden();
    const asked = service.requests.length;
    await chat.getByRole('button', { name: 'Do it' }).click();
    await expect(reviewOf(page).getByText('雪乃来了。')).toBeVisible();
    expect(service.requests).toHaveLength(asked);
    expect(app.pageErrors).toEqual([]);
  });
});

/** Plans one step that says neither where nor what. */
function vagueScript({ body }: FakeRequest): FakeStep {
  if (!JSON.stringify(body.tools ?? []).includes('propose_plan')) return { text: '好。' };
  return {
    calls: [{ name: 'propose_plan', args: { text: '计划如下。', steps: [{ type: 'scene_edit', summary: GREET }] } }],
  };
}

test.describe('a plan that does not say where', () => {
  test.use({
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies from this pattern
    service: async ({}, use) => {
      const service = await createFakeModelServer(vagueScript, { key: CANARY });
      await use(service);
      await service.close();
    },
  });

  test('asks for the scene and, on request, for details, and tells both to the model', async ({ app, service }) => {
    const { page } = app;
    await connectModel(page, service.url);
    await page.keyboard.press('Control+1');
    await ask(page, 'A greeting, please', 'Plan');
    const chat = chatOf(page);
    const scene = chat
      .getByRole('combobox', { name: 'Which scene?' })
      .or(chat.getByRole('textbox', { name: 'Which scene?' }));
    await scene.fill('start');
    await scene.press('Enter');
    await expect(scene).toBeHidden();
    await chat.getByRole('button', { name: 'Add details' }).click();
    const details = chat.getByRole('textbox', { name: 'What should this step contain?' });
    await expect(details).toBeFocused();
    // Typed, and the button pressed at once: leaving the field saves it, and the click counts.
    await page.keyboard.type('雪乃先开口');
    await chat.getByRole('button', { name: 'Do it' }).click();
    await expect(chat.getByRole('button', { name: 'Add details' })).toBeHidden();
    await expect
      .poll(() => JSON.stringify(service.requests.at(-1)?.body ?? {}))
      .toMatch(/game\/scene\/start\.txt.*雪乃先开口/s);
    expect(app.pageErrors).toEqual([]);
  });
});
