import { AppError } from '../../../shared/errors.ts';
import type { RestoreResult } from '../../../shared/model/checkpoint.ts';
import type { MediaChange } from '../../../shared/model/message/disk-change.ts';
import { isMediaName } from '../../../shared/paths/media-name.ts';
import type { Checkpoints, CheckpointWork, StateChange, StateFile } from '../ports/stores/checkpoints.ts';
import type { Change, Writer } from '../ports/writer.ts';
import { toStrictText } from './read-kept-file.ts';

/** A larger file is restored as bytes: a transaction keeps its texts in memory. */
const MAX_TEXT_BYTES = 5 * 1024 * 1024;

interface Restore {
  id: string;
  /** The checkpoint of the present, made a moment ago. */
  before: string;
  /** Absent: all files of the checkpoint. */
  paths: readonly string[] | undefined;
  /** Groups the texts in the history. */
  group: string;
  context: CheckpointWork;
}

interface Sorted {
  texts: { change: Change; file: StateChange }[];
  media: StateChange[];
  failed: RestoreResult['failed'];
}

/**
 * Restores files. Whatever may fail for all of them (space, access) is done first, so that it fails before the game is
 * changed: copies of pictures and sounds, then the texts in one transaction, which the history shows; then the copies get
 * their names. Everything is read once more at the end. Also returns what was done to files that are not texts.
 */
export async function restoreFiles(
  ports: { checkpoints: Checkpoints; writer: Writer },
  restore: Restore,
): Promise<{ result: RestoreResult; media: MediaChange[] }> {
  const { checkpoints, writer } = ports;
  const { before, context } = restore;
  const wanted = await findWanted(checkpoints, restore);
  const { texts, media, failed } = await sortFiles(checkpoints, wanted.changes);
  failed.push(...wanted.failed);
  const staged = await checkpoints.stage(media, context);
  try {
    if (texts.length > 0) {
      const changes = texts.map(({ change }) => change);
      await writer.apply(changes, { origin: 'restore', group: restore.group, title: '' });
    }
  } catch (error) {
    await staged.discard();
    throw error;
  }
  // The texts are written by now: a failure is part of the answer, which also says how to go back.
  const late = await staged.commit().catch(() => media.map(({ path }) => ({ path, reason: 'refused' as const })));
  failed.push(...staged.failed, ...late);
  const missed = new Set(failed.map(({ path }) => path));
  const done = [...texts.map(({ file }) => file), ...media].filter(({ path }) => !missed.has(path));
  // Not cancelled: the game is changed already, and the answer says how it is now.
  for (const path of await checkpoints.verify(done, { signal: new AbortController().signal })) {
    failed.push({ path, reason: 'differs' });
  }
  const put = media.filter(({ path }) => !missed.has(path)).map(toMediaChange);
  return { result: { before, changed: done.map(({ path }) => path).sort(), failed }, media: put };
}

function toMediaChange({ path, before, after }: StateChange): MediaChange {
  return { path, kind: after === null ? 'deleted' : before === null ? 'created' : 'changed' };
}

/** Returns what differs between the present and the checkpoint, of the wanted files. */
async function findWanted(
  checkpoints: Checkpoints,
  { id, before, paths, context }: Restore,
): Promise<{ changes: StateChange[]; failed: RestoreResult['failed'] }> {
  const { changes } = await checkpoints.compare(before, id, context);
  const asked = paths && new Set(paths);
  const present = (await checkpoints.list()).checkpoints.find((one) => one.id === before);
  const notKept = new Set(present?.leftOut.some.map(({ path }) => path));
  const selected = changes.filter(({ path, after }) => (asked ? asked.has(path) : after !== null));
  // What is there and could not be kept must not be replaced.
  return {
    changes: selected.filter(({ path }) => !notKept.has(path)),
    failed: selected.filter(({ path }) => notKept.has(path)).map(({ path }) => ({ path, reason: 'notKept' as const })),
  };
}

/** Sorts changes into texts, which the writer of texts writes, and all others. */
async function sortFiles(checkpoints: Checkpoints, changes: readonly StateChange[]): Promise<Sorted> {
  const sorted: Sorted = { texts: [], media: [], failed: [] };
  for (const file of changes) {
    const { path, before, after } = file;
    const [isOld, text] = [await isText(checkpoints, before), await readText(checkpoints, after)];
    if (text === 'damaged') sorted.failed.push({ path, reason: 'damaged' });
    else if (!isOld || text === undefined) sorted.media.push(file);
    else sorted.texts.push({ file, change: { path, text, base: before?.hash ?? null } });
  }
  return sorted;
}

/** Returns null for no file, undefined for one that is not a text. */
async function readText(
  checkpoints: Checkpoints,
  file: StateFile | null,
): Promise<string | null | undefined | 'damaged'> {
  if (file === null) return null;
  if (isMediaName(file.path) || file.bytes > MAX_TEXT_BYTES) return undefined;
  try {
    return toStrictText(await checkpoints.read(file)) ?? undefined;
  } catch (error) {
    if (error instanceof AppError && error.reason === 'checkpoint.damaged') return 'damaged';
    throw error;
  }
}

async function isText(checkpoints: Checkpoints, file: StateFile | null): Promise<boolean> {
  const text = await readText(checkpoints, file);
  return text !== undefined && text !== 'damaged';
}
