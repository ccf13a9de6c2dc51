import { cancelSave, type DocumentMemory, setState, settle, toAppError, toPlain } from './document-memory.ts';

/** Delay between the last keystroke and the save, in milliseconds. */
export const AUTOSAVE_DELAY_MS = 500;
/** Maximum delay of a save while the user types on: text that is not on the disk is lost with the main process. */
const AUTOSAVE_MAX_MS = 2_000;
/** Maximum delay until typed text is in the app's buffers, which the stage uses and which survive a crash of the page. */
const BUFFER_DELAY_MS = 150;
/** After a failed save, unless the user types on: a full disk has room again, a network drive is back. */
const RETRY_MS = 5_000;

/** Schedules sending the buffer. A throttle, not a debounce: continuous typing must not delay it further. */
export function scheduleBuffer(document: DocumentMemory): void {
  document.bufferTimer ??= setTimeout(() => sendBuffer(document), BUFFER_DELAY_MS);
}

function sendBuffer(document: DocumentMemory): void {
  clearTimeout(document.bufferTimer);
  document.bufferTimer = undefined;
  document.ports.keep(document.state.version);
}

export function scheduleSave(document: DocumentMemory): void {
  clearTimeout(document.saveTimer);
  if (!document.ports.isAutosaving() || document.isClosed) return;
  const now = Date.now();
  document.saveBy ??= now + AUTOSAVE_MAX_MS;
  const delay = Math.max(0, Math.min(AUTOSAVE_DELAY_MS, document.saveBy - now));
  document.saveTimer = setTimeout(() => void saveDocument(document), delay);
}

export async function saveDocument(document: DocumentMemory): Promise<void> {
  cancelSave(document);
  if (document.saving) await document.saving;
  const { status, version } = document.state;
  if (status === 'dirty' || status === 'failed') await startWrite(document, version);
}

/** Writes the text on screen over `version`. */
export function startWrite(document: DocumentMemory, version: string | null): Promise<void> {
  document.saving = write(document, version).finally(() => {
    document.saving = null;
  });
  return document.saving;
}

async function write(document: DocumentMemory, version: string | null): Promise<void> {
  const { path, ports, edits: writtenAt } = document;
  // The app compares the buffer with the saved text, so the buffer must be current.
  if (document.bufferTimer !== undefined) sendBuffer(document);
  if (document.state.status !== 'failed') setState(document, { status: 'saving', error: null });
  try {
    const text = ports.getText();
    const saved = await ports.save(path, text, version);
    if (document.isClosed) return;
    if (document.edits === writtenAt) {
      settle(document, saved);
    } else {
      document.settledEdits = writtenAt;
      document.base = { version: saved, text };
      setState(document, { status: 'dirty', version: saved, error: null, theirs: null });
      scheduleBuffer(document);
      scheduleSave(document);
    }
  } catch (error) {
    if (document.isClosed) return;
    const problem = toAppError(error);
    // Deleted in the moment of the save: another try would fail too.
    if (problem.code === 'E_CONFLICT' || problem.code === 'E_NOT_FOUND') await checkConflict(document);
    else {
      // Of a conflict that the user ended: the next try must not ask again.
      setState(document, { status: 'failed', error: problem, version, theirs: null });
      if (ports.isAutosaving()) document.saveTimer ??= setTimeout(() => void saveDocument(document), RETRY_MS);
    }
  }
}

async function checkConflict(document: DocumentMemory): Promise<void> {
  const { path, ports } = document;
  try {
    const theirs = await ports.read(path);
    if (document.isClosed) return;
    if (toPlain(theirs.text) === ports.getText()) settle(document, theirs.version);
    else setState(document, { status: 'conflict', theirs, error: null });
  } catch (error) {
    if (document.isClosed) return;
    const problem = toAppError(error);
    const isGone = problem.code === 'E_NOT_FOUND';
    setState(document, isGone ? { status: 'gone', version: null } : { status: 'failed', error: problem });
  }
}
