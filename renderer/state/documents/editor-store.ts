import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { UnsavedText } from '../../../shared/model/project.ts';
import { toVisible } from '../../../shared/text/shown-text.ts';
import { api, onConnection } from '../../api.ts';
import { i18n } from '../../i18n/setup.ts';
import { closeModel, openModel, replaceText, type TextChange, textOf } from '../monaco/models.ts';
import { notify, notifyError } from '../notify.ts';
import { projectStore } from '../project/project-store.ts';
import { settingsStore } from '../settings-store.ts';
import { createDocument, type Document, type DocumentState, type OpenMerge } from './document.ts';
import { keepTabs, readTabs } from './kept-tabs.ts';
import { readUnsaved } from './read-unsaved.ts';
import { countReveal, type Reveal, type RevealPlace } from './reveal.ts';
import { saveText } from './save-text.ts';
import { createUnsavedTextSender, type UnsavedTextSender } from './unsaved-text.ts';

/** The cursor position. `selection` is the selected text, empty when there is none; `firstLine` is where it begins. */
export interface Cursor {
  line: number;
  firstLine: number;
  column: number;
  selection: string;
}

export interface EditorState {
  /** Open files in tab order. */
  files: { path: string; state: DocumentState }[];
  active: string | null;
  cursor: Cursor | null;
  /** The position to reveal, and requests before it. */
  reveal: Reveal | null;
}

export const editorStore = createStore<EditorState>(() => ({ files: [], active: null, cursor: null, reveal: null }));
const set = editorStore.setState;

export function useEditor<T>(select: (state: EditorState) => T): T {
  return useStore(editorStore, select);
}

const ENTRY_SCENE = 'game/scene/start.txt';

const documents = new Map<string, Document>();
const senders = new Map<string, UnsavedTextSender>();
/** First loads of the open files, including the finished ones. */
const loads = new Map<string, Promise<void>>();
const typedListeners = new Set<(path: string, change: TextChange) => void>();
/** Files whose change notifications are ignored; see `withoutFileEvents`. */
const ignored = new Set<string>();

/** Calls back when the text on screen of an open file changes, by the user or by the app. Returns a disposer. */
export function onTextChanged(listener: (path: string, change: TextChange) => void): () => void {
  typedListeners.add(listener);
  return () => typedListeners.delete(listener);
}

function setDocumentState(path: string, state: DocumentState): void {
  set(({ files }) => ({ files: files.map((file) => (file.path === path ? { path, state } : file)) }));
}

function openDocument(path: string): Document {
  const existing = documents.get(path);
  if (existing) return existing;
  const sender = createUnsavedTextSender({
    put: async (text, version, revision) => {
      await api.call('script.buffer', { path, text, version, revision });
    },
    edit: async (change) => (await api.call('script.editBuffer', { path, ...change, edits: [...change.edits] })).taken,
    getText: () => textOf(path),
  });
  const document: Document = createDocument(path, {
    read: (file) => api.call('script.read', { path: file }),
    save: (_path, text, version) => saveText({ path, text, version }, sender),
    merge: (file, text, made) => api.call('script.merge', { path: file, text, ...made }),
    keep: (version) => {
      if (documents.get(path) === document) sender.send(version);
    },
    release: (version) => sender.release(version),
    getText: () => textOf(path),
    // Another game may have a file with this path: ignore answers that arrive after the switch.
    setText: (text) => {
      if (documents.get(path) === document) replaceText(path, text);
    },
    isAutosaving: () => settingsStore.getState().settings.autosave,
    onState: (state) => setDocumentState(path, state),
  });
  documents.set(path, document);
  senders.set(path, sender);
  set(({ files }) => ({ files: [...files, { path, state: document.state() }] }));
  return document;
}

async function loadText(document: Document, unsaved: UnsavedText | null): Promise<void> {
  const { path } = document;
  await openModel(path, (change) => {
    senders.get(path)?.note(change.edits, change.length);
    document.changed();
    for (const listener of typedListeners) listener(path, change);
  });
  await document.load(unsaved);
}

/** Opens a file and moves to a line; for an open file only moves. `isBehind`: keeps the active tab. */
export async function openFile(
  path: string,
  place: RevealPlace & { line?: number; unsaved?: UnsavedText | undefined; isBehind?: boolean } = {},
): Promise<void> {
  const isNew = !documents.has(path);
  const document = openDocument(path);
  if (!place.isBehind) set({ active: path });
  if (isNew) loads.set(path, loadText(document, place.unsaved ?? null));
  await loads.get(path);
  const { line } = place;
  if (line) set(({ reveal }) => ({ reveal: countReveal(reveal, { ...place, path, line }) }));
}

export function activate(path: string): void {
  set({ active: path });
}

/** Saves unsaved text, then closes the tab. A file that cannot be saved stays open and shows the reason. */
export async function closeFile(path: string): Promise<void> {
  const document = documents.get(path);
  if (!document) return;
  // Recovered text exists only in the load.
  await loads.get(path);
  do await document.save();
  while (document.state().status === 'dirty');
  if (document.hasUnsaved()) activate(path);
  else forgetFile(path);
}

/** Closes the tab without saving. */
export function forgetFile(path: string): void {
  documents.get(path)?.close();
  documents.delete(path);
  senders.delete(path);
  loads.delete(path);
  set(({ files, active, cursor }) => {
    const index = files.findIndex((file) => file.path === path);
    const rest = files.filter((file) => file.path !== path);
    const next = active === path ? (rest[Math.min(index, rest.length - 1)]?.path ?? null) : active;
    return { files: rest, active: next, cursor: next === active ? cursor : null };
  });
  closeModel(path);
}

