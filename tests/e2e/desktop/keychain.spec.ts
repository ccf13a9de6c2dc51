import { findMissingKeyring, startSecretService } from '../../support/services/secret-service.ts';
import { mayLeaveNothingOut, type RunningApp } from '../fixtures.ts';
import { test as base, CANARY, connectInSettings, expect } from '../user-actions.ts';

/** The app with the keychain that its system offers. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies from this pattern
  environment: async ({}, use) => {
    const service = await startSecretService();
    await use({ DBUS_SESSION_BUS_ADDRESS: service.address, WEBGAL_AGENT_KEYCHAIN: 'system' });
    await service.close();
  },
});

async function openSettings({ page }: RunningApp) {
  // Keyboard shortcuts work only after the page has loaded.
  await expect(page.getByTestId('code').getByText('小满').first()).toBeVisible({ timeout: 30_000 });
  await page.keyboard.press('Control+5');
  return page.getByRole('region', { name: /Settings/ });
}

const missing = findMissingKeyring();
const isLinux = process.platform === 'linux';
// Tests must not write into a real keychain, and only Linux allows a separate one.
const withKeyring = missing === null || (mayLeaveNothingOut && isLinux) ? test : test.skip;
const reason = missing === null ? '' : ` (skipped: ${missing})`;

test.use({ foldsStage: true });

withKeyring(
  `a key goes to the system’s keychain and is there after a restart, until all keys are forgotten${reason}`,
  async ({ app, service }) => {
    await connectInSettings(app.page, service.url);
    await expect(app.page.getByText(/It works: story-1 answered/)).toBeVisible();
    await expect(app.page.getByText(/kept in your system's keychain/)).toBeVisible();

    await app.restart();
    const settings = await openSettings(app);
    await expect(settings.getByTestId('kept-keys')).toContainText('1 key is kept');
    const asked = service.requests.length;
    await settings.getByRole('button', { name: 'Test the connection' }).click();
    await expect(app.page.getByText(/It works: story-1 answered/)).toBeVisible();
    expect(service.requests.slice(asked).map(({ headers }) => headers.authorization)).toContain(`Bearer ${CANARY}`);

    await settings.getByRole('button', { name: 'Forget all keys' }).click();
    await settings.getByRole('dialog').getByRole('button', { name: 'Forget all keys' }).click();
    await expect(settings.getByText('No key is kept.')).toBeVisible();
    await app.restart();
    await expect((await openSettings(app)).getByText('No key is kept.')).toBeVisible();
  },
);

base.describe('without a keychain', () => {
  base.skip(!isLinux, 'Windows and macOS always have a keychain.');
  base.use({
    foldsStage: true,
    environment: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent', WEBGAL_AGENT_KEYCHAIN: 'system' },
  });

  base(
    'the page says that a key is kept for this run only, and it is gone after a restart',
    async ({ app, service }) => {
      await connectInSettings(app.page, service.url);
      await expect(app.page.getByText(/It works: story-1 answered/)).toBeVisible();
      await expect(app.page.getByText(/no keychain the app could use, so keys are kept in memory/)).toBeVisible();
      await app.restart();
      await expect((await openSettings(app)).getByText('No key is kept.')).toBeVisible();
    },
  );
});
