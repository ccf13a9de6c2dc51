import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { EnginePage } from '../../core/ports/engine-pages.ts';
import { boundPages, CALL_LIMITS } from './bound-pages.ts';

const never = new Promise<never>(() => undefined);
const limits = { calls: { ...CALL_LIMITS, advance: 50 }, close: 50 };

function toPages(page: Partial<EnginePage>, opens: Promise<unknown> = Promise.resolve()) {
  const closed: string[] = [];
  const close = async () => void closed.push('closed');
  const pages = boundPages(
    {
      async open() {
        await opens;
        return { call: () => never, close, ...page };
      },
    },
    limits,
  );
  return { pages, closed };
}

it('gives up a call that is not answered in its own time', async () => {
  const { pages } = toPages({});
  const page = await pages.open('', new AbortController().signal);
  await expect(page.call('advance', {})).rejects.toMatchObject({ code: 'E_TIMEOUT' });
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
  const { pages } = toPages({ call: () => Promise.reject(new Error('__playtest is not defined')) });
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
