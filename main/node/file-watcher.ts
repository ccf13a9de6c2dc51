import path from 'node:path';
import { watch } from 'chokidar';
import { isForbiddenName } from '../../shared/model/portable-name.ts';

/** Long enough to gather what one save or one unpacked folder causes, short enough to feel at once. */
const QUIET_MS = 80;
/** A tool that never stops writing must not keep everyone waiting. */
const LONGEST_MS = 500;

/**
 * Hears what changes in a project, whoever did it. `root` is the real folder; paths come out relative to it.
 *
 * chokidar rather than `fs.watch` with `recursive`: on Linux that is made of single watches as well, walks into
 * `node_modules` and `.git` before anything can be ignored, and misses files made in the moment their folder appears.
 */
export function createFileWatcher(
  root: string,
  options: { visible?: readonly string[]; onPaths: (paths: string[]) => void },
): { ready: Promise<void>; close(): Promise<void> } {
  const changed = new Set<string>();
  let quiet: NodeJS.Timeout | undefined;
  let longest: NodeJS.Timeout | undefined;

  function toPath(file: string): string {
    return path.relative(root, file).split(path.sep).join('/').normalize('NFC');
  }

  function tell(): void {
    clearTimeout(quiet);
    clearTimeout(longest);
    longest = undefined;
    if (changed.size === 0) return;
    const paths = [...changed].sort();
    changed.clear();
    options.onPaths(paths);
  }

  const watcher = watch(
    (options.visible ?? ['.']).map((name) => path.join(root, name)),
    {
      ignoreInitial: true,
      // What a link leads to lies elsewhere and is not this project's.
      followSymlinks: false,
      ignored: (file) => toPath(file).split('/').some(isForbiddenName),
      ignorePermissionErrors: true,
    },
  );
  watcher.on('all', (_event, file) => {
    const changedPath = toPath(file);
    if (changedPath === '' || changedPath.startsWith('../')) return;
    changed.add(changedPath);
    clearTimeout(quiet);
    quiet = setTimeout(tell, QUIET_MS);
    longest ??= setTimeout(tell, LONGEST_MS);
  });
  // Too many files for the system's watches: what is watched stays watched, and every file is read afresh when opened.
  watcher.on('error', () => undefined);

  return {
    ready: new Promise((resolve) => watcher.once('ready', () => resolve())),
    async close() {
      clearTimeout(quiet);
      clearTimeout(longest);
      changed.clear();
      await watcher.close();
    },
  };
}
