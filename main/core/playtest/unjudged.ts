import type { ProjectIndex } from '../../../shared/script/project-index/project-facts.ts';
import { Statement } from '../../../shared/script/syntax/scan.ts';
import type { Coverage } from './seen/coverage.ts';
import type { StaticRoutes } from './static-routes.ts';

/** What a condition or a value names: words of letters, digits and `_`, or whatever stands between the operators of an engine. */
const WORD = /[\p{L}\p{N}_]+/gu;
const OPERATOR = /[-+*/()<>=!&|{}]/;
const LOT = /\brandom\s*\(/;

/**
 * Returns whether a condition may hold in another run of the same choices: it names a variable that players type, that the story
 * draws by lot or keeps for the next time it is played (`-global`), that is computed from such a one, or that is set in a line to which
 * an exit with such a condition may lead and this run did not come.
 */
export function findUnjudged(
  index: ProjectIndex,
  { routes, coverage }: { routes: StaticRoutes; coverage: Coverage },
): (condition: string) => boolean {
  const names = new Set(index.inputs.names());
  const namesOne = (text: string): boolean => {
    if (LOT.test(text)) return true;
    for (const [word] of text.matchAll(WORD)) if (names.has(word)) return true;
    return text.split(OPERATOR).some((part) => names.has(part.trim()));
  };
  /** `missed`: the step of a line that was not played. */
  let open: { name: string; sources: string[]; missed: number | null }[] = [];
  for (const { path, records } of index.scenes()) {
    for (const [line, record] of records.entries()) {
      if (record.command?.name !== 'setVar' || !routes.isLinkedLine(path, line)) continue;
      const statement = new Statement(record.text, line, 0);
      const [written = '', ...value] = statement.content.split('=');
      const sources = [value.join('='), statement.argument('when')?.raw ?? ''];
      const name = written.trim();
      if (statement.argument('global')) names.add(name);
      open.push({ name, sources, missed: coverage.isPlayed(path, line) ? null : routes.stepAt(path, line) });
    }
  }
  // All that can be played was played, and is judged.
  if (names.size === 0 && !routes.isRandom) return () => false;
  // Until no other value depends on one of these.
  for (let before = -1; before !== names.size; ) {
    before = names.size;
    const behind = routes.behind(namesOne);
    open = open.filter(({ name, sources, missed }) => {
      const isUnjudged = (missed !== null && behind.has(missed)) || sources.some(namesOne);
      if (isUnjudged) names.add(name);
      return !isUnjudged;
    });
  }
  return namesOne;
}
