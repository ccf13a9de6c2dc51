/** A process of this app, with its working set in KB, as `app.getAppMetrics()` tells it. */
interface AppProcess {
  pid: number;
  type: string;
  memory: { workingSetSize: number };
}

/** A stage that has shown 80 pictures of 3840 × 2160 pixels needs 1.4 GB, with the sample 0.3 GB. */
const MAX_PROCESS_KB = 2 * 1024 * 1024;
/** With those pictures 2.9 GB, with the sample on the stage and in a playtest 1.2 GB, much of it program files that each process counts. */
const MAX_SUM_KB = 2 * MAX_PROCESS_KB;

/**
 * Returns the ids of the processes of games that hold too much memory; of all games where that is what they share with the app (its main
 * process, the one that draws), or all together. `own` are those of the app's pages, which do not count: whatever else renders is a game's.
 */
export function findTooLargeGames(processes: readonly AppProcess[], own: ReadonlySet<number>): number[] {
  const others = processes.filter(({ pid }) => !own.has(pid));
  const games = others.filter(({ type }) => type === 'Tab');
  const large = others.filter(({ memory }) => memory.workingSetSize > MAX_PROCESS_KB);
  const sum = others.reduce((before, { memory }) => before + memory.workingSetSize, 0);
  const guilty = games.filter((game) => large.includes(game));
  const ended = guilty.length > 0 ? guilty : large.length > 0 || sum > MAX_SUM_KB ? games : [];
  return ended.map(({ pid }) => pid);
}
