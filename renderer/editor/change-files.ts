import { AppError } from '../../shared/errors.ts';
import type { FileChange } from '../../shared/script/services/file-changes.ts';
import { api } from '../api.ts';
import { i18n } from '../i18n/setup.ts';
import { showView } from '../shell/shell-store.ts';
import { notify } from '../ui/notify.ts';
import { closeFile, editorStore, flushSaves, openFile, openText } from './editor-store.ts';
import { modelOf, replaceText } from './models.ts';
import { toProposeInput } from './propose-input.ts';

/**
 * Carries out a change that was worked out for her. In one text it happens there and then, as one step that Ctrl+Z takes
 * back. What touches more than one file she sees first: it waits as a proposal, and the review opens. `E_CONFLICT`,
 * reason `write.conflict`, when a file is not what the change was worked out on.
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
  await api.call('script.propose', await toProposeInput(changes, title, look));
  showView('review');
}

async function changeText(path: string, before: string, after: string): Promise<void> {
  await openFile(path);
  const model = modelOf(path);
  if (!model || openText(path) !== before) {
    throw new AppError('E_CONFLICT', `"${path}" is not what it was.`, {
      reason: 'write.conflict',
      details: { paths: [path] },
    });
  }
  replaceText(path, after);
}

/** What is on the disk; of an open file that is saved, the page knows. */
async function look(path: string): Promise<{ text: string; version: string | null }> {
  const open = editorStore.getState().files.find((file) => file.path === path)?.state;
  if (open?.status === 'saved') return { text: openText(path) ?? '', version: open.version };
  return api.call('script.read', { path });
}

/** Files that got another name stand in their tabs under it. */
export async function followMoves(moves: readonly { path: string; from: string }[]): Promise<void> {
  for (const { path, from } of moves) {
    if (openText(from) === undefined) continue;
    // Another tab stays shown all the while: the user may be at work in it.
    await openFile(path, { isBehind: editorStore.getState().active !== from });
    await closeFile(from);
  }
}
