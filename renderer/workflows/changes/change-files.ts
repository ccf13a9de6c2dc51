import { AppError } from '../../../shared/errors.ts';
import type { FileChange } from '../../../shared/script/language-features/file-changes.ts';
import { api } from '../../api.ts';
import { i18n } from '../../i18n/setup.ts';
import { closeFile, editorStore, flushSaves, openFile, openText } from '../../state/documents/editor-store.ts';
import { modelOf, replaceText } from '../../state/monaco/models.ts';
import { showView } from '../../state/navigation.ts';
import { notify } from '../../state/notify.ts';
import { toProposeInput } from './propose-input.ts';

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

/** Reads the text on disk; for an open file without unsaved text, the page already has it. */
async function readSaved(path: string): Promise<{ text: string; version: string | null }> {
  const open = editorStore.getState().files.find((file) => file.path === path)?.state;
  if (open?.status === 'saved') return { text: openText(path) ?? '', version: open.version };
  return api.call('script.read', { path });
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
