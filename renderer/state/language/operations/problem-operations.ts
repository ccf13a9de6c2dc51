import type { Diagnostic } from '../../../../shared/model/diagnostic.ts';
import type { Locale } from '../../../../shared/model/local-text.ts';
import {
  diagnoseProject,
  diagnoseScene,
  diagnoseUnreadable,
  sortByPlace,
} from '../../../../shared/script/diagnostics/diagnose.ts';
import { fixAll } from '../../../../shared/script/diagnostics/fix-all.ts';
import { type FileChange, toFileChanges } from '../../../../shared/script/language-features/file-changes.ts';
import type { createProblemNews, ProblemNews } from '../problem-news.ts';
import { type Asked, type LanguageState, textOf } from './language-state.ts';

/** Operations that find and fix problems. `news` records what the page has received. */
export function createProblemOperations(state: LanguageState, news: ReturnType<typeof createProblemNews>) {
  return {
    /** Diagnoses one scene during typing; findings that need the whole story come from `refreshProblems`. */
    diagnose({ path, locale }: Asked<{ path: string }>): Diagnostic[] {
      const found = diagnoseScene(state.index, path, { locale, story: 'at-hand' });
      news.note(path, found);
      return found;
    },
    /** Diagnoses everything and returns the first batch of what changed since the last call; `nextNews` returns the rest. */
    refreshProblems({ locale }: Asked): ProblemNews {
      return news.take(diagnoseAll(state, locale));
    },
    nextNews(_: object): ProblemNews {
      return news.next();
    },
    /** Applies the first fix of every problem with this code in the whole game. */
    fixAll({ code, locale }: Asked<{ code: string }>): FileChange[] {
      return toFileChanges(fixAll(diagnoseProject(state.index, { locale }), code), (path) => textOf(state, path));
    },
  };
}

function diagnoseAll({ index, unreadable }: LanguageState, locale: Locale): Diagnostic[] {
  const found = diagnoseProject(index, { locale });
  for (const [path, code] of unreadable) {
    const diagnostic = diagnoseUnreadable(index, { path, code }, locale);
    if (diagnostic !== null) found.push(diagnostic);
  }
  return unreadable.size === 0 ? found : sortByPlace(found);
}
