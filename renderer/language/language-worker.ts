import type { Diagnostic } from '../../shared/model/diagnostic.ts';
import type { Locale } from '../../shared/model/text.ts';
import { diagnoseProject, diagnoseScene } from '../../shared/script/diagnose.ts';
import { createProjectIndex, type ProjectIndex } from '../../shared/script/project-facts.ts';

let index: ProjectIndex = createProjectIndex();

/** What the page can ask the language service. Texts go in once and again when they change; answers are plain data. */
const operations = {
  /** Forgets everything: another game. */
  reset({ engineVersion }: { engineVersion: string }): void {
    index = createProjectIndex({ engineVersion });
  },
  setFiles({ paths }: { paths: readonly string[] }): void {
    index.setFiles(paths);
  },
  setText({ path, text }: { path: string; text: string }): void {
    index.setText(path, text);
  },
  removeText({ path }: { path: string }): void {
    index.removeText(path);
  },
  diagnose({ path, locale }: { path: string; locale: Locale }): Diagnostic[] {
    return diagnoseScene(index, path, { locale });
  },
  diagnoseAll({ locale }: { locale: Locale }): Diagnostic[] {
    return diagnoseProject(index, { locale });
  },
};

export type LanguageOperations = typeof operations;

self.onmessage = ({ data }: MessageEvent<{ id: number; name: keyof LanguageOperations; input: never }>) => {
  const { id, name, input } = data;
  try {
    const operation: (input: never) => unknown = operations[name];
    self.postMessage({ id, value: operation(input) });
  } catch (error) {
    self.postMessage({ id, failure: error instanceof Error ? error.message : String(error) });
  }
};
