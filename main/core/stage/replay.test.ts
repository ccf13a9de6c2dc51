import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { scanChoices } from '../../../shared/script/syntax/choices.ts';
import { scanScene } from '../../../shared/script/syntax/scan.ts';
import { CLOSED_DRIVER } from '../../../tests/support/closed-driver.ts';
import type { DriverReply, EngineState } from '../ports/stage-driver.ts';
import type { StageEvent, StageLink } from '../ports/stage-link.ts';
import { createBuffers } from '../project/unsaved/buffers.ts';
import type { Stage } from '../services.ts';
import { createStage } from './stage.ts';

const START = 'game/scene/start.txt';
const OTHER = 'game/scene/other.txt';
const OTHER_TEXT = 'Yuki:other;\nYuki:further;';
const SCENE = [
  'Yuki:one;',
  'choose:Stay:stay|Walk:walk;',
  'label:stay;',
  'Yuki:stays;',
  'jumpLabel:after;',
  'label:walk;',
  'Yuki:walks;',
  'label:after;',
  'Yuki:second;',
  'Yuki:third;',
];

/** An engine that plays the text of the last jump: one order moves it to the next line at which the player stops. */
function createEngine() {
  const listeners = new Set<(event: StageEvent) => void>();
  const send = (event: StageEvent): void => {
    for (const listener of listeners) listener(event);
  };
  const engine = {
    ...{
      scene: '',
      line: 0,
      lines: scanScene(''),
      orders: [] as string[],
      jumps: 0,
      reloads: 0,
      isSilent: false,
      isLate: false,
      /** Carries out orders without saying so: in time, or at all. */
      isBusy: false,
      isDeaf: false,
      /** Takes an answer at once, and comes to what follows it later. */
      isSlow: false,
      arrive: (): void => undefined,
      jumped: true,
    },
    send,
    report: () => {
      const { scene, line, jumped } = engine;
      send({ kind: 'snapshot', scene, line, jumped, stage: {} });
    },
  };
  const here = () => engine.lines[engine.line - 1];
  const options = () => {
    const menu = here();
    return menu?.command?.name === 'choose' ? scanChoices(menu.content, 0, menu.content.length) : [];
  };
  const state = (): EngineState => ({
    ...{ file: engine.scene, scene: engine.scene, line: engine.line, jumped: engine.jumped },
    ...{ stage: {}, hasInput: false },
    ...{
      isOnTitle: false,
      hasTextBox: true,
      choices: options().map(({ label }) => ({ text: label, isEnabled: true })),
    },
  });
  const goTo = (label: string): void => {
    engine.line =
      engine.lines.findLastIndex(({ command, content }) => command?.name === 'label' && content === label) + 1;
  };
  const goOn = (): DriverReply => {
    for (;;) {
      if (engine.line >= engine.lines.length) return { done: false, reason: 'waits', state: state() };
      engine.line += 1;
      const name = here()?.command?.name;
      if (name === 'changeScene')
        Object.assign(engine, { scene: 'other.txt', line: 0, lines: scanScene(OTHER_TEXT), jumped: false });
      else if (name === 'jumpLabel') goTo(here()?.content ?? '');
      else if (name === 'say' || name === 'choose') return { done: true, state: state() };
    }
  };
  const chooseSlowly = (target: string): DriverReply => {
    const between = { ...state(), choices: [] };
    engine.line -= 1;
    engine.arrive = () => {
      engine.arrive = () => undefined;
      goTo(target);
      goOn();
      engine.report();
    };
    setTimeout(() => engine.arrive(), 300);
    return { done: false, reason: 'busy', state: between };
  };
  const order = async (name: string, act: () => DriverReply): Promise<DriverReply> => {
    engine.orders.push(name);
    // A click comes after what the page still had to do.
    if (name === 'step') engine.arrive();
    if (engine.isSilent) return { done: false, reason: 'no-answer', state: null };
    const reply = act();
    if (!engine.isLate) engine.report();
    if (name !== 'state' && engine.isDeaf) return { done: false, reason: 'no-answer', state: null };
    if (name !== 'state' && engine.isBusy && reply.done) return { done: false, reason: 'busy', state: reply.state };
    return reply;
  };
  const link: StageLink = {
    start: async () => ({ url: 'http://127.0.0.1:5000' }),
    move: async () => ({ url: 'http://127.0.0.1:5001' }),
    setOverlay: () => undefined,
    serveEngine: () => undefined,
    hasAsked: () => true,
    reloadStyles: async () => false,
    jump(scene, line, text = '') {
      Object.assign(engine, { scene, line, lines: scanScene(text), jumps: engine.jumps + 1, jumped: true });
      queueMicrotask(engine.report);
      return engine.jumps;
    },
    reload: () => {
      engine.reloads += 1;
    },
    on: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    driver: {
      ...CLOSED_DRIVER,
      readState: () => order('state', () => ({ done: true, state: state() })),
      step: () =>
        order('step', () => (options().length > 0 ? { done: false, reason: 'choice', state: state() } : goOn())),
      choose: (option) =>
        order(`choose ${option}`, () => {
          if (engine.isSlow) return chooseSlowly(options()[option - 1]?.target ?? '');
          const chosen = options()[option - 1];
          send({ kind: 'chose', text: chosen?.label ?? '', nth: 1 });
          goTo(chosen?.target ?? '');
          return goOn();
        }),
    },
  };
  return { engine, link };
}

