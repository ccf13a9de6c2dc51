import type { ErrorCode } from '../../../shared/errors.ts';
import type { Diagnostic, TextEdit } from '../../../shared/model/diagnostic.ts';
import type { Locale } from '../../../shared/model/local-text.ts';
import {
  diagnoseProject,
  diagnoseScene,
  diagnoseUnreadable,
  sortByPlace,
} from '../../../shared/script/diagnostics/diagnose.ts';
import { fixAll } from '../../../shared/script/diagnostics/fix-all.ts';
import type { EngineTraits } from '../../../shared/script/engine/engine.ts';
import { type Completion, completionsAt } from '../../../shared/script/language-features/completions.ts';
import { type FileChange, toFileChanges } from '../../../shared/script/language-features/file-changes.ts';
import { type FoldingRange, foldScene } from '../../../shared/script/language-features/folding.ts';
import { formatScene } from '../../../shared/script/language-features/format.ts';
import { type Hover, hoverAt, type Signature, signatureAt } from '../../../shared/script/language-features/hover.ts';
import { type HintRequest, hintsOf, type LineHint } from '../../../shared/script/language-features/line-hints.ts';
import { type LineMarks, marksOf } from '../../../shared/script/language-features/line-marks.ts';
import { type SceneSummary, summarizeScene } from '../../../shared/script/language-features/outline.ts';
import {
  createProjectIndex,
  type ProjectIndex,
  SCENE_FOLDER,
  SETTING_PATHS,
} from '../../../shared/script/project-index/project-facts.ts';
import {
  definitionsOf,
  type PlacedRange,
  type RenameProblem,
  referencesOf,
  renameLabel,
  renameSymbol,
  type ScriptPlace,
  type SymbolKind,
  symbolAt,
} from '../../../shared/script/project-index/symbols.ts';
import { findStoryLines, type LineHits } from '../../../shared/script/story/story-lines.ts';
import { describeStory } from '../../../shared/script/story/story-passages.ts';
import type { SceneLines } from '../../../shared/script/syntax/scene-lines.ts';
import { applyOffsetEdits, type OffsetEdit } from '../../../shared/text/text-edit.ts';
import { createProblemNews, type ProblemNews } from './problem-news.ts';

type Asked<T = unknown> = T & { locale: Locale };

/** A renamable name: its kind, its range, and its current name. */
export interface Renamable {
  kind: SymbolKind;
  range: PlacedRange;
  name: string;
}

/**
 * Creates the operations of the language service. Texts are set once and again when they change; results are plain data.
 * Runs in a worker: must not use the DOM or Monaco.
 */
