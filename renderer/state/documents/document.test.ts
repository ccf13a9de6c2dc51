import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mergeTexts } from '../../../main/core/text/merge-texts.ts';
import { AppError } from '../../../shared/errors.ts';
import { toMergedText } from '../../../shared/model/merge.ts';
import { createDocument, type DocumentState } from './document.ts';
import { AUTOSAVE_DELAY_MS } from './operations/save-document.ts';

/** Creates a document with a fake disk of one file and a fake screen. */
function setUp(initial = 'a:1;\n') {
  const disk = {
    readFailure: null as AppError | null,
    readGate: null as Promise<void> | null,
    text: initial as string | null,
    saves: 0,
    gate: null as Promise<void> | null,
    failure: null as AppError | null,
  };
  const screen = { text: '' };
  const buffers: (string | null)[] = [];
  const states: DocumentState[] = [];
  const versionOf = (text: string) => `v:${text}`;
  let isAutosaving = true;
  const document = createDocument('game/scene/start.txt', {
    read: async (path) => {
      await disk.readGate;
      if (disk.readFailure) throw disk.readFailure;
      if (disk.text === null) throw new AppError('E_NOT_FOUND', 'gone');
      return { path, text: disk.text, version: versionOf(disk.text) };
    },
    save: async (_path, text, version) => {
      await disk.gate;
      if (disk.failure) throw disk.failure;
      const actual = disk.text === null ? null : versionOf(disk.text);
      if (actual !== version) throw new AppError('E_CONFLICT', 'changed');
      disk.text = text;
      disk.saves += 1;
      return versionOf(text);
    },
    // Like an app that was restarted: it has no base text except the one that is passed.
    merge: async (path, text, { base }) => {
      await disk.gate;
      if (disk.text === null) throw new AppError('E_NOT_FOUND', 'gone');
      const theirs = { path, text: disk.text, version: versionOf(disk.text) };
      return { theirs, parts: mergeTexts({ base, mine: text, theirs: disk.text }) };
    },
    keep: () => buffers.push(screen.text),
    release: () => buffers.push(null),
    getText: () => screen.text,
    setText: (text) => {
      screen.text = text;
      document.changed();
    },
    isAutosaving: () => isAutosaving,
    onState: (state) => states.push(state),
  });
  const type = (text: string) => {
    screen.text = text;
    document.changed();
  };
  return { disk, screen, buffers, states, document, type, stopAutosave: () => (isAutosaving = false) };
}

