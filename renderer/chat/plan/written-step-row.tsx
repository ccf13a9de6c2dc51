import { Button } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { toVisible } from '../../../shared/text/shown-text.ts';
import { toSpelled } from '../../../shared/text/spelled-text.ts';
import classes from './plan.module.css';
import type { WrittenStep, WrittenSteps } from './use-written-steps.ts';

/** What became of a step that was written without review; while it waits, the buttons that keep or undo it. */
export function WrittenStepRow({ step, written }: { step: WrittenStep; written: WrittenSteps }) {
  const { t } = useTranslation('chat');
  const status = useRef<HTMLSpanElement>(null);
  const { title, conflicts } = step;
  const name = toSpelled(title);
  const act = (work: (steps: readonly WrittenStep[]) => void) => {
    work([step]);
    // The buttons are about to go; the outcome is read where they were.
    status.current?.focus();
  };
  return (
    <div className={classes.written}>
      <span ref={status} role="status" tabIndex={-1} data-status={step.status ?? undefined}>
        {t(`plan.written.${step.status ?? 'unknown'}`)}
      </span>
      {step.status === 'pending' && (
        <>
          <Button
            size="compact-xs"
            disabled={written.isBusy}
            aria-label={t('plan.written.keepStep', { step: name })}
            onClick={() => act(written.keep)}
          >
            {t('plan.written.keep')}
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            disabled={written.isBusy}
            aria-label={t('plan.written.undoStep', { step: name })}
            onClick={() => act(written.undo)}
          >
            {t('plan.written.undo')}
          </Button>
        </>
      )}
      {conflicts.length > 0 && (
        <div className={classes.conflict} role="alert">
          {t('history:log.conflict')}
          <ul>
            {conflicts.map(({ path, reason }) => (
              <li key={path}>{t(`history:log.conflicts.${reason}`, { file: toVisible(path) })}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
