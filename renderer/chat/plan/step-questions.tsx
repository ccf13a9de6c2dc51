import { Autocomplete, Button, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShownStep } from '../../../shared/model/plan/patch.ts';
import { toSpelled } from '../../../shared/text/spelled-text.ts';
import { useProject } from '../../state/project/project-store.ts';
import classes from './plan.module.css';
import { findMeantFile, type StepChange, toFilesOf } from './plan-edits.ts';

interface StepQuestionsProps {
  step: ShownStep;
  canEdit: boolean;
  onChange: (change: StepChange) => void;
}

/** What is missing for a step, as questions with fields. An answer is stored when the field is left or Enter is pressed. */
export function StepQuestions({ step, canEdit, onChange }: StepQuestionsProps) {
  const { t } = useTranslation('chat');
  const { questions, answers, operations, validation } = step;
  // Without prepared changes there is nothing to fill in.
  const names = operations > 0 ? validation.unsafe_placeholders : [];
  const answer = (at: number, text: string) =>
    onChange({ answers: questions.map((_, index) => (index === at ? text.trim() || null : (answers[index] ?? null))) });
  const missing = validation.missing_fields;
  const isUnnamed = missing.some((field) => field === 'resource_id' || field.startsWith('asset:'));
  // The assistant's own questions ask what it needs to know.
  const isOpen = missing.includes('operations') && questions.length === 0;
  return (
    <>
      {isUnnamed && <TargetQuestion step={step} canEdit={canEdit} onChange={onChange} />}
      {isOpen && <OpenQuestion canEdit={canEdit} onChange={onChange} />}
      {questions.map((question, at) => (
        <StepQuestion
          key={question}
          question={question}
          answer={answers[at] ?? ''}
          canEdit={canEdit}
          onAnswer={(text) => answer(at, text)}
        />
      ))}
      {names.map((name) => (
        <StepQuestion
          key={name}
          question={t('plan.step.fill', { name })}
          answer=""
          canEdit={canEdit}
          onAnswer={(text) => text.trim() !== '' && onChange({ fills: [{ name, value: text.trim() }] })}
          maxLength={500}
        />
      ))}
    </>
  );
}

/** Asks which file or character a step is about, which it does not say, or says of a file that is not there. */
function TargetQuestion({ step, canEdit, onChange }: StepQuestionsProps) {
  const { t } = useTranslation('chat');
  const files = useProject((state) => state.files);
  const [text, setText] = useState('');
  const isSent = useRef(false);
  const { step_type: type } = step;
  if (type === 'manual_review' || type === 'custom_command') return null;
  const names = toFilesOf(type, files ?? []);
  const save = (answer: string) => {
    if (!canEdit || isSent.current || answer.trim() === '') return;
    // The field loses the focus when it goes.
    isSent.current = true;
    onChange({ about: findMeantFile(answer.trim(), names) });
  };
  return (
    <Autocomplete
      className={classes.question ?? ''}
      label={t(`plan.step.about.${type}`)}
      placeholder={t('plan.step.answer')}
      maxLength={400}
      data={names}
      limit={50}
      value={text}
      onChange={setText}
      onOptionSubmit={save}
      onBlur={() => save(text)}
      onKeyDown={(event) => {
        // With a name of the list chosen, Enter stands for that one.
        const isChosen = event.currentTarget.getAttribute('aria-activedescendant');
        if (event.key === 'Enter' && !event.nativeEvent.isComposing && !isChosen) save(text);
      }}
    />
  );
}

/** Asks what a step without prepared changes is to contain. Optional, because the assistant drafts it: so one click away. */
function OpenQuestion({ canEdit, onChange }: Omit<StepQuestionsProps, 'step'>) {
  const { t } = useTranslation('chat');
  const [isAsked, setAsked] = useState(false);
  const question = t('plan.step.details');
  if (!isAsked) {
    return (
      <Button
        className={`${classes.question} ${classes.ask}`}
        variant="subtle"
        size="compact-xs"
        disabled={!canEdit}
        onClick={() => setAsked(true)}
      >
        {t('plan.step.addDetails')}
      </Button>
    );
  }
  return (
    <StepQuestion
      isFocused
      question={question}
      answer=""
      canEdit={canEdit}
      onAnswer={(text) => text.trim() !== '' && onChange({ added: { question, answer: text.trim() } })}
    />
  );
}

interface StepQuestionProps {
  question: string;
  answer: string;
  canEdit: boolean;
  onAnswer: (text: string) => void;
  maxLength?: number;
  /** True for a field that the user has just asked for. */
  isFocused?: boolean;
}

function StepQuestion({ question, answer, canEdit, onAnswer, maxLength = 2000, isFocused = false }: StepQuestionProps) {
  const { t } = useTranslation('chat');
  const [text, setText] = useState(answer);
  const save = () => {
    if (canEdit && text.trim() !== answer) onAnswer(text);
  };
  return (
    <TextInput
      className={classes.question ?? ''}
      label={toSpelled(question)}
      autoFocus={isFocused}
      placeholder={isFocused ? undefined : t('plan.step.answer')}
      maxLength={maxLength}
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
