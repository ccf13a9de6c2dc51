import { describe, expect, test } from 'vitest';
import type { EventPayload } from '../../../../shared/model/capability/message-frame.ts';
import { createEventHub } from './event-hub.ts';
import { createEventProjection } from './project-events.ts';

const problem = { id: 'p', reason: 'stuck', subject: '', place: null };
const stage = (more: object) => ({
  ...{ status: 'ready', url: null, place: null, isAtPlace: false, shown: null, problems: [] },
  ...more,
});
const place = (path: string, line = 1) => ({ path, line, source: 'saved' });

describe('the events of the app', () => {
  test('become those of the catalogue, once each', () => {
    const toEvents = createEventProjection(() => []);
    const seen = (event: string, payload: unknown) => toEvents(event, payload).map(({ id, data }) => [id, data]);
    expect(seen('stage.changed', stage({ place: place('a.txt', 3) }))).toEqual([
      ['stage.scene.selected', { path: 'a.txt', line: 3 }],
      ['stage.state.changed', { status: 'ready', path: 'a.txt', line: 3, isAtPlace: false }],
    ]);
    expect(seen('stage.changed', stage({ place: place('a.txt', 3) }))).toEqual([]);
    expect(seen('stage.changed', stage({ place: place('a.txt', 3), problems: [problem] }))).toEqual([
      ['stage.problem.counted', { count: 1 }],
    ]);
    const drafting = { proposal: { id: 'p1', state: 'drafting', author: 'assistant', files: [] } };
    expect(seen('proposal.changed', drafting)).toEqual([]);
    const review = { seq: 1, head: { id: 'p1', state: 'review', author: 'assistant' }, files: [{}, {}], gone: [] };
    expect(seen('proposal.updated', review)).toEqual([
      ['agent.proposal.opened', { proposalId: 'p1', author: 'assistant', files: 2 }],
    ]);
    expect(seen('proposal.updated', review)).toEqual([]);
    expect(seen('proposal.changed', { proposal: null })).toEqual([['agent.proposal.decided', { proposalId: 'p1' }]]);
    expect(seen('chat.updated', { session: 's', phase: 'model' })).toEqual([]);
    expect(seen('chat.updated', { session: 's', phase: 'tool' })).toEqual([]);
    expect(seen('chat.updated', { session: 's', phase: 'idle' })).toEqual([
      ['agent.turn.ended', { session: 's', phase: 'idle' }],
    ]);
    expect(seen('chat.updated', { session: 's', phase: 'idle' })).toEqual([]);
    expect(seen('settings.changed', {})).toEqual([]);
  });

  test('name nothing in a closed folder, and not more than 200 files', () => {
    const toEvents = createEventProjection(() => ['game/private']);
    expect(toEvents('project.filesChanged', { paths: ['game/private/a.txt'] })).toEqual([]);
    const paths = Array.from({ length: 250 }, (_, index) => `game/${index}.txt`);
    const [event] = toEvents('project.filesChanged', { paths: ['game/private/a.txt', ...paths] });
    expect(event?.data).toEqual({ paths: paths.slice(0, 200), more: 50 });
    expect(toEvents('stage.changed', stage({ place: place('game/private/a.txt') }))).toEqual([
      { id: 'stage.state.changed', data: { status: 'ready', path: null, line: null, isAtPlace: false } },
    ]);
  });
});

