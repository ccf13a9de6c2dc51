import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import type { Terre } from '../../core/ports/stage/terre.ts';
import { showInTerre } from './show-in-terre.ts';
import { createTerreClient } from './terre-client.ts';
import { createTerreProgram, type TerreProgram } from './terre-program.ts';

const LOG = 'terre.log';

interface TerreOptions {
  /** The project's real folder. */
  root: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Where Terre is looked for and its output goes; absent: a running one is used, and none is started. */
  folders?: { home: string; data: string };
}

/**
 * Creates the preview in the WebGAL Terre of this machine. It queries Terre and sends jumps to its preview; requests that could
 * change the game are never sent.
 */
export function createTerre({ root, environment, folders }: TerreOptions): Terre & { close(): Promise<void> } {
  const client = createTerreClient({ root, environment });
  const program: TerreProgram | null = folders
    ? createTerreProgram({ client, environment, home: folders.home, log: path.join(folders.data, 'logs', LOG) })
    : null;
  const hint = 'Start WebGAL Terre and open the game in it, or use the preview inside (--preview embedded).';

  return {
    async hasGame(signal) {
      return (await client.find(signal)).kind === 'open';
    },
    async show(scene, line, signal) {
      await program?.start(signal);
      const state = await client.find(signal);
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
    close: async () => program?.close(),
  };
}
