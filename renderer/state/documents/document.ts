import type { UnsavedText } from '../../../shared/model/project.ts';
import {
  createDocumentMemory,
  type DocumentPorts,
  type DocumentState,
  follow,
  type OpenMerge,
  setState,
  stopTimers,
} from './operations/document-memory.ts';
import { checkDisk, loadDocument } from './operations/read-document.ts';
import { mergeConflict, resolveConflict, takeMerge } from './operations/resolve-conflict.ts';
import { saveDocument, scheduleBuffer, scheduleSave } from './operations/save-document.ts';

export type { DocumentState, DocumentStatus, OpenMerge } from './operations/document-memory.ts';

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
  const document = createDocumentMemory(path, ports);
  return {
    path,
    state: () => document.state,
    hasUnsaved: () => document.edits !== document.settledEdits,
    load: (unsaved = null) => loadDocument(document, unsaved),
    save: () => saveDocument(document),
    follow: (step) => follow(document, step),
    checkDisk: () => checkDisk(document),
    resolve: (choice) => resolveConflict(document, choice),
    merge: () => mergeConflict(document),
    takeMerge: (merge, text) => takeMerge(document, merge, text),

    changed() {
      const { status } = document.state;
      if (document.isReplacing || status === 'loading' || status === 'unreadable') return;
      document.edits += 1;
      scheduleBuffer(document);
      if (status === 'conflict' || status === 'gone') return;
      // `failed` stays until a save succeeds, so that its reason can be read while the user types on.
      if (status === 'saved') setState(document, { status: 'dirty' });
      scheduleSave(document);
    },

    close() {
      stopTimers(document);
      document.isClosed = true;
      ports.release(null);
    },
  };
}
