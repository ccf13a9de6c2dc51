import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../shared/errors.ts';
import { fetchFromLoopback, openLoopbackSocket } from '../../network/requests.ts';
import { createEngineProtocol } from './link/engine-protocol.ts';

/** Terre serves one port above the configured one, which is 3000 by default. */
const DEFAULT_PORT = 3001;
const GREETING = 'WebGAL Terre Application API Test OK';
const REQUEST_TIMEOUT_MS = 3_000;
const MAX_GAMES = 1_000;

const GameList = z.array(z.object({ dir: z.string().min(1).max(300) })).max(MAX_GAMES);
const Folder = z.object({ dirPath: z.string().min(1).max(4_096) });

/**
 * Creates a preview that shows a scene in a WebGAL Terre that runs on this machine and has the game. It only queries
 * Terre and sends jumps to its preview; requests that could change the game are never sent. `root` is the project's real
 * folder, `scene` relative to the folder of scenes. Throws `E_PREVIEW_FAIL` with a hint when no preview can show it.
 */
export function createTerrePreview(options: {
  root: string;
  environment: Readonly<Record<string, string | undefined>>;
}) {
  const port = toPort(options.environment.WEBGAL_PORT);
  const origin = `http://127.0.0.1:${port}`;

  async function ask(place: string, signal: AbortSignal): Promise<Response> {
    const both = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);
    return fetchFromLoopback(`${origin}${place}`, both);
  }

  async function findGame(signal: AbortSignal): Promise<string | null> {
    const ours = path.join(options.root, 'game');
    const games = GameList.parse(await (await ask('/api/manageGame/gameList', signal)).json());
    for (const { dir } of games) {
      const place = `/api/manageGame/readGameAssets/${encodeURIComponent(dir)}/game`;
      const { data } = Folder.safeParse(await (await ask(place, signal)).json().catch(() => null));
      // The folder in the answer is compared and never opened.
      const real = data && (await realpath(data.dirPath).catch(() => null));
      if (real === ours) return dir;
    }
    return null;
  }

  return async (scene: string, signal: AbortSignal): Promise<{ url: string; logs: string[] }> => {
    let dir: string | null;
    try {
      const greeting = await ask('/api/test', signal);
      if ((await greeting.text()).trim() !== GREETING) throw new Error('Something else answers there.');
      dir = await findGame(signal);
    } catch (cause) {
      signal.throwIfAborted();
      throw new AppError('E_PREVIEW_FAIL', `No WebGAL Terre answers on port ${port}.`, {
        details: { port },
        hint: 'Start WebGAL Terre and open the game in it, or use the preview inside (--preview embedded).',
        cause,
      });
    }
    if (dir === null) {
      throw new AppError('E_PREVIEW_FAIL', 'WebGAL Terre is running but does not have this game.', {
        details: { port },
        hint: "Open a game that lies in Terre's own folder, or use the preview inside (--preview embedded).",
      });
    }
    const isSent = await notifyPreviews(`ws://127.0.0.1:${port}/api/webgalsync`, scene);
    const url = `${origin}/games/${encodeURIComponent(dir)}/#scene=${encodeURIComponent(scene)}`;
    const logs = isSent
      ? [`Asked Terre's preview to show ${scene}. What it shows is not reported back.`]
      : [`Open the address and go to ${scene}; Terre's preview could not be reached.`];
    return { url, logs };
  };
}

/** Sends a jump, which Terre forwards to every open preview. Resolves to false when it could not be sent. */
function notifyPreviews(address: string, scene: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = openLoopbackSocket(address, { handshakeTimeout: REQUEST_TIMEOUT_MS });
    const end = (isSent: boolean) => {
      socket.close();
      resolve(isSent);
    };
    socket.once('open', () => socket.send(createEngineProtocol('').jump(scene, 1), (error) => end(!error)));
    // Always handled: an unhandled error event ends the process.
    socket.on('error', () => end(false));
  });
}

function toPort(text: string | undefined): number {
  const number = Number(text);
  return text && Number.isInteger(number) && number > 0 && number < 65_535 ? number + 1 : DEFAULT_PORT;
}
