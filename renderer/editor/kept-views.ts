import type { editor } from 'monaco-editor/editor';

const KEY = 'webgal-agent.views';
/** Number of most recently shown files whose view state is stored. */
const MAX_FILES = 40;

type View = editor.ICodeEditorViewState;

/** Returns cursor, scroll position and folds of a file when last shown; null if it was not shown in this window. */
export function readView(project: string, path: string): View | null {
  const all = readAll();
  const key = toKey(project, path);
  return Object.hasOwn(all, key) ? (all[key] as View) : null;
}

/** Stores a file's view state until the window closes; it survives tab changes, reloads and crashes of the page. */
export function keepView(project: string, path: string, view: View): void {
  const { [toKey(project, path)]: _, ...others } = readAll();
  const kept = [...Object.entries(others).slice(1 - MAX_FILES), [toKey(project, path), view]];
  try {
    sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // Storage is full or blocked: view states are kept until the page is left.
  }
}

function toKey(project: string, path: string): string {
  return `${project}\n${path}`;
}

function readAll(): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, unknown>) : {};
  } catch {
    // Storage is damaged or blocked: no view state is restored.
    return {};
  }
}