describe('subscriptions', () => {
  const changed = (...paths: string[]) => ({ id: 'project.file.changed', data: { paths, more: 0 } }) as const;
  function setUp(send?: () => Promise<void>) {
    let ids = 0;
    const hub = createEventHub(() => `s${++ids}`);
    const received: [string, EventPayload][] = [];
    const connection = hub.connect(async (key, event) => {
      received.push([key, event]);
      await send?.();
    });
    return { hub, received, connection };
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const of = (eventId: string, filter?: unknown) => ({
    eventId,
    role: 'viewer' as const,
    ...(filter !== undefined && { filter }),
  });

  test('receive what they asked for, until they end', async () => {
    const { hub, received, connection } = setUp();
    const key = connection.subscribe(of('project.file.changed', { paths: ['game/scene'] }));
    hub.publish(changed('game/scenery/a.txt'));
    hub.publish(changed('game/scene/a.txt', 'game/bgm/b.mp3'));
    hub.publish({ id: 'agent.proposal.decided', data: { proposalId: 'p' } });
    await settle();
    expect(received).toEqual([
      [key, { eventId: 'project.file.changed', data: { paths: ['game/scene/a.txt'], more: 0 }, lost: 0 }],
    ]);
    connection.unsubscribe(key);
    hub.publish(changed('game/scene/a.txt'));
    await settle();
    expect(received).toHaveLength(1);
    expect(() => connection.unsubscribe(key)).toThrow('no such subscription');
  });

  test('keep a bounded number for a slow receiver, and count what was lost', async () => {
    let take = () => {};
    const { hub, received, connection } = setUp(() => new Promise((resolve) => (take = resolve)));
    connection.subscribe(of('project.file.changed'));
    for (let index = 0; index < 10_000; index += 1) hub.publish(changed(`${index}`));
    await settle();
    expect(received.map(([, { data, lost }]) => [data.paths, lost])).toEqual([[['0'], 0]]);
    take();
    await settle();
    expect(received[1]?.[1]).toMatchObject({ lost: 10_000 - 1 - 256, data: { paths: [`${10_000 - 256}`] } });
    connection.close();
  });

  test('to an event of another program hold to its fields, and count what was too large', async () => {
    const { hub, received, connection } = setUp();
    connection.subscribe(of('ext.art.drawn', { style: ['ink', 'oil'], done: true }));
    const drawn = (data: Record<string, unknown>) => hub.publish({ id: 'ext.art.drawn', data });
    drawn({ style: 'ink', done: true, at: 1 });
    drawn({ style: 'chalk', done: true, at: 2 });
    drawn({ style: 'ink', done: 'true', at: 3 });
    drawn({ done: true, at: 4 });
    drawn({ style: 'ink', done: true, text: 'x'.repeat(20_000) });
    drawn({ style: 'chalk', done: true, text: 'x'.repeat(20_000) });
    drawn({ style: 'oil', done: true, at: 5 });
    drawn({ style: 'oil', done: true, at: 6 });
    await settle();
    expect(received.map(([, { data, lost }]) => [data.at, lost])).toEqual([
      [1, 0],
      [5, 1],
      [6, 0],
    ]);
    connection.subscribe(of('ext.art.drawn', { toString: 'x' }));
    drawn({ style: 'chalk', done: true });
    await settle();
    expect(received).toHaveLength(3);
  });

  test.each([
    [of('project.file.changed', { paths: ['game/scene/**'] }), 'patterns are not understood'],
    [of('ext.art.drawn', 'ink'), 'not valid'],
    [of('ext.art.drawn', { style: { is: 'ink' } }), 'not valid'],
    [of('ext.art.drawn', { style: [] }), 'not valid'],
    [of('project.file.vanished'), 'no event'],
    [of('constructor'), 'no event'],
    [of('project.file.changed', { paths: 'game' }), 'not valid'],
    [of('project.file.changed', { folder: 'game' }), 'not valid'],
    [of('agent.turn.ended', { paths: ['a'] }), 'not valid'],
  ])('%j is refused', (request, message) => {
    expect(() => setUp().connection.subscribe(request)).toThrow(message);
  });

  test('are limited for each connection', () => {
    const { connection } = setUp();
    for (let index = 0; index < 10; index += 1) connection.subscribe(of('agent.turn.ended'));
    expect(() => connection.subscribe(of('agent.turn.ended'))).toThrow('10 subscriptions');
  });
});
