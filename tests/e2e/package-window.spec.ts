import { rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createFakeModelServer, type FakeMessage, type FakeStep } from '../support/services/fake-model-server.ts';
import { findBrowser } from '../support/window/browser.ts';
import { handToDesktopUser, letDesktopUserRead } from '../support/window/desktop.ts';
import { ask, CANARY, chatOf, connectInSettings, expect, logOf, test } from './user-actions.ts';

/** Tests the packaged app through its twin: files in the archive and child processes must work from there. */
test.describe.configure({ timeout: 240_000 });
/** In the temporary folder, because the option below is read before the test's own folder exists. */
const BROWSER = join(tmpdir(), `webgal-agent-browser-${process.pid}`);
test.use({ foldsStage: true, environment: { WEBGAL_AGENT_BROWSER: BROWSER } });

const DONE = 'All three were tried.';

let site: Server;
let address: string;

test.beforeAll(async () => {
  site = createServer((_request, response) => response.end('<title>a page of this computer</title>'));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  await writeFile(BROWSER, await toBrowserScript(), { mode: 0o755 });
});
test.afterAll(async () => {
  await rm(BROWSER, { force: true });
  site.closeAllConnections();
  await new Promise((resolve) => site.close(resolve));
});

test('runs from its archive and loads the keychain module from beside it', async ({ app }) => {
  const facts = await app.desktop.evaluate(({ app: electron }) => {
    const { createRequire } = process.getBuiltinModule('node:module');
    const keyring = createRequire(`${electron.getAppPath()}/package.json`)('@napi-rs/keyring') as object;
    return {
      path: electron.getAppPath(),
      isPackaged: electron.isPackaged,
      version: electron.getVersion(),
      keyring: 'AsyncEntry' in keyring,
    };
  });
  expect(facts.path).toMatch(/app\.asar$/);
  expect(facts).toMatchObject({ isPackaged: true, version: '0.1.0', keyring: true });
});

/** Returns steps that call the tools one after the other, regardless of their results. */
function toStep(messages: readonly FakeMessage[]): FakeStep {
  const calls = [
    { name: 'search_files', args: { path: 'game/scene', regex: 'changeBg' } },
    { name: 'execute_command', args: { scriptName: 'lint' } },
    { name: 'browser_action', args: { action: 'open', url: address } },
    { name: 'attempt_completion', args: { result: DONE } },
  ];
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const answered = messages.slice(last + 1).filter(({ role }) => role === 'tool').length;
  const call = calls[answered];
  return call ? { calls: [call] } : { text: DONE };
}

test('searches in a thread, runs a script and starts a browser', async ({ app }) => {
  const { page, projectDir } = app;
  await writeFile(join(projectDir, 'package.json'), JSON.stringify({ scripts: { lint: 'echo the script ran' } }));
  handToDesktopUser(projectDir);
  const service = await createFakeModelServer(({ body }) => toStep(body.messages ?? []), { key: CANARY });
  try {
    await connectInSettings(page, service.url);
    await expect(page.getByText('It works')).toBeVisible();
    await page.getByRole('switch', { name: 'Developer mode' }).press('Space');
    await expect(page.getByRole('switch', { name: 'Developer mode' })).toBeChecked();
    await ask(page, 'Try the tools');
    const card = chatOf(page).locator('[data-consent="pending"]');
    await expect(card).toContainText('echo the script ran');
    await card.getByRole('button', { name: 'Allow once' }).click();
    await expect(card).toContainText(address);
    await card.getByRole('button', { name: 'Allow once' }).click();
    await expect(logOf(page).getByText(DONE)).toBeVisible({ timeout: 120_000 });
    const answers = (service.requests.at(-1)?.body.messages ?? []).filter(({ role }) => role === 'tool');
    const texts = answers.map(({ content }) => JSON.stringify(content));
    expect(texts[0]).toContain('changeBg');
    expect(texts[1]).toContain('the script ran');
    expect(texts[2]).toContain('a page of this computer');
  } finally {
    await service.close();
  }
});

/** Creates a program that starts the tests' Chromium with libraries and switches that the app does not pass. */
async function toBrowserScript(): Promise<string> {
  const { executablePath, env, args } = await findBrowser();
  letDesktopUserRead(dirname(executablePath));
  return `#!/bin/sh\nLD_LIBRARY_PATH='${env.LD_LIBRARY_PATH ?? ''}' exec '${executablePath}' "$@" ${args.join(' ')}\n`;
}
