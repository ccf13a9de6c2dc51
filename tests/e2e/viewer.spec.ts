import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { connectClient } from '../support/mcp-process.ts';
import {
  createFakeModelServer,
  type FakeModelServer,
  type FakeRequest,
} from '../support/services/fake-model-server.ts';
import { ask, test as base, CANARY, chatOf, connectModel, expect } from './user-actions.ts';

// Software rendering is slow, especially on a busy machine.
base.setTimeout(150_000);

const SCENE = 'game/scene/bookshop.txt';
const LOOK = { name: 'viewer_action', args: { actionId: 'describe-view' } };
const GO = {
  name: 'viewer_action',
  args: { actionId: 'navigate-to', params: { scene: 'bookshop.txt', label: 'read' } },
};
const SHOT = { name: 'viewer_action', args: { actionId: 'capture-screenshot' } };
const MAP = { name: 'viewer_action', args: { actionId: 'show-on-map', params: { scene: 'bridge.txt' } } };
const done = (result: string) => ({ calls: [{ name: 'attempt_completion', args: { result } }] });

/** The answers of the tools in the running turn, oldest first. */
function answersOf({ body }: FakeRequest): string[] {
  const messages = body.messages ?? [];
  const since = messages.findLastIndex(({ role }) => role === 'user');
  return messages.slice(since).flatMap(({ role, content }) => (role === 'tool' ? [JSON.stringify(content)] : []));
}

const test = base.extend<{ service: FakeModelServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies from this pattern
  service: async ({}, use) => {
    const service = await createFakeModelServer(
      (request) => {
        const answers = answersOf(request);
        const asked = JSON.stringify(request.body.messages?.findLast(({ role }) => role === 'user')?.content);
        if (asked.includes('On the map')) return answers.length === 0 ? { calls: [MAP] } : done('There.');
        const messages = request.body.messages ?? [];
        if (JSON.stringify(messages).includes('Take a picture')) {
          // Without a graphics card a picture may take longer than the action waits.
          const hasPicture = JSON.stringify(messages).includes('data:image/jpeg');
          if (hasPicture || answers.length > 4) return done('Taken.');
          // A page that was too busy is asked again once it has answered.
          return { calls: [SHOT], ...(answers.length > 0 && { wait: 6_000 }) };
        }
        // What stands for a picture comes as a message of its own, after the answer of the tool.
        if (JSON.stringify(messages).includes('Without pictures'))
          return messages.some(({ role }) => role === 'tool') ? done('Read.') : { calls: [SHOT] };
        if (asked.includes('Look now')) return answers.length === 0 ? { calls: [LOOK] } : done('Looked.');
        if (answers.length === 0) return { calls: [GO] };
        if (answers.length === 1) return { calls: [LOOK], ...(asked.includes('slowly') && { wait: 3000 }) };
        if (answers.length === 2 && asked.includes('slowly')) return { calls: [GO] };
        return done(`Seen: ${answers.at(-1)?.slice(0, 3000)}`);
      },
      { key: CANARY },
    );
    await use(service);
    await service.close();
  },
});

const lastAnswer = (service: FakeModelServer): string => answersOf(service.requests.at(-1) as FakeRequest).at(-1) ?? '';
const composerOf = (page: Page) => chatOf(page).getByRole('textbox', { name: 'Message to the assistant' });

test('the assistant shows a line and reads what the user sees', async ({ app, service }) => {
  const { page } = app;
  await connectModel(page, service.url);
  await page.keyboard.press('Control+1');
  await ask(page, 'Show me where they read');
  await expect(page.getByText('The assistant is showing you something')).toBeVisible();
  await expect(
    page.getByRole('navigation', { name: 'Open files' }).getByRole('button', { name: 'bookshop.txt' }).first(),
  ).toHaveAttribute('aria-current', 'page');
  await expect(chatOf(page).getByText(/Seen:/)).toBeVisible();
  // The keyboard stays where the user has it.
  await expect(composerOf(page)).toBeFocused();
  const seen = lastAnswer(service);
  expect(seen).toContain(SCENE);
  expect(seen).toMatch(/cursorLine\W+25/);
  const instructions = JSON.stringify(service.requests.at(-1)?.body.messages?.[0]);
  expect(instructions).toContain('navigate-to {scene: string, line?: number, label?: string}');
  await expect(page.getByText('The assistant is showing you something')).toBeHidden();

  await test.step('what the stage shows goes with the message and is described', async () => {
    await expect(page.frameLocator('iframe').locator('#textBoxMain')).toContainText('椅');
    // The engine reports itself once a second.
    await expect(async () => {
      await ask(page, 'Look now');
      await expect(composerOf(page)).toHaveValue('');
      await expect(chatOf(page).getByRole('button', { name: 'Stop' })).toBeHidden();
      expect(lastAnswer(service)).toMatch(/background\W+game\/background\/bookshop/);
    }).toPass();
    expect(JSON.stringify(service.requests.at(-1)?.body.messages)).toMatch(/stage\W+scene\W+game\/scene\/bookshop/);
  });
});

