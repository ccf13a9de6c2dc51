import { z } from 'zod';
import { UnsavedText } from '../../../shared/model/project.ts';
import type { ProgramFile } from '../ports/workspace.ts';
import type { Buffers } from '../services.ts';
import { createTimers } from '../timers.ts';
import { type BaseTexts, createBaseTexts } from './base-texts.ts';
import { createBuffers } from './buffers.ts';

/** For how long a text stays in memory only: longer than an autosave takes, so that ordinary typing stores nothing. */
export const KEEP_AFTER_MS = 3_000;

/** What is stored: the texts, and what each was made from (null: not known). */
const Stored = z.array(UnsavedText.extend({ base: z.string().nullable() }));
type Stored = z.infer<typeof Stored>;

/** The unsaved text of the editor, and what it was made from. */
export interface OpenBuffers {
  buffers: Buffers;
  bases: BaseTexts;
  /** Ends the storing; what is stored stays. */
  stopKeeping(): void;
}

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
  /** Since when each text waits, in milliseconds of the process; a save gives it another version, and it waits anew. */
  const waiting = new Map<string, { version: string | null; since: number }>();
  /** The paths of the stored texts. One that is saved in part, or merged, stays stored while it is unsaved. */
  let stored: ReadonlySet<string> = new Set();

  /** With the text that each was made from, without which it could not be merged with the disk's after a start. */
  const toStored = (texts: readonly UnsavedText[]): Stored =>
    texts.map((text) => ({ ...text, base: text.version && bases.find(text.version) }));

  const store = (texts: readonly UnsavedText[]): void => {
    stored = new Set(texts.map(({ path }) => path));
    file
      .write(texts.length > 0 ? toStored(texts) : null)
      .catch((error: unknown) => onFault({ where: 'unsaved text', error }));
  };

  const look = (): void => {
    const texts = buffers.unsaved();
    const now = performance.now();
    for (const path of waiting.keys()) if (!texts.some((text) => text.path === path)) waiting.delete(path);
    for (const { path, version } of texts) {
      const known = waiting.get(path);
      if (known?.version !== version || known === undefined) waiting.set(path, { version, since: now });
    }
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

  const takeOver = (texts: Stored): void => {
    for (const { path, text, version, base } of texts) {
      if (version !== null && base !== null) bases.remember(version, base);
      buffers.set(path, text, { version });
    }
  };

  /** Other programs that were killed have left texts of their own. Of two texts of one file, one waits for a later start. */
  const takeOthers = async (value: unknown): Promise<unknown> => {
    const { data } = Stored.safeParse(value);
    if (data === undefined) return value;
    const open = buffers.all();
    const taken = data.filter(({ path }) => !open.has(path));
    const waits = data.filter(({ path, text }) => open.has(path) && open.get(path) !== text);
    if (waits.length === data.length) return value;
    takeOver(taken);
    // Before it is removed there.
    await file.write(toStored(buffers.unsaved()));
    return waits.length > 0 ? waits : null;
  };

  const restore = async (): Promise<void> => {
    const { data } = Stored.safeParse(await file.read());
    if (data === undefined) return;
    takeOver(data);
    await file.takeOthers(takeOthers);
    stored = new Set(buffers.all().keys());
  };

  // The game opens without it; what is stored stays for the next start.
  await restore().catch((error: unknown) => onFault({ where: 'unsaved text of the last start', error }));
  const stop = buffers.on(look);
  return {
    buffers,
    bases,
    stopKeeping() {
      stop();
      timers.clearAll();
    },
  };
}
