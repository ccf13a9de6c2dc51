import { Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ChatState } from '../../../shared/model/chat.ts';
import classes from '../chat-rows.module.css';
import { WaitingRow } from './waiting-row.tsx';

interface WorkingRowProps {
  chat: ChatState;
}

/** Shows that the assistant works while no other row does. */
export function WorkingRow({ chat }: WorkingRowProps) {
  const { t } = useTranslation('chat');
  if (chat.phase !== 'model' && chat.phase !== 'summary' && chat.phase !== 'tool') return null;
  const last = chat.items.at(-1);
  const isShown =
    ((last?.kind === 'assistant' || last?.kind === 'thinking') && last.streaming) ||
    (last?.kind === 'tool' && last.state === 'running');
  if (chat.waiting) return <WaitingRow key={chat.waiting.until} waiting={chat.waiting} />;
  if (isShown) return null;
  return (
    <div className={classes.tool} data-state="running">
      <Loader size={16} type="dots" color="gray" aria-hidden />
      <p className={classes.thought}>{t(`status.${chat.phase}`)}</p>
    </div>
  );
}
