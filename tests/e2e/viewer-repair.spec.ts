import { createFakeModelServer, type FakeModelServer } from '../support/services/fake-model-server.ts';
import { ask, test as base, CANARY, chatOf, connectModel, expect, readScene, reviewOf } from './user-actions.ts';

/**
 * The assistant drafts a line that the engine cannot run, looks at the stage, reads the error with its line, and repairs exactly that.
 * The scripted model reads the answers it gets: without the error in them it would never repair, and it would never end.
 */
base.setTimeout(180_000);

const SCENE = 'game/scene/start.txt';
const BEFORE = '六月的雨，下起来从不跟人商量。';
const BROKEN = 'setVar:warmth=1+;';
const REPAIRED = 'setVar:warmth=1+1;';
const edit = (find: string, replace: string) => ({ name: 'replace_in_file', args: { path: SCENE, find, replace } });
const act = (actionId: string, params: object = {}) => ({ name: 'viewer_action', args: { actionId, params } });
const MOST_STEPS = 60;

const test = base.extend<{ service: FakeModelServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies from this pattern
  service: async ({}, use) => {
    let steps = 0;
    let isRepaired = false;
    const service = await createFakeModelServer(
      ({ body }) => {
        if (!JSON.stringify(body.tools ?? []).includes('viewer_action')) return { text: 'Rain' };
        steps += 1;
        if (steps > MOST_STEPS) return { calls: [{ name: 'attempt_completion', args: { result: 'Gave up.' } }] };
        const calls = (body.messages ?? []).flatMap(({ tool_calls: made }) => made ?? []).length;
        const last = JSON.stringify(body.messages?.findLast(({ role }) => role === 'tool')?.content ?? '');
        if (calls === 0) return { calls: [edit(BEFORE, `${BEFORE};\n${BROKEN}\n:雨声盖住了一切。`)] };
        const wasLook = last.includes('openFiles');
        const { line } = /script-error.{0,200}?line\W+(?<line>\d+)/.exec(last)?.groups ?? {};
        if (wasLook && line === '8' && !isRepaired) {
          isRepaired = true;
          return { calls: [edit(BROKEN, REPAIRED)] };
        }
        if (wasLook && isRepaired && !last.includes('script-error') && /warmth\W+2\b/.test(last)) {
          return { calls: [{ name: 'attempt_completion', args: { result: 'Repaired.' } }] };
        }
        // Once around: to the line before, over the new one, and a look.
        const round = ['navigate-to', 'step', 'describe-view'];
        const previous = JSON.stringify(body.messages?.findLast(({ tool_calls: made }) => made)?.tool_calls ?? '');
        const next = round[(round.findIndex((id) => previous.includes(id)) + 1) % round.length] ?? 'describe-view';
        return { calls: [act(next, next === 'navigate-to' ? { scene: SCENE, line: 7 } : {})] };
      },
      { key: CANARY },
    );
    await use(service);
    await service.close();
  },
});

test('the assistant reads the error of its own line on the stage and repairs it once', async ({ app, service }) => {
  const { page, projectDir } = app;
  await connectModel(page, service.url);
  await page.keyboard.press('Control+1');
  await expect(page.frameLocator('iframe').locator('#textBoxMain')).toContainText('六月');
  await ask(page, 'Let the rain get louder');
  await expect(chatOf(page).getByText('Repaired.')).toBeVisible({ timeout: 120_000 });
  const called = service.requests.flatMap(({ body }) => body.messages?.at(-2)?.tool_calls ?? []);
  const edits = JSON.stringify(called).split('replace_in_file').length - 1;
  expect(edits).toBe(2);
  await page
    .getByRole('button', { name: /^Review/ })
    .first()
    .click();
  await expect(reviewOf(page)).toContainText('Added: Set warmth = 1+1');
  expect(await readScene(projectDir, SCENE)).not.toContain('雨声盖住了一切');
  await reviewOf(page).getByRole('button', { name: 'Accept all' }).click();
  await expect.poll(() => readScene(projectDir, SCENE)).toContain(`${BEFORE};\n${REPAIRED}\n:雨声盖住了一切。`);
});
