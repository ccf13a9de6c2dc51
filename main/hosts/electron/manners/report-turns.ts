import { type BrowserWindow, Notification } from 'electron';
import { showAgain } from '../window/show-again.ts';
import type { MannerPorts } from './add-manners.ts';
import { createTurnWatch, type TurnNews } from './turn-news.ts';

/** More than 1: the system shows that something runs, without an amount. */
const RUNNING_PROGRESS = 2;
const NO_PROGRESS = -1;

/**
 * Shows in the task bar that a turn runs, and reports its end, a question or a failure with a notification while the
 * window is in the background. The notification names the game and what happened, never text of the conversation.
 */
export function reportTurns(window: BrowserWindow, { api, settings, text }: MannerPorts): void {
  const watch = createTurnWatch();
  let title = 'WebGAL Agent';
  /** Held here: a notification that is collected never reports its click. */
  let shown: Notification | null = null;

  const showProgress = (): void => {
    if (!window.isDestroyed()) window.setProgressBar(watch.isRunning() ? RUNNING_PROGRESS : NO_PROGRESS);
  };
  const notify = (news: TurnNews): void => {
    if (window.isDestroyed() || !settings.current().notifications) return;
    if (window.isVisible() && !window.isMinimized() && window.isFocused()) return;
    shown?.close();
    shown = new Notification({ title, body: text().turn[news] });
    shown.on('click', () => showAgain(window));
    shown.show();
  };

  api.on('project.changed', ({ project }) => {
    title = project?.title ?? title;
  });
  api.on('chat.changed', ({ chat }) => {
    watch.reset(chat?.phase ?? 'idle');
    showProgress();
  });
  api.on('chat.updated', (update) => {
    const news = watch.update(update);
    showProgress();
    if (news) notify(news);
  });
  window.on('focus', () => {
    shown?.close();
    shown = null;
  });
  void api.call('project.current', {}).then(({ project }) => {
    title = project?.title ?? title;
  });
}
