import { AppError } from '../../../shared/errors.ts';
import type { Terre } from '../../core/ports/stage/terre.ts';
import { showInTerre } from './show-in-terre.ts';
import type { TerreClient } from './terre-client.ts';
import type { TerreGame } from './terre-files.ts';
import type { TerreProgram } from './terre-program.ts';

interface TerreOptions {
  /** The project's real folder. */
  root: string;
  client: TerreClient;
  /** Absent: a running Terre is used, and none is started. */
  program?: TerreProgram;
}

/** One game, as Terre may have it. */
export interface GameInTerre extends Terre {
  /** Returns where a running Terre has the game; null if none does. */
  find(signal: AbortSignal): Promise<TerreGame | null>;
  close(): Promise<void>;
}

/**
 * Creates the preview in the WebGAL Terre of this machine. It queries Terre and sends jumps to its preview; requests that could
 * change the game are never sent.
 */
export function createTerre({ root, client, program }: TerreOptions): GameInTerre {
  const release = program?.guard(root);
  const others = new Set<string>();
  const hint = 'Start WebGAL Terre and open the game in it, or use the preview inside (--preview embedded).';

  const find = async (signal: AbortSignal): Promise<TerreGame | null> => {
    const found = await client.find(root, signal, others);
    // Another Terre can have other games by these names.
    if (found.kind === 'absent') others.clear();
    return found.kind === 'open' ? { origin: client.origin, dir: found.dir } : null;
  };

  return {
    find,
    hasGame: async (signal) => (await find(signal)) !== null,
    async show(scene, line, signal) {
      await program?.start(signal);
      const state = await client.find(root, signal);
      const details = { port: client.port };
      if (state.kind === 'absent') {
        throw new AppError('E_PREVIEW_FAIL', `No WebGAL Terre answers on port ${client.port}.`, { details, hint });
      }
      if (state.kind === 'foreign') {
        throw new AppError('E_PREVIEW_FAIL', 'WebGAL Terre is running but does not have this game.', {
          details,
          hint: "Open a game that lies in Terre's own folder, or use the preview inside (--preview embedded).",
        });
      }
      const shown = await showInTerre(client.origin, scene, line);
      const url = `${client.origin}/games/${encodeURIComponent(state.dir)}/#scene=${encodeURIComponent(scene)}`;
      if (shown.kind === 'shown') return { url, logs: [`Terre's preview stands at line ${shown.line} of ${scene}.`] };
      if (shown.kind === 'sent')
        return { url, logs: [`Asked Terre's preview to show ${scene}, and it did not report that it does.`] };
      return { url, logs: [`Open the address and go to ${scene}; Terre's preview could not be reached.`] };
    },
    close: async () => release?.(),
  };
}
