import { afterAll, expect, it } from 'vitest';
import type { Payload } from '../../../../shared/contract.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { PlaytestState } from '../../../../shared/model/playtest/playtest-state.ts';
import { createProjectFolder, type ProjectFolder } from '../../../../tests/support/games/project-folder.ts';
import type { EnginePage, PlaytestPorts } from '../../ports/engine-pages.ts';
import { createPlaytestService } from './playtest-service.ts';
import { toSingleRun } from './single-run.ts';

const START =
  'A:one;\nchoose:Left:left|Right:right;\nlabel:left;\nA:left;\nend;\nlabel:right;\nA:right;\nend;\nA:never;\n';
const PATH = 'game/scene/start.txt';

/** What an engine answers that plays `START`: a menu, then one of two endings. Lines are 0-based. */
const part = (more: object) => ({
  ...{ stop: 'end', scene: `./${PATH}`, line: 2, stack: [], skipped: [], problems: [], steps: 3, variables: {} },
  ...more,
});
const MENU = part({
  stop: 'choice',
  played: [[PATH, [[0, 1]]]],
  options: [
    { text: 'Left', isEnabled: true },
    { text: 'Right', isEnabled: true },
  ],
  choice: { scene: PATH, line: 1 },
});
const ENDS = [part({ line: 5, played: [[PATH, [[3, 4]]]] }), part({ line: 8, played: [[PATH, [[6, 7]]]] })];

const games: ProjectFolder[] = [];
afterAll(async () => {
  for (const game of games) await game.dispose();
});

