import { VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChatPhase, ChatState } from '../../shared/model/chat.ts';
import { useHistory } from '../state/history/history-store.ts';
import { describeError } from '../ui/text/describe-error.ts';
import { toLastDecision } from './chat-rows.ts';
import { toWaitingText } from './rows/waiting-text.ts';

interface StatusAnnouncerProps {
  chat: ChatState | null;
}

/**
 * Announces status changes to screen readers in one sentence. The rows are not live regions, because streamed text would
 * be announced in pieces.
 */
export function StatusAnnouncer({ chat }: StatusAnnouncerProps) {
  const { t } = useTranslation('chat');
  const [said, setSaid] = useState('');
  // The decision on a proposal can change after its announcement, by undo.
  const [saysDecision, setSaysDecision] = useState(false);
  const decision = useHistory((state) => (saysDecision ? toLastDecision(chat?.items ?? [], state.groups) : null));
  const before = useRef<ChatPhase | null>(null);
  const phase = chat?.phase ?? null;
  useEffect(() => {
    const wasBusy = before.current === 'model' || before.current === 'tool' || before.current === 'consent';
    const wasWaiting = before.current === 'review' || before.current === 'answer';
    const isNews = before.current !== phase;
    before.current = phase;
    if (!chat || phase === 'tool' || (phase === 'model' && wasBusy)) return;
    if (isNews) setSaysDecision(phase === 'idle' && wasWaiting);
    if (phase === 'model') setSaid(t('status.model'));
    else if (phase === 'answer' || phase === 'review' || phase === 'consent') setSaid(t(`status.${phase}`));
    else if (wasBusy) setSaid(toEndText(chat, t));
    else if (wasWaiting) setSaid('');
  }, [chat, phase, t]);
  const waiting = chat?.waiting;
  useEffect(() => {
    if (waiting) setSaid(toWaitingText(waiting, Date.now(), t));
  }, [waiting, t]);
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {decision === null ? said : t(`status.${decision}`)}
    </VisuallyHidden>
  );
}

function toEndText(chat: ChatState, t: ReturnType<typeof useTranslation>['t']): string {
  const last = chat.items.at(-1);
  if (last?.kind === 'end' && last.reason === 'error') {
    return t('chat:status.error', { text: describeError(last.error, t) });
  }
  if (last?.kind === 'end' && last.reason !== 'done') return t('chat:status.stopped');
  const hasPlan = chat.items.some((item) => item.kind === 'plan' && item.state === 'ready' && item.turn === last?.turn);
  return hasPlan ? t('chat:status.planReady') : t('chat:status.finished');
}
