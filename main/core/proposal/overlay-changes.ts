import { createSerialQueue } from '../../../shared/async.ts';
import { ChangeLog } from '../../../shared/model/change-log.ts';
import type { ProjectChange, ProjectChanges, Reader } from '../ports/reader.ts';

/** Tracks changes of an overlay and of the project below it. */
export interface OverlayChanges {
  /** Records a change of the overlay at a path. */
  add(path: string): void;
  /** Implements `Reader.changes` for the project with its overlay. */
  since(since: number | null): Promise<ProjectChanges | null>;
}

/** `isLaid`: true if the overlay has a text at a path, false if it hides the file, null if `base` is visible there. */
export function createOverlayChanges(
  base: Pick<Reader, 'changes' | 'stat'>,
  isLaid: (path: string) => boolean | null,
): OverlayChanges {
  const log = new ChangeLog();
  /** The last state of `base` that was added to the log. */
  let below: number | null = null;
  const queue = createSerialQueue();

  async function take(since: number | null): Promise<ProjectChanges | null> {
    const found = (await base.changes?.(below)) ?? null;
    below = found?.now ?? null;
    if (found === null || found.changes === null) log.forget();
    if (found === null) return null;
    const isThere = new Map<string, boolean>();
    for (const { path, isFile } of found.changes ?? []) {
      isThere.set(path, isFile);
      log.add(path);
    }
    const { now } = log;
    const paths = since === null ? null : log.since(since);
    if (paths === null) return { now, changes: null };
    const changes: ProjectChange[] = [];
    for (const path of paths) {
      const isFile = isLaid(path) ?? isThere.get(path) ?? (await isFileIn(base, path));
      changes.push({ path, isFile });
    }
    return { now, changes };
  }

  return {
    add: (path) => log.add(path),
    since: (since) => queue.run(() => take(since)),
  };
}

async function isFileIn(base: Pick<Reader, 'stat'>, path: string): Promise<boolean> {
  return (await base.stat(path))?.isDirectory === false;
}