describe('an open file', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('writes the own text of a conflict once the disk takes it, without asking again', async () => {
    const { disk, document, type } = setUp();
    await document.load();
    type('mine;\n');
    disk.text = 'theirs;\n';
    await document.save();
    expect(document.state().status).toBe('conflict');
    disk.failure = new AppError('E_IO', 'full');
    await document.resolve('mine');
    expect(document.state()).toMatchObject({ status: 'failed', theirs: null });
    disk.failure = null;
    await vi.advanceTimersByTimeAsync(10_000);
    expect([document.state().status, disk.text]).toEqual(['saved', 'mine;\n']);
  });

  it('saves once, half a second after the last keystroke', async () => {
    const { disk, document, type } = setUp();
    await document.load();
    type('a:12;\n');
    await vi.advanceTimersByTimeAsync(AUTOSAVE_DELAY_MS - 10);
    type('a:123;\n');
    expect(document.state().status).toBe('dirty');
    await vi.advanceTimersByTimeAsync(AUTOSAVE_DELAY_MS);
    expect({ text: disk.text, saves: disk.saves, status: document.state().status }).toEqual({
      text: 'a:123;\n',
      saves: 1,
      status: 'saved',
    });
  });

  it('saves every two seconds while the user types on', async () => {
    const { disk, document, type } = setUp();
    await document.load();
    let text = '';
    for (let key = 0; key < 60; key += 1) {
      text += 'x';
      type(text);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(disk.saves).toBeGreaterThanOrEqual(2);
    expect(disk.saves).toBeLessThanOrEqual(3);
    expect(text.length - (disk.text ?? '').length).toBeLessThanOrEqual(21);
  });

  it('keeps the reason of a failed save while the user types on, and tries again by itself', async () => {
    const { disk, states, document, type } = setUp();
    await document.load();
    disk.failure = new AppError('E_IO', 'disk full');
    type('a');
    await vi.advanceTimersByTimeAsync(AUTOSAVE_DELAY_MS);
    const failedAt = states.length;
    for (const text of ['ab', 'abc', 'abcd']) {
      type(text);
      await vi.advanceTimersByTimeAsync(AUTOSAVE_DELAY_MS);
    }
    expect(new Set(states.slice(failedAt - 1).map(({ status, error }) => `${status} ${error?.code}`))).toEqual(
      new Set(['failed E_IO']),
    );
    disk.failure = null;
    await vi.advanceTimersByTimeAsync(5_000);
    expect([disk.text, document.state().status, document.state().error]).toEqual(['abcd', 'saved', null]);
  });

  it('sends the unsaved text before the save and releases it after', async () => {
    const { buffers, document, type } = setUp();
    await document.load();
    type('b');
    await vi.advanceTimersByTimeAsync(200);
    expect(buffers.at(-1)).toBe('b');
    await vi.advanceTimersByTimeAsync(AUTOSAVE_DELAY_MS);
    expect(buffers.at(-1)).toBe(null);
  });

  it('saves again when text is typed during a save', async () => {
    const { disk, document, type } = setUp();
    await document.load();
    let open = () => {};
    disk.gate = new Promise((resolve) => {
      open = resolve;
    });
    type('one');
    const saved = document.save();
    type('two');
    open();
    await saved;
    expect({ text: disk.text, status: document.state().status }).toEqual({ text: 'one', status: 'dirty' });
    await vi.advanceTimersByTimeAsync(AUTOSAVE_DELAY_MS);
    expect({ text: disk.text, status: document.state().status }).toEqual({ text: 'two', status: 'saved' });
  });

  it('loads an external change when there is no unsaved text', async () => {
    const { disk, screen, document } = setUp();
    await document.load();
    disk.text = 'from outside\n';
    await document.checkDisk();
    expect({ screen: screen.text, status: document.state().status }).toEqual({
      screen: 'from outside\n',
      status: 'saved',
    });
  });

  it('keeps both texts when both sides changed, and never overwrites the other automatically', async () => {
    const { disk, screen, document, type } = setUp();
    await document.load();
    type('mine\n');
    disk.text = 'theirs\n';
    await document.checkDisk();
    await vi.advanceTimersByTimeAsync(AUTOSAVE_DELAY_MS * 3);
    type('mine, more\n');
    await vi.advanceTimersByTimeAsync(AUTOSAVE_DELAY_MS * 3);
    expect({
      disk: disk.text,
      screen: screen.text,
      status: document.state().status,
      theirs: document.state().theirs?.text,
    }).toEqual({
      disk: 'theirs\n',
      screen: 'mine, more\n',
      status: 'conflict',
      theirs: 'theirs\n',
    });
    await document.resolve('mine');
    expect({ disk: disk.text, status: document.state().status }).toEqual({ disk: 'mine, more\n', status: 'saved' });
  });

  it('detects a conflict when the save is rejected, and can load the other text', async () => {
    const { disk, screen, document, type } = setUp();
    await document.load();
    disk.text = 'theirs\n';
    type('mine\n');
    await document.save();
    expect(document.state().status).toBe('conflict');
    await document.resolve('theirs');
    expect({ screen: screen.text, status: document.state().status }).toEqual({ screen: 'theirs\n', status: 'saved' });
  });

  it('reports no conflict when both sides have the same text', async () => {
    const { disk, document, type } = setUp();
    await document.load();
    type('same\n');
    disk.text = 'same\r\n';
    await document.save();
    expect(document.state().status).toBe('saved');
  });

  it('keeps the text and the error when a save fails, and saves on the next try', async () => {
    const { disk, screen, document, type } = setUp();
    await document.load();
    disk.failure = new AppError('E_IO', 'disk full');
    type('precious\n');
    await document.save();
    expect({ status: document.state().status, code: document.state().error?.code, screen: screen.text }).toEqual({
      status: 'failed',
      code: 'E_IO',
      screen: 'precious\n',
    });
    disk.failure = null;
    await document.save();
    expect({ status: document.state().status, disk: disk.text }).toEqual({ status: 'saved', disk: 'precious\n' });
  });

  it('reports a removed file and can write it again', async () => {
    const { disk, document, type } = setUp();
    await document.load();
    type('still here\n');
    disk.text = null;
    await document.checkDisk();
    expect(document.state().status).toBe('gone');
    await document.resolve('mine');
    expect({ disk: disk.text, status: document.state().status }).toEqual({ disk: 'still here\n', status: 'saved' });
  });

  it('reports a file that was removed in the moment of a save as gone, not as a failure', async () => {
    const { disk, document, type } = setUp();
    await document.load();
    type('still here\n');
    disk.text = null;
    disk.failure = new AppError('E_NOT_FOUND', 'There is no such file.');
    await document.save();
    expect(document.state()).toMatchObject({ status: 'gone', version: null });
    disk.failure = null;
    await document.resolve('mine');
    expect({ disk: disk.text, status: document.state().status }).toEqual({ disk: 'still here\n', status: 'saved' });
  });

  it('does not save automatically when autosave is off', async () => {
    const { disk, document, type, stopAutosave } = setUp();
    await document.load();
    stopAutosave();
    type('later\n');
    await vi.advanceTimersByTimeAsync(AUTOSAVE_DELAY_MS * 10);
    expect(disk.saves).toBe(0);
    await document.save();
    expect(disk.text).toBe('later\n');
  });

  it('reports unsaved text in every status', async () => {
    const { disk, document, type } = setUp();
    await document.load();
    expect(document.hasUnsaved()).toBe(false);
    type('words\n');
    disk.text = null;
    await document.checkDisk();
    expect({ status: document.state().status, unsaved: document.hasUnsaved() }).toEqual({
      status: 'gone',
      unsaved: true,
    });
    await document.resolve('mine');
    expect({ status: document.state().status, unsaved: document.hasUnsaved() }).toEqual({
      status: 'saved',
      unsaved: false,
    });
  });

  it('loads a file that was removed and recreated when there is no unsaved text', async () => {
    const { disk, screen, document } = setUp();
    await document.load();
    disk.text = null;
    await document.checkDisk();
    disk.text = 'another branch\n';
    await document.checkDisk();
    expect({ status: document.state().status, screen: screen.text }).toEqual({
      status: 'saved',
      screen: 'another branch\n',
    });
  });

  it('recovers from a temporary read failure', async () => {
    const { disk, screen, document } = setUp();
    await document.load();
    disk.readFailure = new AppError('E_IO', 'busy');
    await document.checkDisk();
    expect(document.state().status).toBe('unreadable');
    disk.readFailure = null;
    await document.checkDisk();
    expect({ status: document.state().status, screen: screen.text }).toEqual({ status: 'saved', screen: 'a:1;\n' });
  });

  it('keeps and later saves unsaved text when the disk cannot be read', async () => {
    const { disk, document, type } = setUp();
    await document.load();
    disk.failure = new AppError('E_IO', 'disk full');
    type('precious\n');
    await document.save();
    disk.readFailure = new AppError('E_IO', 'busy');
    await document.checkDisk();
    expect(document.state().status).toBe('failed');
    disk.readFailure = null;
    disk.failure = null;
    await document.save();
    expect(disk.text).toBe('precious\n');
  });

  it('ignores answers that arrive after closing', async () => {
    const { disk, screen, document, states } = setUp();
    let open = () => {};
    disk.readGate = new Promise((resolve) => {
      open = resolve;
    });
    const loading = document.load();
    document.close();
    screen.text = 'of another game\n';
    const before = states.length;
    open();
    await loading;
    expect({ screen: screen.text, states: states.length }).toEqual({ screen: 'of another game\n', states: before });
  });

  it('resumes saving when the disk returns to the base version', async () => {
    const { disk, document, type } = setUp();
    await document.load();
    type('mine\n');
    disk.text = 'theirs\n';
    await document.checkDisk();
    disk.text = 'a:1;\n';
    await document.checkDisk();
    await vi.advanceTimersByTimeAsync(AUTOSAVE_DELAY_MS);
    expect({ status: document.state().status, disk: disk.text }).toEqual({ status: 'saved', disk: 'mine\n' });
  });

  it('sends the buffer during continuous typing', async () => {
    const { buffers, document, type } = setUp();
    await document.load();
    for (const text of ['b', 'bc', 'bcd', 'bcde']) {
      type(text);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(buffers.at(-1)).toMatch(/^bcd/);
  });

  it('shows and saves recovered text whose base is the version on disk', async () => {
    const { disk, screen, document } = setUp();
    await document.load({ path: document.path, text: 'a:1; typed\n', version: 'v:a:1;\n' });
    expect({ text: screen.text, status: document.state().status, isUnsaved: document.hasUnsaved() }).toEqual({
      text: 'a:1; typed\n',
      status: 'dirty',
      isUnsaved: true,
    });
    await vi.advanceTimersByTimeAsync(AUTOSAVE_DELAY_MS);
    expect(disk.text).toBe('a:1; typed\n');
  });

  it('keeps both texts when the disk changed since the base of the recovered text', async () => {
    const { disk, screen, document } = setUp('from outside;\n');
    await document.load({ path: document.path, text: 'typed;\n', version: 'v:a:1;\n' });
    await vi.advanceTimersByTimeAsync(AUTOSAVE_DELAY_MS * 2);
    expect({ disk: disk.text, screen: screen.text, status: document.state().status }).toEqual({
      disk: 'from outside;\n',
      screen: 'typed;\n',
      status: 'conflict',
    });
    expect(document.state().theirs?.text).toBe('from outside;\n');
  });

  it('shows recovered text when its file was removed or cannot be read', async () => {
    for (const [failure, status] of [
      [null, 'gone'],
      [new AppError('E_IO', 'no'), 'failed'],
    ] as const) {
      const { disk, screen, document } = setUp();
      if (failure) disk.readFailure = failure;
      else disk.text = null;
      await document.load({ path: document.path, text: 'typed;\n', version: 'v:a:1;\n' });
      expect([screen.text, document.state().status, document.hasUnsaved()]).toEqual(['typed;\n', status, true]);
    }
  });

  it('treats recovered text that equals the text on disk as saved', async () => {
    const { buffers, document } = setUp();
    await document.load({ path: document.path, text: 'a:1;\n', version: 'v:older' });
    expect([document.state().status, document.hasUnsaved(), buffers.at(-1)]).toEqual(['saved', false, null]);
  });
});

describe('merging a conflict', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  async function conflict(mine: string, theirs: string) {
    const game = setUp('a;\nb;\n');
    await game.document.load();
    game.type(mine);
    game.disk.text = theirs;
    await game.document.checkDisk();
    expect(game.document.state().status).toBe('conflict');
    return game;
  }

  it('shows both changes and saves them over the text they were merged with', async () => {
    const { disk, screen, buffers, document } = await conflict('top;\na;\nb;\n', 'a;\nb;\nend;\n');
    expect(await document.merge()).toBeNull();
    expect([screen.text, document.state().status, document.hasUnsaved()]).toEqual([
      'top;\na;\nb;\nend;\n',
      'dirty',
      true,
    ]);
    await vi.advanceTimersByTimeAsync(AUTOSAVE_DELAY_MS);
    expect([disk.text, document.state().status]).toEqual(['top;\na;\nb;\nend;\n', 'saved']);
    expect(buffers).toContain('top;\na;\nb;\nend;\n');
  });

  it('changes nothing on conflicting lines until the user has chosen', async () => {
    const { disk, screen, document } = await conflict('mine;\nb;\n', 'theirs;\nb;\n');
    const merge = await document.merge();
    expect([screen.text, disk.text, document.state().status]).toEqual(['mine;\nb;\n', 'theirs;\nb;\n', 'conflict']);
    if (!merge) throw new Error('No merge to choose from.');
    expect(document.takeMerge(merge, toMergedText(merge.parts, ['both']))).toBe(true);
    await vi.advanceTimersByTimeAsync(AUTOSAVE_DELAY_MS);
    expect(disk.text).toBe('theirs;\nmine;\nb;\n');
  });

  it('rejects a choice that was made for another text', async () => {
    const { screen, document, type } = await conflict('mine;\nb;\n', 'theirs;\nb;\n');
    const merge = await document.merge();
    type('mine and more;\nb;\n');
    expect(merge && document.takeMerge(merge, toMergedText(merge.parts))).toBe(false);
    expect([screen.text, document.state().status]).toEqual(['mine and more;\nb;\n', 'conflict']);
  });

  it('keeps text that is typed during a merge', async () => {
    const { disk, document, screen, type } = await conflict('top;\na;\nb;\n', 'a;\nb;\nend;\n');
    let open = () => {};
    disk.gate = new Promise((resolve) => {
      open = resolve;
    });
    const merged = document.merge();
    type('top!;\na;\nb;\n');
    open();
    expect(await merged).toBeNull();
    expect(screen.text).toBe('top!;\na;\nb;\nend;\n');
  });

  it('stays in conflict when merging fails, and ends it when the disk has the chosen text', async () => {
    const { disk, document } = await conflict('mine;\nb;\n', 'theirs;\nb;\n');
    disk.text = null;
    await expect(document.merge()).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
    expect(document.state().status).toBe('conflict');
    disk.text = 'theirs;\nb;\n';
    const merge = await document.merge();
    expect(merge && document.takeMerge(merge, 'theirs;\nb;\n')).toBe(true);
    expect([document.state().status, document.hasUnsaved()]).toEqual(['saved', false]);
  });
});
