import type { SerialQueue } from '../../../../shared/async.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { Reader } from '../../ports/reader.ts';
import type { Draft } from '../../services.ts';
import { type DraftedText, findNewProblems } from '../find-new-problems.ts';
import { readIfThere } from '../text-change.ts';
import type { ProposalServiceOptions } from './proposal-options.ts';
import type { ProposalSession, ProposalState } from './proposal-state.ts';

/** Debounce of the problem check after a save of a file that the proposal was merged with. */
const PROBLEMS_DELAY_MS = 1000;

/** Compares the proposal with the game on disk. */
export interface ProposalChecks {
  /** Finds the problems that the proposal adds to the game. */
  refreshProblems(open: ProposalSession): Promise<void>;
  /** Compares drafts with the disk and merges changes. Returns true if a displayed draft changed. */
  refreshStandings(chosen: readonly Draft[], isDrafting?: boolean): Promise<boolean>;
  /** Compares the drafts of the named files with the disk; announces changes and schedules a problem check. */
  recheck(paths: readonly string[]): Promise<void>;
}

/** `queue` runs the debounced problem check; the methods must not run at the same time as other operations. */
export function createProposalChecks(
  state: ProposalState,
  queue: SerialQueue,
  { reader, locale, engine }: Pick<ProposalServiceOptions, 'reader' | 'locale' | 'engine'>,
): ProposalChecks {
  const { drafts } = state;

  async function refreshProblems(open: ProposalSession): Promise<void> {
    const found: DraftedText[] = [];
    const origins = new Map(drafts.changed().map(({ path, from }) => [path, from]));
    for (const [path, text] of drafts.laid())
      found.push({ path, text, before: await readBelow(reader, path), from: origins.get(path) });
    open.newProblems = await findNewProblems({ reader: drafts.reader, drafts: found, locale: locale(), engine });
  }

  /** Debounced, because the whole game is checked. */
  function refreshProblemsSoon(): void {
    clearTimeout(state.problemTimer);
    state.problemTimer = setTimeout(() => {
      const open = state.session;
      void queue
        .run(async () => {
          if (open === null || state.session !== open || open.state !== 'review') return;
          await refreshProblems(open);
          state.announce();
        })
        .catch(() => undefined); // Accepting and the next draft check again.
    }, PROBLEMS_DELAY_MS);
  }

  async function refreshStandings(chosen: readonly Draft[], isDrafting = false): Promise<boolean> {
    let isNews = false;
    for (const draft of chosen) {
      const standing = await drafts.compare(draft);
      // While the assistant drafts, its text must not change between its reads and writes; `finish` merges.
      if (isDrafting && standing.kind === 'merged') continue;
      if (await drafts.setStanding(draft, standing)) isNews = true;
    }
    return isNews;
  }

  return {
    refreshProblems,
    refreshStandings,
    async recheck(paths) {
      const named = new Set(paths);
      const isDrafting = state.session?.state === 'drafting';
      const chosen = drafts.changed().filter((draft) => named.has(draft.path));
      if (!(await refreshStandings(chosen, isDrafting))) return;
      state.announce();
      if (!isDrafting) refreshProblemsSoon();
    },
  };
}

/** Returns the text on disk; undefined if it cannot be read as text. */
async function readBelow(reader: Reader, path: string): Promise<string | null | undefined> {
  try {
    return (await readIfThere(reader, path))?.text ?? null;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
