import { Progress, UnstyledButton } from '@mantine/core';
import { IconChevronRight, IconListCheck } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toSpelled } from '../../../shared/text/spelled-text.ts';
import { useChat } from '../../state/chat/chat-store.ts';
import { isWorking } from '../../state/chat/is-working.ts';
import { Spelled } from '../../ui/text/spelled.tsx';
import { StepList } from './step-list.tsx';
import classes from './todo-card.module.css';

/** What is to do in the current work, above the composer: one line with the progress, which unfolds to the list. */
export function TodoCard() {
  const { t } = useTranslation('chat');
  const todo = useChat((state) => state.chat?.todo);
  const isRunning = useChat((state) => isWorking(state.chat?.phase ?? 'idle'));
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (!todo || todo.length === 0) return null;
  const done = todo.filter(({ state }) => state === 'done').length;
  const current = todo.find(({ state }) => state === 'active') ?? todo.find(({ state }) => state === 'waiting');
  return (
    <section className={classes.root} aria-label={t('todo.title')}>
      <UnstyledButton
        className={classes.head ?? ''}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <IconListCheck size={15} aria-hidden />
        <span className={classes.progress}>{t('todo.progress', { done, count: todo.length })}</span>
        <span className={classes.current}>
          {isOpen ? t('todo.title') : current && <Spelled text={toSpelled(current.text)} />}
        </span>
        <IconChevronRight size={13} className={classes.chevron} aria-hidden />
      </UnstyledButton>
      <Progress value={(done / todo.length) * 100} color="iris" size={3} aria-hidden />
      {isOpen && (
        <div id={id} className={classes.list}>
          <StepList steps={todo} isLive={isRunning} />
        </div>
      )}
    </section>
  );
}
