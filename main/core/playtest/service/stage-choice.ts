import type { EngineChoice } from '../../../../shared/model/stage.ts';
import type { PlaytestPorts } from '../../ports/engine-pages.ts';

/** Lets playtests of a game play the engine that the user chose for its stage; the app's where that one does not start. */
export function withStageChoice(ports: PlaytestPorts, readChoice: () => Promise<EngineChoice | null>): PlaytestPorts {
  return {
    ...ports,
    engines: {
      ...ports.engines,
      async order() {
        const choice = await readChoice();
        if (choice === 'own') return ['own', 'bundled'];
        // Terre shows the game in a page of its own, which a playtest does not play.
        return choice === 'bundled' ? ['bundled'] : null;
      },
    },
  };
}
