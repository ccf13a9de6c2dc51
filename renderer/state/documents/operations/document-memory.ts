import type { Output } from '../../../../shared/contract.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { ScriptText } from '../../../../shared/model/project.ts';

/**
 * The state of an open file relative to the disk. `conflict`: a conflict, both changed and the user has to choose; `gone`:
 * the file was removed while open; `failed`: the last save failed, the text is still on screen.
 */
export type DocumentStatus = 'loading' | 'saved' | 'dirty' | 'saving' | 'conflict' | 'gone' | 'failed' | 'unreadable';

export interface DocumentState {
  status: DocumentStatus;
  /** sha-256 of the file when it was last read or written; null before the first read and when gone. */
  version: string | null;
  /** The cause of `failed` or `unreadable`. */
  error: AppError | null;
  /** The text on disk, set in `conflict`. */
  theirs: ScriptText | null;
}

/** A merge with conflicting lines: its input and its parts. */
export interface OpenMerge extends Output<'script.merge'> {
  mine: string;
}

export interface DocumentPorts {
  read(path: string): Promise<ScriptText>;
  /** Resolves to the new version; rejects with `E_CONFLICT` when the version on disk is not `version`. */
  save(path: string, text: string, version: string | null): Promise<string>;
  /** Merges the text with the one on disk. `version`: the version it was made from; `base`: that version's text, if known. */
  merge(
    path: string,
    text: string,
    made: { version: string | null; base: string | null },
  ): Promise<Output<'script.merge'>>;
  /** Sends the unsaved text on screen, whose base is the disk's `version`, to the app's buffer. */
  keep(version: string | null): void;
  /** Reports that screen and disk have the same text, at `version`; null: the file is closed. */
  release(version: string | null): void;
  /** Returns the text on screen. */
  getText(): string;
  /** Replaces the text on screen, keeping the cursor where it can. */
  setText(text: string): void;
  isAutosaving(): boolean;
  onState(state: DocumentState): void;
}

/** The memory of one open file, shared by the operations beside it. */
export interface DocumentMemory {
  readonly path: string;
  readonly ports: DocumentPorts;
  state: DocumentState;
  saveTimer: ReturnType<typeof setTimeout> | undefined;
  /** When the text must be saved at the latest, in milliseconds since 1970; null while no save is scheduled. */
  saveBy: number | null;
  bufferTimer: ReturnType<typeof setTimeout> | undefined;
  /** The running save. */
  saving: Promise<void> | null;
  /** The text of the version that the text on screen was made from; a restarted app no longer has it. */
  base: { version: string; text: string } | null;
  /** Incremented with each change, to detect typing during a save. */
  edits: number;
  /** The value of `edits` up to which changes are saved, or were discarded for the text on disk. */
  settledEdits: number;
  /** True while the text on screen is replaced by the app, which does not count as typing. */
  isReplacing: boolean;
  isClosed: boolean;
}

export function createDocumentMemory(path: string, ports: DocumentPorts): DocumentMemory {
  return {
    path,
    ports,
    state: { status: 'loading', version: null, error: null, theirs: null },
    saveTimer: undefined,
    saveBy: null,
    bufferTimer: undefined,
    saving: null,
    base: null,
    edits: 0,
    settledEdits: 0,
    isReplacing: false,
    isClosed: false,
  };
}

export function setState(document: DocumentMemory, next: Partial<DocumentState>): void {
  document.state = { ...document.state, ...next };
  if (!document.isClosed) document.ports.onState(document.state);
}

/** Runs a step whose changes of the text on screen do not count as typing. */
export function follow(document: DocumentMemory, step: () => void): void {
  document.isReplacing = true;
  try {
    step();
  } finally {
    document.isReplacing = false;
  }
}

export function replaceText(document: DocumentMemory, text: string): void {
  follow(document, () => document.ports.setText(text));
}

/** Enters `saved`: screen and disk are equal. */
export function settle(document: DocumentMemory, version: string): void {
  const { ports } = document;
  document.settledEdits = document.edits;
  document.base = { version, text: ports.getText() };
  stopTimers(document);
  setState(document, { status: 'saved', version, error: null, theirs: null });
  ports.release(version);
}

/** Drops the scheduled save. */
export function cancelSave(document: DocumentMemory): void {
  clearTimeout(document.saveTimer);
  document.saveTimer = undefined;
  document.saveBy = null;
}

export function stopTimers(document: DocumentMemory): void {
  cancelSave(document);
  clearTimeout(document.bufferTimer);
  document.bufferTimer = undefined;
}

/** Converts a file's text to the form shown on screen: no byte order mark, line feeds only. */
export function toPlain(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}

export function toAppError(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError('E_INTERNAL', 'The app did not answer.', { cause: error });
}
