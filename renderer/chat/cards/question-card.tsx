import { ActionIcon, Button, TextInput, VisuallyHidden } from '@mantine/core';
import { IconArrowUp, IconMessageQuestion } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toSpelled } from '../../../shared/text/spelled-text.ts';
import { Spelled } from '../../ui/text/spelled.tsx';
import { useBusy } from '../../ui/use-busy.ts';
import { answerQuestion } from '../../workflows/send-message.ts';
import type { ItemOf } from '../rows/chat-rows.ts';
import classes from '../rows/rows.module.css';
import { MarkdownText } from '../text/markdown-text.tsx';

interface QuestionCardProps {
  item: ItemOf<'question'>;
}

/** A question of the assistant: suggested answers and a text field. */
export function QuestionCard({ item }: QuestionCardProps) {
  const { t } = useTranslation('chat');
  const [own, setOwn] = useState('');
  const [isBusy, run] = useBusy();
  const answer = (text: string) => run(() => answerQuestion(item.id, text));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (own.trim()) answer(own.trim());
  };
  const isOpen = item.answer === null;
  return (
    <section className={classes.card} data-tone={isOpen ? 'accent' : 'past'}>
      <h3 className={classes.cardTitle}>
        <IconMessageQuestion size={16} aria-hidden />
        {t('question.title')}
      </h3>
      <MarkdownText text={toSpelled(item.text)} />
      {isOpen ? (
        <>
          {item.options.length > 0 && (
            <div className={classes.options}>
              {item.options.map((option) => (
                <Button
                  key={option}
                  className={classes.option ?? ''}
                  variant="default"
                  radius="xl"
                  disabled={isBusy}
                  onClick={() => answer(option)}
                >
                  <Spelled text={toSpelled(option)} />
                </Button>
              ))}
            </div>
          )}
          <form onSubmit={submit}>
            <TextInput
              mt={10}
              value={own}
              disabled={isBusy}
              maxLength={20_000}
              aria-label={t('question.own')}
              placeholder={t('question.own')}
              onChange={(event) => setOwn(event.currentTarget.value)}
              rightSection={
                <ActionIcon
                  type="submit"
                  variant={own.trim() ? 'filled' : 'subtle'}
                  color={own.trim() ? 'iris' : 'gray'}
                  size="sm"
                  loading={isBusy}
                  aria-label={t('question.send')}
                >
                  <IconArrowUp size={14} />
                </ActionIcon>
              }
            />
          </form>
        </>
      ) : (
        <p className={classes.answer}>
          <VisuallyHidden>{t('question.answered')}: </VisuallyHidden>
          {item.answer}
        </p>
      )}
    </section>
  );
}
