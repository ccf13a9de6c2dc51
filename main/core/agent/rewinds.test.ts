import { describe, expect, it } from 'vitest';
import {
  createChatKit,
  createMemoryDisk,
  createMemorySessions,
  createScriptedModel,
  type ScriptStep,
  step,
} from '../../../tests/support/chat-kit.ts';
import type { LogEvent } from './session/log-events.ts';

const START = 'game/scene/start.txt';
const OTHER = 'game/scene/other.txt';
const BEFORE = 'A:hi;\nend;\n';
const write = (path: string, content: string): [string, unknown] => ['write_to_file', { path, content }];
const done = (result = 'Done.'): [string, unknown] => ['attempt_completion', { result }];

async function open(...steps: ScriptStep[]) {
  const model = createScriptedModel(steps);
  const kit = await createChatKit({ model, files: { [START]: BEFORE } });
  const send = async (text: string) => {
    await kit.chat.send({ text, mode: 'act' });
    await kit.settled();
  };
  const accept = () => kit.chat.accept({ id: kit.proposals.current()?.id ?? '' });
  const idOf = (text: string) => kit.items('user').find((item) => item.text === text)?.id ?? '';
  const resend = async (old: string, text: string) => {
    await kit.chat.resend({ message: idOf(old), text, mode: 'act' });
    await kit.settled();
  };
  const undo = () => kit.chat.undoResend(kit.chat.state()?.undoable ?? '');
  /** The texts of the messages that count. */
  const said = () => kit.items('user').flatMap((item) => (item.aside === undefined ? [item.text] : []));
  const heard = () => JSON.stringify(model.requests.at(-1)?.messages);
  return { ...kit, model, send, accept, resend, undo, said, heard };
}

describe('sending an earlier message anew', () => {
  it('sets the message and everything after it aside, for the model and in the chat', async () => {
    const kit = await open(step('', done('One.')), step('', done('Two.')), step('', done('Three.')));
    await kit.send('First');
    await kit.send('Second');
    await kit.resend('Second', 'Second, better');
    expect(kit.said()).toEqual(['First', 'Second, better']);
    expect(kit.items('completion').map(({ aside }) => aside !== undefined)).toEqual([false, true, false]);
    expect(kit.heard()).toContain('First');
    expect(kit.heard()).not.toContain('Two.');
    expect(kit.heard()).toContain('The user went back to this point');
    const again = await createChatKit({ sessions: kit.sessions, disk: kit.disk, ids: 'again' });
    expect(again.chat.state()?.items).toEqual(kit.chat.state()?.items);
  });

  it('replaces a title that repeats the first message, also after a restart, until it is undone', async () => {
    const kit = await open(step('', done()), step('', done()), step('', done()));
    const titles = async () => [
      kit.chat.state()?.title,
      (await kit.chat.sessions({ after: null, limit: 100 })).sessions[0]?.title,
    ];
    await kit.send('Rain');
    await kit.send('Second');
    await kit.resend('Rain', 'Snow\nplease');
    expect(await titles()).toEqual(['Snow', 'Snow']);
    const again = await createChatKit({ sessions: kit.sessions, disk: kit.disk, ids: 'again' });
    expect([
      again.chat.state()?.title,
      (await again.chat.sessions({ after: null, limit: 100 })).sessions[0]?.title,
    ]).toEqual(['Snow', 'Snow']);
    await again.chat.undoResend(again.chat.state()?.undoable ?? '');
    const last = await createChatKit({ sessions: kit.sessions, disk: kit.disk, ids: 'last' });
    expect([
      again.chat.state()?.title,
      (await last.chat.sessions({ after: null, limit: 100 })).sessions[0]?.title,
    ]).toEqual(['Rain', 'Rain']);
  });

  it('keeps a title that the user chose', async () => {
    const kit = await open(step('', done()), step('', done()));
    await kit.send('Rain');
    await kit.chat.rename('Weather');
    await kit.resend('Rain', 'Snow');
    expect([
      kit.chat.state()?.title,
      (await kit.chat.sessions({ after: null, limit: 100 })).sessions[0]?.title,
    ]).toEqual(['Weather', 'Weather']);
  });

  it('keeps accepted files and names them for the model', async () => {
    const kit = await open(step('', write(START, 'new'), done()), step('ok'));
    await kit.send('Rain');
    await kit.accept();
    await kit.resend('Rain', 'Snow');
    expect(kit.disk.files.get(START)).toBe('new');
    expect(kit.heard()).toContain(START);
    expect(kit.heard()).toContain('stay on disk');
  });

  it('sets an open proposal aside, and undo restores it', async () => {
    const kit = await open(step('', write(START, 'new'), done()), step('ok'));
    await kit.send('Rain');
    expect(kit.chat.state()?.phase).toBe('review');
    const { items } = kit.chat.state() ?? { items: [] };
    await kit.resend('Rain', 'Snow');
    expect([kit.proposals.current(), kit.chat.state()?.phase]).toEqual([null, 'idle']);
    await kit.undo();
    expect(kit.proposals.current()).toMatchObject({ state: 'review', files: [{ path: START, after: 'new' }] });
    expect(kit.chat.state()?.phase).toBe('review');
    expect(kit.chat.state()?.items.slice(0, items.length)).toEqual(items);
    expect(kit.said()).toEqual(['Rain']);
    await kit.accept();
    expect(kit.disk.files.get(START)).toBe('new');
  });

  it('restores the proposal that was open before it with its text, also after a restart', async () => {
    const kit = await open(
      step('', write(START, 'one'), done()),
      step('', write(START, 'two'), done()),
      step('', done('Nothing.')),
    );
    await kit.send('First');
    await kit.send('Second');
    const lines = [...([...kit.sessions.lines.values()][0] ?? [])];
    const [id] = [...kit.sessions.lines.keys()];
    const again = await createChatKit({
      ...{ disk: kit.disk, ids: 'again', sessions: createMemorySessions({ [id ?? '']: lines }) },
      model: createScriptedModel([step('', done('Nothing.'))]),
    });
    expect(again.proposals.current()?.files).toMatchObject([{ after: 'two' }]);
    await again.chat.resend({ message: again.items('user')[1]?.id ?? '', text: 'Third', mode: 'act' });
    await again.settled();
    expect(again.proposals.current()?.files).toMatchObject([{ path: START, after: 'one' }]);
  });

  it('does not restore drafts that were accepted meanwhile', async () => {
    const kit = await open(step('', write(START, 'one'), done()), step('', write(OTHER, 'x'), done()), step('ok'));
    await kit.send('First');
    await kit.send('Second');
    await kit.accept();
    await kit.resend('Second', 'Third');
    expect(kit.proposals.current()).toBeNull();
    expect(kit.disk.files.get(START)).toBe('one');
  });

  it('cannot be undone after a newer message', async () => {
    const kit = await open(step('a'), step('b'), step('c'));
    await kit.send('First');
    await kit.resend('First', 'Second');
    const id = kit.chat.state()?.undoable ?? '';
    await kit.send('Third');
    expect(kit.chat.state()?.undoable).toBeUndefined();
    await expect(kit.chat.undoResend(id)).rejects.toMatchObject({ reason: 'chat.undoGone' });
  });

  it('is refused for a message that was set aside and while the assistant works', async () => {
    const hang: ScriptStep = async function* () {
      yield { kind: 'text', text: 'Hm' } as const;
      await new Promise(() => undefined);
    };
    const kit = await open(step('a'), step('b'), hang);
    await kit.send('First');
    await kit.resend('First', 'Second');
    const [first, second] = kit.items('user');
    await expect(kit.chat.resend({ message: first?.id ?? '', text: 'x', mode: 'act' })).rejects.toMatchObject({
      reason: 'chat.messageGone',
    });
    await kit.chat.send({ text: 'Third', mode: 'act' });
    await expect(kit.chat.resend({ message: second?.id ?? '', text: 'x', mode: 'act' })).rejects.toMatchObject({
      reason: 'chat.busy',
    });
    await kit.chat.stop();
  });

  it('keeps what was paid in the usage, but not in the fill of the window', async () => {
    const kit = await open(step('a'), step('b'));
    await kit.send('First');
    await kit.resend('First', 'Second');
    expect(kit.chat.state()?.sessionUsage.input).toBe(20);
  });
});

