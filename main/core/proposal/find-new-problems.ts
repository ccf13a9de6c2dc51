import type { Diagnostic } from '../../../shared/model/diagnostic.ts';
import type { Locale } from '../../../shared/model/text.ts';
import { diagnoseProject } from '../../../shared/script/diagnostics/diagnose.ts';
import type { ProjectIndex } from '../../../shared/script/index/project-facts.ts';
import type { GameEngine, Reader } from '../ports.ts';
import { currentProjectIndex } from '../project/read-project-index.ts';

/** A file of a proposal. Null stands for no file. */
export interface DraftedText {
  path: string;
  text: string | null;
  /** What the disk has; undefined when that is no text. */
  before: string | null | undefined;
}

/**
 * The problems a game would have with the drafts and does not have without, in all of it: a draft can break a
 * scene it never touches. Notes of style are left out: they are no reason to turn a proposal down. A problem that moved
 * because lines came or went is the same problem.
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
  // The index is kept and shared: from here to the end nothing waits, so that no other call sees it without the drafts.
  const found = diagnoseAll(index, locale);
  try {
    for (const { path, before } of drafts) lay(index, path, before);
    const known = new Map<string, number>();
    for (const problem of diagnoseAll(index, locale)) {
      const key = toKey(problem);
      known.set(key, (known.get(key) ?? 0) + 1);
    }
    return found.filter((problem) => {
      const key = toKey(problem);
      const count = known.get(key) ?? 0;
      known.set(key, count - 1);
      return count <= 0;
    });
  } finally {
    for (const { path, text } of drafts) lay(index, path, text);
  }
}

function lay(index: ProjectIndex, path: string, text: string | null | undefined): void {
  if (typeof text === 'string') index.setText(path, text);
  else index.removeText(path);
  if (text !== null) index.addFile(path);
}

function diagnoseAll(index: ProjectIndex, locale: Locale): Diagnostic[] {
  return diagnoseProject(index, { locale }).filter((problem) => problem.severity !== 'info');
}

function toKey({ path, code, message }: Diagnostic): string {
  return JSON.stringify([path, code, message]);
}
