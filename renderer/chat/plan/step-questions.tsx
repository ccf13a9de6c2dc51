import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShownStep } from '../../../shared/model/plan/patch.ts';
import { toSpelled } from '../../../shared/text/spelled-text.ts';
import classes from './plan.module.css';

interface StepQuestionsProps {
  step: ShownStep;
  canEdit: boolean;
  onAnswer: (answers: (string | null)[]) => void;
}

/** What is missing for a step, as questions with fields. An answer is stored when the field is left or Enter is pressed. */
export function StepQuestions({ step, canEdit, onAnswer }: StepQuestionsProps) {
  const { questions, answers } = step;
  const answer = (at: number, text: string) =>
    onAnswer(questions.map((_, index) => (index === at ? text.trim() || null : (answers[index] ?? null))));
  return questions.map((question, at) => (
    <StepQuestion
      key={question}
      question={question}
      answer={answers[at] ?? ''}
      canEdit={canEdit}
      onAnswer={(text) => answer(at, text)}
    />
  ));
}

interface StepQuestionProps {
  question: string;
  answer: string;
  canEdit: boolean;
  onAnswer: (text: string) => void;
}

function StepQuestion({ question, answer, canEdit, onAnswer }: StepQuestionProps) {
  const { t } = useTranslation('chat');
  const [text, setText] = useState(answer);
  const save = () => {
    if (canEdit && text.trim() !== answer) onAnswer(text);
  };
  return (
    <TextInput
      className={classes.question ?? ''}
      label={toSpelled(question)}
      placeholder={t('plan.step.answer')}
      maxLength={2000}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
        event.preventDefault();
        save();
      }}
    />
  );
}
