import type { Output } from '../../shared/contract.ts';
import { AppError } from '../../shared/errors.ts';
import { toMergedText } from '../../shared/model/merge.ts';
import type { ScriptText, UnsavedText } from '../../shared/model/project.ts';

/** Her text waits this long after the last keystroke before it is saved, in milliseconds. */
export const AUTOSAVE_DELAY = 500;
/** At most this much typing is not yet in the app's buffers, in milliseconds. They feed the stage and outlive a crash of the page. */
const BUFFER_DELAY = 150;

/**
 * How a file that is being edited stands against the disk. `clash`: both changed, and she has to choose; `gone`: it
 * vanished from the disk while open; `failed`: the last save did not work, her text is still here.
 */
export type DocumentStatus = 'loading' | 'saved' | 'dirty' | 'saving' | 'clash' | 'gone' | 'failed' | 'unreadable';

export interface DocumentState {
  status: DocumentStatus;
  /** sha-256 of what the disk held when it was last read or written; null before the first read and when gone. */
  version: string | null;
  /** Why `failed` or `unreadable`. */
  error: AppError | null;
  /** What the disk holds, while in `clash`. */
  theirs: ScriptText | null;
}

/** A merge in which lines meet: what it was made of, and its parts. */
export interface OpenMerge extends Output<'script.merge'> {
  mine: string;
}

export interface DocumentPorts {
  read(path: string): Promise<ScriptText>;
  /** Resolves to the new version; rejects with `E_CONFLICT` when the disk is not at `version`. */
  save(path: string, text: string, version: string | null): Promise<string>;
  /** The text, made from `version` (whose text is `base` where that is known), merged with what the disk holds now. */
  merge(
    path: string,
    text: string,
    made: { version: string | null; base: string | null },
  ): Promise<Output<'script.merge'>>;
  /** The text on screen, made from the disk's `version`, is not saved: the app keeps a copy. */
  keep(version: string | null): void;
  /** Screen and disk hold the same text, at `version`; null: the file is closed. */
  release(version: string | null): void;
  /** The text on screen. */
  getText(): string;
  /** Replaces the text on screen, keeping the cursor where it can. */
  setText(text: string): void;
  isAutosaving(): boolean;
  onState(state: DocumentState): void;
}

export interface Document {
  path: string;
  state(): DocumentState;
  /** True while the screen holds words of hers that are on no disk, whatever the status. */
  hasUnsaved(): boolean;
  /** `unsaved` is text that an earlier page left in the app's buffers; it stays on screen, and where the disk has changed since, both are kept (`clash`). */
  load(unsaved?: UnsavedText | null): Promise<void>;
  /** She typed. */
  changed(): void;
  /** Saves now what is not saved; resolves when it is, or when it turned out that it cannot be. */
  save(): Promise<void>;
  /** The disk may hold something else now. */
  checkDisk(): Promise<void>;
  /** Runs what changes the text on screen to the disk's: that is no typing. */
  follow(step: () => void): void;
  /** Ends a clash or a `gone`: `mine` writes her text over the disk's (which stays in the history), `theirs` takes the disk's. */
  resolve(choice: 'mine' | 'theirs'): Promise<void>;
  /**
   * Ends a clash with both changes. Where lines meet nothing happens yet: the parts are for the user to choose from, and
   * `takeMerge` ends the clash. Null when it is over. Rejects when the app cannot merge; the clash stays then.
   */
  merge(): Promise<OpenMerge | null>;
  /** Takes a text chosen from an open merge; false when the text on screen is another one by now. */
  takeMerge(merge: OpenMerge, text: string): boolean;
  close(): void;
}

/**
 * One open file and its promise: what she typed is either on the disk, on its way there, or still on screen with the
 * reason said. At most one save is under way; typing during it leads to another one after it.
 */
export function createDocument(path: string, ports: DocumentPorts): Document {
  let state: DocumentState = { status: 'loading', version: null, error: null, theirs: null };
  let saveTimer: ReturnType<typeof setTimeout> | undefined;
  let bufferTimer: ReturnType<typeof setTimeout> | undefined;
  let saving: Promise<void> | null = null;
  /** What the disk's version that the text was made from says: an app that was started anew does not remember. */
  let base: { version: string; text: string } | null = null;
  /** Grows with each keystroke, so that a save knows whether she typed on meanwhile. */
  let edits = 0;
  /** The keystrokes that are on the disk, or were given up for the disk's text. */
  let settledEdits = 0;
  /** True while the text on screen is replaced by us: that is no typing. */
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

  /** Screen and disk hold the same. */
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

  /** Not restarted by further keystrokes: fast typing must not keep the buffer from being sent. */
  const scheduleBuffer = (): void => {
    bufferTimer ??= setTimeout(sendBuffer, BUFFER_DELAY);
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

  const meetClash = async (): Promise<void> => {
    try {
      const theirs = await ports.read(path);
      if (isClosed) return;
      if (toPlain(theirs.text) === ports.getText()) settle(theirs.version);
      else set({ status: 'clash', theirs, error: null });
    } catch (error) {
      if (isClosed) return;
      const problem = toAppError(error);
      set(problem.code === 'E_NOT_FOUND' ? { status: 'gone', version: null } : { status: 'failed', error: problem });
    }
  };

  const write = async (version: string | null): Promise<void> => {
    const writtenAt = edits;
    // The app compares the buffer with what is saved, so the buffer must not lag behind.
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
      if (problem.code === 'E_CONFLICT') await meetClash();
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
    if (ports.isAutosaving() && !isClosed) saveTimer = setTimeout(() => void save(), AUTOSAVE_DELAY);
  }

  async function save(): Promise<void> {
    clearTimeout(saveTimer);
    if (saving) await saving;
    if (state.status === 'dirty' || state.status === 'failed') await startWrite(state.version);
  }

  /** The merged text is unsaved text made from what the disk holds. */
  function takeMerge({ mine, theirs }: OpenMerge, text: string): boolean {
    if (isClosed || state.status !== 'clash' || ports.getText() !== mine) return false;
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
      else recover(unsaved, { status: 'clash', version: unsaved.version, theirs: file });
    },

    changed() {
      if (isReplacing || state.status === 'loading' || state.status === 'unreadable') return;
      edits += 1;
      scheduleBuffer();
      if (state.status === 'clash' || state.status === 'gone') return;
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
        // Her unsaved words keep their way to the disk; only a text that is nothing but the disk's can be unreadable.
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
        set({ status: 'clash', theirs: file });
      } else if (state.status === 'clash') {
        // The disk went back to what her text was made from: nothing stands in the way any more.
        set({ status: 'dirty', theirs: null });
        scheduleSave();
      }
    },

    async resolve(choice) {
      if (state.status !== 'clash' && state.status !== 'gone') return;
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
        if (isClosed || state.status !== 'clash') return null;
        const mine = ports.getText();
        const { version } = state;
        const made = { version, base: base !== null && base.version === version ? base.text : null };
        const merge = { mine, ...(await ports.merge(path, mine, made)) };
        if (merge.parts.some(({ kind }) => kind === 'conflict')) return merge;
        // Typed on meanwhile: merged anew.
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

/** A file's text as the screen holds it. */
function toPlain(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}

function toAppError(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError('E_INTERNAL', 'The app did not answer.', { cause: error });
}
