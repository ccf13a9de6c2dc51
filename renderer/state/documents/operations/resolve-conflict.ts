import { toMergedText } from '../../../../shared/model/merge.ts';
import { type DocumentMemory, type OpenMerge, replaceText, setState, settle, toPlain } from './document-memory.ts';
import { scheduleBuffer, scheduleSave, startWrite } from './save-document.ts';

/** Ends `conflict` or `gone` with one of the two texts. */
export async function resolveConflict(document: DocumentMemory, choice: 'mine' | 'theirs'): Promise<void> {
  const { status, theirs } = document.state;
  if (status !== 'conflict' && status !== 'gone') return;
  if (choice === 'mine') {
    await startWrite(document, theirs?.version ?? null);
    if (theirs && document.state.status === 'failed') {
      document.base = { version: theirs.version, text: toPlain(theirs.text) };
    }
    return;
  }
  if (!theirs) return;
  replaceText(document, theirs.text);
  settle(document, theirs.version);
}

/** Merges both texts of a conflict; null when that ended it. */
export async function mergeConflict(document: DocumentMemory): Promise<OpenMerge | null> {
  const { path, ports } = document;
  for (;;) {
    const { version, status } = document.state;
    if (document.isClosed || status !== 'conflict') return null;
    const mine = ports.getText();
    const { base } = document;
    const made = { version, base: base !== null && base.version === version ? base.text : null };
    const merge = { mine, ...(await ports.merge(path, mine, made)) };
    if (merge.parts.some(({ kind }) => kind === 'conflict')) return merge;
    // Retry when text was typed during the merge.
    if (takeMerge(document, merge, toMergedText(merge.parts))) return null;
  }
}

/** Shows the merged text as unsaved text whose base is the version on disk. */
export function takeMerge(document: DocumentMemory, { mine, theirs }: OpenMerge, text: string): boolean {
  if (document.isClosed || document.state.status !== 'conflict' || document.ports.getText() !== mine) return false;
  replaceText(document, text);
  if (text === toPlain(theirs.text)) {
    settle(document, theirs.version);
    return true;
  }
  document.base = { version: theirs.version, text: toPlain(theirs.text) };
  setState(document, { status: 'dirty', version: theirs.version, theirs: null, error: null });
  scheduleBuffer(document);
  scheduleSave(document);
  return true;
}
