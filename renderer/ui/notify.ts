import { notifications } from '@mantine/notifications';
import { createElement } from 'react';
import { i18n } from '../i18n/setup.ts';
import { describeError } from './describe-error.ts';
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
  notify({ level: 'error', text: describeError(error, i18n.t) });
}
