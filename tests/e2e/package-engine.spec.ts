import { expect, test } from './fixtures.ts';

// The package plays the engine that lies in its archive, where files are opened otherwise than on a disk.
test.setTimeout(240_000);
test.use({ opensProject: true, environment: { WEBGAL_AGENT_BROWSER: '/nowhere/to/be/found' } });

test('plays the game on the stage and in a playtest', async ({ app }) => {
  const { page } = app;
  await expect(page.frameLocator('iframe').locator('#textBoxMain')).toContainText('六月');
  await expect(page.getByText('Stage connected')).toBeVisible();
  await page.getByRole('button', { name: 'Playtest', exact: true }).click();
  await page.getByRole('button', { name: 'Play all routes' }).click();
  await expect(page.getByText('routes: 2.')).toBeVisible({ timeout: 120_000 });
});
