import { MAX_STAGE_NEWS, type StageNews } from '../../../shared/model/message/editor-context.ts';
import type { StageProblem } from '../../../shared/model/stage.ts';

/** Remembers which problems of the stage each conversation was told. */
export interface NewsOfStage {
  /** Returns those that are new for a conversation, and counts them as told. */
  take(session: string | null, problems: readonly StageProblem[]): StageNews[];
}

export function createNewsOfStage(): NewsOfStage {
  let told = new Set<string>();
  let of: string | null = null;
  return {
    take(session, problems) {
      if (session !== of) told = new Set();
      of = session;
      // One that is gone is news when it is back.
      const present = new Set(problems.map(({ id }) => id));
      told = new Set([...told].filter((id) => present.has(id)));
      const news = problems.filter(({ id }) => !told.has(id)).slice(0, MAX_STAGE_NEWS);
      for (const { id } of news) told.add(id);
      return news.map(({ reason, subject, place }) => ({
        problem: reason,
        subject: subject.slice(0, 300),
        ...(place && { path: place.path, line: place.line }),
      }));
    },
  };
}

export const newsOfStage = createNewsOfStage();
