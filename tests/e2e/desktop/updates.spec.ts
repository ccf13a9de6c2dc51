import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };
import { serveUpdateFeed, type UpdateFeed } from '../../support/services/update-feed.ts';
import { handToDesktopUser } from '../../support/window/desktop.ts';
import { expect, type RunningApp, test } from '../fixtures.ts';
import { reviewOf } from '../user-actions.ts';

/** The running "AppImage": a file of this test that Electron treats as the package it was started from. */
const folder = mkdtempSync(join(tmpdir(), 'webgal-agent-update-'));
const appImage = join(folder, 'my-webgal-agent.AppImage');
const OLD = Buffer.from('the version that runs');
const NEW = randomBytes(3_000_000);

let feed: UpdateFeed;

test.use({
  foldsStage: true,
  // Electron's own switch, which makes the app report itself as packaged. The app has no code for tests.
  environment: { ELECTRON_FORCE_IS_PACKAGED: '1', APPIMAGE: appImage },
});
// Serial, because the tests share the file that stands for the package.
test.describe.configure({ mode: 'default', timeout: 150_000 });

test.beforeAll(async () => {
  await chmod(folder, 0o777);
});
test.beforeEach(async () => {
  await writeFile(appImage, OLD, { mode: 0o755 });
  handToDesktopUser(folder);
  feed = await serveUpdateFeed({ version: '99.0.0', file: NEW });
});
test.afterEach(() => feed?.close());
test.afterAll(() => rm(folder, { recursive: true, force: true }));

const state = (app: RunningApp) => app.page.getByTestId('update-state');
const check = (app: RunningApp) => app.page.getByRole('button', { name: 'Check now' }).click();

/** Enters the feed's URL in the settings. */
async function nameFeed(app: RunningApp, options: { automatic: boolean } = { automatic: true }): Promise<void> {
  const { page } = app;
  await page.getByRole('navigation').getByRole('button', { name: 'Settings' }).click();
  const automatic = page.getByRole('switch', { name: 'Look for new versions every day' });
  if (!options.automatic) await automatic.press('Space');
  const field = page.getByRole('textbox', { name: 'Where new versions come from' });
  await field.fill(feed.url);
  await field.press('Enter');
  await expect.poll(async () => readFile(join(app.home, 'settings.json'), 'utf8').catch(() => '')).toContain(feed.url);
}

/** Closes the app's window and reads the file at the package's path afterwards. */
async function closeAndRead(app: RunningApp): Promise<Buffer> {
  await app.desktop.close();
  return readFile(appImage);
}

test('downloads a newer version, shows what is new, and installs it when the app is closed', async ({ app }) => {
  feed.content = {
    ...feed.content,
    notes:
      '## New\n- **Maps** <img src=x onerror="document.title=1">[link](https://evil.example)\n\u202egnp\n<script>document.title=2</script>',
  };
  await nameFeed(app);
  await check(app);
  await expect(state(app)).toHaveAttribute('data-phase', 'ready');
  await expect(state(app)).toContainText('Version 99.0.0 is downloaded.');

  const notes = app.page.getByRole('region', { name: 'What is new' });
  await expect(notes.getByRole('listitem')).toContainText('Maps link');
  await expect(notes).toContainText('\\u{202e}gnp');
  await expect(notes.locator('a, img, script, iframe, button')).toHaveCount(0);
  await expect(app.page).not.toHaveTitle(/^[12]$/);
  await expect(app.page.getByRole('button', { name: 'Version 99.0.0 is ready' })).toBeVisible();

  expect(await readFile(appImage)).toEqual(OLD);
  expect((await closeAndRead(app)).equals(NEW)).toBe(true);
  expect((await stat(appImage)).mode & 0o111).toBe(0o111);
  expect(await readdir(folder)).toEqual(['my-webgal-agent.AppImage']);

  expect(feed.requests.map(({ path }) => path.replace(/\?noCache=\w+$/, ''))).toEqual([
    '/latest-linux.yml',
    '/webgal-agent-linux-x86_64.AppImage',
  ]);
  for (const { headers } of feed.requests) {
    expect(Object.keys(headers)).not.toContain('x-user-staging-id');
    expect(JSON.stringify(headers)).not.toMatch(
      new RegExp(`cookie|referer|${manifest.version.replaceAll('.', '\\.')}`),
    );
  }
});

