import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { handToDesktopUser } from '../../support/window/desktop.ts';
import { findPaintedPage, startElectron } from '../../support/window/painted-page.ts';
import { expect, readDesktop, test } from '../fixtures.ts';

let home: string;

test.beforeEach(async () => {
  process.umask(0);
  home = await mkdtemp(join(tmpdir(), 'webgal-agent-launch-'));
});
test.afterEach(async () => {
  if (home) await rm(home, { recursive: true, force: true, maxRetries: 5 });
});

test('paints a page within 20 seconds of the start', async () => {
  const { program, out, switches } = readDesktop();
  handToDesktopUser(home);
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, 'config'), WEBGAL_AGENT_HOME: join(home, 'data') };
  const started = startElectron(program, [join(out, 'main', 'electron.js'), ...switches], { ...process.env, ...env });
  try {
    expect(await findPaintedPage(started)).not.toBeNull();
  } finally {
    started.stop();
    await started.exitCode;
  }
});
