import { type BrowserWindow, Notification } from 'electron';
import { showAgain } from '../window/show-again.ts';
import type { IntegrationPorts } from './integration-ports.ts';
import { createTurnWatch, type TurnNews } from './turn-news.ts';

/** A value above 1 shows indeterminate progress. */
const RUNNING_PROGRESS = 2;
const NO_PROGRESS = -1;

/**
 * Shows a running turn in the task bar, and its end, a question or a failure as a notification while the window is in the
 * background. The notification contains the game's name and the event, no text of the conversation.
 */
export function reportTurns(window: BrowserWindow, { api, settings, text }: IntegrationPorts): void {
  const watch = createTurnWatch();
  let title = 'WebGAL Agent';
  /** Referenced here, because a garbage-collected notification does not report its click. */
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
