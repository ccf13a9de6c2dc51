import { useTranslation } from 'react-i18next';
import classes from './change-counts.module.css';

interface ChangeCountsProps {
  added: number;
  removed: number;
}

/** Number of added and removed lines. */
export function ChangeCounts({ added, removed }: ChangeCountsProps) {
  const { t } = useTranslation('chat');
  return (
    <span className={classes.root}>
      {added > 0 && (
        <span className={classes.added} role="img" aria-label={t('review.added', { count: added })}>
          +{added}
        </span>
      )}
      {removed > 0 && (
        <span className={classes.removed} role="img" aria-label={t('review.removed', { count: removed })}>
          −{removed}
        </span>
      )}
    </span>
  );
}