/** Closes the tab of a file that was deleted, unless it has unsaved text. */
export function closeRemoved(path: string): void {
  const document = documents.get(path);
  if (document?.state().status === 'gone' && !document.hasUnsaved()) forgetFile(path);
}

export function saveFile(path: string): Promise<void> {
  return documents.get(path)?.save() ?? Promise.resolve();
}

/**
 * Saves all unsaved files, before the assistant reads them and before the window closes. Resolves to the files that
 * still have unsaved text.
 */
export async function flushSaves(): Promise<string[]> {
  await Promise.all([...documents.values()].map((document) => document.save()));
  return [...documents.values()].filter((document) => document.hasUnsaved()).map((document) => document.path);
}

/**
 * Updates an open file from disk. `step`, a step of the text's undo history, runs first; any remaining difference is
 * replaced.
 */
export async function followDisk(path: string, step: (() => void) | null): Promise<void> {
  const document = documents.get(path);
  if (step) document?.follow(step);
  await document?.checkDisk();
}

/** Ignores change notifications for these files during `run`, which updates them itself; checks the disk afterwards. */
export async function withoutFileEvents(paths: readonly string[], run: () => Promise<void>): Promise<void> {
  for (const path of paths) ignored.add(path);
  try {
    await run();
  } finally {
    for (const path of paths) ignored.delete(path);
    for (const path of paths) void documents.get(path)?.checkDisk();
  }
}

/** Ends a conflict; see `Document.resolve`. */
export function resolveConflict(path: string, choice: 'mine' | 'theirs'): Promise<void> {
  return documents.get(path)?.resolve(choice) ?? Promise.resolve();
}

/**
 * Merges the text on screen with the one on disk. Resolves to the open merge when lines conflict and the user has to
 * choose; null when it succeeded or failed, after showing a notice.
 */
export async function mergeConflict(path: string): Promise<OpenMerge | null> {
  try {
    const merge = (await documents.get(path)?.merge()) ?? null;
    if (merge === null) notify({ level: 'success', text: i18n.t('editor:merge.done', { name: toName(path) }) });
    return merge;
  } catch (error) {
    notifyError(error);
    return null;
  }
}

/** Ends a conflict with the text chosen from an open merge. */
export function takeMerge(path: string, merge: OpenMerge, text: string): void {
  const isTaken = documents.get(path)?.takeMerge(merge, text) ?? false;
  const key = isTaken ? 'editor:merge.done' : 'editor:merge.stale';
  notify({ level: isTaken ? 'success' : 'warning', text: i18n.t(key, { name: toName(path) }) });
}

function toName(path: string): string {
  return toVisible(path.split('/').at(-1) ?? path);
}

export function setCursor(cursor: Cursor): void {
  set({ cursor });
}

/** Returns the context sent to the assistant: open scene, line, selected text. Null when no file is open. */
export function currentContext(): { path: string; line: number; selection: string } | null {
  const { active, cursor } = editorStore.getState();
  return active && cursor ? { path: active, line: cursor.line, selection: cursor.selection } : null;
}

/** Returns the text on screen of an open file; undefined when it is not open. */
export function openText(path: string): string | undefined {
  return documents.has(path) ? textOf(path) : undefined;
}

/** Number of the current `enterProject` run; an earlier run stops when it has changed. */
let entering = 0;

async function enterProject(id: string | null): Promise<void> {
  entering += 1;
  const own = entering;
  for (const path of [...documents.keys()]) forgetFile(path);
  if (!id) return;
  const unsaved = await readUnsaved();
  if (own !== entering) return;
  const { paths, active } = readTabs(id);
  const tabs = [...new Set([...paths, ...unsaved.keys()])];
  const front = tabs.find((path) => path === active) ?? tabs[0];
  // The other files load behind the one in front: the cursor and the stage follow the active file.
  await Promise.all(tabs.map((path) => openFile(path, { unsaved: unsaved.get(path), isBehind: path !== front })));
  if (own !== entering) return;
  const isRecovered = [...unsaved.keys()].some((path) => documents.get(path)?.hasUnsaved());
  if (isRecovered) notify({ level: 'info', text: i18n.t('editor:recovered') });
  for (const { path, state } of editorStore.getState().files) if (state.status === 'unreadable') forgetFile(path);
  if (editorStore.getState().files.length === 0) await openFile(ENTRY_SCENE);
}

/** Connects the editor to the open game and to the disk; call once. */
export function connectEditor(): void {
  let project: string | null = null;
  /** The game whose tabs are open; null while they are being restored, when tab changes are not the user's. */
  let tabsOf: string | null = null;
  const keepOpenTabs = () => {
    const { files, active } = editorStore.getState();
    if (tabsOf) keepTabs(tabsOf, { paths: files.map(({ path }) => path), active });
  };
  const follow = () => {
    const id = projectStore.getState().project?.id ?? null;
    if (id === project) return;
    project = id;
    tabsOf = null;
    void enterProject(id).then(() => {
      if (project !== id) return;
      tabsOf = id;
      // Includes files that were opened in the meantime.
      keepOpenTabs();
    });
  };
  projectStore.subscribe(follow);
  follow();
  settingsStore.subscribe(({ settings }, before) => {
    if (settings.autosave && !before.settings.autosave) void flushSaves();
  });
  editorStore.subscribe((state, before) => {
    if (state.active !== before.active || state.files.length !== before.files.length) keepOpenTabs();
  });
  api.on('project.filesChanged', ({ paths }) => {
    for (const path of paths) if (!ignored.has(path)) void documents.get(path)?.checkDisk();
  });
  onConnection((isConnected) => {
    if (isConnected) for (const document of documents.values()) void document.checkDisk();
  });
  window.addEventListener('beforeunload', (event) => {
    if (![...documents.values()].some((document) => document.hasUnsaved())) return;
    void flushSaves();
    event.preventDefault();
  });
}