export function createLanguageOperations() {
  let index: ProjectIndex = createProjectIndex();
  const news = createProblemNews();
  /** Texts of the settings files, which the index does not keep. */
  const settingTexts = new Map<string, string>();
  const unreadable = new Map<string, ErrorCode>();
  const summaries = new WeakMap<SceneLines, { revision: number; summary: SceneSummary }>();

  const textOf = (path: string) => settingTexts.get(path) ?? index.scene(path)?.text;

  const setText = (path: string, text: string): void => {
    if (SETTING_PATHS.includes(path)) settingTexts.set(path, text);
    unreadable.delete(path);
    index.setText(path, text);
  };

  const summaryOf = (scene: SceneLines): SceneSummary | undefined => {
    const known = summaries.get(scene);
    if (known?.revision === scene.revision) return known.summary;
    const summary = summarizeScene(index, scene.path);
    if (summary) summaries.set(scene, { revision: scene.revision, summary });
    return summary;
  };

  const diagnoseAll = (locale: Locale): Diagnostic[] => {
    const found = diagnoseProject(index, { locale });
    for (const [path, code] of unreadable) {
      const diagnostic = diagnoseUnreadable(index, { path, code }, locale);
      if (diagnostic !== null) found.push(diagnostic);
    }
    return unreadable.size === 0 ? found : sortByPlace(found);
  };

  return {
    /** Clears all state, for another game. */
    reset({ engineVersion, engine = null }: { engineVersion: string; engine?: EngineTraits | null }): void {
      index = createProjectIndex({ engineVersion, engine });
      settingTexts.clear();
      unreadable.clear();
      news.clear();
    },
    setFiles({ paths }: { paths: readonly string[] }): void {
      index.setFiles(paths);
    },
    setText: ({ path, text }: { path: string; text: string }): void => setText(path, text),
    /** Applies edits. False when they were made from another text than the one here: the caller sends the whole text. */
    editText({ path, edits, length }: { path: string; edits: readonly OffsetEdit[]; length: number }): boolean {
      const before = textOf(path);
      const text = before === undefined ? null : applyOffsetEdits(before, edits, length);
      if (text !== null) setText(path, text);
      return text !== null;
    },
    /** Marks a file as existing but unreadable, for example not UTF-8; it is reported as a problem. */
    setUnreadable({ path, code }: { path: string; code: ErrorCode }): void {
      settingTexts.delete(path);
      index.removeText(path);
      index.addFile(path);
      unreadable.set(path, code);
    },
    removeText({ path }: { path: string }): void {
      settingTexts.delete(path);
      unreadable.delete(path);
      index.removeText(path);
    },
    /** Diagnoses one scene during typing; findings that need the whole story come from `refreshProblems`. */
    diagnose({ path, locale }: Asked<{ path: string }>): Diagnostic[] {
      const found = diagnoseScene(index, path, { locale, story: 'at-hand' });
      news.note(path, found);
      return found;
    },
    /** Diagnoses everything and returns the first batch of what changed since the last call; `nextNews` returns the rest. */
    refreshProblems({ locale }: Asked): ProblemNews {
      return news.take(diagnoseAll(locale));
    },
    nextNews(_: object): ProblemNews {
      return news.next();
    },
    /** Counts scenes and words; each wide character counts as one word. */
    measure(_: object): { scenes: number; words: number } {
      let scenes = 0;
      let words = 0;
      for (const scene of index.scenes()) {
        scenes += 1;
        words += summaryOf(scene)?.words ?? 0;
      }
      return { scenes, words };
    },
    complete({ place, locale }: Asked<{ place: ScriptPlace }>): Completion[] {
      return completionsAt(index, place, locale);
    },
    hover({ place, locale }: Asked<{ place: ScriptPlace }>): Hover | null {
      return hoverAt(index, place, locale);
    },
    signature({ place, locale }: Asked<{ place: ScriptPlace }>): Signature | null {
      return signatureAt(index, place, locale);
    },
    summarize({ path }: { path: string }): SceneSummary | null {
      const scene = index.scene(path);
      return (scene && summaryOf(scene)) ?? null;
    },
    /**
     * Returns a `DescribedStory` as JSON. The page passes it to the story's worker unparsed, which is much cheaper than
     * copying every object.
     */
    storyJson(_: object): string {
      return JSON.stringify(describeStory(index));
    },
    /** Finds all lines of the story that contain one of the words, which must be lower case. */
    findLines({ words }: { words: readonly string[] }): LineHits[] {
      return findStoryLines(index, words);
    },
    /** Returns the lines to fade and to strike through. */
    mark({ path }: { path: string }): LineMarks {
      return marksOf(index, path);
    },
    hint({ path, ...request }: HintRequest & { path: string }): LineHint[] {
      return hintsOf(index, path, request);
    },
    fold({ path }: { path: string }): FoldingRange[] {
      return foldScene(index.scene(path)?.records ?? []);
    },
    format({ path }: { path: string }): TextEdit[] {
      return formatScene(index.scene(path)?.text ?? '');
    },
    /** Finds the definitions of the symbol at a place, with the texts of their files. */
    findDefinitions({ place }: { place: ScriptPlace }): Found {
      const found = symbolAt(index, place);
      return withTexts(found ? definitionsOf(index, found.symbol) : []);
    },
    findReferences({ place }: { place: ScriptPlace }): Found {
      const found = symbolAt(index, place);
      return withTexts(found ? referencesOf(index, found.symbol) : []);
    },
    /** Null when there is no renamable name at the place. */
    findRenamable({ place }: { place: ScriptPlace }): Renamable | null {
      const found = symbolAt(index, place);
      if (found === null || found.symbol.kind === 'asset' || found.symbol.kind === 'animation') return null;
      const { kind, name } = found.symbol;
      return { kind, range: found.range, name: kind === 'scene' ? name.slice(SCENE_FOLDER.length) : name };
    },
    /** Renames the symbol at a place; the name of a scene is relative to the scene folder. */
    rename({ place, name }: { place: ScriptPlace; name: string }): FileChange[] | { problem: RenameProblem } {
      const found = symbolAt(index, place);
      if (found === null) return { problem: 'not-renamable' };
      const { symbol } = found;
      const rename = symbol.kind === 'label' ? renameLabel : renameSymbol;
      const renaming = rename(index, symbol, symbol.kind === 'scene' ? SCENE_FOLDER + name : name);
      return 'problem' in renaming ? renaming : toFileChanges(renaming.edits, textOf, renaming.move);
    },
    /** Applies the first fix of every problem with this code in the whole game. */
    fixAll({ code, locale }: Asked<{ code: string }>): FileChange[] {
      return toFileChanges(fixAll(diagnoseProject(index, { locale }), code), textOf);
    },
  };

  function withTexts(places: readonly PlacedRange[]): Found {
    const texts: Record<string, string> = {};
    for (const { path } of places) {
      const text = textOf(path);
      if (text !== undefined) texts[path] ??= text;
    }
    return { places, texts };
  }
}

export interface Found {
  places: readonly PlacedRange[];
  /** Texts by path, without pictures and sounds. */
  texts: Readonly<Record<string, string>>;
}

export type LanguageOperations = ReturnType<typeof createLanguageOperations>;
