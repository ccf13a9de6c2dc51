import { Button, Collapse, Tooltip, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconChevronRight, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Diagnostic } from '../../shared/model/diagnostic.ts';
import { showFile } from '../state/review/review-reducer.ts';
import { changeReview } from '../state/review/review-store.ts';
import { useBusy } from '../ui/hooks/use-busy.ts';
import { fileName } from '../ui/text/file-name.ts';
import { askToFix } from '../workflows/ask-to-fix.ts';
import classes from './problem-list.module.css';

const ICONS = { error: IconCircleX, warning: IconAlertTriangle, info: IconInfoCircle } as const;

interface ProblemListProps {
  problems: readonly Diagnostic[];
  /** Number of problems of the game that are gone with it. */
  fixed: number;
  /** True for the problems of the ticked part, false for those of the whole proposal. */
  isPart: boolean;
  /** False while the assistant is drafting and may fix them. */
  isReady: boolean;
  /** True if the assistant created the proposal and can continue it. */
  isFixable: boolean;
}

/** Problems that the proposal would cause, with links, and an action to let the assistant fix them. */
export function ProblemList({ problems, fixed, isPart, isReady, isFixable }: ProblemListProps) {
  const { t } = useTranslation('review');
  const [isOpen, setOpen] = useState(true);
  const [isBusy, run] = useBusy();
  const id = useId();
  const fixes = fixed > 0 && <span className={classes.fixes}>{t('problems.fixes', { count: fixed })}</span>;
  if (problems.length === 0) return <p className={classes.only}>{fixes}</p>;
  return (
    <section className={classes.root}>
      <header className={classes.head}>
        <UnstyledButton
          className={classes.toggle}
          aria-expanded={isOpen}
          aria-controls={id}
          title={t(isOpen ? 'problems.hide' : 'problems.show')}
          onClick={() => setOpen(!isOpen)}
        >
          <IconChevronRight size={14} className={classes.chevron} aria-hidden />
          {t(isPart ? 'problems.partTitle' : 'problems.title', { count: problems.length })}
        </UnstyledButton>
        {fixes}
        {isFixable && (
          <Tooltip label={t('problems.fixHint')}>
            <Button
              variant="subtle"
              size="compact-sm"
              disabled={!isReady}
              loading={isBusy}
              onClick={() => run(askToFix)}
            >
              {t('problems.fix')}
            </Button>
          </Tooltip>
        )}
      </header>
      <Collapse expanded={isOpen} id={id}>
        <ul className={classes.list}>
          {problems.map((problem) => {
            const ProblemIcon = ICONS[problem.severity];
            return (
              <li
                key={`${problem.path}:${problem.line}:${problem.column}:${problem.code}:${problem.message}`}
                className={classes.problem}
                data-severity={problem.severity}
              >
                <ProblemIcon size={15} aria-label={t(`problems.${problem.severity}`)} />
                <span>
                  <UnstyledButton
                    className={classes.where}
                    onClick={() => changeReview((state) => showFile(state, problem.path, problem.line))}
                  >
                    {t('problems.where', { file: fileName(problem.path), line: problem.line })}
                  </UnstyledButton>
                  {problem.message}
                  {problem.fixHint && <span className={classes.hint}> {problem.fixHint}</span>}
                </span>
              </li>
            );
          })}
        </ul>
      </Collapse>
    </section>
  );
}