let engine: ReturnType<typeof createEngine>['engine'];
let stage: Stage;
let text: string;
const settle = (milliseconds = 600) => vi.advanceTimersByTimeAsync(milliseconds);
const edit = async (next: string[]) => {
  text = next.join('\n');
  stage.filesChanged([START]);
  await settle();
};
const shown = () => scanScene(text)[(stage.state().shown?.line ?? 0) - 1]?.content;

beforeEach(async () => {
  vi.useFakeTimers();
  text = SCENE.join('\n');
  const made = createEngine();
  engine = made.engine;
  const reader = {
    list: async () => [START, OTHER].map((path) => ({ path, bytes: 1, isDirectory: false })),
    stat: async () => null,
    read: async (path: string) => ({ path, text: path === OTHER ? OTHER_TEXT : text, version: '', bytes: 1 }),
    search: () => Promise.reject(new Error('unused')),
  };
  const none = new Map<string, string>();
  stage = createStage({
    ...{ link: made.link, reader, buffers: createBuffers(), emit: () => undefined, locale: () => 'en' as const },
    proposals: {
      ...{ reader, texts: () => none, played: () => new Map([[START, text]]) },
      ...{ current: () => null, on: () => () => undefined },
    },
  });
  await settle();
  engine.send({ kind: 'connected' });
  stage.show({ path: START, line: 1, source: 'saved' });
  await settle();
});

afterEach(() => {
  stage.dispose();
  vi.useRealTimers();
});

/** Plays to the sentence after the menu and one further. */
async function play(): Promise<void> {
  await stage.step();
  await stage.choose(2);
  await stage.step();
  await stage.step();
  expect(shown()).toBe('third');
  engine.orders.length = 0;
}

/** Plays a scene with a second menu to its third sentence. */
async function playTwoMenus(): Promise<string[]> {
  const menus = [...SCENE.slice(0, 8), 'choose:Walk:after|Stay:last;', 'label:last;', ...SCENE.slice(8)];
  await edit(menus);
  await stage.step();
  await stage.choose(2);
  await stage.step();
  await stage.choose(2);
  await stage.step();
  return menus;
}

it('plays the choices back to the same sentence after an edit, wherever its line is now', async () => {
  await play();
  await edit(['; a note', ...SCENE.slice(0, 8), 'Yuki:new;', ...SCENE.slice(8)]);
  expect(shown()).toBe('third');
  expect(engine.orders).toContain('choose 2');
  expect(stage.state().replay).toBeUndefined();
  // What was played back counts as played: another edit comes to the same sentence.
  await edit([...SCENE.slice(0, 8), 'Yuki:second, changed;', ...SCENE.slice(9)]);
  expect(shown()).toBe('third');
});

