import { notifications } from '@mantine/notifications';
import { createElement } from 'react';
import { AppError } from '../../shared/errors.ts';
import { i18n } from '../i18n/setup.ts';
import { NoticeBody, toTextId } from '../ui/notice-body.tsx';
import { describeError, isNotConnected } from '../ui/text/describe-error.ts';
import { toFailureDetails } from './failure-details.ts';

export type NoticeLevel = 'info' | 'success' | 'warning' | 'error';

export interface Notice {
  level: NoticeLevel;
  text: string;
  /** Optional action; running it closes the notification. */
  action?: { label: string; run: () => void };
  /** Stays until the user or `closeNotice` closes it. */
  key?: string;
}

const DURATION_MS: Record<NoticeLevel, number> = { info: 6000, success: 6000, warning: 10_000, error: 14_000 };
const DURATION_WITH_ACTION_MS = 20_000;
const COLORS: Record<NoticeLevel, string> = {
  info: 'var(--accent)',
  success: 'var(--added)',
  warning: 'var(--warn)',
  error: 'var(--error)',
};

/** Notices that `clearNotices` closes. */
const passing = new Set<string>();

/** Shows a notification. One with an action stays longer, so that the user can reach it. */
export function notify({ level, text, action, key }: Notice): void {
  const id = `notice-${key ?? crypto.randomUUID()}`;
  if (key === undefined) passing.add(id);
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
    message: createElement(NoticeBody, { id, text, action: run }),
    autoClose: key === undefined && (action ? DURATION_WITH_ACTION_MS : DURATION_MS[level]),
    role: level === 'error' || level === 'warning' ? 'alert' : 'status',
    onClose: () => passing.delete(id),
    // With several notices their buttons have the same names.
    closeButtonProps: { 'aria-label': i18n.t('common:close'), 'aria-describedby': toTextId(id) },
  });
}

/** Closes a notification that stays. */
export function closeNotice(key: string): void {
  notifications.hide(`notice-${key}`);
}

/** Closes the notifications that pass: after an undo, actions of earlier notifications are invalid. */
export function clearNotices(): void {
  for (const id of [...passing]) notifications.hide(id);
}

/** Shows a localized error. For the `catch` of user actions that have no place of their own for errors. */
export function notifyError(error: unknown): void {
  // The whole page shows this state (`welcome/not-connected.tsx`).
  if (isNotConnected(error)) return;
  const isExpected = error instanceof AppError && error.code !== 'E_INTERNAL';
  notify({
    level: 'error',
    text: describeError(error, i18n.t),
    ...(isExpected ? {} : { action: { label: i18n.t('common:copyDetails'), run: () => void copyDetails(error) } }),
  });
}

/** Runs a user action and reports a failure as a notification. Resolves to whether it succeeded. */
export async function attempt(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    notifyError(error);
    return false;
  }
}

/** Copies the details of a failure to the clipboard and shows the result. */
export async function copyDetails(error: unknown): Promise<void> {
  try {
    await navigator.clipboard.writeText(await toFailureDetails(error));
    notify({ level: 'success', text: i18n.t('common:detailsCopied') });
  } catch {
    // The clipboard is not accessible, or the app is unreachable and provides no details.
    notify({ level: 'warning', text: i18n.t('common:detailsNotCopied') });
  }
}
