import { z } from 'zod';
import { DEFAULT_ENGINE_VERSION } from './engine-version.ts';

const Name = z.string().max(40);

/** Most names that are read of an engine. */
export const MAX_TRAITS = { commands: 300, arguments: 2000, effects: 300 } as const;

/**
 * Read from the engine that a game contains: the words that its parser accepts as commands, every name that its code
 * looks arguments up by (of any command), and the effects of `pixiPerform`. An empty list means unknown.
 */
export const EngineTraits = z.object({
  commands: z.array(Name).max(MAX_TRAITS.commands),
  arguments: z.array(Name).max(MAX_TRAITS.arguments),
  effects: z.array(Name).max(MAX_TRAITS.effects),
});
export type EngineTraits = z.infer<typeof EngineTraits>;

/** The engine that scripts are checked for. Sets are null when only the version is known. */
export interface Engine {
  version: string;
  commands: ReadonlySet<string> | null;
  arguments: ReadonlySet<string> | null;
  effects: ReadonlySet<string> | null;
}

/** Creates an engine from its version and, if the game contains one, its traits. */
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
