import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Proposal } from '../../../../shared/model/proposal.ts';
import type { StageState } from '../../../../shared/model/stage.ts';
import { CLOSED_DRIVER } from '../../../../tests/support/closed-driver.ts';
import { createMemoryReader } from '../../../../tests/support/memory-reader.ts';
import type { ClosableStageLink, StageEvent } from '../../ports/stage-link.ts';
import { createBuffers } from '../../project/unsaved/buffers.ts';
import { openStages } from './open-stages.ts';

const START = 'game/scene/start.txt';
const SAVED = ['Yuki:one;', 'Yuki:two;', 'Yuki:three;', 'end;'];
const PROPOSED = ['Yuki:zero;', 'Yuki:and a half;', ...SAVED];

function createFakeLink(port: number) {
  const listeners = new Set<(event: StageEvent) => void>();
  const fake = { jumps: [] as { scene: string; text: string | undefined }[], isClosed: false, engine: '' };
  const link: ClosableStageLink = {
    start: async () => ({ url: `http://127.0.0.1:${port}` }),
    move: async () => ({ url: `http://127.0.0.1:${port}` }),
    serveEngine: (engine) => {
      fake.engine = engine;
    },
    setOverlay: () => undefined,
    hasAsked: () => true,
    reloadStyles: async () => true,
    jump: (scene, _, text) => fake.jumps.push({ scene, text }),
    reload: () => undefined,
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    driver: CLOSED_DRIVER,
    close: async () => {
      fake.isClosed = true;
    },
  };
  const send = (event: StageEvent) => {
    for (const listener of listeners) listener(event);
  };
  return { fake, link, send };
}

let main: ReturnType<typeof createFakeLink>;
let others: ReturnType<typeof createFakeLink>[];
let proposal: Proposal | null;
let drafts: Map<string, string>;
let seen: (StageState | null)[];
let open: ReturnType<typeof openStages>;
const listeners = new Set<() => void>();

beforeEach(async () => {
  vi.useFakeTimers();
  listeners.clear();
  [main, others, seen] = [createFakeLink(5000), [], []];
  proposal = { id: 'p' } as Proposal;
  const files = new Map([[START, SAVED.join('\n')]]);
  drafts = new Map([[START, PROPOSED.join('\n')]]);
  const workspace = {
    stage: main.link,
    openStageBeside: () => {
      others.push(createFakeLink(5001 + others.length));
      return others.at(-1)?.link;
    },
  };
  open = openStages({ workspace, ports: {}, chooseEngine: async () => undefined } as never, {
    reader: createMemoryReader(files),
    buffers: createBuffers(),
    proposals: {
      reader: createMemoryReader(drafts),
      texts: () => drafts,
      played: () => (proposal ? drafts : new Map()),
      current: () => proposal,
      on: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    emit: (event, payload) => {
      if (event === 'stage.besideChanged') seen.push((payload as { stage: StageState | null }).stage);
    },
    locale: () => 'en',
  });
  await vi.advanceTimersByTimeAsync(0);
});
afterEach(async () => {
  await open.beside.dispose();
  open.stage.dispose();
  vi.useRealTimers();
});

const show = async (line: number, source: 'saved' | 'proposal') => {
  open.stage.show({ path: START, line, source });
  await vi.advanceTimersByTimeAsync(1000);
};
const place = () => open.beside.state()?.place;

it('opens no second engine until two texts are compared, and closes it after', async () => {
  await show(4, 'proposal');
  expect(others).toEqual([]);
  expect(open.beside.state()).toBeNull();
  open.beside.compare(true);
  open.beside.compare(true);
  await vi.advanceTimersByTimeAsync(500);
  expect(others).toHaveLength(1);
  expect(seen.at(-1)?.url).toBe('http://127.0.0.1:5001/');
  open.beside.compare(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(others[0]?.fake.isClosed).toBe(true);
  expect(seen.at(-1)).toBeNull();
});

it('shows the same sentence of the other text, where it stands there', async () => {
  await show(4, 'proposal');
  open.beside.compare(true);
  await vi.advanceTimersByTimeAsync(500);
  expect(place()).toEqual({ path: START, line: 2, source: 'saved' });
  await show(5, 'proposal');
  expect(place()).toEqual({ path: START, line: 3, source: 'saved' });
  await show(1, 'saved');
  expect(place()).toEqual({ path: START, line: 3, source: 'proposal' });
  // The page has the engine go there.
  const jump = others[0]?.fake.jumps.at(-1);
  expect([jump?.scene, jump?.text?.split('\n').slice(0, 3).join()]).toEqual([
    'start.txt',
    'Yuki:one;,Yuki:two;,Yuki:three;',
  ]);
});

it('follows a proposal that changes, and one whose pieces are ticked again', async () => {
  await show(3, 'saved');
  open.beside.compare(true);
  await vi.advanceTimersByTimeAsync(500);
  expect(place()).toEqual({ path: START, line: 5, source: 'proposal' });
  drafts.set(START, ['Yuki:zero;', ...SAVED].join('\n'));
  for (const listener of listeners) listener();
  await vi.advanceTimersByTimeAsync(1000);
  expect(place()).toEqual({ path: START, line: 4, source: 'proposal' });
  const all = drafts.get(START) ?? '';
  drafts.clear();
  for (const listener of listeners) listener();
  await vi.advanceTimersByTimeAsync(1000);
  expect(place()?.source).toBe('saved');
  drafts.set(START, all);
  for (const listener of listeners) listener();
  await vi.advanceTimersByTimeAsync(1000);
  expect(place()).toEqual({ path: START, line: 4, source: 'proposal' });
});

it('goes on to the sentence to which the player went', async () => {
  await show(3, 'proposal');
  main.send({ kind: 'connected' });
  const snapshot = { kind: 'snapshot', scene: 'start.txt', jumped: true, stage: {} } as const;
  main.send({ ...snapshot, line: 3 });
  main.send({ ...snapshot, line: 4 });
  open.beside.compare(true);
  await vi.advanceTimersByTimeAsync(500);
  expect(place()).toMatchObject({ line: 1, source: 'saved' });
  expect(open.beside.state()?.replay).toEqual({ state: 'playing', choice: '' });
});

it('ends with the proposal, and does not begin without one', async () => {
  await show(4, 'proposal');
  open.beside.compare(true);
  await vi.advanceTimersByTimeAsync(500);
  proposal = null;
  for (const listener of listeners) listener();
  await vi.advanceTimersByTimeAsync(0);
  expect(open.beside.state()).toBeNull();
  expect(others[0]?.fake.isClosed).toBe(true);
  open.beside.compare(true);
  expect(others).toHaveLength(1);
});
