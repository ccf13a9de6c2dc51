import type { Output } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/errors.ts';
import { toMergedText } from '../../../shared/model/merge.ts';
import type { ScriptText, UnsavedText } from '../../../shared/model/project.ts';

/** Delay between the last keystroke and the save, in milliseconds. */
export const AUTOSAVE_DELAY_MS = 500;
/** Maximum delay until typed text is in the app's buffers, which the stage uses and which survive a crash of the page. */
const BUFFER_DELAY_MS = 150;

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

export interface Document {
  path: string;
  state(): DocumentState;
  /** True while the screen has text that is not on disk, in every status. */
  hasUnsaved(): boolean;
  /** Reads the file. `unsaved`: text recovered from the app's buffers; it is shown, in `conflict` if the disk has changed since. */
  load(unsaved?: UnsavedText | null): Promise<void>;
  /** Reports a change of the text on screen. */
  changed(): void;
  /** Saves immediately; resolves when saved or when saving failed (see `state`). */
  save(): Promise<void>;
  /** Compares with the disk, whose text may have changed. */
  checkDisk(): Promise<void>;
  /** Runs a step that updates the text on screen from disk; its changes do not count as typing. */
  follow(step: () => void): void;
  /** Ends `conflict` or `gone`: `mine` overwrites the file (its text stays in the history), `theirs` loads it. */
  resolve(choice: 'mine' | 'theirs'): Promise<void>;
  /**
   * Merges both texts of a `conflict`. Resolves to null when that ended it. With conflicting lines nothing is changed: resolves
   * to the parts to choose from, and `takeMerge` ends the conflict. Rejects when merging fails; the status stays `conflict`.
   */
  merge(): Promise<OpenMerge | null>;
  /** Applies a text chosen from an open merge; false when the text on screen has changed since. */
  takeMerge(merge: OpenMerge, text: string): boolean;
  close(): void;
}

/**
 * Creates the state machine of an open file. Typed text is always saved, being saved, or on screen with the reason why
 * not. At most one save runs at a time; typing during a save schedules another one.
 */
