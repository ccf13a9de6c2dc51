import type { PlaytestSource } from '../../../../shared/model/playtest/playtest-state.ts';
import type { ProjectIndex } from '../../../../shared/script/project-index/project-facts.ts';
import type { PlaytestPorts } from '../../ports/engine-pages.ts';
import type { Reader } from '../../ports/reader.ts';
import { type KeptRun, readPlayedParts, toGameChanged, toNoneKept } from '../kept-run.ts';

/** What a run that ended early left to play, as long as the game is open. */
export interface KeptRest {
  run: KeptRun;
  source: PlaytestSource;
  /** For which texts and engines it holds. */
  parts: readonly string[];
}

/** Returns what decides how the game is played now. */
export async function readRunParts(
  { engines }: Pick<PlaytestPorts, 'engines'>,
  { reader, index }: { reader: Reader; index: ProjectIndex },
): Promise<string[]> {
  const order = await engines.order();
  return [(await engines.own()) ?? '', order?.join(' ') ?? '', ...(await readPlayedParts(reader, index))];
}

/** Returns the run to go on with. Throws `E_NOT_FOUND` (`playtest.noneKept`) and `E_CONFLICT` (`playtest.gameChanged`). */
export function requireRest(rest: KeptRest | null, parts: readonly string[]): KeptRun {
  if (rest === null) throw toNoneKept();
  const isSame = rest.parts.length === parts.length && rest.parts.every((part, at) => part === parts[at]);
  if (!isSame) throw toGameChanged();
  return rest.run;
}
