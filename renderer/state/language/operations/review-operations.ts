import type { Diagnostic } from '../../../../shared/model/diagnostic.ts';
import type { Locale } from '../../../../shared/model/local-text.ts';
import type { ProposedFile } from '../../../../shared/model/proposal.ts';
import { diagnoseScene } from '../../../../shared/script/diagnostics/diagnose.ts';
import {
  type FileMove,
  findSerious,
  layText,
  problemsBeyond,
} from '../../../../shared/script/language-features/problem-changes.ts';
import {
  findPieceDependencies,
  type PieceDependency,
} from '../../../../shared/script/references/piece-dependencies.ts';
import { composePieces, type PieceChoice } from '../../../../shared/text/pieces.ts';
import { type Asked, type LanguageState, textOf } from './language-state.ts';

/** What the ticked part of a proposal does to the game. */
export interface PartFindings {
  /** Problems that it adds, with lines of the composed texts. */
  added: Diagnostic[];
  /** Problems of the game that it removes; null if only the files of the proposal were checked. */
  fixed: Diagnostic[] | null;
  dependencies: PieceDependency[];
}

/** Problems that are sent to the page; a game has at most a few thousand. */
const MAX_FOUND = 500;

type ReviewedFile = Pick<ProposedFile, 'path' | 'before' | 'after' | 'from' | 'hunks'>;

/** Operations on the proposal in review. Its texts are sent once, so that a tick costs the page nothing that grows with them. */
export function createReviewOperations(state: LanguageState) {
  const files = new Map<string, ReviewedFile>();
  const known = createKnownProblems(state);

  return {
    /** Sets the files of the proposal that are new or changed, and removes others. */
    setReview({ changed, gone }: { changed: readonly ReviewedFile[]; gone: readonly string[] }): void {
      for (const path of gone) files.delete(path);
      for (const file of changed) files.set(file.path, file);
      if (files.size === 0) known.clear();
    },
    /**
     * Checks the chosen pieces; a file without a choice is left out. `scope`: the files of the proposal, which is fast, or the whole
     * game, whose other scenes they may break.
     */
    checkReview(request: Asked<{ choices: ReadonlyMap<string, PieceChoice>; scope: 'files' | 'game' }>): PartFindings {
      const { choices, scope, locale } = request;
      const { index } = state;
      const chosen = [...files.values()].map((file) => ({
        ...{ path: file.path, file, choice: choices.get(file.path) ?? NOTHING },
      }));
      const laid = chosen.filter(({ choice }) => choice.taken.size > 0);
      const paths = laid.map(({ path }) => path);
      const moves = laid.flatMap(({ path, file: { from } }) =>
        from !== undefined && paths.includes(from) ? { from, to: path } : [],
      );
      const before = scope === 'game' ? known.ofGame(locale) : known.ofScenes(paths, locale);
      const texts = new Map(
        paths.map((path) => [path, textOf(state, path) ?? (index.files.has(path) ? undefined : null)]),
      );
      try {
        for (const { path, file, choice } of laid) layText(index, path, composePieces(file, choice));
        const found = scope === 'game' ? findSerious(index, locale) : findInScenes(state, paths, locale);
        const isVariableSet = (name: string): boolean => index.hasVariable(name);
        return {
          added: problemsBeyond(found, before, moves).slice(0, MAX_FOUND),
          fixed: scope === 'game' ? problemsBeyond(before, found, moves.map(reverse)).slice(0, MAX_FOUND) : null,
          dependencies: findPieceDependencies(chosen, { engine: index.engine, isVariableSet }),
        };
      } finally {
        for (const [path, text] of texts) layText(index, path, text);
      }
    },
  };
}

const reverse = ({ from, to }: FileMove): FileMove => ({ from: to, to: from });

const NOTHING: PieceChoice = { taken: new Set() };

/** Keeps the problems of the game without the proposal, for one revision of its texts. */
function createKnownProblems(state: LanguageState) {
  let revision = -1;
  let language: Locale | null = null;
  let game: Diagnostic[] | null = null;
  const scenes = new Map<string, Diagnostic[]>();

  const clear = (): void => {
    game = null;
    scenes.clear();
  };
  const refresh = (locale: Locale): void => {
    if (state.revision !== revision || locale !== language) clear();
    [revision, language] = [state.revision, locale];
  };
  return {
    clear,
    ofGame(locale: Locale): Diagnostic[] {
      refresh(locale);
      game ??= findSerious(state.index, locale);
      return game;
    },
    ofScenes(paths: readonly string[], locale: Locale): Diagnostic[] {
      refresh(locale);
      return paths.flatMap((path) => {
        const found = scenes.get(path) ?? findInScenes(state, [path], locale);
        scenes.set(path, found);
        return found;
      });
    },
  };
}

/** Finds the problems in some scenes, without those that need the whole story. */
function findInScenes({ index }: LanguageState, paths: readonly string[], locale: Locale): Diagnostic[] {
  return paths
    .flatMap((path) => (index.scene(path) ? diagnoseScene(index, path, { locale, story: 'at-hand' }) : []))
    .filter(({ severity }) => severity !== 'info');
}