export function createDocument(path: string, ports: DocumentPorts): Document {
  let state: DocumentState = { status: 'loading', version: null, error: null, theirs: null };
  let saveTimer: ReturnType<typeof setTimeout> | undefined;
  let bufferTimer: ReturnType<typeof setTimeout> | undefined;
  let saving: Promise<void> | null = null;
  /** The text of the version that the text on screen was made from; a restarted app no longer has it. */
  let base: { version: string; text: string } | null = null;
  /** Incremented with each change, to detect typing during a save. */
  let edits = 0;
  /** The value of `edits` up to which changes are saved, or were discarded for the text on disk. */
  let settledEdits = 0;
  /** True while the text on screen is replaced by the app, which does not count as typing. */
  let isReplacing = false;
  let isClosed = false;

  const set = (next: Partial<DocumentState>): void => {
    state = { ...state, ...next };
    if (!isClosed) ports.onState(state);
  };

  const follow = (step: () => void): void => {
    isReplacing = true;
    try {
      step();
    } finally {
      isReplacing = false;
    }
  };

  const replaceText = (text: string): void => follow(() => ports.setText(text));

  /** Enters `saved`: screen and disk are equal. */
  const settle = (version: string): void => {
    settledEdits = edits;
    base = { version, text: ports.getText() };
    stopTimers();
    set({ status: 'saved', version, error: null, theirs: null });
    ports.release(version);
  };

  const stopTimers = (): void => {
    clearTimeout(saveTimer);
    clearTimeout(bufferTimer);
    bufferTimer = undefined;
  };

  /** Schedules sending the buffer. A throttle, not a debounce: continuous typing must not delay it further. */
  const scheduleBuffer = (): void => {
    bufferTimer ??= setTimeout(sendBuffer, BUFFER_DELAY_MS);
  };

  const sendBuffer = (): void => {
    clearTimeout(bufferTimer);
    bufferTimer = undefined;
    ports.keep(state.version);
  };

  const recover = (unsaved: UnsavedText, next: Partial<DocumentState>): void => {
    replaceText(unsaved.text);
    edits += 1;
    set(next);
    if (next.status === 'dirty') scheduleSave();
  };

  const checkConflict = async (): Promise<void> => {
    try {
      const theirs = await ports.read(path);
      if (isClosed) return;
      if (toPlain(theirs.text) === ports.getText()) settle(theirs.version);
      else set({ status: 'conflict', theirs, error: null });
    } catch (error) {
      if (isClosed) return;
      const problem = toAppError(error);
      set(problem.code === 'E_NOT_FOUND' ? { status: 'gone', version: null } : { status: 'failed', error: problem });
    }
  };

  const write = async (version: string | null): Promise<void> => {
    const writtenAt = edits;
    // The app compares the buffer with the saved text, so the buffer must be current.
    if (bufferTimer !== undefined) sendBuffer();
    set({ status: 'saving', error: null });
    try {
      const text = ports.getText();
      const saved = await ports.save(path, text, version);
      if (isClosed) return;
      if (edits === writtenAt) {
        settle(saved);
      } else {
        settledEdits = writtenAt;
        base = { version: saved, text };
        set({ status: 'dirty', version: saved, theirs: null });
        scheduleBuffer();
        scheduleSave();
      }
    } catch (error) {
      if (isClosed) return;
      const problem = toAppError(error);
      if (problem.code === 'E_CONFLICT') await checkConflict();
      else set({ status: 'failed', error: problem });
    }
  };

  const startWrite = (version: string | null): Promise<void> => {
    saving = write(version).finally(() => {
      saving = null;
    });
    return saving;
  };

  function scheduleSave(): void {
    clearTimeout(saveTimer);
    if (ports.isAutosaving() && !isClosed) saveTimer = setTimeout(() => void save(), AUTOSAVE_DELAY_MS);
  }

  async function save(): Promise<void> {
    clearTimeout(saveTimer);
    if (saving) await saving;
    if (state.status === 'dirty' || state.status === 'failed') await startWrite(state.version);
  }

  /** Shows the merged text as unsaved text whose base is the version on disk. */
  function takeMerge({ mine, theirs }: OpenMerge, text: string): boolean {
    if (isClosed || state.status !== 'conflict' || ports.getText() !== mine) return false;
    if (text === toPlain(theirs.text)) {
      replaceText(text);
      settle(theirs.version);
      return true;
    }
    replaceText(text);
    base = { version: theirs.version, text: toPlain(theirs.text) };
    set({ status: 'dirty', version: theirs.version, theirs: null, error: null });
    scheduleBuffer();
    scheduleSave();
    return true;
  }

  return {
    path,
    state: () => state,
    hasUnsaved: () => edits !== settledEdits,
    save,
    follow,

    async load(unsaved = null) {
      let file: ScriptText;
      try {
        file = await ports.read(path);
      } catch (error) {
        if (isClosed) return;
        const problem = toAppError(error);
        if (!unsaved) set({ status: 'unreadable', error: problem });
        else if (problem.code === 'E_NOT_FOUND') recover(unsaved, { status: 'gone', version: null });
        else recover(unsaved, { status: 'failed', version: unsaved.version, error: problem });
        return;
      }
      if (isClosed) return;
      replaceText(file.text);
      base = { version: file.version, text: toPlain(file.text) };
      if (!unsaved || unsaved.text === toPlain(file.text)) settle(file.version);
      else if (unsaved.version === file.version) recover(unsaved, { status: 'dirty', version: file.version });
      else recover(unsaved, { status: 'conflict', version: unsaved.version, theirs: file });
    },

    changed() {
      if (isReplacing || state.status === 'loading' || state.status === 'unreadable') return;
      edits += 1;
      scheduleBuffer();
      if (state.status === 'conflict' || state.status === 'gone') return;
      if (state.status !== 'saving') set({ status: 'dirty' });
      scheduleSave();
    },

    async checkDisk() {
      if (saving) await saving;
      if (state.status === 'loading' || isClosed) return;
      let file: ScriptText;
      try {
        file = await ports.read(path);
      } catch (error) {
        if (isClosed) return;
        const problem = toAppError(error);
        if (problem.code === 'E_NOT_FOUND') set({ status: 'gone', version: null });
        // Unsaved text can still be saved, so only a saved file becomes `unreadable`.
        else if (state.status === 'saved') set({ status: 'unreadable', error: problem });
        return;
      }
      if (isClosed || state.status === 'saving') return;
      const isTheirs = edits === settledEdits;
      if (isTheirs && state.status === 'saved' && file.version === state.version) return;
      if (isTheirs || toPlain(file.text) === ports.getText()) {
        if (isTheirs) replaceText(file.text);
        settle(file.version);
      } else if (file.version !== state.version) {
        clearTimeout(saveTimer);
        set({ status: 'conflict', theirs: file });
      } else if (state.status === 'conflict') {
        // The disk has the base version again: the conflict is over.
        set({ status: 'dirty', theirs: null });
        scheduleSave();
      }
    },

    async resolve(choice) {
      if (state.status !== 'conflict' && state.status !== 'gone') return;
      if (choice === 'mine') {
        await startWrite(state.theirs?.version ?? null);
        return;
      }
      const { theirs } = state;
      if (!theirs) return;
      replaceText(theirs.text);
      settle(theirs.version);
    },

    async merge() {
      for (;;) {
        if (isClosed || state.status !== 'conflict') return null;
        const mine = ports.getText();
        const { version } = state;
        const made = { version, base: base !== null && base.version === version ? base.text : null };
        const merge = { mine, ...(await ports.merge(path, mine, made)) };
        if (merge.parts.some(({ kind }) => kind === 'conflict')) return merge;
        // Retry when text was typed during the merge.
        if (takeMerge(merge, toMergedText(merge.parts))) return null;
      }
    },

    takeMerge,

    close() {
      stopTimers();
      isClosed = true;
      ports.release(null);
    },
  };
}

/** Converts a file's text to the form shown on screen: no byte order mark, line feeds only. */
function toPlain(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}

function toAppError(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError('E_INTERNAL', 'The app did not answer.', { cause: error });
}
