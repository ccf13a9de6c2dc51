import { AppError } from '../../../shared/errors.ts';
import type { RemoteFiles } from '../stage/answer-request.ts';
import type { OpenRelay } from '../stage/link/engine-connections.ts';
import type { MessageQueue } from '../stage/link/message-queue.ts';
import { createTerreFiles, type TerreGame } from './terre-files.ts';
import { openTerreSocket } from './terre-socket.ts';

const FIND_TIMEOUT_MS = 10_000;

/** The Terre whose page a stage plays, while it does. */
export interface TerreSource {
  /** Returns the files of its page. Throws `E_PREVIEW_FAIL` (`stage.noTerrePage`) if no running Terre has the game. */
  open(): Promise<RemoteFiles>;
  /** Ends what `open` began; engines that connect from now on are not relayed. */
  close(): void;
  openRelay: OpenRelay;
}

/** `find` returns the game in a running Terre, or null; `onLost` is called when Terre closes a connection. */
export function createTerreSource(options: {
  find: ((signal: AbortSignal) => Promise<TerreGame | null>) | undefined;
  messages: MessageQueue;
  onLost: () => void;
}): TerreSource {
  const { find, messages, onLost } = options;
  let game: TerreGame | null = null;
  return {
    async open() {
      game = (await find?.(AbortSignal.timeout(FIND_TIMEOUT_MS))) ?? null;
      if (game) return createTerreFiles(game);
      throw new AppError('E_PREVIEW_FAIL', 'No WebGAL Terre has this game.', { reason: 'stage.noTerrePage' });
    },
    close() {
      game = null;
    },
    openRelay: (protocol, send) =>
      game &&
      openTerreSocket({
        ...{ origin: game.origin, protocol, messages, onLost },
        onOrder: ({ frame, moves }) => send(frame, moves),
      }),
  };
}
