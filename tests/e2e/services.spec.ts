import { join } from 'node:path';
import { createFakeModelServer } from '../support/services/fake-model-server.ts';
import { ask, CANARY, chatOf, connectInSettings, expect, test } from './user-actions.ts';

test.use({ foldsStage: true });

const SERVER = join(
  import.meta.dirname,
  '..',
  '..',
  'node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);
const BLOCK = JSON.stringify({
  mcpServers: { everything: { command: process.execPath, args: [SERVER], env: { MY_KEY: 'secret-value-1' } } },
});

test('adds a service, sees what would be started, uses it after a question, and removes it with undo', async ({
  app,
}) => {
  const script = [
    { calls: [{ name: 'ext_everything_get_sum', args: { a: 20, b: 22 } }] },
    { calls: [{ name: 'attempt_completion', args: { result: 'It is done.' } }] },
  ];
  const service = await createFakeModelServer(
    ({ body }) => {
      const answers = (body.messages ?? []).filter(({ role }) => role === 'tool').length;
      return script[Math.min(answers, 1)] ?? { text: ['…'] };
    },
    { key: CANARY },
  );
  const { page } = app;
  await connectInSettings(page, service.url);
  const services = page.getByRole('region', { name: 'Other services' });
  const row = services.locator('[data-service="everything"]');

  await services
    .getByLabel('Add a service')
    .fill('{"mcpServers": {"bad": {"command": "x", "env": {"LD_PRELOAD": "y"}}}}');
  await services.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(services.getByRole('alert')).toContainText('LD_PRELOAD');
  await services.getByLabel('Add a service').fill(BLOCK);
  await services.getByRole('button', { name: 'Add', exact: true }).press('Enter');
  await expect(row).toHaveAttribute('data-status', 'unconfirmed');
  await expect(row).toContainText(SERVER);
  await expect(row).toContainText('MY_KEY');
  // What it may do is chosen by the user, not by the app.
  const start = row.getByRole('button', { name: 'Start' });
  await expect(start).toBeDisabled();
  await row.getByRole('combobox', { name: 'What “everything” may do' }).press('Enter');
  await page.getByRole('option', { name: 'Also do things' }).click();
  await start.press('Enter');
  await expect(row).toHaveAttribute('data-status', 'ready', { timeout: 20_000 });
  await expect(row).toContainText(/Ready, with \d+ tools/);

  await ask(page, 'Add the numbers');
  const card = chatOf(page).locator('[data-consent="pending"]');
  await expect(card).toContainText('everything');
  await expect(card).toContainText('22');
  await expect(card).toContainText('According to the program itself, which the app cannot check, it changes nothing');
  await card.getByRole('button', { name: 'Allow once' }).click();
  await expect(chatOf(page).getByText('It is done.').first()).toBeVisible();
  const sent = JSON.stringify(service.requests.at(-1)?.body);
  expect(sent).toContain('42');
  expect(sent).not.toContain('secret-value-1');

  // What services are good for: steps, and a message to begin with.
  await services.getByRole('button', { name: 'Let the characters speak' }).press('Enter');
  await expect(services.getByRole('listitem').filter({ hasText: 'reads text aloud' })).toBeVisible();
  await services.getByRole('button', { name: 'Put this into the message' }).press('Enter');
  await expect(page.getByRole('textbox', { name: 'Message to the assistant' })).toHaveValue(/such as start-12\.mp3/);

  await row.getByRole('button', { name: 'Remove “everything”' }).click();
  await expect(row).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(row).toHaveAttribute('data-status', 'ready', { timeout: 20_000 });
  await service.close();
});
