import { ActionIcon, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './story-test-dialog.module.css';
import type { TestForm } from './test-form.ts';

interface RouteStepsProps {
  form: TestForm;
  onChange: (change: (form: TestForm) => TestForm) => void;
}

/** The choices and the typed answers of a test, which can be changed and removed. */
export function RouteSteps({ form: { choose, inputs }, onChange }: RouteStepsProps) {
  const { t } = useTranslation('playtest');
  return (
    <>
      <fieldset className={classes.group}>
        <legend>{t('choices')}</legend>
        {choose.length === 0 && <p className={classes.none}>{t('noChoices')}</p>}
        <ol className={classes.steps}>
          {choose.map(({ text, nth }, at) => (
            <StepField
              // biome-ignore lint/suspicious/noArrayIndexKey: a step has no identity but its place
              key={at}
              label={t('choiceLabel', { number: at + 1 })}
              removeLabel={t('removeStep', { number: at + 1 })}
              note={nth > 1 ? t('nth', { number: nth }) : null}
              text={text}
              onText={(next) =>
                onChange((form) => ({ ...form, choose: replaced(form.choose, at, { text: next, nth }) }))
              }
              onRemove={() => onChange((form) => ({ ...form, choose: without(form.choose, at) }))}
            />
          ))}
        </ol>
      </fieldset>
      {inputs.length > 0 && (
        <fieldset className={classes.group}>
          <legend>{t('answers')}</legend>
          <ol className={classes.steps}>
            {inputs.map((text, at) => (
              <StepField
                // biome-ignore lint/suspicious/noArrayIndexKey: a step has no identity but its place
                key={at}
                label={t('answerLabel', { number: at + 1 })}
                removeLabel={t('removeAnswer', { number: at + 1 })}
                note={text === '' ? t('blankAnswer') : null}
                text={text}
                onText={(next) => onChange((form) => ({ ...form, inputs: replaced(form.inputs, at, next) }))}
                onRemove={() => onChange((form) => ({ ...form, inputs: without(form.inputs, at) }))}
              />
            ))}
          </ol>
        </fieldset>
      )}
    </>
  );
}

const replaced = <T,>(list: readonly T[], at: number, value: T): T[] =>
  list.map((each, place) => (place === at ? value : each));
const without = <T,>(list: readonly T[], at: number): T[] => list.filter((_, place) => place !== at);

interface StepFieldProps {
  label: string;
  removeLabel: string;
  note: string | null;
  text: string;
  onText: (text: string) => void;
  onRemove: () => void;
}

function StepField({ label, removeLabel, note, text, onText, onRemove }: StepFieldProps) {
  return (
    <li className={classes.step}>
      <TextInput
        className={classes.text ?? ''}
        size="xs"
        aria-label={label}
        maxLength={500}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
      />
      {note !== null && <span className={classes.none}>{note}</span>}
      <ActionIcon
        size="sm"
        variant="subtle"
        color="gray"
        aria-label={removeLabel}
        title={removeLabel}
        onClick={onRemove}
      >
        <IconX size={14} stroke={1.6} />
      </ActionIcon>
    </li>
  );
}
