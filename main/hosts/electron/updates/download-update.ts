import type { Updates } from '../../../core/ports/updates.ts';
import type { AppLog } from '../diagnosis/app-log.ts';
import type { OpenedUpdater } from './open-updater.ts';
import { toUpdateProblem } from './to-update-problem.ts';

/** A download that delivers no data for this long is aborted. */
const STALL_TIMEOUT_MS = 60_000;

/** Downloads the update that `opened` has found. Does what `Updates.download` does. */
export async function downloadUpdate(
  opened: OpenedUpdater,
  { onProgress, signal, log }: { onProgress: (percent: number) => void; signal: AbortSignal; log: AppLog },
): ReturnType<Updates['download']> {
  const { updater } = opened;
  const token = opened.createToken();
  const stop = () => token.cancel();
  let timer = setTimeout(stop, STALL_TIMEOUT_MS);
  const note = ({ percent }: { percent: number }) => {
    clearTimeout(timer);
    timer = setTimeout(stop, STALL_TIMEOUT_MS);
    onProgress(percent);
  };
  signal.addEventListener('abort', stop);
  updater.on('download-progress', note);
  try {
    await updater.downloadUpdate(token);
    return null;
  } catch (error) {
    if (signal.aborted) return 'cut';
    log.error('update download', error);
    return token.cancelled ? 'cut' : toUpdateProblem(error, 'download');
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    updater.off('download-progress', note);
  }
}
