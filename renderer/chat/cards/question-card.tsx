import { ActionIcon, TextInput, VisuallyHidden } from '@mantine/core';
import { IconArrowUp, IconMessageQuestion } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toSpelled } from '../../../shared/text/spelled-text.ts';
import { useBusy } from '../../ui/hooks/use-busy.ts';
import { Spelled } from '../../ui/text/spelled.tsx';
import { answerQuestion } from '../../workflows/send-message.ts';
import classes from '../chat-rows.module.css';
import type { ItemOf } from '../chat-rows.ts';
import { MarkdownText } from '../text/markdown-text.tsx';
import { AnswerOptions } from './answer-options.tsx';
import { takeFocus } from './take-focus.ts';
import { VersionChoices } from './versions/version-choices.tsx';

interface QuestionCardProps {
  item: ItemOf<'question'>;
}

/** A question of the assistant: answers to choose from, by pointer or number key, and a text field. */
export function QuestionCard({ item }: QuestionCardProps) {
  const { t } = useTranslation('chat');
  return (
    <section className={classes.card} data-tone={item.answer === null ? 'accent' : 'past'}>
      <h3 className={classes.cardTitle}>
        <IconMessageQuestion size={16} aria-hidden />
        {t(item.versions ? 'versions.title' : 'question.title')}
      </h3>
      <MarkdownText text={toSpelled(item.text) || t('versions.ask')} />
      {item.answer === null ? <OpenQuestion item={item} /> : <Answer item={item} />}
    </section>
  );
}

function OpenQuestion({ item: { id, options, multiple, versions } }: QuestionCardProps) {
  const { t } = useTranslation('chat');
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [isBusy, run] = useBusy();
  const group = useRef<HTMLDivElement>(null);
  const answer = (options: readonly number[]) => run(() => answerQuestion(id, options, words.trim()));
  const choose = (index: number) => {
    if (!multiple) answer([index]);
    else setChosen((all) => (all.includes(index) ? all.filter((each) => each !== index) : [...all, index]));
  };
  const canSend = words.trim() !== '' || chosen.length > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canSend) answer(chosen);
  };

  useEffect(() => (group.current ? takeFocus(group.current) : undefined), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isBusy) return;
    const index = Number(event.key) - 1;
    if (options[index] !== undefined) choose(index);
    else if (event.key === 'Enter' && event.target === event.currentTarget && canSend) answer(chosen);
    else return;
    event.preventDefault();
  };

  return (
    <>
      {multiple && (
        <p className={classes.text} data-quiet>
          {t('question.several')}
        </p>
      )}
      {options.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be focused, which the number keys need
        <div
          ref={group}
          role="group"
          className={classes.choices}
          tabIndex={-1}
          aria-label={t(multiple ? 'question.several' : 'question.title')}
          aria-description={t('question.keys', { keys: `1–${options.length}` })}
          onKeyDown={onKeyDown}
        >
          {versions ? (
            <VersionChoices versions={versions} titles={options} chosen={chosen} isBusy={isBusy} onChoose={choose} />
          ) : (
            <AnswerOptions options={options} multiple={multiple} chosen={chosen} isBusy={isBusy} onChoose={choose} />
          )}
        </div>
      )}
      <form onSubmit={submit}>
        <TextInput
          mt={10}
          value={words}
          disabled={isBusy}
          maxLength={20_000}
          aria-label={t('question.own')}
          placeholder={t('question.own')}
          onChange={(event) => setWords(event.currentTarget.value)}
          rightSection={
            <ActionIcon
              type="submit"
              variant={canSend ? 'filled' : 'subtle'}
              color={canSend ? 'iris' : 'gray'}
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
  );
}

function Answer({ item: { options, multiple, chosen, answer, versions } }: QuestionCardProps) {
  const { t } = useTranslation('chat');
  const marked = options.flatMap((option, index) => (chosen.includes(option) ? [index] : []));
  return (
    <>
      {options.length > 0 && (
        <div className={classes.choices}>
          {versions ? (
            <VersionChoices versions={versions} titles={options} chosen={marked} />
          ) : (
            <AnswerOptions options={options} multiple={multiple} chosen={marked} />
          )}
        </div>
      )}
      {answer?.trim() && (
        <p className={classes.answer}>
          <VisuallyHidden>{t('question.answered')}: </VisuallyHidden>
          <Spelled text={toSpelled(answer)} />
        </p>
      )}
    </>
  );
}
