import { ChangeLog } from '../../../shared/model/change-log.ts';
import type { GameChange, GameChanges, Reader } from '../ports.ts';

/** What changed below texts that are laid over a project, and in them. */
export interface OverlayChanges {
  /** What is laid at this path is another text, or none, from now on. */
  add(path: string): void;
  /** As `Reader.changes` of the project with the texts over it. */
  since(since: number | null): Promise<GameChanges | null>;
}

/** `isLaid`: whether a text is laid at a path, null where what `base` has shows through. */
export function createOverlayChanges(
  base: Pick<Reader, 'changes' | 'stat'>,
  isLaid: (path: string) => boolean | null,
): OverlayChanges {
  const log = new ChangeLog();
  /** The last state of `base` that is in the log. */
  let below: number | null = null;
  let queue: Promise<unknown> = Promise.resolve();

  async function take(since: number | null): Promise<GameChanges | null> {
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
    const changes: GameChange[] = [];
    for (const path of paths) {
      const isFile = isLaid(path) ?? isThere.get(path) ?? (await isFileIn(base, path));
      changes.push({ path, isFile });
    }
    return { now, changes };
  }

  return {
    add: (path) => log.add(path),
    since(since) {
      const result = queue.then(() => take(since));
      queue = result.catch(() => undefined);
      return result;
    },
  };
}

async function isFileIn(base: Pick<Reader, 'stat'>, path: string): Promise<boolean> {
  return (await base.stat(path))?.isDirectory === false;
}
