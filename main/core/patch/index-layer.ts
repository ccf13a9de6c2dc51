import { CONFIG_PATH, type ProjectIndex, SETTING_PATHS } from '../../../shared/script/project-index/project-facts.ts';
import { isScene } from '../project/read-project-index.ts';

/** Texts over a shared index, taken off before others read it. */
export interface IndexLayer {
  /** Null: there is no such file. Settings stay as they are: no rule about lines depends on them. */
  lay(path: string, text: string | null): void;
  /** Gives every file the text that it had in the index. */
  restore(): void;
}

/** The caller must not await between the first text and `restore`. */
export function createIndexLayer(index: ProjectIndex): IndexLayer {
  const before = new Map<string, { text: string | undefined; isFile: boolean }>();

  function set(path: string, text: string | null | undefined, isFile: boolean): void {
    if (isScene(path)) {
      if (typeof text === 'string') index.setScene(path, text);
      else index.removeScene(path);
    }
    if (isFile) index.addFile(path);
    else index.removeFile(path);
  }

  return {
    lay(path, text) {
      if (path === CONFIG_PATH || SETTING_PATHS.includes(path)) return;
      if (!before.has(path)) before.set(path, { text: index.scene(path)?.text, isFile: index.files.has(path) });
      set(path, text, text !== null);
    },
    restore() {
      for (const [path, { text, isFile }] of before) set(path, text, isFile);
      before.clear();
    },
  };
}
