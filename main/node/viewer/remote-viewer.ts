import { AppError } from '../../../shared/errors.ts';
import { ViewerResult } from '../../../shared/model/viewer.ts';
import type { RemoteViewer } from '../../core/ports/viewer/viewer-door.ts';
import { postToLoopback } from '../../network/requests.ts';
import { findDoor, VIEWER_PATH } from './door-file.ts';

/** More than the bound on what a page may report. */
const MAX_ANSWER_CHARACTERS = 100_000;

/** Finds the app that has a game open, anew for each call. `game`: the real path of its folder. */
export function createRemoteViewer({ data, game }: { data: string; game: string }): RemoteViewer {
  return {
    isThere: () => findDoor(data, game) !== null,
    async act(actionId, params, signal) {
      const door = findDoor(data, game);
      if (!door) throw noWindow();
      let text: string;
      try {
        const response = await postToLoopback(`http://127.0.0.1:${door.port}${VIEWER_PATH}`, {
          headers: { authorization: `Bearer ${door.token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ actionId, params }),
          signal,
        });
        text = await response.text();
      } catch (cause) {
        if (signal.aborted) throw new AppError('E_TIMEOUT', 'The action was stopped.', { cause });
        throw noWindow(cause);
      }
      const result = text.length <= MAX_ANSWER_CHARACTERS ? ViewerResult.safeParse(toJson(text)) : null;
      if (!result?.success) throw noWindow();
      return result.data;
    },
  };
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function noWindow(cause?: unknown): AppError {
  return new AppError('E_UNSUPPORTED', 'The app does not have this game open.', {
    hint: 'Do without it, or ask the user to open the game in WebGAL Agent.',
    reason: 'viewer.noPage',
    ...(cause !== undefined && { cause }),
  });
}
