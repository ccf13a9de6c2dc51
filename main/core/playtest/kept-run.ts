import { z } from 'zod';
import { AppError } from '../../../shared/errors.ts';
import { Pick, PlaytestPlace } from '../../../shared/model/playtest/picks.ts';
import { PlaytestFinding, PlaytestRoute } from '../../../shared/model/playtest/report.ts';
import { SeenMedia } from '../../../shared/model/playtest/seen-media.ts';
import { STORY_TESTS_PATH } from '../../../shared/model/playtest/story-test.ts';
import { type ProjectIndex, SETTING_PATHS } from '../../../shared/script/project-index/project-facts.ts';
import type { Reader } from '../ports/reader.ts';
import { listProjectFiles } from '../project/list-project-files.ts';
import { readText } from '../project/read-texts.ts';
import { FilledName } from './seen/filled-names.ts';

const Lines = z.array(z.tuple([z.string(), z.array(z.int().min(0))]));
export type KeptLines = z.infer<typeof Lines>;

/** What was played between two choices. `to`: the states' places in the list of states; none for the end of a route. */
const KeptTransition = z.object({
  to: z.array(z.int().min(0)),
  played: z.array(z.tuple([z.string(), z.array(z.tuple([z.int(), z.int()]))])),
  endings: z.array(PlaytestPlace),
  /** Places in the list of findings. */
  found: z.array(z.int()),
});
export type KeptTransition = z.infer<typeof KeptTransition>;

const KeptState = z.object({
  key: z.string(),
  place: PlaytestPlace,
  options: z.array(
    z.object({ text: z.string(), option: z.int().min(0), isEnabled: z.boolean(), led: KeptTransition.nullable() }),
  ),
  picks: z.array(Pick),
  returns: z.array(z.int()),
});

const KeptMap = z.object({
  first: KeptTransition.nullable(),
  states: z.array(KeptState),
  taken: z.array(z.tuple([z.string(), z.int()])),
  offered: z.array(z.string()),
});
export type KeptMap = z.infer<typeof KeptMap>;

/**
 * What a playtest knows when it ends early, as data: a later run of the same game plans on from it and plays nothing twice but the
 * way to where it goes on. Numbers of steps are those of the texts that were played.
 */
export const KeptRun = z.object({
  map: KeptMap,
  played: Lines,
  skipped: Lines,
  findings: z.array(PlaytestFinding),
  routes: z.array(PlaytestRoute),
  /** Files that the engine asked for in vain. */
  missing: z.array(z.string()),
  media: SeenMedia,
  filled: z.array(FilledName),
  steps: z.int().min(0),
  ms: z.number().min(0),
});
export type KeptRun = z.infer<typeof KeptRun>;

/** Why no run can go on: nothing was kept, or for another state of the game. */
export function toNoneKept(): AppError {
  return new AppError('E_NOT_FOUND', 'Nothing is kept of a playtest of this game.', { reason: 'playtest.noneKept' });
}
export function toGameChanged(): AppError {
  return new AppError('E_CONFLICT', 'The game changed since it was played.', { reason: 'playtest.gameChanged' });
}

/** Returns a value that was read from a file; null if it is no kept run. */
export function toKeptRun(value: unknown): KeptRun | null {
  return KeptRun.safeParse(value).data ?? null;
}

/**
 * Returns what decides how a game is played: the texts of scenes and settings, the names and sizes of the other files. A setting that
 * the index skips, because it is no text, counts as such a file.
 */
export async function readPlayedParts(reader: Reader, index: ProjectIndex): Promise<string[]> {
  const parts = [index.engineVersion];
  for (const { path, bytes } of await listProjectFiles(reader, { unportable: true })) {
    // The story's tests are played by each run, and decide nothing of its routes.
    if (path === STORY_TESTS_PATH) continue;
    const text = SETTING_PATHS.includes(path) ? (await readText(reader, path))?.text : index.scene(path)?.text;
    parts.push(path, String(bytes), text ?? '');
  }
  return parts;
}
