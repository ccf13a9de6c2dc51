import { setTimeout as sleep } from 'node:timers/promises';
import { createContext, runInContext } from 'node:vm';
import { expect, it } from 'vitest';
import type { ScriptPage } from '../../core/ports/engine-pages.ts';
import { boundPages, CALL_LIMITS, MAX_ANSWER } from './bound-pages.ts';
import { CHAIN_MS } from './page/player-script.ts';

const never = new Promise<never>(() => undefined);
const limits = { calls: { ...CALL_LIMITS, advance: 50 }, grace: 50, close: 50 };

function toPages(page: Partial<ScriptPage>, opens: Promise<unknown> = Promise.resolve()) {
  const closed: string[] = [];
  const close = async () => void closed.push('closed');
  const pages = boundPages(
    {
      async open() {
        await opens;
        return { evaluate: () => never, close, ...page };
      },
    },
    limits,
  );
  return { pages, closed };
}

/** A page whose scripts run before those of the app. */
function toGame(script: string) {
  const game = createContext({});
  runInContext(script, game);
  return toPages({ evaluate: (call) => runInContext(call, game) as Promise<unknown> }).pages;
}

it.each([
  ['an object', `async () => ({ input: 7 })`, { input: 7 }],
  ['nothing', `async () => undefined`, null],
])('passes on an answer that is %s', async (_name, restart, answer) => {
  const page = await toGame(`__playtest = { restart: ${restart} }`).open('', new AbortController().signal);
  await expect(page.call('restart', 7)).resolves.toEqual(answer);
});

it.each([
  ['a long text', `__playtest = { restart: async () => 'x'.repeat(${MAX_ANSWER}) }`],
  ['a long error', `__playtest = { restart: async () => { throw 'x'.repeat(${MAX_ANSWER}) } }`],
  ['a list behind a forged JSON', `JSON.stringify = () => ({ length: 1 }); __playtest = { restart: async () => 1 }`],
  ['no JSON', `JSON.stringify = () => '{'; __playtest = { restart: async () => 1 }`],
  ['no player', ''],
])('takes %s of a hostile page for silence', async (_name, script) => {
  const page = await toGame(script).open('', new AbortController().signal);
  await expect(page.call('restart', 7)).rejects.toMatchObject({ code: 'E_TIMEOUT' });
});

it('waits longer than the engine is let play where it rests and begins anew', () => {
  expect(CALL_LIMITS.restart).toBeGreaterThan(2 * CHAIN_MS);
});

it('gives up a call that is not answered in its own time', async () => {
  const { pages } = toPages({});
  const page = await pages.open('', new AbortController().signal);
  await expect(page.call('advance', {})).rejects.toMatchObject({ code: 'E_TIMEOUT' });
});

it.each(['ready', 'restart', 'choose'] as const)('gives up %s when the run has no time left', async (name) => {
  const { pages } = toPages({});
  const page = await pages.open('', new AbortController().signal);
  await expect(page.call(name, {}, 1)).rejects.toMatchObject({ code: 'E_TIMEOUT' });
  await expect(page.call(name, {}, -1)).rejects.toMatchObject({ code: 'E_TIMEOUT' });
});

it('rejects every call at once when the run is stopped', async () => {
  const { pages } = toPages({});
  const control = new AbortController();
  const page = await pages.open('', control.signal);
  const calls = [page.call('choose', {}), page.call('ready', {})];
  control.abort();
  for (const call of calls) await expect(call).rejects.toThrow('aborted');
  await expect(page.call('restart', {})).rejects.toThrow('aborted');
});

it('takes an answer that is an exception of the page for silence', async () => {
  const { pages } = toPages({ evaluate: () => Promise.reject(new Error('The page has gone.')) });
  const page = await pages.open('', new AbortController().signal);
  await expect(page.call('choose', {})).rejects.toMatchObject({ code: 'E_TIMEOUT' });
});

it('does not wait for a page that does not close', async () => {
  const { pages } = toPages({ close: () => never });
  const page = await pages.open('', new AbortController().signal);
  await page.close();
});

it('closes a page that opens after the run was stopped', async () => {
  const opens = Promise.withResolvers<void>();
  const { pages, closed } = toPages({}, opens.promise);
  const control = new AbortController();
  const opening = pages.open('', control.signal);
  control.abort();
  await expect(opening).rejects.toThrow('aborted');
  expect(closed).toEqual([]);
  opens.resolve();
  await sleep(0);
  expect(closed).toEqual(['closed']);
});
