import type { editor } from 'monaco-editor/editor';

const KEY = 'webgal-agent.views';
/** Files whose place is remembered, the last used. */
const MOST_FILES = 40;

type View = editor.ICodeEditorViewState;

/** Cursor, scroll position and folds of a file when it was shown last; null for one that was not shown in this window. */
export function readView(project: string, path: string): View | null {
  const all = readAll();
  const key = toKey(project, path);
  return Object.hasOwn(all, key) ? (all[key] as View) : null;
}

/** Remembers a file's place for as long as the window is open: over a change of tabs, a reload and a crash of the page. */
export function keepView(project: string, path: string, view: View): void {
  const { [toKey(project, path)]: _, ...others } = readAll();
  const kept = [...Object.entries(others).slice(1 - MOST_FILES), [toKey(project, path), view]];
  try {
    sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // Full or closed storage: places last as long as the page.
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
    // Damaged or closed storage costs the places and nothing else.
    return {};
  }
}
