import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyOffsetEdits } from '../../../shared/text/text-edit.ts';
import { createUnsavedTextSender } from './unsaved-text.ts';

const DISK = 'one;\ntwo;\n';

/** Creates a page's text and the app's copy of it; requests are answered when `answer` is called. */
function setUp() {
  const screen = { text: DISK };
  const app = { text: null as string | null, revision: null as string | null, whole: 0, edits: 0 };
  const disk = { text: DISK, version: 'v0' };
  const waiting: (() => void)[] = [];
  const asked = <T>(work: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      waiting.push(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      });
    });
  let isBroken = false;
  const act = <T>(work: () => T) =>
    asked(() => {
      if (isBroken) throw new Error('The app does not answer.');
      return work();
    });
  const sender = createUnsavedTextSender({
    put: (text, _version, revision) =>
      act(() => {
        if (text !== null) app.whole += 1;
        Object.assign(app, { text, revision });
      }),
    edit: ({ base, edits, length, version, revision }) =>
      act(() => {
        const held = app.text ?? (base === version && version === disk.version ? disk.text : null);
        const isBase = app.text === null || app.revision === base;
        const text = held !== null && isBase ? applyOffsetEdits(held, edits, length) : null;
        if (text === null) return false;
        app.edits += 1;
        Object.assign(app, { text, revision });
        return true;
      }),
    getText: () => screen.text,
  });
  const type = (at: number, removed: number, text: string) => {
    screen.text = screen.text.slice(0, at) + text + screen.text.slice(at + removed);
    sender.note([{ at, removed, text }], screen.text.length);
  };
  /** Runs what is due before the next event, such as a keystroke. */
  const flush = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  const answer = async () => {
    waiting.shift()?.();
    await flush();
  };
  const settle = async () => {
    while (waiting.length > 0) await answer();
  };
  const release = () => {
    disk.text = screen.text;
    disk.version = `v${Number(disk.version.slice(1)) + 1}`;
    sender.release(disk.version);
  };
  return { screen, app, disk, sender, type, flush, answer, settle, release, fail: (now: boolean) => (isBroken = now) };
}

describe('the copy of unsaved text', () => {
  it('is updated by edits alone from the first keystroke after a save', async () => {
    const { screen, app, disk, sender, type, settle, release } = setUp();
    release();
    await settle();
    for (const letter of 'abc') {
      type(4, 0, letter);
      sender.send(disk.version);
      await settle();
    }
    expect(app).toMatchObject({ text: screen.text, whole: 0, edits: 3 });
    release();
    await settle();
    expect(app.text).toBeNull();
  });

  it('is sent whole when the app has another text, and by edits from then on', async () => {
    const { screen, app, disk, sender, type, settle, release } = setUp();
    release();
    await settle();
    type(0, 0, 'a');
    sender.send(disk.version);
    await settle();
    app.revision = 'of another page';
    type(0, 0, 'b');
    sender.send(disk.version);
    await settle();
    expect(app).toMatchObject({ text: screen.text, whole: 1 });
    type(0, 0, 'c');
    sender.send(disk.version);
    await settle();
    expect(app).toMatchObject({ text: screen.text, whole: 1, edits: 2 });
  });

  it('resolves a sync to the revision of the text on screen, unless it could not be sent or changed meanwhile', async () => {
    const { screen, app, disk, sender, type, answer, settle, release, fail } = setUp();
    release();
    await settle();
    type(0, 0, 'a');
    const sent = sender.sync(disk.version);
    await settle();
    expect(await sent).toBe(app.revision);
    expect(app).toMatchObject({ text: screen.text, edits: 1 });
    // Sent already: no further request.
    expect(await sender.sync(disk.version)).toBe(app.revision);
    type(0, 0, 'b');
    const overtaken = sender.sync(disk.version);
    await Promise.resolve();
    type(0, 0, 'c');
    await settle();
    expect(await overtaken).toBeNull();
    fail(true);
    const failed = sender.sync(disk.version);
    await answer();
    expect(await failed).toBeNull();
  });

  it('equals the text on screen at the end, in any order of answers, saves and failures', async () => {
    const step = fc.oneof(
      // Mostly of equal length, so that a lost edit cannot be detected by the length alone.
      fc.record({ do: fc.constant('type' as const), at: fc.nat(8), text: fc.constantFrom('x', 'y', 'z') }),
      fc.record({ do: fc.constantFrom('send', 'sync', 'release', 'answer', 'fail', 'another page') }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { screen, app, disk, sender, type, flush, answer, settle, release, fail } = setUp();
        const synced: Promise<void>[] = [];
        for (const each of steps) {
          if ('at' in each) type(each.at, 1, each.text);
          else if (each.do === 'send') sender.send(disk.version);
          else if (each.do === 'sync') {
            const sync = sender.sync(disk.version).then((revision) => {
              if (revision !== null && revision === app.revision) expect(app.text).toBe(screen.text);
            });
            synced.push(sync);
            await flush();
          } else if (each.do === 'release') release();
          else if (each.do === 'answer') await answer();
          else if (each.do === 'another page') app.revision = 'of another page';
          else {
            fail(true);
            await answer();
            fail(false);
          }
        }
        await settle();
        sender.send(disk.version);
        await settle();
        expect(app.text).toBe(screen.text);
        await Promise.all(synced);
      }),
      { numRuns: 2000 },
    );
  });
});
