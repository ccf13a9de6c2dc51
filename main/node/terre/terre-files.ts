import { toTerrePageAddress } from '../../network/allowed-addresses.ts';
import { fetchFromLoopback } from '../../network/requests.ts';
import type { RemoteFiles } from '../stage/answer-request.ts';
import { readAnswer } from './read-answer.ts';

/** For a whole file, from the same machine. */
const ANSWER_TIMEOUT_MS = 15_000;
/** Engines have files of up to 2 MB, their fonts up to 20. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;
/** Of all answers that arrive at once: a page can ask for many, and Terre answer without end. */
const MAX_ARRIVING_BYTES = 128 * 1024 * 1024;

/** Not compressed, because the size counts. Node adds headers about itself, none about the app or the user. */
const HEADERS = { 'accept-encoding': 'identity' };

/** The game in a running Terre: where Terre answers, and its name there. */
export interface TerreGame {
  origin: string;
  dir: string;
}

/**
 * Creates the files of Terre's page of a game. Of an answer only status 200 or 404 and the bytes are used: its type, cookies, redirects
 * and other headers are not. `timeout`: for a whole file, in milliseconds.
 */
export function createTerreFiles({ origin, dir }: TerreGame, timeout = ANSWER_TIMEOUT_MS): RemoteFiles {
  let arriving = 0;
  return {
    async read(path) {
      const address = toTerrePageAddress(origin, dir, path);
      if (address === null) return null;
      const stop = new AbortController();
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(timeout)]);
      let mine = 0;
      try {
        const response = await fetchFromLoopback(address, signal, HEADERS);
        if (response.status === 404) return null;
        if (response.status !== 200) throw new Error(`Terre answered with the status ${response.status}.`);
        return await readAnswer(response, MAX_FILE_BYTES, (bytes) => {
          mine += bytes;
          arriving += bytes;
          if (arriving > MAX_ARRIVING_BYTES) throw new Error('Too much arrives at once.');
        });
      } finally {
        arriving -= mine;
        // What was not read to its end would stay open.
        stop.abort();
      }
    },
  };
}
