import { UnstyledButton } from '@mantine/core';
import { IconArrowUpRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { writeInComposer } from '../state/chat/chat-store.ts';
import classes from './empty-chat.module.css';
import { toExampleRequests } from './example-requests.ts';
import { useGameFacts } from './use-game-facts.ts';

interface EmptyChatProps {
  /** True if a real model is available; the practice assistant supports a single request. */
  hasExamples: boolean;
  /** True if the newest conversation is open in another window or program. */
  isNewestElsewhere: boolean;
}

/** Empty state: introduces the assistant and offers three requests that fit the open game. */
export function EmptyChat({ hasExamples, isNewestElsewhere }: EmptyChatProps) {
  const { t } = useTranslation('chat');
  const facts = useGameFacts();
  return (
    <div className={classes.root}>
      <h3 className={classes.title}>{t('empty.title')}</h3>
      <p className={classes.text}>{t('empty.text')}</p>
      {isNewestElsewhere && (
        <p role="status" className={classes.elsewhere}>
          {t('empty.elsewhere')}
        </p>
      )}
      {facts && hasExamples && (
        <>
          <h4 className={classes.lead}>{t('empty.examples')}</h4>
          <ul className={classes.list}>
            {toExampleRequests(facts).map(({ key, values }) => {
              const text = t(`examples.${key}`, values);
              return (
                <li key={key}>
                  <UnstyledButton className={classes.example} onClick={() => writeInComposer({ text })}>
                    <span>{text}</span>
                    <IconArrowUpRight size={15} aria-hidden />
                  </UnstyledButton>
                </li>
              );
            })}
          </ul>
        </>
      )}
    </div>
  );
}
