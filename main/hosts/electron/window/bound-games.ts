import { app, BrowserWindow, webContents } from 'electron';
import { findTooLargeGames } from './games-memory.ts';

const LOOK_MS = 500;
/** For how long the page may take to remove the frame of a game, so that the writer sees no broken frame. */
const GRACE_MS = 250;

/**
 * Kills games, in playtests and on the stage, once their memory is too large. `onStageEnded` is called when one is on the stage, and
 * has to remove its frame.
 */
export function boundGames(onStageEnded: () => void): void {
  let isEnding = false;
  setInterval(() => {
    if (isEnding) return;
    const pages = BrowserWindow.getAllWindows().map(({ webContents }) => webContents);
    const own = new Set(pages.map((page) => page.getOSProcessId()));
    const shown = webContents.getAllWebContents().flatMap(({ mainFrame }) => mainFrame.framesInSubtree);
    // Reading the memory of all processes takes some milliseconds, which the app does not need while no game is open.
    if (shown.every(({ osProcessId }) => own.has(osProcessId))) return;
    const games = findTooLargeGames(app.getAppMetrics(), own);
    if (games.length === 0) return;
    const frames = pages.flatMap(({ mainFrame }) => mainFrame.framesInSubtree);
    const onStage = new Set(frames.map(({ osProcessId }) => osProcessId));
    for (const id of games) if (!onStage.has(id)) kill(id);
    if (!games.some((id) => onStage.has(id))) return;
    isEnding = true;
    onStageEnded();
    setTimeout(() => {
      const left = new Set(app.getAppMetrics().map(({ pid }) => pid));
      for (const id of games) if (left.has(id)) kill(id);
      isEnding = false;
    }, GRACE_MS);
  }, LOOK_MS).unref();
}

function kill(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
