import type { StageState } from '../../../shared/model/stage.ts';
import { stageStore } from '../../state/stage/stage-store.ts';

/** After this time an action is answered with what the stage shows instead. */
const SHOWN_TIMEOUT_MS = 2000;
/** An answer of the page is waited for ten seconds. */
const REPLAY_TIMEOUT_MS = 8000;
/** The stage debounces requests; until then it may still report the place of the last one. */
const REQUEST_DELAY_MS = 400;

/**
 * Runs `request` and waits until the stage reports that it is at the line. Resolves to false after two seconds, and at once if the
 * stage is closed.
 */
export function whenShown(request: () => void, { path, line }: { path: string; line: number }): Promise<boolean> {
  let isTaken = false;
  setTimeout(() => {
    isTaken = true;
    // Reports may have come before; checks them now.
    stageStore.setState({});
  }, REQUEST_DELAY_MS);
  const shown = whenStage(({ isAtPlace, place }) => {
    isTaken ||= !isAtPlace;
    return isTaken && isAtPlace && place?.path === path && place.line === line;
  });
  request();
  return shown;
}

/** Waits until the stage is where it was sent last, as `whenShown`. */
export function whenSettled(): Promise<boolean> {
  return whenStage(({ isAtPlace, place }) => isAtPlace || place === null);
}

/** Waits until the way that the player took has been played again. Resolves to false after some seconds, or where it stopped before. */
export async function whenPlayedBack(): Promise<boolean> {
  const isOver = await whenStage(
    ({ isAtPlace, replay }) => isAtPlace && replay?.state !== 'playing',
    REPLAY_TIMEOUT_MS,
  );
  return isOver && stageStore.getState().stage.replay === undefined;
}

function whenStage(isTrue: (stage: StageState) => boolean, timeout = SHOWN_TIMEOUT_MS): Promise<boolean> {
  const read = () => stageStore.getState().stage;
  if (read().status === 'off' || read().status === 'lost') return Promise.resolve(false);
  if (isTrue(read())) return Promise.resolve(true);
  return new Promise((resolve) => {
    const end = (isShown: boolean) => {
      clearTimeout(late);
      stop();
      resolve(isShown);
    };
    const late = setTimeout(() => end(false), timeout);
    const stop = stageStore.subscribe(({ stage }) => isTrue(stage) && end(true));
  });
}
