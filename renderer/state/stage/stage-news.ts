import { MAX_STAGE_NEWS, type StageNews } from '../../../shared/model/message/editor-context.ts';
import type { StageProblem } from '../../../shared/model/stage.ts';

/** Remembers which problems of the stage each conversation was told. */
export interface NewsOfStage {
  /** Returns those that are new for a conversation. They count as told once `setTold` is called. */
  find(session: string | null, problems: readonly StageProblem[]): { news: StageNews[]; setTold(): void };
}

export function createNewsOfStage(): NewsOfStage {
  let told = new Set<string>();
  let of: string | null = null;
  return {
    find(session, problems) {
      if (session !== of) told = new Set();
      of = session;
      // One that is gone is news when it is back.
      const present = new Set(problems.map(({ id }) => id));
      told = new Set([...told].filter((id) => present.has(id)));
      const found = problems.filter(({ id }) => !told.has(id)).slice(0, MAX_STAGE_NEWS);
      const news = found.map(({ reason, subject, place }) => ({
        problem: reason,
        subject: subject.slice(0, 300),
        ...(place && { path: place.path, line: place.line }),
      }));
      const setTold = () => {
        // Meanwhile another conversation may have been asked for.
        if (of === session) for (const { id } of found) told.add(id);
      };
      return { news, setTold };
    },
  };
}

export const newsOfStage = createNewsOfStage();
