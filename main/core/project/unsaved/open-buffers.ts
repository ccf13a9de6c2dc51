import type { UnsavedText } from '../../../../shared/model/project.ts';
import type { ProgramFile } from '../../ports/workspace.ts';
import type { Buffers } from '../../services.ts';
import { createTimers } from '../../timers.ts';
import { type BaseTexts, createBaseTexts } from './base-texts.ts';
import { createBuffers } from './buffers.ts';
import { restoreTexts, toStoredTexts } from './stored-texts.ts';

/** For how long a text stays in memory only: longer than an autosave takes, so that ordinary typing stores nothing. */
export const KEEP_AFTER_MS = 3_000;

/** The unsaved text of the editor, and what it was made from. */
export interface OpenBuffers {
  buffers: Buffers;
  bases: BaseTexts;
  /** Ends the storing, after what is unsaved now was stored, and what could not be removed until now was removed. */
  stopKeeping(): void;
}

/** Since when each text waits, by path, in milliseconds of the process; a save gives it another version, and it waits anew. */
type WaitingTexts = Map<string, { version: string | null; since: number }>;

/**
 * Creates the buffers, with what a program that was killed has left. Text that is not saved for three seconds (the file changed
 * outside, it cannot be written, or the user saves by hand) is stored in the app's folder, again at most every three seconds, until
 * it is saved or discarded.
 */
export async function openBuffers(
  file: ProgramFile,
  onFault: (fault: { where: string; error: unknown }) => void,
): Promise<OpenBuffers> {
  const buffers = createBuffers();
  const bases = createBaseTexts();
  const timers = createTimers();
  const waiting: WaitingTexts = new Map();
  /** The paths of the stored texts. One that is saved in part, or merged, stays stored while it is unsaved. */
  let stored: ReadonlySet<string> = new Set();
  let isStopped = false;
  /** True from a store that failed, such as on a full disk, until the next that succeeds. */
  let isFailing = false;
  /** True while what is no longer unsaved is still stored, because it could not be removed. */
  let isLeft = false;

  const store = (texts: readonly UnsavedText[]): void => {
    const before = stored;
    const wanted = new Set(texts.map(({ path }) => path));
    stored = wanted;
    file.write(texts.length > 0 ? toStoredTexts(texts, bases) : null).then(
      () => {
        isFailing = false;
        isLeft = false;
      },
      (error: unknown) => {
        if (!isFailing) onFault({ where: 'unsaved text', error });
        isFailing = true;
        // What could not be removed is still stored.
        isLeft = wanted.size === 0;
        if (stored === wanted && isLeft) stored = before;
        if (!isStopped) timers.setOnce('keep', KEEP_AFTER_MS, keep);
      },
    );
  };

  const look = (): void => {
    const texts = buffers.unsaved();
    pinBases(bases, texts);
    noteWaiting(waiting, texts);
    if (texts.length > 0) timers.setOnce('keep', KEEP_AFTER_MS, keep);
    else {
      timers.clearAll();
      if (stored.size > 0) store([]);
    }
  };

  const keep = (): void => {
    look();
    // A timer can fire a fraction of a millisecond early.
    const now = performance.now() + 1;
    const texts = buffers.unsaved();
    const old = texts.filter(
      ({ path }) => stored.has(path) || now - (waiting.get(path)?.since ?? now) >= KEEP_AFTER_MS,
    );
    if (old.length > 0 || stored.size > 0) store(old);
    if (old.length === texts.length) timers.clear('keep');
  };

  // The game opens without it; what is stored stays for the next start.
  await restoreTexts(file, { buffers, bases }).catch((error: unknown) =>
    onFault({ where: 'unsaved text of the last start', error }),
  );
  stored = new Set(buffers.all().keys());
  pinBases(bases, buffers.unsaved());
  const stop = buffers.on(look);
  return {
    buffers,
    bases,
    stopKeeping() {
      isStopped = true;
      stop();
      timers.clearAll();
      // The file is closed after it.
      const texts = buffers.unsaved();
      if (texts.length > 0 || isLeft) store(texts);
    },
  };
}

/** Without its base, an unsaved text can be compared with the disk's and not be merged. */
function pinBases(bases: BaseTexts, texts: readonly UnsavedText[]): void {
  bases.pin(texts.flatMap(({ version }) => version ?? []));
}

function noteWaiting(waiting: WaitingTexts, texts: readonly UnsavedText[]): void {
  const now = performance.now();
  for (const path of waiting.keys()) if (!texts.some((text) => text.path === path)) waiting.delete(path);
  for (const { path, version } of texts) {
    const known = waiting.get(path);
    if (known?.version !== version || known === undefined) waiting.set(path, { version, since: now });
  }
}
