import { z } from 'zod';
import { DEFAULT_ENGINE_VERSION } from './engine-version.ts';

const Name = z.string().max(40);

/**
 * What was read from the engine that a game brings along: the words its parser takes for commands, every name its code
 * looks arguments up by (of whatever command), and the effects of `pixiPerform`. An empty list: could not be told.
 */
export const EngineTraits = z.object({
  commands: z.array(Name).max(300),
  arguments: z.array(Name).max(2000),
  effects: z.array(Name).max(300),
});
export type EngineTraits = z.infer<typeof EngineTraits>;

/** The engine that scripts are judged for. Sets are null where nothing is known beyond the version. */
export interface Engine {
  version: string;
  commands: ReadonlySet<string> | null;
  arguments: ReadonlySet<string> | null;
  effects: ReadonlySet<string> | null;
}

/** Creates an engine from its version and, if the game brings one, what was read from it. */
export function createEngine(version: string = DEFAULT_ENGINE_VERSION, traits: EngineTraits | null = null): Engine {
  const toSet = (names: readonly string[] | undefined) =>
    names === undefined || names.length === 0 ? null : new Set(names);
  return {
    version,
    commands: toSet(traits?.commands),
    arguments: toSet(traits?.arguments),
    effects: toSet(traits?.effects),
  };
}