/** `refusals`: how many clicks on options the page loses at first. */
async function setUp({ texts = {} as Record<string, string>, hold = async (_name: string) => {}, refusals = 0 } = {}) {
  let left = refusals;
  const game = await createProjectFolder({ 'game/config.txt': 'Game_name:T;\n', [PATH]: START, ...texts });
  games.push(game);
  const buffers = new Map<string, string>();
  const listeners = new Set<() => void>();
  const states: PlaytestState[] = [];
  const served: ReadonlyMap<string, string>[] = [];
  const open = new Set<EnginePage>();
  const ports: PlaytestPorts = toSingleRun({
    isIdleTalk: () => false,
    engines: { own: async () => null, order: async () => null },
    async openStage(overlay) {
      served.push(overlay);
      return {
        url: 'http://127.0.0.1:1/',
        takeMissing: () => [],
        media: () => ({ empty: [], damaged: [], isAnyWhole: false }),
        close() {},
      };
    },
    pages: {
      async open(_url, signal) {
        const page: EnginePage = {
          async call(name, input) {
            await hold(name);
            signal.throwIfAborted();
            if (name === 'ready' || name === 'restart') return true;
            if (name === 'advance') return MENU;
            left -= 1;
            if (left >= 0) return { ...MENU, stop: 'refused', played: [] };
            return ENDS[(input as { at: number }).at];
          },
          async close() {
            open.delete(page);
          },
        };
        open.add(page);
        return page;
      },
    },
  });
  const service = createPlaytestService({
    ...{
      ports,
      reader: game.reader,
      writer: game.writer,
      engine: { engineVersion: '4.5.18', engine: null },
      locale: () => 'en',
    },
    buffers: {
      all: () => buffers,
      on(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    proposals: { texts: () => new Map([['game/scene/proposed.txt', 'A:proposed;\n']]) },
    clock: { now: () => Date.now(), id: () => 'id' },
    emit: (event, payload) => {
      if (event === 'playtest.changed') states.push((payload as Payload<'playtest.changed'>).playtest as PlaytestState);
    },
    onFault: ({ error }) => {
      throw error;
    },
  });
  const edit = (path: string, text: string | null) => {
    if (text === null) buffers.delete(path);
    else buffers.set(path, text);
    for (const listener of listeners) listener();
  };
  const ended = () => expect.poll(() => service.state().status).toBe('idle');
  return { service, ports, states, served, open, edit, ended, game };
}

it('plays the routes, reports progress and keeps the result', async () => {
  const { service, states, open, ended } = await setUp();
  expect(service.result()).toBeNull();
  expect(() => service.export('json')).toThrow(expect.objectContaining({ reason: 'playtest.noResult' }));
  service.start({ source: 'saved', onlyTests: false });
  expect(service.state()).toMatchObject({ status: 'running', result: 0 });
  await ended();
  expect(service.result()).toMatchObject({ number: 1, status: 'complete', routes: 2, endings: [{}, {}] });
  expect(service.scene(PATH)).toMatchObject({ never: [{ first: 9, last: 9 }], lines: START.split('\n') });
  expect(JSON.parse(service.export('json')).routes).toHaveLength(2);
  expect(service.export('junit')).toContain('<testsuites');
  expect(states.at(-1)).toMatchObject({ status: 'idle', result: 1, error: null });
  expect(open.size).toBe(0);
});

it('refuses a second run, also beside one of the assistant', async () => {
  const { service, ports, ended } = await setUp();
  service.start({ source: 'saved', onlyTests: false });
  expect(() => service.start({ source: 'saved', onlyTests: false })).toThrow(
    expect.objectContaining({ code: 'E_CONFLICT', reason: 'playtest.running' }),
  );
  await ended();
  const page = await ports.pages.open('', new AbortController().signal);
  service.start({ source: 'saved', onlyTests: false });
  await ended();
  expect(service.state().error).toMatchObject({ reason: 'playtest.running' });
  await page.close();
  service.start({ source: 'saved', onlyTests: false });
  await ended();
  expect(service.state().error).toBeNull();
});

it.each([
  ['once', 1, 6, 2],
  ['always', 2, 4, 1],
])('clicks anew on an option that the engine does not take %s', async (_, refusals, played, taken) => {
  const { service, ended } = await setUp({ refusals });
  service.start({ source: 'saved', onlyTests: false });
  await ended();
  const { coverage, options } = service.result() ?? {};
  expect([coverage?.played, options]).toEqual([played, { total: 2, taken }]);
});

it('pauses between two routes, goes on, and does not count the pause', async () => {
  const { service, ended, states } = await setUp();
  service.start({ source: 'saved', onlyTests: false });
  service.pause();
  expect(service.state().status).toBe('pausing');
  await expect.poll(() => service.state().status).toBe('paused');
  const { ms } = service.state();
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(service.state().ms - ms).toBeLessThan(100);
  service.resume();
  await ended();
  expect(states.some(({ status }) => status === 'paused')).toBe(true);
  expect(service.result()?.status).toBe('complete');
});

it('stops with what it has, also during a pause', async () => {
  const { service, ended, open } = await setUp();
  service.start({ source: 'saved', onlyTests: false });
  service.pause();
  await expect.poll(() => service.state().status).toBe('paused');
  expect(open.size).toBe(1);
  service.stop();
  await ended();
  expect([open.size, service.result()?.status]).toEqual([0, 'stopped']);
});

/** A run with unsaved text that was stopped while it played its second choice. */
async function setUpStopped() {
  let choices = 0;
  const second = Promise.withResolvers<void>();
  const game = await setUp({
    async hold(name) {
      if (name !== 'choose') return;
      choices += 1;
      if (choices === 2) await second.promise;
    },
  });
  game.service.start({ source: 'unsaved', onlyTests: false });
  await expect.poll(() => choices).toBe(2);
  game.service.stop();
  second.resolve();
  await game.ended();
  return { ...game, choices: () => choices };
}

const RESUMES = { source: 'unsaved', onlyTests: false, resumes: true } as const;

it('goes on where a stopped run ended', async () => {
  const { service, ended, choices } = await setUpStopped();
  expect(service.result()).toMatchObject({ status: 'stopped', coverage: { played: 4 } });
  expect(service.state().resumable).toBe('unsaved');
  service.start(RESUMES);
  await ended();
  expect(service.result()).toMatchObject({ status: 'complete', coverage: { played: 6 } });
  expect([choices(), service.state().resumable]).toEqual([3, null]);
});

it('does not go on with another text, or without a run that was stopped', async () => {
  const { service, ended, edit } = await setUpStopped();
  edit(PATH, `${START}A:more;\n`);
  for (const reason of ['playtest.gameChanged', 'playtest.noneKept']) {
    service.start(RESUMES);
    await ended();
    expect(service.state()).toMatchObject({ resumable: null, result: 1, error: { reason } });
  }
});

it('ends with the game, and closes its page', async () => {
  const never = Promise.withResolvers<void>();
  const { service, open } = await setUp({ hold: (name) => (name === 'advance' ? never.promise : Promise.resolve()) });
  service.start({ source: 'saved', onlyTests: false });
  await expect.poll(() => open.size).toBe(1);
  const disposed = service.dispose();
  never.resolve();
  await disposed;
  expect([open.size, service.state().status]).toEqual([0, 'idle']);
});

it('plays unsaved and proposed text only on request', async () => {
  const { service, served, edit, ended } = await setUp();
  edit(PATH, 'A:unsaved;\nend;\n');
  for (const source of ['saved', 'unsaved', 'proposed'] as const) {
    service.start({ source, onlyTests: false });
    await ended();
  }
  expect(served.map((texts) => [...texts.keys()])).toEqual([[], [PATH], [PATH, 'game/scene/proposed.txt']]);
});

it('names scenes whose text differs from the played one, until it is the same again', async () => {
  const { service, edit, ended, game } = await setUp();
  service.start({ source: 'saved', onlyTests: false });
  await ended();
  edit(PATH, `${START}A:more;\n`);
  await expect.poll(() => service.state().changed).toEqual([PATH]);
  edit(PATH, null);
  await expect.poll(() => service.state().changed).toEqual([]);
  await game.put(PATH, START.replaceAll('\n', '\r\n'));
  service.filesChanged([PATH]);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(service.state().changed).toEqual([]);
});

it('keeps what is known of the routes when the tests run alone', async () => {
  const tests = { tests: [{ name: 'Left', choose: ['Left'], expect: { ending: 'start.txt' } }] };
  const { service, ended } = await setUp({ texts: { 'game/story-tests.json': JSON.stringify(tests) } });
  service.start({ source: 'saved', onlyTests: true });
  await ended();
  expect(service.result()).toMatchObject({ routes: 0, findings: [], tests: [{ name: 'Left', failure: null }] });
  service.start({ source: 'saved', onlyTests: false });
  await ended();
  service.start({ source: 'saved', onlyTests: true });
  await ended();
  expect(service.result()).toMatchObject({ number: 3, routes: 2, tests: [{ failure: null }] });
});

it('keeps the tests before one whose page does not answer, and leaves out the rest', async () => {
  const tests = ['one', 'two', 'three'].map((name) => ({ name, choose: ['Left'], expect: { ending: 'start.txt' } }));
  let starts = 0;
  const { service, ended } = await setUp({
    texts: { 'game/story-tests.json': JSON.stringify({ tests }) },
    async hold(name) {
      if (name === 'restart') starts += 1;
      if (starts === 3) throw new AppError('E_TIMEOUT', 'The page of the game does not answer.');
    },
  });
  service.start({ source: 'saved', onlyTests: true });
  await ended();
  expect(service.result()?.tests).toMatchObject([
    { name: 'one', failure: null },
    { name: 'two', failure: { reason: 'fault' } },
  ]);
  expect(service.state().error).toBeNull();
});

it('keeps the routes when it is stopped during a test', async () => {
  const tests = { tests: [{ name: 'one', choose: [], expect: {} }] };
  const control = { stop: () => {} };
  let starts = 0;
  const { service, ended } = await setUp({
    texts: { 'game/story-tests.json': JSON.stringify(tests) },
    async hold(name) {
      if (name === 'restart') starts += 1;
      if (starts > 2) control.stop();
    },
  });
  control.stop = service.stop;
  service.start({ source: 'saved', onlyTests: false });
  await ended();
  expect(service.result()).toMatchObject({ status: 'stopped', routes: 2, tests: [] });
});
