import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { fetchFromLoopback } from '../../network/requests.ts';
import { readAnswer } from './read-answer.ts';

/** Terre serves one port above the configured one, which is 3000 by default. */
const DEFAULT_PORT = 3001;
const GREETING = 'WebGAL Terre Application API Test OK';
const REQUEST_TIMEOUT_MS = 3_000;
const MAX_GAMES = 1_000;
/** Lists of games and folders have some hundred kilobytes; another program could answer without end. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

const GameList = z.array(z.object({ dir: z.string().min(1).max(300) })).max(MAX_GAMES);
const Folder = z.object({ dirPath: z.string().min(1).max(4_096) });

/** `absent`: no Terre answers. `foreign`: one runs, but does not have the game. `dir`: Terre's name of the game. */
export type FoundGame = { kind: 'absent' } | { kind: 'foreign' } | { kind: 'open'; dir: string };

/** Asks the WebGAL Terre of this machine, only with requests that change nothing (`docs/terre.md` lists all of them). */
export interface TerreClient {
  port: number;
  origin: string;
  /**
   * Returns whether a Terre runs and has the game of a project's real folder. Another program on its port counts as absent. `others`:
   * names of games that are known to be others; they are not asked for again, and those that were found are added.
   */
  find(root: string, signal: AbortSignal, others?: Set<string>): Promise<FoundGame>;
  /** Returns what answers on the port: Terre, another program, or none. Rejects only when the signal is aborted. */
  findProgram(signal: AbortSignal): Promise<'terre' | 'other' | 'none'>;
}

export function createTerreClient(environment: Readonly<Record<string, string | undefined>>): TerreClient {
  const port = toPort(environment.WEBGAL_PORT);
  const origin = `http://127.0.0.1:${port}`;

  async function ask(place: string, signal: AbortSignal): Promise<string> {
    const both = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);
    const response = await fetchFromLoopback(`${origin}${place}`, both);
    return (await readAnswer(response, MAX_ANSWER_BYTES)).toString();
  }

  async function findProgram(signal: AbortSignal): Promise<'terre' | 'other' | 'none'> {
    try {
      return (await ask('/api/test', signal)).trim() === GREETING ? 'terre' : 'other';
    } catch (error) {
      signal.throwIfAborted();
      return isRefused(error) ? 'none' : 'other';
    }
  }

  async function findGame(root: string, signal: AbortSignal, others: Set<string>): Promise<FoundGame> {
    const ours = path.join(root, 'game');
    for (const { dir } of GameList.parse(JSON.parse(await ask('/api/manageGame/gameList', signal)))) {
      if (others.has(dir)) continue;
      const place = `/api/manageGame/readGameAssets/${encodeURIComponent(dir)}/game`;
      const answer = await ask(place, signal).then(
        (text): unknown => JSON.parse(text),
        () => null,
      );
      const { data } = Folder.safeParse(answer);
      // The folder in the answer is compared and never opened.
      const real = data && (await realpath(data.dirPath).catch(() => null));
      if (real === ours) return { kind: 'open', dir };
      if (real) others.add(dir);
    }
    return { kind: 'foreign' };
  }

  return {
    port,
    origin,
    findProgram,
    async find(root, signal, others = new Set()) {
      if ((await findProgram(signal)) !== 'terre') return { kind: 'absent' };
      try {
        return await findGame(root, signal, others);
      } catch {
        signal.throwIfAborted();
        return { kind: 'absent' };
      }
    },
  };
}

/** True where no program listens; what answers late, without end or with a redirect is another program. */
function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}

function toPort(text: string | undefined): number {
  const number = Number(text);
  return text && Number.isInteger(number) && number > 0 && number < 65_535 ? number + 1 : DEFAULT_PORT;
}
