import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import type { Proposal } from '../../../shared/model/proposal.ts';
import type { EngineChoice, StageState } from '../../../shared/model/stage.ts';
import { CLOSED_DRIVER } from '../../../tests/support/closed-driver.ts';
import { createMemoryReader } from '../../../tests/support/memory-reader.ts';
import type { Reader } from '../ports/reader.ts';
import type { DriverReply } from '../ports/stage-driver.ts';
import type { StageEvent, StageLink } from '../ports/stage-link.ts';
import { createBuffers } from '../project/unsaved/buffers.ts';
import type { Stage } from '../services.ts';
import type { PreferredTerre } from './prefer-terre.ts';
import { createStage } from './stage.ts';
import type { StageEngines } from './stage-engines.ts';

const START = 'game/scene/start.txt';

/** A fake engine connection that records jumps, overlays and reloads, and sends the events a test requests. */
function createFakeLink() {
  const listeners = new Set<(event: StageEvent) => void>();
  const fake = {
    overlay: new Map<string, string>(),
    jumps: [] as { scene: string; line: number; text: string | undefined }[],
    reloads: 0,
    /** Files that the engine has not asked for, and whether it loads its styles anew. */
    unasked: new Set<string>(),
    takesStyles: true,
    styleReloads: 0,
    send: (event: StageEvent) => {
      for (const listener of listeners) listener(event);
    },
    /** Reports the position of the last jump, or after `lines` lines. */
    settle: (stage: Record<string, unknown> = {}, lines?: number) => {
      const jump = fake.jumps.at(-1);
      fake.send({ kind: 'snapshot', scene: jump?.scene ?? '', line: lines ?? jump?.line ?? 0, jumped: true, stage });
    },
    moves: 0,
    engine: null as EngineChoice | null,
    startError: null as AppError | null,
    /** Of the next move alone. */
    moveError: null as AppError | null,
    reply: { done: false, reason: 'closed', state: null } as DriverReply,
  };
  const link: StageLink = {
    start: async () => {
      if (fake.startError) throw fake.startError;
      return { url: 'http://127.0.0.1:5000' };
    },
    setOverlay: (texts) => {
      fake.overlay = new Map(texts);
    },
    serveEngine: (choice) => {
      fake.engine = choice;
    },
    hasAsked: (path) => !fake.unasked.has(path),
    reloadStyles: async () => {
      fake.styleReloads += 1;
      return fake.takesStyles;
    },
    jump: (scene, line, text) => fake.jumps.push({ scene, line, text }),
    reload: () => {
      fake.reloads += 1;
    },
    move: async () => {
      const { moveError } = fake;
      fake.moveError = null;
      if (moveError) throw moveError;
      fake.moves += 1;
      return { url: `http://127.0.0.1:${5000 + fake.moves}` };
    },
    on: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    driver: { ...CLOSED_DRIVER, step: async () => fake.reply, setVariable: async () => fake.reply },
  };
  return { fake, link };
}

let files: Map<string, string>;
let fake: ReturnType<typeof createFakeLink>['fake'];
let link: StageLink;
let stage: Stage;
let drafts: Map<string, string>;
/** The ticked part of the drafts; null: all. */
let ticked: Map<string, string> | null = null;
let proposal: Proposal | null;
let emitted: StageState[];
const buffers = { current: createBuffers() };
const proposalListeners = new Set<() => void>();

function create(others: { engines?: StageEngines; terre?: PreferredTerre } = {}): Stage {
  const reader = createMemoryReader(files);
  const through = (): Reader => createMemoryReader(new Map([...files, ...drafts]));
  return createStage({
    link,
    reader,
    buffers: buffers.current,
    proposals: {
      get reader() {
        return through();
      },
      texts: () => drafts,
      played: () => ticked ?? drafts,
      current: () => proposal,
      on: (listener) => {
        proposalListeners.add(listener);
        return () => proposalListeners.delete(listener);
      },
    },
    emit: (event, payload) => {
      if (event === 'stage.changed') emitted.push(payload as StageState);
    },
    locale: () => 'en',
    ...others,
  });
}

beforeEach(async () => {
  vi.useFakeTimers();
  files = new Map([
    [START, 'changeBg:beach.png;\nYuki:one;\nYuki:two;\nchoose:go on:next.txt|back:again;\nlabel:again;\nend;'],
    ['game/scene/next.txt', 'changeBg:rain.png;\nYuki:rain;'],
  ]);
  ({ fake, link } = createFakeLink());
  buffers.current = createBuffers();
  drafts = new Map();
  ticked = null;
  proposal = null;
  emitted = [];
  proposalListeners.clear();
  stage = create();
  await vi.advanceTimersByTimeAsync(0);
});

afterEach(() => {
  stage.dispose();
  vi.useRealTimers();
});

const show = async (line: number, path = START, source: 'saved' | 'proposal' = 'saved') => {
  stage.show({ path, line, source });
  await vi.advanceTimersByTimeAsync(300);
};
const connect = () => fake.send({ kind: 'connected' });
const reasons = () =>
  stage.state().problems.map(({ reason, subject, place }) => [reason, subject, place?.line ?? null]);

