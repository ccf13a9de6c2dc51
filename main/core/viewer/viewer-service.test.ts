import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Emit } from '../../../shared/contract.ts';
import type { ViewerRequest } from '../../../shared/model/viewer.ts';
import { createViewerService } from './viewer-service.ts';

function open() {
  const asked: ViewerRequest[] = [];
  let ids = 0;
  const emit = ((_: string, payload: ViewerRequest) => asked.push(payload)) as unknown as Emit;
  const viewer = createViewerService({ emit, clock: { now: () => 0, id: () => `id-${++ids}` } });
  const act = () => viewer.act('describe-view', {}, new AbortController().signal);
  return { viewer, asked, act };
}
const done = { success: true };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('an action of the assistant', () => {
  it('is carried out by the page that was focused last, and by no other', async () => {
    const { viewer, asked, act } = open();
    viewer.attach('one');
    viewer.attach('two');
    viewer.attach('one');
    const result = act();
    const [{ request = '', page = '' } = {}] = asked;
    expect(page).toBe('one');
    viewer.answer({ request, page: 'two', result: { success: false } });
    viewer.answer({ request, page: 'one', result: done });
    viewer.answer({ request, page: 'one', result: { success: false } });
    expect(await result).toEqual(done);
    viewer.detach('one');
    const next = act();
    expect(asked[1]?.page).toBe('two');
    viewer.answer({ request: asked[1]?.request ?? '', page: 'two', result: done });
    expect(await next).toEqual(done);
  });

  it('is refused without a page', async () => {
    await expect(open().act()).rejects.toMatchObject({ code: 'E_UNSUPPORTED', reason: 'viewer.noPage' });
  });

  it('ends when the page leaves, does not answer, or the call is stopped', async () => {
    const { viewer, act } = open();
    viewer.attach('one');
    const left = act();
    viewer.detach('one');
    await expect(left).rejects.toMatchObject({ code: 'E_TIMEOUT' });
    viewer.attach('two');
    const silent = expect(act()).rejects.toMatchObject({ code: 'E_TIMEOUT', reason: 'viewer.noAnswer' });
    await vi.advanceTimersByTimeAsync(60_000);
    await silent;
    await expect(act()).rejects.toMatchObject({ reason: 'viewer.noPage' });
    viewer.attach('three');
    const stop = new AbortController();
    const stopped = viewer.act('describe-view', {}, stop.signal);
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ code: 'E_TIMEOUT' });
  });

  it('asks a page again that answered late, after those that answer in time', async () => {
    const { viewer, asked, act } = open();
    viewer.attach('busy');
    const late = expect(act()).rejects.toMatchObject({ reason: 'viewer.noAnswer' });
    await vi.advanceTimersByTimeAsync(60_000);
    await late;
    const answer = { request: asked[0]?.request ?? '', page: 'busy', result: done };
    viewer.answer(answer);
    const next = act();
    expect(asked[1]?.page).toBe('busy');
    viewer.answer({ ...answer, request: asked[1]?.request ?? '' });
    expect(await next).toEqual(done);

    const again = expect(act()).rejects.toMatchObject({ reason: 'viewer.noAnswer' });
    await vi.advanceTimersByTimeAsync(60_000);
    await again;
    viewer.attach('other');
    viewer.answer(answer);
    const left = expect(act()).rejects.toMatchObject({ reason: 'viewer.noAnswer' });
    expect(asked.at(-1)?.page).toBe('other');
    // One that has left stays away.
    viewer.detach('other');
    await left;
    viewer.detach('busy');
    viewer.answer(answer);
    await expect(act()).rejects.toMatchObject({ reason: 'viewer.noPage' });
  });

  it('refuses a report that is too long', async () => {
    const { viewer, asked, act } = open();
    viewer.attach('one');
    const result = act();
    viewer.answer({
      request: asked[0]?.request ?? '',
      page: 'one',
      result: { ...done, data: { x: 'x'.repeat(30_000) } },
    });
    await expect(result).rejects.toMatchObject({ code: 'E_TOO_LARGE' });
  });

  it('forgets the pages that were focused longest ago', async () => {
    const { viewer, asked, act } = open();
    for (let page = 0; page < 1000; page += 1) viewer.attach(`page-${page}`);
    for (let page = 999; page >= 950; page -= 1) viewer.detach(`page-${page}`);
    await expect(act()).rejects.toMatchObject({ reason: 'viewer.noPage' });
    expect(asked).toEqual([]);
  });
});