describe('killed after any line of the log', async () => {
  const kit = await open(
    step('', write(START, 'one'), done()),
    step('', write(START, 'two'), done()),
    step('', write(OTHER, 'three'), done()),
    step('', done('Four.')),
  );
  await kit.send('First');
  await kit.send('Second');
  await kit.resend('Second', 'Second, better');
  await kit.undo();
  await kit.resend('First', 'First, better');
  const [id, lines] = [...kit.sessions.lines][0] ?? ['', []];
  const events = lines.map((line) => JSON.parse(line) as LogEvent);

  it.each(events.map((event, index) => [index, event.t] as const))('line %i (%s)', async (index) => {
    const disk = createMemoryDisk({ [START]: BEFORE });
    const sessions = createMemorySessions({ [id]: lines.slice(0, index + 1) });
    const model = createScriptedModel([step('', done('Going on.'))]);
    const again = await createChatKit({ model, disk, sessions, ids: 'again' });
    expect(['idle', 'review']).toContain(again.chat.state()?.phase);
    expect(again.items('tool').filter(({ state }) => state === 'running')).toEqual([]);
    // A second start has nothing to settle, and shows the same.
    const settled = [...(sessions.lines.get(id) ?? [])];
    const twice = await createChatKit({ disk, sessions: createMemorySessions({ [id]: settled }), ids: 'twice' });
    expect(twice.sessions.lines.get(id)).toEqual(settled);
    expect(twice.chat.state()?.items).toEqual(again.chat.state()?.items);
    // The text that replaces a message is sent or waits.
    const shown = [...(again.chat.state()?.queue ?? []), ...again.items('user')].map((each) => each.id);
    for (const event of events.slice(0, index + 1)) if (event.t === 'queue.put') expect(shown).toContain(event.id);
    await again.chat.send({ text: 'Go on', mode: 'act' });
    await again.settled();
    const roles = model.requests[0]?.messages.map(({ role }) => role) ?? [];
    expect(roles[0]).toBe('user');
    expect(roles.some((role, place) => role === roles[place + 1])).toBe(false);
    expect([...disk.files]).toEqual([[START, BEFORE]]);
  });
});
