import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STORY_SCENE, storyScript } from '../support/games/story-script.ts';
import { createFakeModelServer, type FakeRequest, type FakeStep } from '../support/services/fake-model-server.ts';
import { ask, CANARY, chatOf, connectModel, expect, readScene, reviewOf, test as storyTest } from './user-actions.ts';

const RAIN = '先加雨声';
const UMBRELLA = '再加一把伞';
const CHAPTER = '新的一章';

/** Plans three steps with prepared operations: the second also adds to what the first one wrote. */
function planScript(projectDir: string) {
  return (request: FakeRequest): FakeStep => {
    if (!JSON.stringify(request.body.tools ?? []).includes('propose_plan')) return storyScript(request);
    const scene = readFileSync(join(projectDir, STORY_SCENE), 'utf8');
    const lines = scene.split('\n').filter((line) => /^[^;a-z]*:/.test(line));
    const insert = (expected: string | undefined, text: string) => ({
      ...{ op: 'insert', path: STORY_SCENE, expect: expected ?? '', text },
    });
    const step = (summary: string, operations: unknown[], path = STORY_SCENE) => ({
      ...{ type: 'scene_edit', summary, path, operations },
    });
    const steps = [
      step(RAIN, [insert(lines[0], ':雨声近了。;'), insert(lines[3], ':雨声远了。;')]),
      step(UMBRELLA, [insert(':雨声近了。;', ':她撑开伞。;'), insert(lines[6], ':伞合上了。;')]),
      step(
        CHAPTER,
        [{ op: 'create', path: 'game/scene/rain.txt', text: ':新的一章。;\nend;\n' }],
        'game/scene/rain.txt',
      ),
    ];
    return { calls: [{ name: 'propose_plan', args: { text: '计划如下。', steps } }] };
  };
}

const test = storyTest.extend({
  service: async ({ app }, use) => {
    const service = await createFakeModelServer(planScript(app.projectDir), { key: CANARY });
    await use(service);
    await service.close();
  },
});

// Software rendering is slow, especially on a busy machine.
test.setTimeout(150_000);
test.use({ foldsStage: true });

test('groups the changes by the steps of the plan, with one tick for each step, in both views', async ({
  app,
  service,
}) => {
  const { page, projectDir } = app;
  const before = await readScene(projectDir);
  await connectModel(page, service.url);
  await page.keyboard.press('Control+1');
  await ask(page, 'Rain, please', 'Plan');
  await chatOf(page).getByRole('button', { name: 'Do it' }).click();
  const review = reviewOf(page);
  const heading = (name: string) => review.getByRole('heading', { level: 2, name, exact: true });
  const tickOf = (name: string) =>
    review.getByRole('checkbox', { name: `Take every change of this step: ${name}`, exact: true });
  await review.getByRole('button', { name: /^start\.txt/ }).click();
  await expect(heading(RAIN)).toBeVisible();
  await expect(heading(UMBRELLA)).toBeVisible();
  await expect(heading(`${RAIN} + ${UMBRELLA}`)).toBeVisible();

  await test.step('ticks by keyboard, also those of other files, and says so', async () => {
    await tickOf(UMBRELLA).press('Space');
    await expect(review.getByRole('checkbox', { name: 'Take change 4', exact: true })).not.toBeChecked();
    await expect(review.getByRole('checkbox', { name: 'Take change 3', exact: true })).toBeChecked();
    await expect(
      review.getByRole('status').filter({ hasText: '1 change of the step is left out. 3 of 4 changes are ticked.' }),
    ).toBeAttached();
    await review.getByRole('button', { name: '3 steps' }).press('Enter');
    const list = page.getByRole('list', { name: 'Changes by step' });
    await list.getByRole('checkbox', { name: `Take every change of this step: ${CHAPTER}` }).press('Space');
    await expect(list.getByRole('checkbox', { name: 'Take the changes of this step in rain.txt' })).not.toBeChecked();
    await list.getByRole('button', { name: 'rain.txt' }).press('Enter');
    await page.keyboard.press('Escape');
    await expect(list).toBeHidden();
    await expect(heading(CHAPTER)).toBeVisible();
    await expect(tickOf(CHAPTER)).not.toBeChecked();
  });

  await test.step('shows the step of each change in the text view', async () => {
    await review.getByRole('button', { name: /^start\.txt/ }).click();
    await review.getByText('Text', { exact: true }).click();
    await expect(heading(`${RAIN} + ${UMBRELLA}`)).toBeVisible();
    await review.getByRole('button', { name: 'Next change (N)' }).click();
    await expect(heading(RAIN)).toBeVisible();
    await review.getByRole('button', { name: 'Next change (N)' }).click();
    await expect(tickOf(UMBRELLA)).not.toBeChecked();
  });

  await test.step('keeps the steps of what waits after a part was accepted', async () => {
    await review.getByRole('button', { name: 'Accept ticked (2 of 4)' }).click();
    await expect.poll(() => readScene(projectDir)).toContain(':雨声近了。;\n:她撑开伞。;');
    expect(await readScene(projectDir)).not.toContain('伞合上了');
    expect(before).not.toContain('雨声近了');
    await expect(heading(UMBRELLA)).toBeVisible();
    await expect(tickOf(UMBRELLA)).not.toBeChecked();
    await expect(review.getByRole('button', { name: '2 steps' })).toBeVisible();
  });
  expect(app.pageErrors).toEqual([]);
});
