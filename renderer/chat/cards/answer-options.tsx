import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { toSpelled } from '../../../shared/text/spelled-text.ts';
import { Spelled } from '../../ui/text/spelled.tsx';
import classes from '../chat-rows.module.css';

interface AnswerOptionsProps {
  options: readonly string[];
  multiple: boolean;
  /** Indices. */
  chosen: readonly number[];
  isBusy?: boolean;
  /** Absent once the question is answered. */
  onChoose?: (index: number) => void;
}

/** The options of a question, one a line, with their number keys while they can be chosen. */
export function AnswerOptions({ options, multiple, chosen, isBusy = false, onChoose }: AnswerOptionsProps) {
  const { t } = useTranslation('chat');
  return options.map((option, index) => {
    const isChosen = chosen.includes(index);
    const mark = (
      <span className={classes.choiceMark} data-multiple={multiple || undefined} aria-hidden>
        {isChosen ? <IconCheck size={12} stroke={2.5} /> : onChoose && index + 1}
      </span>
    );
    const text = <Spelled text={toSpelled(option)} />;
    if (!onChoose) {
      return (
        <div key={option} className={classes.choice} data-chosen={isChosen || undefined}>
          {mark}
          <span>
            {text}
            {isChosen && <VisuallyHidden> ({t('question.chosen')})</VisuallyHidden>}
          </span>
        </div>
      );
    }
    return (
      <UnstyledButton
        key={option}
        className={classes.choice ?? ''}
        {...(multiple && { role: 'checkbox', 'aria-checked': isChosen })}
        data-chosen={isChosen || undefined}
        disabled={isBusy}
        onClick={() => onChoose(index)}
      >
        {mark}
        <span>{text}</span>
      </UnstyledButton>
    );
  });
}
