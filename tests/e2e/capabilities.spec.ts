import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { provider as dice } from '../../packages/provider-sdk/examples/dice.ts';
import { createProvider } from '../../packages/provider-sdk/src/index.ts';
import { callApp } from '../support/window/call-app.ts';
import { expect, test } from './user-actions.ts';

test.use({ foldsStage: true });

const viewOf = (page: Page) => page.getByRole('region', { name: 'Work · Abilities' });

test('a program gets a key, connects, and its request waits for an answer by keyboard', async ({ app }) => {
  const { page } = app;
  await page.getByRole('button', { name: 'Abilities' }).click();
  const view = viewOf(page);
  await view.getByRole('textbox', { name: 'Search abilities' }).fill('remove text file');
  await expect(view.getByText('project.file.delete')).toBeVisible();
  // All about it, by keyboard.
  const opener = view.getByRole('button', { name: 'Show everything about Delete a file' });
  await opener.press('Enter');
  const details = page.getByRole('dialog', { name: 'Delete a file' });
  await expect(details.getByText('It removes a file; its text is kept.')).toBeVisible();
  await expect(
    details.getByRole('region', { name: 'What it needs to know' }).getByText('text · required'),
  ).toBeVisible();
  expect((await new AxeBuilder({ page }).setLegacyMode().include('[role=dialog]').analyze()).violations).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();

  await view.getByText('Connections').click();
  for (const name of ['Let other programs on this computer use the app', 'Let programs offer abilities']) {
    await view.getByRole('switch', { name }).press('Space');
    await expect(view.getByRole('switch', { name })).toBeChecked();
  }
  await view.getByRole('textbox', { name: 'Name, such as dice' }).fill('dice');
  await page.keyboard.press('Enter');
  const token = (await view.locator('code').textContent()) ?? '';
  const connection = dice.connect({ token, home: app.home });
  try {
    await connection.ready;
    await expect(view.getByText('Ready · local connection')).toBeVisible();
    const { violations } = await new AxeBuilder({ page })
      .setLegacyMode()
      .exclude('iframe')
      .exclude('.monaco-editor')
      .analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 160))])).toEqual([]);

    const { url, token: key } = JSON.parse(await readFile(join(app.home, 'api.json'), 'utf8')) as Record<
      string,
      string
    >;
    const call = () =>
      fetch(`${url}/api/v1/capabilities/ext.dice.roll/call`, {
        ...{ method: 'POST', headers: { authorization: `Bearer ${key}` } },
        body: JSON.stringify({ parameters: { count: 1, sides: 6, seed: 1 }, context: { caller: 'my tool' } }),
      });
    expect((await call()).status).toBe(202);
    await view.getByText('Requests (1)').click();
    await expect(
      view.getByText('Over the app’s interface (API), from a program that calls itself “my tool”'),
    ).toBeVisible();
    await view.getByRole('button', { name: 'Allow once' }).focus();
    await page.keyboard.press('Enter');
    await expect(view.getByText(/itself “my tool” · done/)).toBeVisible();

    // A program that connects by itself is set up here, a service in the settings.
    await view.getByText('Connections').click();
    await expect(view.getByRole('combobox', { name: 'may do' })).toHaveValue('Only look things up');
    await view.getByRole('button', { name: 'Show services' }).press('Enter');
    await expect(page.getByRole('region', { name: 'Other services', exact: true })).toBeFocused();
    await expect(page.getByText('1 more program connects by itself.')).toBeVisible();
  } finally {
    connection.close();
  }
});

test('a double click answers one of the two questions of a critical request', async ({ app }) => {
  const { page } = app;
  let runs = 0;
  const provider = createProvider({
    ...{ id: 'danger', name: 'Danger' },
    capabilities: {
      act: {
        ...{ type: 'action', name: 'Act', description: 'Acts.', parameters: { type: 'object' } },
        risk: { level: 'critical', reason: 'It cannot be undone.' },
        run: () => ({ runs: ++runs }),
      },
    },
  });
  await page.getByRole('button', { name: 'Abilities' }).click();
  const roles = { assistant: 'owner', mcp: null, api: 'owner', providers: { danger: 'owner' } };
  await callApp(page, 'settings.update', { discoveryApi: true, providerGateway: true, roles });
  const { token } = (await callApp(page, 'connections.createToken', { provider: 'danger' })) as { token: string };
  const connection = provider.connect({ token, home: app.home });
  try {
    await connection.ready;
    const { url, token: key } = JSON.parse(await readFile(join(app.home, 'api.json'), 'utf8')) as Record<
      string,
      string
    >;
    const call = async () =>
      (
        await fetch(`${url}/api/v1/capabilities/ext.danger.act/call`, {
          ...{ method: 'POST', headers: { authorization: `Bearer ${key}` }, body: '{}' },
        })
      ).status;
    await expect.poll(call).toBe(202);

    const view = viewOf(page);
    await view.getByText('Requests (1)').click();
    const first = view.getByRole('button', { name: 'Allow (asked twice)' });
    const box = await first.boundingBox();
    if (!box) throw new Error('The button is not shown.');
    const at = [box.x + box.width / 3, box.y + box.height / 2] as const;
    await page.mouse.click(...at);
    // As soon as the second question is there.
    const second = view.getByRole('button', { name: 'Allow, really' });
    await second.waitFor();
    await page.mouse.click(...at);
    await expect(second).toBeEnabled();
    expect(runs).toBe(0);
    await second.click();
    await expect.poll(() => runs).toBe(1);
  } finally {
    connection.close();
  }
});