test('the assistant opens the story map at a scene', async ({ app, service }) => {
  const { page } = app;
  await connectModel(page, service.url);
  await page.keyboard.press('Control+1');
  await ask(page, 'On the map please');
  const map = page.getByRole('region', { name: 'Work · Story map' });
  await expect(
    map
      .locator('[data-relation="self"]')
      .filter({ hasText: /bridge|桥/ })
      .first(),
  ).toBeVisible();
});

test('a picture of the stage reaches the model, with the words of the stage', async ({ app, service }) => {
  const { page } = app;
  await connectModel(page, service.url);
  await page.keyboard.press('Control+1');
  await expect(page.frameLocator('iframe').locator('#textBoxMain')).toContainText('六月');
  await ask(page, 'Take a picture');
  await expect(chatOf(page).getByText('Taken.')).toBeVisible();
  const sent = JSON.stringify(service.requests.at(-1)?.body.messages);
  expect(sent).toContain('六月的雨');

  const [, data = ''] = /data:image\/jpeg;base64,([A-Za-z0-9+/=]+)/.exec(sent) ?? [];
  const bytes = Buffer.from(data, 'base64');
  const { width, height, spread } = await page.evaluate(async (source) => {
    const image = new Image();
    image.src = `data:image/jpeg;base64,${source}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0);
    const pixels = context?.getImageData(0, 0, image.width, image.height).data ?? [];
    return { width: image.width, height: image.height, spread: new Set(pixels).size };
  }, data);
  expect([bytes.length > 5000, width <= 1024, spread > 100]).toEqual([true, true, true]);
  expect(Math.abs(width / height - 16 / 9)).toBeLessThan(0.1);
});

/** Chooses in the settings by keyboard: on a busy machine the page of a running engine takes no click in time. */
async function setSight(page: Page, choice: 'It does not' | 'It sees them'): Promise<void> {
  await page.getByRole('button', { name: 'Settings', exact: true }).press('Enter');
  const radio = page.getByRole('radiogroup', { name: 'Pictures for story-1' }).getByRole('radio', { name: choice });
  await expect(async () => {
    await radio.press('Space', { timeout: 10_000 });
    await expect(radio).toBeChecked({ timeout: 2_000 });
  }).toPass();
  await page.keyboard.press('Control+1');
}

test('a model whose sight is turned off in the settings gets words, and pictures once it is on again', async ({
  app,
  service,
}) => {
  const { page } = app;
  const messages = () => service.requests.findLast(({ body }) => body.tools?.length)?.body.messages ?? [];
  const sent = () => JSON.stringify(messages());
  const words = () => JSON.stringify(messages().filter(({ role }) => role === 'tool'));
  const whenBusy = { timeout: 45_000 };
  await connectModel(page, service.url);
  await test.step('off: the words of the stage and no picture', async () => {
    await setSight(page, 'It does not');
    await expect(page.frameLocator('iframe').locator('#textBoxMain')).toContainText('六月', whenBusy);
    await ask(page, 'Without pictures, please');
    await expect(chatOf(page).getByText('Read.')).toBeVisible(whenBusy);
    expect(words()).toContain('六月的雨');
    expect(sent()).not.toContain('data:image/');
  });
  await test.step('on: the picture and the words', async () => {
    await setSight(page, 'It sees them');
    await ask(page, 'Take a picture');
    await expect(chatOf(page).getByText('Taken.')).toBeVisible(whenBusy);
    expect(sent()).toContain('data:image/jpeg');
    expect(words()).toContain('六月的雨');
  });
});

test('Esc takes the window back until the turn ends', async ({ app, service }) => {
  const { page } = app;
  await connectModel(page, service.url);
  await page.keyboard.press('Control+1');
  await ask(page, 'Show me slowly where they read');
  await expect(page.getByText('The assistant is showing you something')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('The assistant is showing you something')).toBeHidden();
  await expect(chatOf(page).getByText(/Seen:/)).toBeVisible();
  expect(lastAnswer(service)).toContain('The user has taken over');
});

test('plan mode only looks', async ({ app, service }) => {
  const { page } = app;
  await connectModel(page, service.url);
  await page.keyboard.press('Control+1');
  await ask(page, 'Show me where they read', 'Plan');
  await expect.poll(() => service.requests.flatMap((request) => answersOf(request)).join('\n')).toContain('plan mode');
  await expect(page.getByText('The assistant is showing you something')).toBeHidden();
  await expect(page.getByText('start.txt, line 1', { exact: true })).toBeVisible();
});

test('another program moves the window over MCP while the app has the game open', async ({ app }) => {
  // Without a graphics card each picture of the engine takes long, and orders wait for it.
  test.setTimeout(180_000);
  const whenBusy = { timeout: 45_000 };
  const { page, projectDir: root, home } = app;
  await expect(page.frameLocator('iframe').locator('#textBoxMain')).toContainText('六月');
  const environment = { WEBGAL_AGENT_HOME: home, WEBGAL_AGENT_LANG: 'en', PATH: process.env.PATH ?? '' };
  const client = await connectClient({ root, environment });
  const act = async (actionId: string, params: object = {}) => {
    const { content } = await client.callTool({ name: 'viewer_action', arguments: { actionId, params } });
    return JSON.stringify(content);
  };
  const names = async () => (await client.listTools()).tools.map(({ name }) => name);
  try {
    expect(await names()).toContain('viewer_action');
    const isSaid = expect(page.getByText('The assistant is showing you something')).toBeVisible();
    expect(await act('navigate-to', { scene: 'bookshop.txt', line: 3 })).toContain('bookshop.txt');
    await isSaid;
    await expect(
      page.getByRole('navigation', { name: 'Open files' }).getByRole('button', { name: 'bookshop.txt' }).first(),
    ).toHaveAttribute('aria-current', 'page');
    expect(await act('list-items', { viewer: 'stage' })).toMatch(/start\.txt.*bookshop\.txt.*bridge\.txt/);
    expect(await act('highlight', { scene: 'bookshop.txt', from: 2, to: 4 })).toContain('are marked');
    await expect(page.locator('.script-pointed').first()).toBeVisible();
    expect(await act('navigate-to', { scene: '../../etc/passwd' })).toContain('E_DENY_PATH');
    await test.step('says why a line cannot be shown', async () => {
      expect(await act('navigate-to', { scene: 'bookshop.txt', line: 999 })).toMatch(
        /success\W+false.*there is no line 999/,
      );
      expect(await act('navigate-to', { scene: 'bookshop.txt', label: 'gone' })).toMatch(
        /success\W+false.*no label .*gone.*read/,
      );
    });
    await test.step('says which error keeps the story from going on', async () => {
      await writeFile(join(root, 'game/scene/stuck.txt'), ':one;\nsetVar:x=random(1,);\n:two;\n');
      await expect
        .poll(() => act('navigate-to', { scene: 'stuck.txt', line: 1 }), whenBusy)
        .toMatch(/success\W+true.*one/);
      await expect.poll(() => act('step'), whenBusy).toMatch(/does not move on.*script-error.*stuck\.txt\W+line\W+2/);
    });
    await test.step('chooses and sets variables of the running story', async () => {
      expect(await act('navigate-to', { scene: 'bookshop.txt', line: 23 })).toContain('bookshop.txt');
      await expect(page.frameLocator('iframe').locator('#chooseContainer')).toContainText('把伞递给她');
      // On a busy machine the engine may not answer an order in time.
      await expect.poll(() => act('choose', { option: 'no such' }), whenBusy).toContain('陪她把后半本看完');
      await expect.poll(() => act('set-variable', { name: 'warmth', value: '7' }), whenBusy).toMatch(/warmth\W+7/);
      await expect(async () => {
        await act('choose', { option: '把伞递给她' });
        await expect(page.frameLocator('iframe').locator('#chooseContainer')).not.toContainText('把伞递给她', {
          timeout: 2_000,
        });
      }).toPass(whenBusy);
      await expect.poll(() => act('step'), whenBusy).toMatch(/success\W+true/);
      await page.getByRole('button', { name: 'Stage and variables' }).click();
      await expect(page.getByRole('textbox', { name: 'Value of warmth' })).toHaveValue(/\d+/);
      await expect(async () => {
        await page.getByRole('textbox', { name: 'Value of warmth' }).fill('42');
        await page.keyboard.press('Enter');
        await expect.poll(() => act('describe-view'), { timeout: 5_000 }).toMatch(/warmth\W+42/);
      }).toPass(whenBusy);
      await page.keyboard.press('Escape');
    });
    await act('ui:show-view', { view: 'write' });
    await page.keyboard.press('Escape');
    expect(await act('ui:fullscreen')).toContain('The user has taken over');
    await app.kill();
    expect(await names()).not.toContain('viewer_action');
    expect(await act('describe-view')).toContain('E_TOOL_DISABLED');
  } finally {
    await client.close();
  }
});
