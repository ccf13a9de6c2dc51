import { notifications } from '@mantine/notifications';
import { createElement } from 'react';
import { AppError } from '../../shared/errors.ts';
import { i18n } from '../i18n/setup.ts';
import { describeError, isNotConnected } from './describe-error.ts';
import { toFailureDetails } from './failure-details.ts';
import { NoticeBody } from './notice-body.tsx';

export type NoticeLevel = 'info' | 'success' | 'warning' | 'error';

export interface Notice {
  level: NoticeLevel;
  text: string;
  /** One thing she can do about it; the notice goes when she does. */
  action?: { label: string; run: () => void };
}

const STAYS_MS: Record<NoticeLevel, number> = { info: 6000, success: 6000, warning: 10_000, error: 14_000 };
const STAYS_WITH_ACTION_MS = 20_000;
const COLORS: Record<NoticeLevel, string> = {
  info: 'var(--accent)',
  success: 'var(--added)',
  warning: 'var(--warn)',
  error: 'var(--error)',
};

/** Says something in the corner. Notices with something to do stay longer, for they are to be reached in time. */
export function notify({ level, text, action }: Notice): void {
  const id = `notice-${crypto.randomUUID()}`;
  const run = action && {
    label: action.label,
    run: () => {
      notifications.hide(id);
      action.run();
    },
  };
  notifications.show({
    id,
    color: COLORS[level],
    message: createElement(NoticeBody, { text, action: run }),
    autoClose: action ? STAYS_WITH_ACTION_MS : STAYS_MS[level],
    role: level === 'error' || level === 'warning' ? 'alert' : 'status',
    closeButtonProps: { 'aria-label': i18n.t('common:close') },
  });
}

/** Takes back what was said so far: after a step back, the offers of the steps before it lead nowhere. */
export function clearNotices(): void {
  notifications.clean();
}

// What was said in one language does not stay on a page in another.
i18n.on('languageChanged', clearNotices);

/** Says in plain words what failed. For the `catch` of anything she started and that has no place of its own to say so. */
export function notifyError(error: unknown): void {
  // The whole page says it (`welcome/not-connected.tsx`).
  if (isNotConnected(error)) return;
  const isExpected = error instanceof AppError && error.code !== 'E_INTERNAL';
  notify({
    level: 'error',
    text: describeError(error, i18n.t),
    ...(isExpected ? {} : { action: { label: i18n.t('common:copyDetails'), run: () => void copyDetails(error) } }),
  });
}

/** Puts the details of a failure on the clipboard, and says whether that worked. */
export async function copyDetails(error: unknown): Promise<void> {
  try {
    await navigator.clipboard.writeText(await toFailureDetails(error));
    notify({ level: 'success', text: i18n.t('common:detailsCopied') });
  } catch {
    // The clipboard is closed to the page, or the app does not answer: there is nothing to copy from or to.
    notify({ level: 'warning', text: i18n.t('common:detailsNotCopied') });
  }
}