describe('showing a line of a scene', () => {
  it('starts with an address and no scene', () => {
    expect(stage.state()).toEqual({
      status: 'starting',
      url: 'http://127.0.0.1:5000/',
      place: null,
      isAtPlace: false,
      shown: null,
      problems: [],
    });
  });

  it('sends one jump, to the last requested line, with the lines before it flattened', async () => {
    connect();
    stage.show({ path: START, line: 1, source: 'saved' });
    stage.show({ path: START, line: 2, source: 'saved' });
    await show(3);
    expect(fake.jumps).toEqual([
      {
        scene: 'start.txt',
        line: 2,
        text: 'changeBg:beach.png -next -duration=1;\nYuki:two;\nchoose:go on:next.txt|back:again;\nlabel:again;\nend;',
      },
    ]);
    await show(3);
    expect(fake.jumps.length).toBe(1);
  });

  it('jumps 80 ms after the first line of a held key, and then at most every 250 ms', async () => {
    connect();
    for (const line of [1, 2, 3]) {
      stage.show({ path: START, line, source: 'saved' });
      await vi.advanceTimersByTimeAsync(90);
    }
    expect(fake.jumps.length).toBe(1);
    await vi.advanceTimersByTimeAsync(300);
    expect(fake.jumps.map(({ line }) => line)).toEqual([1, 2]);
    expect(stage.state().place?.line).toBe(3);
  });

  it('publishes the reported state and the previous and next line', async () => {
    connect();
    await show(2);
    fake.settle({
      ...{ showName: 'Yuki', showText: 'one', GameVar: { love: 3, name: 'A', odd: { x: 1 }, is: true } },
      ...{ bgName: './game/background/beach.webp', figNameLeft: './game/figure/yuki.webp', bgm: { src: '' } },
      freeFigure: [{ key: 'cat', name: './game/figure/cat.webp', basePosition: 'center' }, { key: 1, name: null }, 7],
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(stage.state()).toEqual({
      status: 'ready',
      url: 'http://127.0.0.1:5000/',
      place: { path: START, line: 2, source: 'saved' },
      isAtPlace: true,
      shown: {
        ...{ scene: START, line: 2, speaker: 'Yuki', text: 'one', variables: { love: 3, name: 'A', is: true } },
        ...{ background: 'game/background/beach.webp', music: '' },
        figures: [
          { file: 'game/figure/yuki.webp', position: 'left' },
          { file: 'game/figure/cat.webp', position: 'center', id: 'cat' },
        ],
      },
      steps: { previous: 1, next: 3 },
      problems: [],
    });
    expect(emitted.at(-1)).toEqual(stage.state());
  });

  it('is at the line again only once the next engine has reached it', async () => {
    connect();
    await show(2);
    fake.settle({});
    expect(stage.state().isAtPlace).toBe(true);
    fake.send({ kind: 'disconnected' });
    connect();
    expect(stage.state().isAtPlace).toBe(false);
    fake.settle({});
    expect(stage.state().isAtPlace).toBe(true);
  });

  it('is not at a line to which it is sent back, until the engine is there again', async () => {
    const place = { path: START, line: 1, source: 'saved' } as const;
    stage.show(place);
    await vi.advanceTimersByTimeAsync(1000);
    fake.settle();
    fake.settle({}, 2);
    expect(stage.state()).toMatchObject({ shown: { line: 2 }, isAtPlace: true });
    stage.show(place);
    expect(stage.state().isAtPlace).toBe(false);
    // A report on the way is of the place before.
    fake.settle({}, 2);
    expect(stage.state().isAtPlace).toBe(false);
    await vi.advanceTimersByTimeAsync(1000);
    expect(stage.state().isAtPlace).toBe(false);
    fake.settle();
    expect(stage.state()).toMatchObject({ shown: { line: 1 }, isAtPlace: true });
  });

  it('validates the state reported by the engine', async () => {
    connect();
    await show(2);
    fake.settle({ showName: 7, showText: ['x'], GameVar: 'x' });
    expect(stage.state().shown).toMatchObject({ speaker: '', text: '', variables: {} });
    fake.settle({
      showText: 'x'.repeat(1_000_000),
      GameVar: { a: 'y'.repeat(9999), b: Number.NaN, c: null, ['z'.repeat(9999)]: 1 },
    });
    expect(stage.state().shown?.text.length).toBe(5000);
    expect(stage.state().shown?.variables).toEqual({ a: 'y'.repeat(500) });
  });

  it('jumps back if the same line is requested after the user played on', async () => {
    connect();
    await show(2);
    fake.settle();
    fake.settle({}, 3);
    await show(2);
    expect(fake.jumps.map(({ line }) => line)).toEqual([2, 2]);
  });

  it('is at no line of a scene that cannot be played', async () => {
    connect();
    await show(3);
    fake.settle();
    const { line, jump } = { line: fake.jumps.at(-1)?.line ?? 0, jump: fake.jumps.length };
    await show(1, 'game/scene/gone.txt');
    // The story stays where it was, in the text of the jump before.
    fake.send({ kind: 'snapshot', scene: 'start.txt', line, jumped: true, jump, stage: {} });
    expect(stage.state()).toMatchObject({ isAtPlace: false, shown: { scene: START, line: 3 } });
    stage.show({ path: START, line: 2, source: 'saved' });
    expect(stage.state()).toMatchObject({ isAtPlace: false, shown: { line: 3 } });
    await vi.advanceTimersByTimeAsync(1000);
    expect(stage.state().isAtPlace).toBe(false);
    fake.settle();
    expect(stage.state()).toMatchObject({ isAtPlace: true, shown: { line: 2 } });
  });

  it('knows the scene to which an option led also when its menu is far', async () => {
    files.set('game/scene/menu.txt', `choose:home:${START.slice('game/scene/'.length)};`);
    files.set('game/scene/other.txt', 'choose:home:menu.txt;');
    connect();
    await show(1);
    const report = async (scene: string, line: number) => {
      fake.send({ kind: 'snapshot', scene, line, jumped: false, stage: {} });
      await vi.advanceTimersByTimeAsync(100);
      return stage.state().shown;
    };
    await report('menu.txt', 1);
    expect(await report('home', 1)).toMatchObject({ scene: START, line: 1 });
    expect(await report('home', 2)).toMatchObject({ scene: START, line: 2 });
    // Another option with the same label.
    await report('other.txt', 1);
    fake.send({ kind: 'chose', text: 'home', nth: 1 });
    expect(await report('home', 1)).toMatchObject({ scene: 'game/scene/menu.txt', line: 1 });
  });

  it('resolves the scene that the story continued in', async () => {
    connect();
    await show(4);
    fake.settle();
    await vi.advanceTimersByTimeAsync(0);
    fake.send({ kind: 'snapshot', scene: 'go on', line: 2, jumped: false, stage: { showText: 'rain' } });
    expect(stage.state().shown).toMatchObject({ scene: 'game/scene/next.txt', line: 2 });
    fake.send({ kind: 'snapshot', scene: 'start.txt', line: 1, jumped: false, stage: {} });
    expect(stage.state().shown).toMatchObject({ scene: START, line: 1 });
  });

  it('ignores files that are not scenes and stops before lines that leave the scene', async () => {
    connect();
    await show(1, 'game/config.txt');
    expect(stage.state().place).toBe(null);
    await show(6);
    expect(fake.jumps.at(-1)?.text?.split('\n')[(fake.jumps.at(-1)?.line ?? 0) - 1]).toMatch(/^choose:/);
  });

  it('reports a missing scene and clears the report for an existing one', async () => {
    connect();
    await show(1, 'game/scene/none.txt');
    expect(reasons()).toEqual([['missing-scene', 'game/scene/none.txt', null]]);
    await show(1);
    expect(reasons()).toEqual([]);
  });
});

describe('the displayed text', () => {
  it('includes unsaved text', async () => {
    connect();
    await show(1);
    buffers.current.set(START, 'Yuki:typed;');
    await vi.advanceTimersByTimeAsync(300);
    expect(fake.jumps.at(-1)).toEqual({ scene: 'start.txt', line: 1, text: 'Yuki:typed;' });
    expect(fake.overlay).toEqual(new Map([[START, 'Yuki:typed;']]));
    buffers.current.set('game/scene/next.txt', 'Aki:elsewhere;');
    await vi.advanceTimersByTimeAsync(300);
    expect(fake.jumps.length).toBe(2);
    expect(fake.overlay.size).toBe(2);
  });

  it('is the proposal only on request, and the saved text after the proposal is gone', async () => {
    connect();
    drafts = new Map([[START, 'Yuki:proposed;']]);
    await show(1);
    expect(fake.overlay.size).toBe(0);
    await show(1, START, 'proposal');
    expect(fake.jumps.at(-1)?.text).toBe('Yuki:proposed;');
    expect(fake.overlay).toEqual(drafts);
    drafts = new Map();
    for (const listener of proposalListeners) listener();
    await vi.advanceTimersByTimeAsync(300);
    expect(stage.state().place?.source).toBe('saved');
    expect(fake.jumps.at(-1)?.text).toContain('Yuki:one;');
    expect(fake.overlay.size).toBe(0);
  });

  it('follows changes on disk and reloads the engine for files that it reads once', async () => {
    connect();
    await show(1);
    files.set(START, 'Yuki:changed;');
    stage.filesChanged([START]);
    await vi.advanceTimersByTimeAsync(1000);
    expect([fake.jumps.at(-1)?.text, fake.reloads]).toEqual(['Yuki:changed;', 0]);
    stage.filesChanged(['game/background/beach.png', 'game/config.txt']);
    stage.filesChanged(['game/animation/x.json']);
    await vi.advanceTimersByTimeAsync(1000);
    expect(fake.reloads).toBe(1);
    stage.filesChanged(['README.md']);
    await vi.advanceTimersByTimeAsync(1000);
    expect(fake.reloads).toBe(1);
  });

  it('does not reload for files that the engine never asked for, nor for styles that it loads alone', async () => {
    connect();
    await show(1);
    const change = async (...paths: string[]) => {
      stage.filesChanged(paths);
      await vi.advanceTimersByTimeAsync(1000);
      return [fake.reloads, fake.styleReloads];
    };
    fake.unasked.add('game/figure/new.webp');
    expect(await change('game/figure/new.webp')).toEqual([0, 0]);
    const style = 'game/template/Stage/TextBox/textbox.scss';
    expect(await change('game/figure/new.webp', style)).toEqual([0, 1]);
    // The engine asks for it as soon as a text names it: it gets the new one then.
    stage.filesChanged(['game/figure/new.webp']);
    fake.unasked.clear();
    await vi.advanceTimersByTimeAsync(1000);
    expect(fake.reloads).toBe(0);
    fake.unasked.add('game/figure/new.webp');
    // What changed first is not forgotten for what changes last.
    stage.filesChanged(['game/background/known.webp']);
    expect(await change('game/figure/new.webp')).toEqual([1, 1]);
    expect(await change(style, 'game/template/template.json')).toEqual([2, 1]);
    fake.takesStyles = false;
    expect(await change(style)).toEqual([3, 2]);
  });

  it('plays only the ticked part of a proposal', async () => {
    connect();
    drafts.set(START, 'Yuki:all;\n');
    ticked = new Map([[START, 'Yuki:part;\n']]);
    stage.show({ path: START, line: 1, source: 'proposal' });
    await vi.advanceTimersByTimeAsync(300);
    expect(fake.jumps.at(-1)).toMatchObject({ text: expect.stringContaining('part') });
    ticked = new Map();
    for (const listener of proposalListeners) listener();
    await vi.advanceTimersByTimeAsync(300);
    expect(stage.state().place).toEqual({ path: START, line: 1, source: 'saved' });
  });
});

describe('stage problems', () => {
  it('include a missing file with the line that refers to it', async () => {
    connect();
    await show(2);
    fake.send({ kind: 'missing', path: 'game/background/beach.png' });
    fake.send({ kind: 'missing', path: 'game/background/beach.png' });
    // Preloaded by the engine for a scene that is not shown.
    fake.send({ kind: 'missing', path: 'game/background/rain.png' });
    fake.send({ kind: 'missing', path: 'game/background/title.png' });
    await vi.advanceTimersByTimeAsync(0);
    expect(reasons()).toEqual([
      ['missing-background', 'game/background/beach.png', 1],
      ['missing-background', 'game/background/title.png', null],
    ]);
    await show(1, 'game/scene/next.txt');
    expect(reasons()).toEqual([
      ['missing-background', 'game/background/rain.png', 1],
      ['missing-background', 'game/background/title.png', null],
    ]);
    stage.reload();
    expect(reasons()).toEqual([]);
  });

  it('are collected together when a game requests many missing files at once', async () => {
    connect();
    await show(2);
    const read = vi.spyOn(files, 'get');
    for (let count = 0; count < 300; count += 1) fake.send({ kind: 'missing', path: `game/background/${count}.png` });
    await vi.advanceTimersByTimeAsync(1000);
    expect(reasons()).toHaveLength(50);
    expect(read.mock.calls.length).toBeLessThanOrEqual(2 * files.size);
  });

  it('include blocked addresses despite many earlier errors', async () => {
    connect();
    for (let count = 0; count < 200; count += 1)
      fake.send({ kind: 'trouble', level: 'error', text: `made up ${count}` });
    for (let count = 0; count < 200; count += 1) {
      fake.send({ kind: 'trouble', level: 'blocked', text: `http://127.0.0.1:${count}/stolen` });
    }
    const all = reasons().map(([reason]) => reason);
    expect(all).toHaveLength(50);
    expect(all.filter((reason) => reason === 'blocked-address')).toHaveLength(20);
  });

  it('include script errors with the sanitised message of the engine', async () => {
    files.set(START, 'A:x;\nsetVar:a=1+;\npixiPerform:fog;\nB:y;\nchangeBg:https://example.com/a.png;');
    connect();
    await show(1);
    fake.send({ kind: 'trouble', level: 'error', text: 'expression compile error\u202e\u0007  x' });
    fake.send({ kind: 'trouble', level: 'error', text: 'Can\'t call the perform named "fog". It might' });
    fake.send({ kind: 'trouble', level: 'exception', text: 'Perform "fog" does not have a valid callback.' });
    fake.send({ kind: 'trouble', level: 'exception', text: "Cannot read properties of undefined (reading 'x')" });
    fake.send({ kind: 'trouble', level: 'warning', text: 'valueFromState result null, key = b' });
    fake.send({ kind: 'trouble', level: 'blocked', text: 'https://example.com/a.png' });
    expect(reasons()).toEqual([
      ['blocked-address', 'https://example.com/a.png', 5],
      ['script-error', 'expression compile error x', 2],
      ['script-error', 'pixiPerform:fog', 3],
    ]);
    await show(2);
    expect(reasons()).toEqual([]);
    stage.report({ kind: 'console', text: 'some talk' });
    stage.report({ kind: 'exception', text: '[$parse:syntax] bad' });
    expect(reasons()).toEqual([['script-error', '[$parse:syntax] bad', 2]]);
  });

  it('include the line of an error among those before a jump, of which the engine gets a few', async () => {
    files.set(START, 'A:1;\nsetVar:z=1+;\nA:2;\nA:3;\nsetVar:k=2;\nA:4;');
    connect();
    await show(6);
    const at = (line: number) => ({ file: 'start.txt?jump=1', line, jumped: true });
    fake.send({ kind: 'trouble', level: 'error', text: 'expression compile error', at: at(0) });
    expect(reasons()).toEqual([['script-error', 'expression compile error', 2]]);
    fake.send({ kind: 'trouble', level: 'error', text: 'expression compile error', at: at(2) });
    expect(reasons().map(([, , line]) => line)).toEqual([2, 6]);
  });

  it('name a file that the engine could not load once, by its line and not in the words of the engine', async () => {
    files.set(START, 'A:x;\nplayEffect:gone.ogg;\nplayEffect:cut.ogg;');
    connect();
    await show(1);
    fake.send({ kind: 'missing', path: 'game/vocal/gone.ogg' });
    for (const name of ['gone', 'cut']) {
      fake.send({ kind: 'trouble', level: 'error', text: `播放效果音失败: ./game/vocal/${name}.ogg` });
    }
    await vi.advanceTimersByTimeAsync(100);
    expect(reasons()).toEqual([
      ['missing-sound', 'game/vocal/gone.ogg', 2],
      ['unreadable-file', 'game/vocal/cut.ogg', 3],
    ]);
  });

  it('include the line at which the engine is stuck, until it continues', async () => {
    connect();
    await show(3);
    fake.settle({}, 1);
    fake.send({ kind: 'trouble', level: 'exception', text: 'boom' });
    await vi.advanceTimersByTimeAsync(1000);
    fake.settle({}, 1);
    expect(reasons()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    fake.settle({}, 1);
    await vi.advanceTimersByTimeAsync(3000);
    expect(reasons()).toEqual([['stuck', 'boom', 3]]);
    fake.settle({}, 3);
    expect(reasons()).toEqual([]);
  });

  it('sends a jump once more that the engine lost in a choice of another scene', async () => {
    connect();
    await show(3);
    fake.send({ kind: 'snapshot', scene: 'next.txt', line: 1, jumped: false, stage: {} });
    await vi.advanceTimersByTimeAsync(1600);
    fake.send({ kind: 'snapshot', scene: 'next.txt', line: 1, jumped: false, stage: {} });
    await vi.advanceTimersByTimeAsync(5000);
    expect(fake.jumps).toHaveLength(2);
    expect(fake.jumps[1]).toEqual(fake.jumps[0]);
    fake.settle({}, 3);
    fake.send({ kind: 'snapshot', scene: 'next.txt', line: 1, jumped: false, stage: {} });
    await vi.advanceTimersByTimeAsync(5000);
    expect(fake.jumps).toHaveLength(2);
  });

  it('does not send a jump once more to an engine that is slow to report that it is there', async () => {
    connect();
    await show(3);
    fake.settle({}, 1);
    await vi.advanceTimersByTimeAsync(2000);
    fake.settle({}, 3);
    await vi.advanceTimersByTimeAsync(5000);
    expect(fake.jumps).toHaveLength(1);
  });

  it('do not include a line that is merely slow', async () => {
    connect();
    await show(3);
    fake.settle({}, 1);
    await vi.advanceTimersByTimeAsync(1000);
    fake.settle({}, 3);
    await vi.advanceTimersByTimeAsync(5000);
    expect(reasons()).toEqual([]);
  });

  it('include an engine that stops reporting, until it reports again', async () => {
    connect();
    await show(3);
    await vi.advanceTimersByTimeAsync(16_000);
    expect([stage.state().status, reasons()]).toEqual(['lost', [['stuck', '', 3]]]);
    fake.settle();
    expect([stage.state().status, reasons()]).toEqual(['ready', []]);
  });

  it('include an engine that stops reporting while the cursor moves on', async () => {
    connect();
    for (const line of [3, 2, 3, 2]) {
      await show(line);
      await vi.advanceTimersByTimeAsync(4_000);
    }
    expect(stage.state().status).toBe('lost');
  });

  it('set the status to lost if the page does not reconnect in time', async () => {
    connect();
    fake.send({ kind: 'disconnected' });
    expect(stage.state().status).toBe('starting');
    await vi.advanceTimersByTimeAsync(1000);
    connect();
    await vi.advanceTimersByTimeAsync(9000);
    expect(stage.state().status).toBe('ready');
    fake.send({ kind: 'disconnected' });
    await vi.advanceTimersByTimeAsync(9000);
    expect(stage.state().status).toBe('lost');
  });

  it('move the stage to another origin if a reload fails because a script hangs', async () => {
    connect();
    stage.reload();
    expect([fake.reloads, fake.moves]).toEqual([1, 0]);
    await vi.advanceTimersByTimeAsync(5000);
    expect([stage.state().status, stage.state().url]).toEqual(['starting', 'http://127.0.0.1:5001/']);
    connect();
    await vi.advanceTimersByTimeAsync(9000);
    expect([stage.state().status, fake.moves]).toEqual(['ready', 1]);
  });

  it('do not move the stage if the reload succeeds', async () => {
    connect();
    stage.reload();
    await vi.advanceTimersByTimeAsync(1000);
    fake.send({ kind: 'disconnected' });
    await vi.advanceTimersByTimeAsync(1000);
    connect();
    await vi.advanceTimersByTimeAsync(9000);
    expect([stage.state().status, fake.moves]).toEqual(['ready', 0]);
  });

  it('move the stage at once on a reload if the page is lost or never connected', async () => {
    stage.reload();
    await vi.advanceTimersByTimeAsync(0);
    expect(stage.state().url).toBe('http://127.0.0.1:5001/');
    connect();
    await show(3);
    await vi.advanceTimersByTimeAsync(16_000);
    stage.reload();
    await vi.advanceTimersByTimeAsync(0);
    expect([stage.state().status, stage.state().url]).toEqual(['starting', 'http://127.0.0.1:5002/']);
  });

  it('are not published after the game is closed', async () => {
    connect();
    await show(1);
    stage.dispose();
    emitted = [];
    fake.settle();
    fake.send({ kind: 'missing', path: 'game/background/beach.png' });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(emitted).toEqual([]);
  });
});

describe('a preview for the assistant', () => {
  const signal = new AbortController().signal;
  const url = 'http://127.0.0.1:5000/?lang=en&scene=start.txt';

  it('reports that nothing was played if the stage is not open', async () => {
    await expect(stage.preview(START, signal)).resolves.toEqual({
      url,
      logs: ['The stage is not open, so nothing was played. The scene will show when the stage is opened.'],
    });
  });

  it('returns the displayed text and missing files', async () => {
    connect();
    const done = stage.preview(undefined, signal);
    await vi.advanceTimersByTimeAsync(10);
    expect(fake.jumps.at(-1)).toMatchObject({ scene: 'start.txt', line: 1 });
    fake.settle({ showName: 'Yuki', showText: 'one' });
    fake.send({ kind: 'missing', path: 'game/background/beach.png' });
    fake.send({ kind: 'trouble', level: 'warning', text: 'valueFromState result null, key = b' });
    await vi.advanceTimersByTimeAsync(1000);
    await expect(done).resolves.toEqual({
      url,
      logs: [
        `The stage stands at line 1 of ${START}. In the text box: Yuki: one`,
        `${START} line 1: file not found: game/background/beach.png`,
        'Warning: valueFromState result null, key = b',
      ],
      firstErrorLine: 1,
    });
  });

  it('plays the proposal from its first change', async () => {
    drafts = new Map([['game/scene/new.txt', 'Yuki:one;\nYuki:two;']]);
    const hunk = { startOld: 1, lenOld: 0, startNew: 2, lenNew: 1, linesOld: [], linesNew: ['Yuki:two;'] };
    const file = {
      path: 'game/scene/new.txt',
      before: null,
      after: 'x',
      hunks: [hunk],
      added: 1,
      version: 'v1',
      removed: 0,
      hasConflict: false,
    };
    proposal = {
      id: 'p',
      turn: 't',
      state: 'drafting',
      author: 'assistant',
      summary: '',
      files: [file],
      newProblems: [],
    };
    connect();
    const done = stage.preview('game/scene/new.txt', signal);
    await vi.advanceTimersByTimeAsync(10);
    expect(stage.state().place).toEqual({ path: 'game/scene/new.txt', line: 2, source: 'proposal' });
    expect(fake.jumps.at(-1)).toEqual({ scene: 'new.txt', line: 1, text: 'Yuki:two;' });
    fake.settle({ showText: 'two' });
    await vi.advanceTimersByTimeAsync(1000);
    expect((await done).logs).toEqual(['The stage stands at line 2 of game/scene/new.txt. In the text box: two']);
  });

  it('reports that the stage did not reach the line', async () => {
    connect();
    const done = stage.preview(START, signal);
    await vi.advanceTimersByTimeAsync(11_000);
    expect((await done).logs).toEqual(['The stage did not get to line 1.']);
  });

  it('rejects files that are not scenes, missing files and forbidden paths', async () => {
    await expect(stage.preview('game/scene/none.txt', signal)).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
    await expect(stage.preview('game/config.txt', signal)).rejects.toMatchObject({ code: 'E_BAD_ARGS' });
    await expect(stage.preview('game/scene/../../x.txt', signal)).rejects.toMatchObject({ code: 'E_DENY_PATH' });
  });

  it('fails when the stage cannot be started', async () => {
    stage.dispose();
    ({ fake, link } = createFakeLink());
    fake.startError = new AppError('E_PREVIEW_FAIL', 'The stage could not be started.');
    stage = create();
    await vi.advanceTimersByTimeAsync(0);
    expect(reasons()).toEqual([['script-error', 'The stage could not be started.', null]]);
    await expect(stage.preview(START, signal)).rejects.toMatchObject({ code: 'E_PREVIEW_FAIL' });
  });

  it('rejects when it is cancelled', async () => {
    connect();
    const controller = new AbortController();
    const done = stage.preview(START, controller.signal);
    const outcome = expect(done).rejects.toMatchObject({ code: 'E_TIMEOUT' });
    await vi.advanceTimersByTimeAsync(50);
    controller.abort();
    await outcome;
  });
});

describe('orders to the running story', () => {
  const state = {
    ...{ scene: 'start.txt', line: 2, jumped: true, stage: { showName: 'Yuki', showText: 'two' } },
    ...{
      file: 'start.txt?jump=1',
      choices: [{ text: 'go on', isEnabled: true }],
      hasInput: false,
      isOnTitle: false,
      hasTextBox: true,
    },
  };

  it('answer with the place in the scene, not in the text that the engine has', async () => {
    connect();
    await show(3);
    fake.reply = { done: true, state };
    expect(await stage.step()).toMatchObject({
      failure: null,
      shown: { scene: START, line: 3, speaker: 'Yuki', text: 'two' },
      choices: [{ text: 'go on', isEnabled: true }],
    });
  });

  it('find the scene by its file where the engine names it after an option', async () => {
    connect();
    await show(3);
    fake.reply = { done: true, state: { ...state, jumped: false, scene: 'go on', file: 'next.txt', line: 1 } };
    expect((await stage.step()).shown).toMatchObject({ scene: 'game/scene/next.txt', line: 1 });
    fake.reply = {
      done: true,
      state: { ...state, jumped: false, scene: 'x'.repeat(900), file: '../secret.txt', line: 1 },
    };
    expect((await stage.step()).shown?.scene).toBe('x'.repeat(500));
  });

  it('answer with a reason when the engine did not follow', async () => {
    expect(await stage.setVariable('love', 3)).toEqual({ failure: 'closed', shown: null, choices: [] });
    fake.reply = { done: false, reason: 'ignored', state };
    expect(await stage.setVariable('love', 3)).toMatchObject({ failure: 'ignored', shown: { text: 'two' } });
  });
});

describe('a game that brings an engine', () => {
  const withEngine = async (version: string, chosen: EngineChoice | null = null) => {
    stage.dispose();
    const written: EngineChoice[] = [];
    const writeChoice = async (choice: EngineChoice) => void written.push(choice);
    const own = { version, from: 'game' as const };
    stage = create({ engines: { own, readChoice: async () => chosen, writeChoice } });
    await vi.advanceTimersByTimeAsync(0);
    return written;
  };
  const engine = () => stage.state().engine;

  it('runs on its own where the version differs, unless the user chose the app’s', async () => {
    await withEngine('4.6.1');
    expect([fake.engine, engine()?.choice]).toEqual(['own', 'own']);
    await withEngine('4.5.18');
    expect([fake.engine, engine()?.choice]).toEqual(['bundled', 'bundled']);
    await withEngine('4.6.1', 'bundled');
    expect([fake.engine, engine()?.choice]).toEqual(['bundled', 'bundled']);
  });

  it('moves to the other engine and remembers it', async () => {
    const written = await withEngine('4.6.1');
    await stage.useEngine('bundled');
    expect([fake.engine, fake.moves, written]).toEqual(['bundled', 1, ['bundled']]);
    const own = { version: '4.6.1', from: 'game' };
    expect(engine()).toEqual({ choice: 'bundled', own, bundled: '4.5.18', failure: null });
    await stage.useEngine('bundled');
    expect(fake.moves).toBe(1);
  });

  it('falls back to the app’s engine when its own page loads and does not connect, and remembers nothing', async () => {
    const written = await withEngine('4.6.1');
    fake.send({ kind: 'page' });
    await vi.advanceTimersByTimeAsync(11_000);
    expect(fake.moves).toBe(0);
    // Loading again does not give it more time.
    fake.send({ kind: 'page' });
    await vi.advanceTimersByTimeAsync(2_000);
    expect([fake.engine, fake.moves, engine()?.failure, written]).toEqual(['bundled', 1, 'own', []]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fake.moves).toBe(1);
  });

  it('says that the app’s engine does not answer, until it does', async () => {
    await withEngine('4.6.1', 'bundled');
    fake.send({ kind: 'page' });
    await vi.advanceTimersByTimeAsync(15_000);
    // A page that was loaded again has the whole time.
    fake.send({ kind: 'page' });
    await vi.advanceTimersByTimeAsync(15_000);
    expect(stage.state().status).toBe('starting');
    await vi.advanceTimersByTimeAsync(6_000);
    expect([stage.state().status, fake.moves]).toEqual(['lost', 0]);
    connect();
    expect(stage.state().status).toBe('ready');
  });

  it('keeps an engine that connects', async () => {
    await withEngine('4.6.1');
    fake.send({ kind: 'page' });
    connect();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([fake.moves, engine()?.choice]).toEqual([0, 'own']);
  });

  it('starts the app’s engine where its own cannot be read', async () => {
    fake.startError = new AppError('E_PREVIEW_FAIL', 'No page.');
    setTimeout(() => (fake.startError = null), 0);
    await withEngine('4.6.1');
    await vi.advanceTimersByTimeAsync(5);
    expect(engine()?.failure).toBe('own');
  });
});

describe('a game that a running Terre has', () => {
  let isThere: boolean;
  let shownByTerre: string[];
  /** `isPreferred`: in the settings. `chosen`: for this game. */
  const withTerre = async ({ isPreferred = false, chosen = null as EngineChoice | null, version = '' } = {}) => {
    stage.dispose();
    shownByTerre = [];
    let choice = chosen;
    const show = async (scene: string) => {
      shownByTerre.push(scene);
      return { url: 'http://127.0.0.1:3001/', logs: [] };
    };
    stage = create({
      engines: {
        own: version === '' ? null : { version, from: 'game' },
        readChoice: async () => choice,
        writeChoice: async (next) => {
          choice = next;
        },
      },
      terre: { terre: { hasGame: async () => isThere, show }, isPreferred: async () => isPreferred },
    });
    await vi.advanceTimersByTimeAsync(0);
    return () => choice;
  };
  const engine = () => stage.state().engine;
  beforeEach(() => {
    isThere = true;
  });

  it('is played on Terre’s page once the user chooses it, and not where no Terre has it', async () => {
    const choice = await withTerre();
    expect([engine()?.choice, stage.state().isInTerre]).toEqual(['bundled', true]);
    await stage.useEngine('terre');
    expect([fake.engine, fake.moves, choice()]).toEqual(['terre', 1, 'terre']);
    await expect(stage.useEngine('own')).rejects.toMatchObject({ code: 'E_UNSUPPORTED' });
    isThere = false;
    await withTerre();
    await expect(stage.useEngine('terre')).rejects.toMatchObject({ code: 'E_UNSUPPORTED' });
    expect(engine()?.choice).toBe('bundled');
  });

  it.each([
    ['it was chosen before', { chosen: 'terre' as const, version: '4.6.1' }, 'terre'],
    ['the user prefers Terre', { isPreferred: true }, 'terre'],
    ['another was chosen for the game', { isPreferred: true, chosen: 'bundled' as const }, 'bundled'],
    ['nothing was', {}, 'bundled'],
  ])('is played when %s', async (_, given, expected) => {
    await withTerre(given);
    expect([fake.engine, engine()?.failure]).toEqual([expected, null]);
  });

  it('is played by the app’s engine when Terre ends, which is said, and by Terre when that is back', async () => {
    await withTerre({ chosen: 'terre', version: '4.6.1' });
    connect();
    stage.show({ path: START, line: 2, source: 'saved' });
    await vi.advanceTimersByTimeAsync(500);
    fake.settle();
    fake.settle({}, 3);
    isThere = false;
    fake.send({ kind: 'terre-lost' });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(stage.state().replay?.state).toBe('playing');
    expect([fake.engine, engine()?.failure, stage.state().isInTerre]).toEqual(['bundled', 'ended', false]);
    const { moves } = fake;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fake.moves).toBe(moves);
    isThere = true;
    await vi.advanceTimersByTimeAsync(21_000);
    expect([fake.engine, engine()?.failure]).toEqual(['terre', null]);
  });

  it('stays on Terre’s page when a connection is lost and Terre is not', async () => {
    await withTerre({ chosen: 'terre' });
    connect();
    const { moves } = fake;
    for (let times = 0; times < 5; times += 1) fake.send({ kind: 'terre-lost' });
    await vi.advanceTimersByTimeAsync(30_000);
    expect([fake.engine, fake.moves]).toEqual(['terre', moves]);
  });

  it('is played by the app’s engine when Terre’s page does not start', async () => {
    await withTerre();
    fake.moveError = new AppError('E_PREVIEW_FAIL', 'No page.');
    await stage.useEngine('terre');
    expect([fake.engine, engine()?.failure]).toEqual(['bundled', 'terre']);
    await stage.useEngine('terre');
    fake.send({ kind: 'page' });
    await vi.advanceTimersByTimeAsync(13_000);
    expect([fake.engine, engine()?.failure]).toEqual(['bundled', 'terre']);
  });

  it('stands where Terre moved it, in lines of the file, until the app moves it', async () => {
    await withTerre({ chosen: 'terre' });
    connect();
    stage.show({ path: START, line: 3, source: 'saved' });
    await vi.advanceTimersByTimeAsync(500);
    fake.settle();
    expect(stage.state()).toMatchObject({ isAtPlace: true, shown: { scene: START, line: 3 } });
    fake.send({ kind: 'led', scene: 'start.txt', line: 2 });
    // What was reported last is another line of the same scene.
    expect(stage.state()).toMatchObject({ place: { path: START, line: 2 }, shown: { line: 3 }, isAtPlace: false });
    fake.send({ kind: 'led', scene: 'next.txt', line: 2 });
    fake.send({ kind: 'snapshot', scene: 'next.txt', line: 2, jumped: false, stage: {} });
    expect(stage.state()).toMatchObject({
      place: { path: 'game/scene/next.txt', line: 2, source: 'saved' },
      shown: { scene: 'game/scene/next.txt', line: 2 },
      isAtPlace: true,
    });
    const jumps = fake.jumps.length;
    // A place that is no scene of the game is not the requested one.
    fake.send({ kind: 'led', scene: 'none.txt', line: 2 });
    fake.send({ kind: 'led', scene: null, line: 0 });
    expect(stage.state().place?.path).toBe('game/scene/next.txt');
    await vi.advanceTimersByTimeAsync(3_000);
    expect(fake.jumps.length).toBe(jumps);
    // An engine that starts anew does not get the app's last jump.
    fake.send({ kind: 'disconnected' });
    connect();
    await vi.advanceTimersByTimeAsync(500);
    expect(fake.jumps.slice(jumps)).toMatchObject([{ scene: 'next.txt', line: 2 }]);
    fake.send({ kind: 'led', scene: 'next.txt', line: 2 });
    // Terre writes the scene; the app's next jump is to the same line.
    files.set('game/scene/next.txt', 'changeBg:rain.png;\nYuki:more rain;');
    stage.filesChanged(['game/scene/next.txt']);
    await vi.advanceTimersByTimeAsync(500);
    expect(fake.jumps.slice(jumps + 1)).toMatchObject([{ scene: 'next.txt', line: 2 }]);
    fake.settle();
    expect(stage.state()).toMatchObject({ isAtPlace: true, shown: { scene: 'game/scene/next.txt', line: 2 } });
  });

  it('previews for the assistant in Terre if preferred, and on the stage while that plays Terre’s page', async () => {
    await withTerre({ isPreferred: true, chosen: 'bundled' });
    await stage.preview(START, new AbortController().signal);
    expect(shownByTerre).toEqual(['start.txt']);
    await stage.useEngine('terre');
    const { logs } = await stage.preview(START, new AbortController().signal);
    expect(shownByTerre).toEqual(['start.txt']);
    expect(logs).toEqual([expect.stringContaining('The stage is not open')]);
  });
});

describe('problems of a line that the engine named', () => {
  const text = 'A:one;\nsetVar:a=1+;\nsetVar:b=2+;\nA:two;';

  it('are placed there, also where several lines could be meant, and each once', async () => {
    files.set(START, text);
    connect();
    await show(4);
    const trouble = { kind: 'trouble', level: 'error', text: 'expression compile error x' } as const;
    for (const line of [1, 2, 2]) fake.send({ ...trouble, at: { file: 'start.txt', line, jumped: false } });
    expect(reasons()).toEqual([
      ['script-error', 'expression compile error x', 2],
      ['script-error', 'expression compile error x', 3],
    ]);
    // Of the text that the engine has, line 1 is the first that was kept.
    await show(1);
    await show(4);
    fake.send({ ...trouble, at: { file: 'start.txt?jump=3', line: 0, jumped: true } });
    expect(reasons().at(-1)?.[2]).toBe(2);
  });

  it('are placed by the text of their own jump, of which a busy engine reports late', async () => {
    files.set(START, text);
    connect();
    await show(4);
    const jump = fake.jumps.length;
    stage.show({ path: 'game/scene/next.txt', line: 1, source: 'saved' });
    await vi.advanceTimersByTimeAsync(1000);
    const late = { file: `start.txt?jump=${jump}`, line: 0, jumped: false, jump };
    fake.send({ kind: 'trouble', level: 'error', text: 'expression compile error x', at: late });
    expect(stage.state().problems.map(({ place }) => place)).toEqual([{ path: START, line: 2 }]);
    const { line } = fake.jumps[jump - 1] as { line: number };
    fake.send({ kind: 'snapshot', scene: 'start.txt', line, jumped: false, jump, stage: {} });
    expect(stage.state().shown).toMatchObject({ scene: START, line: 4 });
  });

  it('are not placed in a file that is no scene, or by an error of the engine itself', async () => {
    files.set(START, text);
    connect();
    await show(4);
    const at = { file: '../../secret.txt', line: 1, jumped: false };
    fake.send({ kind: 'trouble', level: 'error', text: 'expression compile error x', at });
    fake.send({ kind: 'trouble', level: 'error', text: 'odd', at: { ...at, file: 'start.txt' } });
    expect(reasons().map(([, , line]) => line)).toEqual([null, null]);
  });

  it('include a circle of jumps and a menu whose options are all hidden', async () => {
    connect();
    await show(3);
    fake.send({ kind: 'trouble', level: 'endless', text: '', at: { file: 'next.txt', line: 2, jumped: false } });
    fake.send({ kind: 'trouble', level: 'empty-menu', text: '', at: { file: 'start.txt', line: 4, jumped: false } });
    fake.send({ kind: 'trouble', level: 'error', text: 'forward 中执行的语句数量超过限制' });
    expect(reasons()).toEqual([
      ['endless-jump', '', 2],
      ['empty-menu', '', 4],
      ['endless-jump', '', null],
    ]);
  });
});
