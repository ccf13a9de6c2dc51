import { Button, Select, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_SUMMARY_LENGTH, type ShownStep, StepType } from '../../../shared/model/plan/patch.ts';
import classes from './plan.module.css';
import type { StepChange } from './plan-edits.ts';

interface StepEditorProps {
  step: ShownStep;
  onSave: (change: StepChange) => void;
  onCancel: () => void;
}

/** The words and the kind of a step, as fields. Escape leaves them as they were. */
export function StepEditor({ step, onSave, onCancel }: StepEditorProps) {
  const { t } = useTranslation('chat');
  const [summary, setSummary] = useState(step.summary);
  const [type, setType] = useState<StepType>(step.step_type);
  const text = summary.trim();
  const losesPrepared = step.operations > 0 && text !== step.summary;
  return (
    <form
      className={classes.editor}
      onSubmit={(event) => {
        event.preventDefault();
        if (text !== '') onSave({ summary: text, step_type: type });
      }}
      onKeyDown={(event) => {
        // An input method closes its list with the same key.
        if (event.key === 'Escape' && !event.nativeEvent.isComposing) onCancel();
      }}
    >
      <Textarea
        autosize
        minRows={1}
        maxRows={8}
        data-autofocus
        autoFocus
        value={summary}
        maxLength={MAX_SUMMARY_LENGTH}
        aria-label={t('plan.step.words')}
        onChange={(event) => setSummary(event.currentTarget.value)}
      />
      <Select
        value={type}
        allowDeselect={false}
        aria-label={t('plan.step.kind')}
        data={StepType.options.map((value) => ({ value, label: t(`plan.type.${value}`) }))}
        onChange={(value) => setType(StepType.safeParse(value).data ?? type)}
      />
      {losesPrepared && <p className={classes.hint}>{t('plan.step.preparedLost')}</p>}
      <div className={classes.row}>
        <Button type="submit" size="compact-sm" disabled={text === ''}>
          {t('plan.step.save')}
        </Button>
        <Button variant="default" size="compact-sm" onClick={onCancel}>
          {t('plan.step.cancel')}
        </Button>
      </div>
    </form>
  );
}
