import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findDesktopSupport } from './tests/support/window/desktop.ts';
import { PACKAGE_VARIABLE } from './tests/support/window/test-package.ts';

const desktop = await findDesktopSupport();
const isFirst = process.env.TEST_WORKER_INDEX === undefined;
if (isFirst) {
  console.log(
    'runtime' in desktop
      ? `The desktop window is Electron ${desktop.runtime.version} (${desktop.runtime.origin}).`
      : `The desktop window is left out: ${desktop.missing}.`,
  );
}

// Workers load this file, too, and inherit the variable from the first process.
process.env[PACKAGE_VARIABLE] ??= join(tmpdir(), `webgal-agent-package-${randomUUID()}`);

/** The run of CI. */
const isWholeRun = process.env.WEBGAL_AGENT_REQUIRE_WINDOW === '1';

/** How long a story waits for one thing, in milliseconds. Machines of CI differ by a factor of two and more. */
const ACTION_MS = isWholeRun ? 30_000 : 15_000;

/** What needs a window; without a runtime only the package's content is tested. */
const IN_A_WINDOW = ['package-window.spec.ts', 'package-started.spec.ts', 'package-engine.spec.ts'];

/** Stories against the built app: on the web host always, in the window where one can be opened, and the package. */
export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  ...('runtime' in desktop && { globalSetup: './tests/e2e/desktop-setup.ts' }),
  timeout: isWholeRun ? 120_000 : 60_000,
  expect: { timeout: ACTION_MS },
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  // The whole run of CI keeps two cores busy with windows that draw in software: a story that needed another try there is printed
  // as flaky. By hand, a failure is a failure.
  retries: isWholeRun ? 2 : 0,
  reporter: 'list',
  use: {
    viewport: { width: 1440, height: 900 },
    // To have a picture of a failure, Playwright takes one at the end of each story. CI keeps none of them.
    screenshot: isWholeRun ? 'off' : 'only-on-failure',
    actionTimeout: ACTION_MS,
  },
  projects: [
    { name: 'web', testIgnore: ['desktop/**', 'package*'] },
    ...('runtime' in desktop ? [{ name: 'electron', testIgnore: ['web/**', 'package*'] }] : []),
    { name: 'package-made', testMatch: 'package.setup.ts', teardown: 'package-removed' },
    { name: 'package-removed', testMatch: 'package.teardown.ts' },
    {
      name: 'package',
      dependencies: ['package-made'],
      ...('runtime' in desktop
        ? { testMatch: ['package*.spec.ts', 'tour.spec.ts'] }
        : { testMatch: 'package*.spec.ts', testIgnore: IN_A_WINDOW }),
    },
  ],
});