it('plays back to a sentence to which the story jumped back', async () => {
  const lines = ['Yuki:one;', 'choose:Stay:stay|Again:again;', 'label:stay;', 'Yuki:stays;', 'Yuki:goes;', 'end;'];
  await edit([...lines, 'label:again;', 'Yuki:again;', 'jumpLabel:stay;']);
  await stage.step();
  await stage.choose(2);
  await stage.step();
  expect(shown()).toBe('stays');
  await edit([...lines.slice(0, 4), 'Yuki:goes home;', 'end;', 'label:again;', 'Yuki:again;', 'jumpLabel:stay;']);
  expect([shown(), stage.state().replay]).toEqual(['stays', undefined]);
  // A deleted sentence is passed as before.
  await edit([...lines.slice(0, 3), 'Yuki:goes home;', 'end;', 'label:again;', 'Yuki:again;', 'jumpLabel:stay;']);
  expect(shown()).toBe('goes home');
});

it('plays back where the edit moved the requested line, told before or after it', async () => {
  await play();
  const moved = (line: number) => ({ path: START, line, source: 'saved', isMoved: true }) as const;
  const added = ['; a note', ...SCENE];
  text = added.join('\n');
  stage.filesChanged([START]);
  stage.show(moved(2));
  await settle();
  expect([shown(), stage.state().place?.line, stage.state().replay]).toEqual(['third', 2, undefined]);
  await edit(['; two notes', ...added]);
  stage.show(moved(3));
  await settle();
  expect([shown(), stage.state().place?.line, stage.state().replay]).toEqual(['third', 3, undefined]);
  // A line that the user chooses forgets the way.
  stage.show({ path: START, line: 3, source: 'saved' });
  await settle();
  expect(shown()).not.toBe('third');
});

it('plays back to the sentence after a choice whose effect the engine had not reported', async () => {
  await stage.step();
  engine.isLate = true;
  await stage.choose(2);
  engine.isLate = false;
  await edit(['; a note', ...SCENE]);
  expect(shown()).toBe('walks');
  expect(stage.state().replay).toBeUndefined();
});

it('plays back a choice that was made at the line of the jump', async () => {
  stage.show({ path: START, line: 2, source: 'saved' });
  await settle();
  engine.isLate = true;
  await stage.choose(2);
  engine.isLate = false;
  await edit(['; a note', ...SCENE]);
  expect(shown()).toBe('walks');
});

it('keeps what was recorded when the stage is sent to another line, until it is saved or another recording begins', async () => {
  stage.way.record(true);
  await settle();
  await stage.step();
  await stage.choose(2);
  stage.show({ path: START, line: 9, source: 'saved' });
  await settle();
  const steps = [{ kind: 'choice', text: 'Walk', nth: 1 }];
  expect([stage.state().route, stage.state().endedRoute]).toMatchObject([undefined, { steps, isRecording: false }]);
  stage.way.record(true);
  await settle();
  expect(stage.state().endedRoute).toBeUndefined();
  stage.show({ path: START, line: 9, source: 'saved' });
  await settle();
  stage.way.record(false);
  expect(stage.state().endedRoute).toBeUndefined();
});

it('stops behind a sentence that was deleted', async () => {
  await play();
  await edit([...SCENE.slice(0, 9), 'Yuki:fourth;', 'Yuki:fifth;']);
  expect(shown()).toBe('fourth');
});

it('stops in front of a choice that is gone, and of one that was never made', async () => {
  await play();
  await edit(SCENE.map((line) => line.replace('Walk', 'Run')));
  expect(stage.state().replay).toEqual({ state: 'gone', choice: 'Walk' });
  expect(stage.state().shown?.line).toBe(2);
  await stage.choose(2);
  await stage.step();
  await stage.step();
  await edit(
    [...SCENE.slice(0, 7), 'choose:Left:after|Right:after;', ...SCENE.slice(7)].map((line) =>
      line.replace('Walk', 'Run'),
    ),
  );
  expect(stage.state().replay).toEqual({ state: 'new-menu', choice: '' });
});

it('goes on to the sentence once a menu that is typed anew has the choice again, and says so while it has not', async () => {
  await play();
  await edit(SCENE.map((line) => line.replace('|Walk:walk', '')));
  await edit(SCENE.map((line) => line.replace('Walk:walk', 'Wa')));
  expect(stage.state().replay).toEqual({ state: 'gone', choice: 'Walk' });
  await edit(SCENE.map((line) => line.replace('Stay', 'Stay here')));
  expect([shown(), stage.state().replay]).toEqual(['third', undefined]);
  // After another choice, that way counts.
  await edit(SCENE.map((line) => line.replace('Walk', 'Run')));
  await stage.choose(1);
  await edit(SCENE);
  expect(shown()).toBe('stays');
});

