import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { findPort, installTerre, readRequests } from '../support/terre/install-terre.ts';
import { test as base, type RunningApp } from './fixtures.ts';
import { expect } from './user-actions.ts';

const port = await findPort();
const test = base.extend({ environment: { WEBGAL_PORT: String(port - 1) } });

// biome-ignore lint/suspicious/noSkippedTests: no other stand-in can be started there
test.skip(process.platform === 'win32', 'The stand-in is a script with a first line that only other systems read.');
test.setTimeout(240_000);
test.use({ foldsStage: true });

const terreOf = (page: Page): Locator => page.getByRole('region', { name: 'WebGAL Terre', exact: true });

/** Names the folder as the host lets the user: in the system's dialog, or by its path. */
async function choose(app: RunningApp, folder: string): Promise<void> {
  const terre = terreOf(app.page);
  if (!app.hasWindow) {
    await terre.getByRole('textbox', { name: 'Folder of WebGAL Terre' }).fill(folder);
    await terre.getByRole('button', { name: 'Use', exact: true }).click();
    return;
  }
  await app.desktop.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [path] });
  }, folder);
  await terre.getByRole('button', { name: 'Choose its folder…' }).click();
}

test('the folder of Terre is chosen, and the program is started, shown and ended with the app', async ({ app }) => {
  const folder = join(app.home, '..', 'Terre of mine');
  await installTerre(folder, { games: {} });
  await chmod(folder, 0o777);
  const inGame = join(app.projectDir, 'Terre');
  await installTerre(inGame, { games: {} });
  await app.page.getByRole('button', { name: 'Settings', exact: true }).click();
  const terre = terreOf(app.page);
  await expect(terre.getByText('It is in none of the usual places.')).toBeVisible();
  await expect(terre.getByRole('button', { name: 'Start Terre now' })).toBeDisabled();

  await choose(app, inGame);
  await expect(app.page.getByText('This folder lies inside the open game.')).toBeVisible();
  await choose(app, join(app.home, '..'));
  await expect(app.page.getByText('This folder does not hold WebGAL Terre.')).toBeVisible();
  await choose(app, folder);
  await expect(terre.getByText(/Terre of mine, chosen by you\./)).toBeVisible();

  await terre.getByRole('button', { name: 'Start Terre now' }).click();
  await expect(terre.getByText(`Runs on port ${port}. It ends together with this app.`)).toBeVisible({
    timeout: 40_000,
  });
  await terre.getByRole('button', { name: 'Show output' }).click();
  await expect(terre.getByRole('region', { name: 'Output of Terre' })).toContainText('Nest application starts');
  await terre.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(terre.getByText(`Not running. It would use port ${port}.`)).toBeVisible();

  await terre.getByRole('button', { name: 'Start Terre now' }).click();
  await expect(terre.getByText(`Runs on port ${port}.`)).toBeVisible({ timeout: 60_000 });
  await app.restart();
  await expect(fetch(`http://127.0.0.1:${port}/api/test`)).rejects.toThrow();
  // Kept, and not started by itself.
  await app.page.getByRole('button', { name: 'Settings', exact: true }).click();
  await expect(terreOf(app.page).getByText(/Terre of mine, chosen by you\./)).toBeVisible();
  await expect(terreOf(app.page).getByText(`Not running. It would use port ${port}.`)).toBeVisible();
  expect((await readRequests(folder)).filter((line) => line.startsWith('START'))).toHaveLength(2);
  expect(await readRequests(inGame)).toEqual(['']);
});

test('a Terre that starts later with the open game is warned of, and asked for nothing that writes', async ({
  app,
}) => {
  const folder = join(app.home, '..', 'Terre');
  await installTerre(folder, { games: { other: app.home, mine: join(app.projectDir, 'game') } });
  const warning = app.page.getByRole('alert').filter({ hasText: 'WebGAL Terre has this game too.' });
  await app.page.getByRole('button', { name: 'Settings', exact: true }).click();
  await choose(app, folder);
  await expect(terreOf(app.page).getByText(/Terre, chosen by you\./)).toBeVisible();
  await terreOf(app.page).getByRole('button', { name: 'Start Terre now' }).click();
  await expect(warning).toBeVisible({ timeout: 60_000 });
  await terreOf(app.page).getByRole('button', { name: 'Stop', exact: true }).click();
  await terreOf(app.page).getByRole('button', { name: 'Start Terre now' }).waitFor();
  // Nothing that writes was asked for, and the other game once only.
  const requests = await readRequests(folder);
  expect(requests.filter((each) => /readGameAssets\/other/.test(each))).toHaveLength(1);
  expect(
    requests.filter((each) => !/^(START|GET \/api\/(test|manageGame\/(gameList|readGameAssets)))/.test(each)),
  ).toEqual([]);
});
