import { z } from 'zod';
import { PlaytestPlace } from '../../../../shared/model/playtest/picks.ts';

/** More are not collected: a story can make up names without end. */
const MAX_NAMES = 10_000;

export const FilledName = z.object({ file: z.string(), place: PlaytestPlace });
export type FilledName = z.infer<typeof FilledName>;

/** Files that lines named by variables, with the lines that were played with that name. */
export class FilledNames {
  readonly #names = new Map<string, FilledName>();

  /** `earlier`: those of a run that this one goes on with. */
  constructor(earlier: readonly FilledName[] = []) {
    for (const { file, place } of earlier) this.add(file, place);
  }

  add(file: string, place: PlaytestPlace): void {
    if (this.#names.size < MAX_NAMES) this.#names.set(JSON.stringify([file, place.path, place.line]), { file, place });
  }

  all(): FilledName[] {
    return [...this.#names.values()];
  }

  /** The lines that named a file, each once. */
  placesOf(file: string): PlaytestPlace[] {
    return this.all().flatMap((one) => (one.file === file ? one.place : []));
  }
}