it('begins nothing by what the engine reports before it was sent there', async () => {
  await play();
  stage.show({ path: START, line: 1, source: 'proposal' });
  engine.report();
  await settle();
  expect([shown(), engine.orders.includes('choose 2'), stage.state().replay]).toEqual(['third', true, undefined]);
});

it('goes back from a menu in front of which playing back stopped', async () => {
  const menus = await playTwoMenus();
  await edit(menus.map((line) => line.replace('Stay:last', 'Gone:last')));
  expect(stage.state().replay).toEqual({ state: 'gone', choice: 'Stay' });
  stage.back();
  await settle(2_000);
  expect([shown(), stage.state().replay]).toEqual(['walks', undefined]);
});

it('plays back for the other text of the same line, and forgets the way for another line', async () => {
  await play();
  stage.show({ path: START, line: 1, source: 'proposal' });
  await settle();
  expect([shown(), engine.orders.includes('choose 2')]).toEqual(['third', true]);
  engine.orders.length = 0;
  stage.show({ path: START, line: 9, source: 'proposal' });
  await settle();
  expect([shown(), engine.orders]).toEqual(['second', []]);
});

it('plays back after the page was loaded anew, and not on the page that goes', async () => {
  await play();
  stage.filesChanged(['game/figure/yuki.webp']);
  await settle();
  expect(engine.reloads).toBe(1);
  engine.report();
  await settle(10);
  expect([stage.state().replay?.state, engine.orders]).toEqual(['playing', []]);
  engine.send({ kind: 'disconnected' });
  engine.send({ kind: 'connected' });
  engine.line = 1;
  engine.report();
  await settle();
  expect([shown(), stage.state().replay]).toEqual(['third', undefined]);
});

it('plays back when the page of the engine has moved to another window', async () => {
  await play();
  engine.send({ kind: 'disconnected' });
  engine.send({ kind: 'connected' });
  engine.line = 1;
  engine.report();
  await settle();
  expect([shown(), engine.orders.includes('choose 2'), stage.state().replay]).toEqual(['third', true, undefined]);
});

it('can be stopped, and ends by itself where the engine does not answer', async () => {
  await play();
  engine.isSilent = true;
  await edit(['; a note', ...SCENE]);
  expect(stage.state().replay).toEqual({ state: 'stopped', choice: '' });
  engine.isSilent = false;
  stage.way.stopReplay();
  expect(stage.state().replay).toEqual({ state: 'stopped', choice: '' });
});

it.each(['isBusy', 'isDeaf'] as const)('takes each choice of the way once where a page is busy (%s)', async (how) => {
  const menus = await playTwoMenus();
  expect(shown()).toBe('third');
  engine.orders.length = 0;
  engine[how] = true;
  await edit(['; a note', ...menus]);
  await settle(5_000);
  expect([shown(), stage.state().replay]).toEqual(['third', undefined]);
  expect(engine.orders.filter((order) => order.startsWith('choose'))).toEqual(['choose 2', 'choose 2']);
  stage.back();
  await settle(5_000);
  expect([shown(), stage.state().replay]).toEqual(['second', undefined]);
});

it('does not click past the line to which a slow page comes after an answer', async () => {
  await stage.step();
  await stage.choose(2);
  expect(shown()).toBe('walks');
  engine.isSlow = true;
  await edit(['; a note', ...SCENE]);
  await settle(3_000);
  expect([shown(), stage.state().replay]).toEqual(['walks', undefined]);
});

it('tells no failure where a busy page came to the next choice', async () => {
  engine.isBusy = true;
  const skipping = stage.skip();
  await settle(3_000);
  expect(await skipping).toMatchObject({ failure: null, choices: [{ text: 'Stay' }, { text: 'Walk' }] });
});

