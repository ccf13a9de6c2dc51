import type { ErrorCode } from '../../../../shared/errors.ts';
import { applyOffsetEdits, type OffsetEdit } from '../../../../shared/text/text-edit.ts';
import { type LanguageState, setText, textOf } from './language-state.ts';

/** Operations that set the files and texts of the game. */
export function createTextOperations(state: LanguageState) {
  return {
    setFiles({ paths }: { paths: readonly string[] }): void {
      state.revision += 1;
      state.index.setFiles(paths);
    },
    setText: ({ path, text }: { path: string; text: string }): void => setText(state, path, text),
    setTexts({ texts }: { texts: readonly { path: string; text: string }[] }): void {
      for (const { path, text } of texts) setText(state, path, text);
    },
    /** Applies edits. False when they were made from another text than the one here: the caller sends the whole text. */
    editText({ path, edits, length }: { path: string; edits: readonly OffsetEdit[]; length: number }): boolean {
      const before = textOf(state, path);
      const text = before === undefined ? null : applyOffsetEdits(before, edits, length);
      if (text !== null) setText(state, path, text);
      return text !== null;
    },
    /** Marks a file as existing but unreadable, for example not UTF-8; it is reported as a problem. */
    setUnreadable({ path, code }: { path: string; code: ErrorCode }): void {
      state.revision += 1;
      state.settingTexts.delete(path);
      state.index.removeText(path);
      state.index.addFile(path);
      state.unreadable.set(path, code);
    },
    removeText({ path }: { path: string }): void {
      state.revision += 1;
      state.settingTexts.delete(path);
      state.unreadable.delete(path);
      state.index.removeText(path);
    },
  };
}
