import type { Diagnostic } from '../../../shared/model/diagnostic.ts';
import type { Locale } from '../../../shared/model/text.ts';
import { diagnoseProject } from '../../../shared/script/diagnose.ts';
import type { ProjectIndex } from '../../../shared/script/project-facts.ts';
import { readProjectIndex } from '../capability/read-project-index.ts';
import type { GameEngine, Reader } from '../ports.ts';

/**
 * The problems a game would have with the drafts and does not have without, in all of it: a draft can break a
 * scene it never touches. Notes of style are left out, for nobody turns a proposal down over one. Wherever a problem
 * moved to by lines that came or went, it is the same problem.
 */
export async function findNewProblems({
  reader,
  texts,
  removals = [],
  locale,
  engine,
}: {
  /** The game without the drafts. */
  reader: Reader;
  texts: ReadonlyMap<string, string>;
  /** Files the drafts take away. */
  removals?: readonly string[];
  locale: Locale;
  engine?: GameEngine | undefined;
}): Promise<Diagnostic[]> {
  const index = await readProjectIndex(reader, engine);
  const known = new Map<string, number>();
  for (const problem of diagnoseAll(index, locale)) {
    const key = toKey(problem);
    known.set(key, (known.get(key) ?? 0) + 1);
  }
  for (const [path, text] of texts) {
    index.addFile(path);
    index.setText(path, text);
  }
  for (const path of removals) index.removeText(path);
  const fresh: Diagnostic[] = [];
  for (const problem of diagnoseAll(index, locale)) {
    const key = toKey(problem);
    const count = known.get(key) ?? 0;
    if (count > 0) known.set(key, count - 1);
    else fresh.push(problem);
  }
  return fresh;
}

function diagnoseAll(index: ProjectIndex, locale: Locale): Diagnostic[] {
  return diagnoseProject(index, { locale }).filter((problem) => problem.severity !== 'info');
}

function toKey({ path, code, message }: Diagnostic): string {
  return JSON.stringify([path, code, message]);
}
