import type { editor } from 'monaco-editor/editor';

const KEY = 'webgal-agent.views';
/** Number of most recently shown files whose view state is stored. */
const MAX_FILES = 40;

type View = editor.ICodeEditorViewState;

/** Returns cursor, scroll position and folds of a file when last shown in this window, else in any; null if it was not shown. */
export function readView(project: string, path: string): View | null {
  const key = toKey(project, path);
  for (const storage of STORAGES) {
    const all = readAll(storage);
    if (Object.hasOwn(all, key)) return all[key] as View;
  }
  return null;
}

/** Stores a file's view state, for tab changes, reloads and crashes of the page, and for the next start. */
export function keepView(project: string, path: string, view: View): void {
  for (const storage of STORAGES) {
    const { [toKey(project, path)]: _, ...others } = readAll(storage);
    const kept = [...Object.entries(others).slice(1 - MAX_FILES), [toKey(project, path), view]];
    try {
      storage().setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
    } catch {
      // Storage is full or blocked: view states are kept until the page is left.
    }
  }
}

/** That of the window first: another window may show the same file elsewhere. */
const STORAGES: readonly (() => Storage)[] = [() => sessionStorage, () => localStorage];

function toKey(project: string, path: string): string {
  return `${project}\n${path}`;
}

function readAll(storage: () => Storage): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(storage().getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, unknown>) : {};
  } catch {
    // Storage is damaged or blocked: no view state is restored.
    return {};
  }
}
