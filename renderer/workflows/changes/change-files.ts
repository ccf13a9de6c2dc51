import { AppError, fromErrorData } from '../../../shared/errors.ts';
import type { FileChange } from '../../../shared/script/language-features/file-changes.ts';
import { api } from '../../api.ts';
import { i18n } from '../../i18n/setup.ts';
import { closeFile, editorStore, flushSaves, openFile, openText } from '../../state/documents/editor-store.ts';
import { modelOf, replaceText } from '../../state/monaco/models.ts';
import { showView } from '../../state/navigation.ts';
import { notify } from '../../state/notify.ts';
import { type SavedText, toProposeInput } from './propose-input.ts';

/**
 * Applies a computed change. A change to one text is applied immediately, as one undo step. A change to several files
 * becomes a proposal, and the review opens. Throws `E_CONFLICT`, reason `write.conflict`, when a file changed since the
 * change was computed.
 */
export async function changeFiles(changes: readonly FileChange[], title: string): Promise<void> {
  const [first] = changes;
  if (!first) return;
  if (changes.length === 1 && first.before !== null && first.after !== null) {
    await changeText(first.path, first.before, first.after);
    notify({ level: 'success', text: i18n.t('editor:changedHere', { title }) });
    return;
  }
  await flushSaves();
  await api.call('script.propose', await toProposeInput(changes, title, readSaved));
  showView('review');
}

async function changeText(path: string, before: string, after: string): Promise<void> {
  // There the change is seen, and Ctrl+Z undoes it.
  showView('write');
  await openFile(path);
  const model = modelOf(path);
  if (!model || openText(path) !== before) {
    throw new AppError('E_CONFLICT', `"${path}" changed since the change was computed.`, {
      reason: 'write.conflict',
      details: { paths: [path] },
    });
  }
  replaceText(path, after);
}

/** Reads texts on disk; for an open file without unsaved text, the page already has it. Throws if one cannot be read. */
async function readSaved(paths: readonly string[]): Promise<SavedText[]> {
  const found = new Map<string, SavedText>();
  for (const { path, state } of editorStore.getState().files)
    if (state.status === 'saved') found.set(path, { text: openText(path) ?? '', version: state.version });
  const { scenes, unreadable } = await api.call('project.scenes', { paths: paths.filter((path) => !found.has(path)) });
  const [failed] = unreadable;
  if (failed) throw fromErrorData(failed.error);
  for (const { path, ...saved } of scenes) found.set(path, saved);
  return paths.map((path) => found.get(path) ?? { text: '', version: null });
}

/** Reopens the tabs of renamed files under their new paths. */
export async function followMoves(moves: readonly { path: string; from: string }[]): Promise<void> {
  for (const { path, from } of moves) {
    if (openText(from) === undefined) continue;
    // Keep the active tab: the user may be typing in it.
    await openFile(path, { isBehind: editorStore.getState().active !== from });
    await closeFile(from);
  }
}