it('asks which way leads to a line, and remembers the answer while lines move', async () => {
  stage.show({ path: START, line: 9, source: 'saved' });
  await settle();
  expect(stage.state().forks).toEqual([{ path: START, line: 2, options: ['Stay', 'Walk'], taken: 0, isChosen: false }]);
  const { jumps } = engine;
  stage.way.take({ path: START, line: 2, option: 1 });
  await settle();
  expect(engine.jumps).toBe(jumps + 1);
  expect(stage.state().forks).toEqual([{ path: START, line: 2, options: ['Stay', 'Walk'], taken: 1, isChosen: true }]);
  await edit(['; a note', ...SCENE]);
  expect(stage.state().forks).toEqual([{ path: START, line: 3, options: ['Stay', 'Walk'], taken: 1, isChosen: true }]);
  stage.show({ path: START, line: 1, source: 'saved' });
  await settle();
  expect(stage.state().forks).toBeUndefined();
  stage.way.take({ path: START, line: 99, option: 0 });
  stage.show({ path: START, line: 11, source: 'saved' });
  await settle();
  expect(stage.state().forks?.[0]?.taken).toBe(1);
});

it('goes back on the way that was played, with the choice that was made', async () => {
  await play();
  stage.back();
  await settle();
  // One line after another without a turn in between would be shown by its line alone.
  expect([shown(), engine.orders.includes('choose 2'), stage.state().replay]).toEqual(['second', true, undefined]);
  stage.back();
  await settle();
  // Not the option above in the text.
  expect([shown(), stage.state().replay]).toEqual(['walks', undefined]);
  // Where the story was played back to is known: it is played once, not up to the present line first.
  const { jumps } = engine;
  stage.back();
  await settle();
  expect([stage.state().shown?.line, engine.jumps]).toEqual([2, jumps + 1]);
  expect(stage.state().hasMovedOn).toBe(true);
  stage.back();
  await settle();
  expect([stage.state().shown?.line, stage.state().hasMovedOn]).toEqual([1, undefined]);
  expect(stage.back()).toEqual({ going: 'none', place: null });
});

it('goes back within the scene to which the story went on, and out of it', async () => {
  await edit([...SCENE, 'changeScene:other.txt;']);
  await play();
  await stage.step();
  await stage.step();
  expect(stage.state().shown).toMatchObject({ scene: OTHER, line: 2 });
  stage.back();
  await settle();
  expect(stage.state().shown).toMatchObject({ scene: OTHER, line: 1 });
  stage.back();
  await settle();
  expect([stage.state().shown?.scene, shown()]).toEqual([START, 'third']);
});

it('keeps a recording while it goes back, and shows the line above where nothing turned', async () => {
  stage.way.record(true);
  await settle();
  await stage.step();
  await stage.choose(2);
  stage.back();
  await settle();
  expect([stage.state().shown?.line, stage.state().route]).toMatchObject([2, { isRecording: true, steps: [] }]);
  stage.way.record(false);
  stage.show({ path: START, line: 9, source: 'saved' });
  await settle();
  await stage.step();
  engine.orders.length = 0;
  expect(stage.back()).toMatchObject({ going: 'line', place: { line: 9 } });
  await settle();
  expect([shown(), engine.orders]).toEqual(['second', []]);
});

it('plays on to the next choice of the way that was taken, and can be stopped on it', async () => {
  const menus = [...SCENE.slice(0, 4), 'choose:Of stay:after;', ...SCENE.slice(5), 'choose:Last:after;', 'Yuki:end;'];
  await edit(menus);
  expect(await stage.skip()).toMatchObject({ failure: null, choices: [{ text: 'Stay' }, { text: 'Walk' }] });
  // It waits for this choice already.
  expect(await stage.skip()).toMatchObject({ failure: 'choice' });
  await stage.choose(2);
  expect(await stage.skip()).toMatchObject({ failure: null, choices: [{ text: 'Last' }] });
  expect([stage.state().shown?.line, stage.state().replay]).toEqual([11, undefined]);
  await stage.choose(1);
  const skipping = stage.skip();
  expect(stage.state().replay?.state).toBe('playing');
  stage.way.stopReplay();
  expect(await skipping).toMatchObject({ failure: null, choices: [] });
  expect([shown(), stage.state().replay]).toEqual(['third', undefined]);
});

it('ends playing on where no story answers, and where it does not stop', async () => {
  engine.isSilent = true;
  expect(await stage.skip()).toMatchObject({ failure: 'no-answer' });
  engine.isSilent = false;
  await edit(['label:round;', 'Yuki:one;', 'jumpLabel:round;']);
  expect(await stage.skip()).toMatchObject({ failure: 'endless' });
  expect(stage.state().replay).toBeUndefined();
});
