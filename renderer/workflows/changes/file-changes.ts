import { AppError } from '../../../shared/errors.ts';
import { toVisible } from '../../../shared/text/shown-text.ts';
import { api } from '../../api.ts';
import { i18n } from '../../i18n/setup.ts';
import {
  closeRemoved,
  editorStore,
  followDisk,
  onTextChanged,
  saveFile,
  withoutFileEvents,
} from '../../state/documents/editor-store.ts';
import { placeInHistory, stepInHistory } from '../../state/monaco/models.ts';
import { prepareMonaco } from '../../state/monaco/monaco.ts';
import { isCodeFocused } from '../../state/monaco/shown-code.ts';
import { clearNotices, notify, notifyError } from '../../state/notify.ts';
import { projectStore } from '../../state/project/project-store.ts';
import { followMoves } from './change-files.ts';
import { type ChangeUndo, createChangeUndo, type UndoableChange } from './change-undo.ts';
import { createSavedPlaces } from './saved-places.ts';

/** Maximum number of file names in a notice. */
const MAX_NAMES = 3;

const places = createSavedPlaces();

const changes: ChangeUndo = createChangeUndo({
  markOf: placeInHistory,
  placeOf: places.find,
  async save(paths) {
    await Promise.all(paths.map(saveFile));
  },
  undo: (files) => api.call('history.undo', { files: [...files] }),
  follow: (path, step) => followDisk(path, step && (() => stepInHistory(path, step))),
  move: followMoves,
});

/** Registers a change that was just written, for Ctrl+Z and `undoChange`, and closes the tabs of files that it removed. */
export const addChange: ChangeUndo['add'] = async (written) => {
  const change = await changes.add(written);
  closeAllRemoved(change);
  return change;
};

function closeAllRemoved({ files }: Pick<UndoableChange, 'files'>): void {
  for (const { path, version } of files) if (version === null) closeRemoved(path);
}

/** Undoes or redoes a change and offers the reverse; shows a notice when a file was changed since. */
export async function undoChange(change: UndoableChange): Promise<void> {
  const { title, isDone, files } = change;
  const count = files.length;
  try {
    await withoutFileEvents(
      files.map(({ path }) => path),
      () => changes.toggle(change),
    );
    if (change.isDone === isDone) return;
    closeAllRemoved(change);
    clearNotices();
    notify({
      level: 'success',
      text: i18n.t(isDone ? 'editor:undo.undone' : 'editor:undo.redone', { title, count }),
      action: { label: i18n.t(isDone ? 'editor:undo.redo' : 'common:undo'), run: () => void undoChange(change) },
    });
  } catch (error) {
    if (error instanceof AppError && error.reason === 'history.changedSince') refuse(change, error);
    else notifyError(error);
  }
}

function refuse({ title, isDone, files }: UndoableChange, error: AppError): void {
  const paths = Array.isArray(error.details?.paths) ? error.details.paths.map(String) : [];
  const names = paths.slice(0, MAX_NAMES).map((path) => toVisible(path.split('/').at(-1) ?? path));
  if (paths.length > MAX_NAMES) names.push('…');
  const { active } = editorStore.getState();
  const isHere = active !== null && files.some(({ path }) => path === active) && !paths.includes(active);
  clearNotices();
  notify({
    level: 'warning',
    text: i18n.t(isDone ? 'editor:undo.notUndone' : 'editor:undo.notRedone', {
      title,
      names: names.join(i18n.t('common:listSeparator')),
      count: files.length,
    }),
    ...(isHere && {
      action: {
        label: i18n.t('editor:undo.onlyHere'),
        run: () => stepInHistory(active, isDone ? 'undo' : 'redo'),
      },
    }),
  });
}

/** The running undo or redo; further steps are queued after it. */
let running: Promise<void> | null = null;

function start(work: () => Promise<void>): void {
  const own = (running ?? Promise.resolve()).then(work).finally(() => {
    if (running === own) running = null;
  });
  running = own;
}

/** Undoes or redoes the change that the next step in the active text belongs to. False: that step is ordinary typing. */
function undoHere(step: 'undo' | 'redo'): boolean {
  const { active } = editorStore.getState();
  if (active === null || !isCodeFocused()) return false;
  if (running === null && changes.find(active, step) === null) return false;
  start(async () => {
    const change = changes.find(active, step);
    if (change === null) stepInHistory(active, step);
    else await undoChange(change);
  });
  return true;
}

/** Stores the position of a text that now equals its file. */
function notePlace({ path, state }: ReturnType<typeof editorStore.getState>['files'][number]): void {
  const place = placeInHistory(path);
  if (place === undefined) return;
  if (state.status === 'gone') places.add(path, null, place);
  else if (state.status === 'saved') places.add(path, state.version, place);
}

/** Makes the editor's undo and redo handle whole changes; call once. */
export function connectFileChanges(): void {
  onTextChanged((path, { isStep }) => {
    if (!isStep) changes.typed(path);
  });
  editorStore.subscribe(({ files }, before) => {
    if (files === before.files) return;
    for (const file of files) if (!before.files.includes(file)) notePlace(file);
  });
  prepareMonaco(async () => {
    const { addUndoStep } = await import('./undo-commands.ts');
    return () => addUndoStep(undoHere);
  });
  let project = projectStore.getState().project?.id;
  projectStore.subscribe(({ project: now }) => {
    if (now?.id !== project) {
      changes.clear();
      places.clear();
    }
    project = now?.id;
  });
}
