import type { ScriptText, UnsavedText } from '../../../../shared/model/project.ts';
import {
  cancelSave,
  type DocumentMemory,
  type DocumentState,
  replaceText,
  setState,
  settle,
  toAppError,
  toPlain,
} from './document-memory.ts';
import { scheduleSave } from './save-document.ts';

/** Returns null if the document was closed meanwhile. */
async function readDisk(
  document: DocumentMemory,
): Promise<{ file: ScriptText } | { problem: ReturnType<typeof toAppError> } | null> {
  try {
    const file = await document.ports.read(document.path);
    return document.isClosed ? null : { file };
  } catch (error) {
    return document.isClosed ? null : { problem: toAppError(error) };
  }
}

/** Reads the file when it is opened; `unsaved` is text recovered from the app's buffers. */
export async function loadDocument(document: DocumentMemory, unsaved: UnsavedText | null): Promise<void> {
  const read = await readDisk(document);
  if (read === null) return;
  if ('problem' in read) {
    const { problem } = read;
    if (!unsaved) setState(document, { status: 'unreadable', error: problem });
    else if (problem.code === 'E_NOT_FOUND') recover(document, unsaved, { status: 'gone', version: null });
    else recover(document, unsaved, { status: 'failed', version: unsaved.version, error: problem });
    return;
  }
  const { file } = read;
  const { version } = file;
  const text = toPlain(file.text);
  replaceText(document, file.text);
  document.base = { version, text };
  if (!unsaved || unsaved.text === text) settle(document, version);
  else if (unsaved.version === version) recover(document, unsaved, { status: 'dirty', version });
  else recover(document, unsaved, { status: 'conflict', version: unsaved.version, theirs: file });
}

function recover(document: DocumentMemory, unsaved: UnsavedText, next: Partial<DocumentState>): void {
  replaceText(document, unsaved.text);
  document.edits += 1;
  setState(document, next);
  if (next.status === 'dirty') scheduleSave(document);
}

/** Compares with the disk, whose text may have changed. */
export async function checkDisk(document: DocumentMemory): Promise<void> {
  const { ports } = document;
  if (document.saving) await document.saving;
  if (document.state.status === 'loading' || document.isClosed) return;
  const read = await readDisk(document);
  if (read === null) return;
  if ('problem' in read) {
    const { problem } = read;
    if (problem.code === 'E_NOT_FOUND') setState(document, { status: 'gone', version: null });
    // Unsaved text can still be saved, so only a saved file becomes `unreadable`.
    else if (document.state.status === 'saved') setState(document, { status: 'unreadable', error: problem });
    return;
  }
  const { file } = read;
  const { status, version } = document.state;
  if (status === 'saving') return;
  const isTheirs = document.edits === document.settledEdits;
  if (isTheirs && status === 'saved' && file.version === version) return;
  if (isTheirs || toPlain(file.text) === ports.getText()) {
    if (isTheirs) replaceText(document, file.text);
    settle(document, file.version);
  } else if (file.version !== version) {
    cancelSave(document);
    setState(document, { status: 'conflict', theirs: file });
  } else if (status === 'conflict') {
    // The disk has the base version again: the conflict is over.
    setState(document, { status: 'dirty', theirs: null });
    scheduleSave(document);
  }
}
