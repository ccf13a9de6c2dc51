import { defineConfig } from '@playwright/test';
import { findElectron } from './scripts/electron-binary.ts';

const electron = await findElectron();
const isFirst = process.env.TEST_WORKER_INDEX === undefined;
if (isFirst) {
  console.log(
    electron
      ? 'End-to-end tests run on the web host and in the desktop window.'
      : 'End-to-end tests run on the web host only: the Electron program is not installed here.',
  );
}

/** About the web host, or without a window of the app's. */
const WEB_ONLY = /(web-host|stage-engine|package)\.spec\.ts$/;

/** Stories against the built app, on the web host always and in Electron where its program is. */
export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  timeout: 60_000,
  expect: { timeout: 15_000 },
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  reporter: 'list',
  use: { viewport: { width: 1440, height: 900 }, screenshot: 'only-on-failure', actionTimeout: 15_000 },
  projects: [{ name: 'web' }, ...(electron ? [{ name: 'electron', testIgnore: WEB_ONLY }] : [])],
});