/** Unusable feeds with the message for each, which differs from the previous row's. */
const REFUSALS: { name: string; break: () => Promise<void> | void; sentence: RegExp }[] = [
  {
    name: 'the same version',
    break: () => {
      feed.content.version = manifest.version;
    },
    sentence: /^This is the newest version\.$/,
  },
  {
    name: 'a pre-release, for a user of a stable version',
    break: () => {
      feed.content.version = '99.0.0-beta.1';
    },
    sentence: /^This is the newest version\.$/,
  },
  {
    name: 'a file with another checksum',
    break: () => {
      feed.content.sha512 = Buffer.alloc(64, 7).toString('base64');
    },
    sentence: /^The downloaded file is not the one that was published\. It was deleted/,
  },
  {
    name: 'an older version',
    break: () => {
      feed.content.version = '0.0.1';
    },
    sentence: /^The newest version there is 0\.0\.1, which is older than yours\. Nothing was installed\.$/,
  },
  {
    name: 'a feed without a checksum',
    break: () => {
      feed.content.sha512 = null;
    },
    sentence: /^The downloaded file is not the one that was published\./,
  },
  {
    name: 'a page that is not a feed',
    break: () => {
      feed.content.raw = '<!doctype html><title>Sign in to the network</title>';
    },
    sentence: /^This address has no list of versions that can be trusted\./,
  },
  {
    name: 'a download that is cut',
    break: () => {
      feed.content.cutAfter = 1_000_000;
    },
    sentence: /^The download ended before the file was complete\. Nothing was installed\./,
  },
  {
    name: 'a feed that names a file of another server',
    break: () => {
      feed.content.url = 'http://127.0.0.2:9/webgal-agent-linux-x86_64.AppImage';
    },
    sentence: /^This address has no list of versions that can be trusted\./,
  },
  {
    name: 'a file that does not end',
    break: () => {
      feed.content.isEndless = true;
    },
    sentence: /^The downloaded file is not the one that was published\./,
  },
  {
    name: 'a feed that is too large',
    break: () => {
      feed.content.raw = `{"version": "99.0.0", "notes": "${'x'.repeat(3_000_000)}"}`;
    },
    sentence: /^This address has no list of versions that can be trusted\./,
  },
  {
    name: 'a feed that redirects to another server',
    break: () => {
      feed.content.redirect = 'http://127.0.0.2:9/latest-linux.yml';
    },
    sentence: /^This address has no list of versions that can be trusted\./,
  },
  {
    name: 'a server that does not answer',
    break: () => feed.close(),
    sentence: /^The place where new versions come from could not be reached\./,
  },
];

test('installs nothing when the feed has no newer version or is invalid, and reports it in the settings only', async ({
  app,
}) => {
  await nameFeed(app);
  const { content } = feed;
  for (const refusal of REFUSALS) {
    await test.step(refusal.name, async () => {
      feed.content = { ...content };
      await refusal.break();
      await check(app);
      await expect(state(app)).toHaveText(refusal.sentence, { timeout: 30_000 });
      // The editor has two empty alerts of its own.
      await expect(app.page.getByRole('alert').filter({ hasText: /\S/ })).toHaveCount(0);
      await expect(app.page.getByRole('button', { name: /Version / })).toHaveCount(0);
      const kept = await readdir(join(app.home, 'updates'), { recursive: true }).catch(() => []);
      expect(kept.filter((name) => name.endsWith('.AppImage'))).toEqual([]);
    });
  }
  expect(await closeAndRead(app)).toEqual(OLD);
});

test('sends no request when switched off, downloads on request, and discards the download when switched off again', async ({
  app,
}) => {
  await nameFeed(app, { automatic: false });
  await app.restart();
  await app.page.getByRole('navigation').getByRole('button', { name: 'Settings' }).click();
  // Longer than the delay of the first check.
  await app.page.waitForTimeout(13_000);
  expect(feed.requests).toEqual([]);
  await check(app);
  await expect(state(app)).toHaveText('Version 99.0.0 is available.');
  expect(feed.requests).toHaveLength(1);
  await app.page.getByRole('button', { name: 'Download', exact: true }).click();
  await expect(state(app)).toHaveAttribute('data-phase', 'ready');

  await app.page.getByRole('navigation').getByRole('button', { name: 'Write' }).click();
  await app.page.getByRole('button', { name: 'Version 99.0.0 is ready' }).press('Enter');
  await expect(app.page.getByRole('region', { name: 'Updates' })).toBeFocused();
  const automatic = app.page.getByRole('switch', { name: 'Look for new versions every day' });
  await automatic.press('Space');
  await automatic.press('Space');
  await expect(state(app)).toHaveAttribute('data-phase', 'idle');
  expect(await closeAndRead(app)).toEqual(OLD);
});

test('postpones the installation while a proposal is open and installs the stored download later', async ({ app }) => {
  const { page } = app;
  await nameFeed(app);
  await check(app);
  await expect(state(app)).toHaveAttribute('data-phase', 'ready');
  await page.evaluate(async () => {
    const { appWire } = globalThis as unknown as { appWire: { call(name: string, input: unknown): Promise<unknown> } };
    await appWire.call('script.propose', {
      title: 'A new scene',
      changes: [{ path: 'game/scene/new.txt', text: 'Hello;', version: null }],
    });
  });
  await expect(page.getByRole('button', { name: /A proposal waits for you/ })).toBeVisible();
  await app.restart();
  expect(await readFile(appImage)).toEqual(OLD);

  // The proposal waits again, until it is decided.
  await app.page.getByRole('button', { name: /A proposal waits for you/ }).click();
  await reviewOf(app.page).getByRole('button', { name: 'Discard' }).click();
  await expect(app.page.getByRole('button', { name: 'Version 99.0.0 is ready' })).toBeVisible({ timeout: 40_000 });
  expect((await closeAndRead(app)).equals(NEW)).toBe(true);
  // The stored file was verified and not downloaded again.
  expect(feed.requests.filter(({ path }) => path.endsWith('.AppImage'))).toHaveLength(1);
});
