import { type FileChange, toFileChanges } from '../../../../shared/script/language-features/file-changes.ts';
import { SCENE_FOLDER } from '../../../../shared/script/project-index/project-facts.ts';
import {
  definitionsOf,
  type PlacedRange,
  type RenameProblem,
  referencesOf,
  renameLabel,
  renameSymbol,
  type ScriptPlace,
  type ScriptSymbol,
  type SymbolKind,
  symbolAt,
} from '../../../../shared/script/project-index/symbols.ts';
import { type LanguageState, textOf } from './language-state.ts';

/** A renamable name: its kind, its range, and its current name. */
export interface Renamable {
  kind: SymbolKind;
  range: PlacedRange;
  name: string;
}

export interface Found {
  places: readonly PlacedRange[];
  /** Texts by path, without pictures and sounds. */
  texts: Readonly<Record<string, string>>;
}

/** Operations on the symbol at a place: scenes, labels, variables, figures. */
export function createSymbolOperations(state: LanguageState) {
  return {
    /** Finds the definitions of the symbol at a place, with the texts of their files. */
    findDefinitions({ place }: { place: ScriptPlace }): Found {
      const found = symbolAt(state.index, place);
      return withTexts(state, found ? definitionsOf(state.index, found.symbol) : []);
    },
    findReferences({ place }: { place: ScriptPlace }): Found {
      const found = symbolAt(state.index, place);
      return withTexts(state, found ? referencesOf(state.index, found.symbol) : []);
    },
    /** Null when there is no renamable name at the place. */
    findRenamable({ place }: { place: ScriptPlace }): Renamable | null {
      const found = symbolAt(state.index, place);
      if (found === null || found.symbol.kind === 'asset' || found.symbol.kind === 'animation') return null;
      const { kind, name } = found.symbol;
      return { kind, range: found.range, name: kind === 'scene' ? name.slice(SCENE_FOLDER.length) : name };
    },
    /** Renames the symbol at a place; the name of a scene is relative to the scene folder, and its ending can be left out. */
    rename({ place, name }: { place: ScriptPlace; name: string }): FileChange[] | { problem: RenameProblem } {
      const found = symbolAt(state.index, place);
      if (found === null) return { problem: 'not-renamable' };
      return renameAll(state, found.symbol, name);
    },
    /** Renames a scene by its path, as `rename` does at a place. */
    renameScene({ path, name }: { path: string; name: string }): FileChange[] | { problem: RenameProblem } {
      return renameAll(state, { kind: 'scene', name: path }, name);
    },
  };
}

function renameAll(
  state: LanguageState,
  symbol: ScriptSymbol,
  name: string,
): FileChange[] | { problem: RenameProblem } {
  const rename = symbol.kind === 'label' ? renameLabel : renameSymbol;
  const renaming = rename(state.index, symbol, symbol.kind === 'scene' ? toWantedPath(name) : name);
  if ('problem' in renaming) return renaming;
  const { edits, move } = renaming;
  if (move && move.from === move.to) return [];
  // Without its text only the lines that lead to the scene would be changed.
  if (move && textOf(state, move.from) === undefined && state.index.files.has(move.from))
    return { problem: 'unreadable' };
  return toFileChanges(edits, (path) => textOf(state, path), move);
}

const toWantedPath = (name: string): string =>
  SCENE_FOLDER + (name.trim() === '' || /\.txt$/i.test(name) ? name : `${name}.txt`);

function withTexts(state: LanguageState, places: readonly PlacedRange[]): Found {
  const texts: Record<string, string> = {};
  for (const { path } of places) {
    const text = textOf(state, path);
    if (text !== undefined) texts[path] ??= text;
  }
  return { places, texts };
}
