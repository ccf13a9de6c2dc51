import { Checkbox } from '@mantine/core';
import { IconListNumbers } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { togglePieces } from '../../state/review/review-reducer.ts';
import { changeReview, useReview } from '../../state/review/review-store.ts';
import { countTickedOf, type StepGroup } from '../../state/review/step-groups.ts';
import classes from './step-heading.module.css';
import { useGroupName } from './use-step-groups.ts';

/** The step that made what follows, with a checkbox for all changes of it in the proposal. */
export function StepHeading({ group }: { group: StepGroup }) {
  const toName = useGroupName();
  const name = toName(group);
  return (
    <div className={classes.root} title={name}>
      <StepTick pieces={group.pieces} name={name} />
      <IconListNumbers size={14} aria-hidden className={classes.icon} />
      <h2 className={classes.name}>{name}</h2>
      <StepCount pieces={group.pieces} />
    </div>
  );
}

/** The checkbox of the changes of a step, or of those in one file (`path`). */
export function StepTick({ pieces, name, path }: Pick<StepGroup, 'pieces'> & { name: string; path?: string }) {
  const { t } = useTranslation('review');
  const ticked = useReview((state) => countTickedOf(state, pieces));
  return (
    <Checkbox
      size="xs"
      checked={ticked === pieces.length}
      indeterminate={ticked > 0 && ticked < pieces.length}
      aria-label={path === undefined ? t('steps.take', { name }) : t('steps.takeFile', { path })}
      onChange={() => changeReview((state) => togglePieces(state, pieces))}
    />
  );
}

/** How many of the changes are ticked. */
export function StepCount({ pieces }: Pick<StepGroup, 'pieces'>) {
  const { t } = useTranslation('review');
  const ticked = useReview((state) => countTickedOf(state, pieces));
  return (
    <span className={classes.count} title={t('steps.countHint')}>
      {t('steps.count', { ticked, total: pieces.length })}
    </span>
  );
}
