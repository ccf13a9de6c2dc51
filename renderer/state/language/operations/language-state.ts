import type { ErrorCode } from '../../../../shared/errors.ts';
import type { Locale } from '../../../../shared/model/local-text.ts';
import {
  createProjectIndex,
  type ProjectIndex,
  SETTING_PATHS,
} from '../../../../shared/script/project-index/project-facts.ts';
import { type SceneSummary, summarizeScene } from '../../../../shared/script/story/outline.ts';
import type { SceneLines } from '../../../../shared/script/syntax/scene-lines.ts';

export type Asked<T = unknown> = T & { locale: Locale };

/** The texts of one game, and what was derived from them. */
export interface LanguageState {
  index: ProjectIndex;
  /** Texts of the settings files, which the index does not keep. */
  settingTexts: Map<string, string>;
  unreadable: Map<string, ErrorCode>;
  /** Grows with every change of a text or of the list of files. */
  revision: number;
  summaries: WeakMap<SceneLines, { revision: number; summary: SceneSummary }>;
}

export function createLanguageState(): LanguageState {
  return {
    index: createProjectIndex(),
    settingTexts: new Map(),
    unreadable: new Map(),
    revision: 0,
    summaries: new WeakMap(),
  };
}

export function textOf({ settingTexts, index }: LanguageState, path: string): string | undefined {
  return settingTexts.get(path) ?? index.scene(path)?.text;
}

export function setText(state: LanguageState, path: string, text: string): void {
  const { settingTexts, unreadable, index } = state;
  state.revision += 1;
  if (SETTING_PATHS.includes(path)) settingTexts.set(path, text);
  unreadable.delete(path);
  index.setText(path, text);
}

/** Returns the summary of a scene, computed once for each revision of its text. */
export function summaryOf({ summaries, index }: LanguageState, scene: SceneLines): SceneSummary | undefined {
  const known = summaries.get(scene);
  if (known?.revision === scene.revision) return known.summary;
  const summary = summarizeScene(index, scene.path);
  if (summary) summaries.set(scene, { revision: scene.revision, summary });
  return summary;
}
