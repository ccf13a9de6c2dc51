import type { Reply } from '../../../shared/errors.ts';
import { expect, type RunningApp, test } from '../fixtures.ts';

// Runs the checks of `tests/contract/hosts.integration.test.ts` through the real preload and the real IPC.
test.use({ opensProject: false });

/** Calls the app like the page's code. */
const call = ({ page }: RunningApp, method: string, input: unknown): Promise<Reply<never>> =>
  page.evaluate(
    ([name, data]) =>
      (globalThis as unknown as { appWire: { call(...args: unknown[]): Promise<Reply<never>> } }).appWire.call(
        name,
        data,
      ),
    [method, input] as const,
  );

async function get<T>(app: RunningApp, method: string, input: unknown): Promise<T> {
  const reply = await call(app, method, input);
  if (!reply.ok) throw new Error(`${method}: ${reply.error.message}`);
  return reply.value;
}

/** Listens to every event under a name; `readReceived` returns what has arrived. */
const listen = ({ page }: RunningApp, name: string) =>
  page.evaluate(`{
    const received = (globalThis.received ??= {});
    const own = (received['${name}'] = []);
    (globalThis.stops ??= {})['${name}'] = appWire.on((event, payload) => own.push({ event, payload }));
  }`);
const readReceived = ({ page }: RunningApp, name: string): Promise<{ event: string; payload: unknown }[]> =>
  page.evaluate(`globalThis.received['${name}']`);
const namesOf = async (app: RunningApp, name: string) => (await readReceived(app, name)).map(({ event }) => event);

test('returns a failure to the page as data', async ({ app }) => {
  for (const [method, input, code] of [
    ['toString', {}, 'E_UNSUPPORTED'],
    ['__proto__', {}, 'E_UNSUPPORTED'],
    ['app.info', { extra: true }, 'E_BAD_ARGS'],
    ['app.info', null, 'E_BAD_ARGS'],
    ['script.read', { path: '../../etc/passwd' }, 'E_BAD_ARGS'],
    ['project.open', { id: '/etc' }, 'E_NOT_FOUND'],
    [{ evil: 1 }, {}, 'E_POLICY_VIOLATION'],
  ] as const) {
    expect(await call(app, method as string, input), `${method}`).toMatchObject({
      ok: false,
      error: { code, message: expect.any(String), recoverable: true },
    });
  }
});

test('opens, reads, writes and reports a game without sending an absolute path to the page', async ({ app }) => {
  await listen(app, 'all');
  const info = await get<object>(app, 'app.info', {});
  expect(info).toMatchObject({ host: 'electron', systemLocale: 'en', hasFolderDialog: true });
  const opened = await get<object>(app, 'project.openSample', {});
  expect(opened).toMatchObject({ status: 'opened', project: { shape: 'game' } });
  const path = 'game/scene/start.txt';
  const before = await get<{ text: string; version: string }>(app, 'script.read', { path: './game//scene/start.txt' });
  const text = `雪:${'🌸雨夜\u2028'.repeat(20_000)};\n:再见;\n`;
  const { version } = await get<{ version: string }>(app, 'script.save', { path, text, version: before.version });
  const after = await get<object>(app, 'script.read', { path });
  expect(after).toEqual({ path, text, version });
  const conflict = await call(app, 'script.save', { path, text: 'x', version: before.version });
  expect(conflict).toMatchObject({ ok: false, error: { code: 'E_CONFLICT', details: { paths: [path] } } });
  await expect
    .poll(() => namesOf(app, 'all'))
    .toEqual(expect.arrayContaining(['project.changed', 'history.changed', 'project.filesChanged']));
  const recents = await get<object>(app, 'project.recents', {});
  const folders = await get<object>(app, 'project.browse', {});
  const crossed = JSON.stringify([info, opened, after, conflict, recents, folders, await readReceived(app, 'all')]);
  for (const folder of [app.home, app.documents, app.projectDir]) expect(crossed).not.toContain(folder);
});

test('accepts a key and never returns it', async ({ app }) => {
  const key = 'sk-1234567890abcdef1234567890abcdef';
  await listen(app, 'all');
  const stored = await get<object>(app, 'settings.setKey', { provider: 'deepseek', key });
  expect(stored).toEqual({ stored: ['deepseek'], elsewhere: [], place: 'memory' });
  await expect.poll(() => namesOf(app, 'all')).toContain('settings.changed');
  const read = await get<object>(app, 'settings.read', {});
  expect(JSON.stringify([stored, read, await readReceived(app, 'all')])).not.toContain(key);
  expect(await get(app, 'settings.forgetKeys', {})).toEqual({ stored: [], elsewhere: [], place: 'memory' });
});

test('sends the same events to two listeners, and none to one that stopped', async ({ app }) => {
  // A change of the settings is also audited.
  const changes = async (listener: string) =>
    (await namesOf(app, listener)).filter((name) => name === 'settings.changed').length;
  await listen(app, 'first');
  await listen(app, 'second');
  await get(app, 'settings.update', { theme: 'dark' });
  await expect.poll(() => changes('first')).toBe(1);
  await app.page.evaluate(`globalThis.stops.first()`);
  await get(app, 'settings.update', { theme: 'light' });
  await expect.poll(() => changes('second')).toBe(2);
  expect(await changes('first')).toBe(1);
});
