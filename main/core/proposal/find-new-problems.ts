import type { Diagnostic } from '../../../shared/model/diagnostic.ts';
import type { Locale } from '../../../shared/model/local-text.ts';
import { findSerious, layText, problemsBeyond } from '../../../shared/script/language-features/problem-changes.ts';
import type { Reader } from '../ports/reader.ts';
import type { GameEngine } from '../ports/workspace.ts';
import { currentProjectIndex } from '../project/read-project-index.ts';

/** A file of a proposal. Null: no file. */
export interface DraftedText {
  path: string;
  text: string | null;
  /** The text on disk; undefined if the file cannot be read as text. */
  before: string | null | undefined;
  /** The path before a rename; that file is among the drafts, removed. */
  from?: string | undefined;
}

/**
 * Returns the problems that the game has with the drafts and does not have without them. Checks the whole game, because a
 * draft can break a scene it does not change. Omits `info` problems, which are no reason to reject a proposal. Problems are
 * matched by path, code and message, so that one which only moved to another line is not new; nor is one of a renamed file.
 */
export async function findNewProblems({
  reader,
  drafts,
  locale,
  engine,
}: {
  /** The game with the drafts over it. */
  reader: Reader;
  drafts: readonly DraftedText[];
  locale: Locale;
  engine?: GameEngine | undefined;
}): Promise<Diagnostic[]> {
  const index = await currentProjectIndex(reader, engine);
  // The index is cached and shared: no `await` from here to the end, so that no other call reads it without the drafts.
  const found = findSerious(index, locale);
  try {
    for (const { path, before } of drafts) layText(index, path, before);
    const moves = drafts.flatMap(({ path, from }) => (from === undefined ? [] : { from, to: path }));
    return problemsBeyond(found, findSerious(index, locale), moves);
  } finally {
    for (const { path, text } of drafts) layText(index, path, text);
  }
}
