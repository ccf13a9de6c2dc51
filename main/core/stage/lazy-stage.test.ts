import { expect, it } from 'vitest';
import { CLOSED_DRIVER } from '../../../tests/support/closed-driver.ts';
import type { Reader } from '../ports/reader.ts';
import type { StageLink } from '../ports/stage-link.ts';
import { createLazyStage } from './lazy-stage.ts';

it('tells the model that the address must be opened in a browser', async () => {
  const link: StageLink = {
    start: async () => ({ url: 'http://127.0.0.1:5000' }),
    setOverlay: () => undefined,
    serveEngine: () => undefined,
    jump: () => 0,
    hasAsked: () => false,
    reloadStyles: async () => false,
    reload: () => undefined,
    move: () => Promise.reject(new Error('Nothing moves here.')),
    on: () => () => undefined,
    driver: CLOSED_DRIVER,
  };
  const read: Reader['read'] = async (path) => ({ path, text: ':海;\n', version: '', bytes: 6 });
  const reader = { read, list: async () => [], stat: async () => null, search: () => Promise.reject(new Error()) };
  const stage = createLazyStage({ link, reader, locale: () => 'en' });
  const { url, logs } = await stage.preview('game/scene/start.txt', new AbortController().signal);
  stage.dispose();
  expect(logs).toEqual([
    expect.stringContaining('The stage is not open'),
    `To see it, this address must be opened in a browser: ${url}`,
  ]);
});
