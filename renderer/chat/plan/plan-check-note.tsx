import { useTranslation } from 'react-i18next';
import type { PlanCheck } from '../../../shared/model/plan/patch.ts';
import { toVisible } from '../../../shared/text/shown-text.ts';
import classes from './plan.module.css';

/** What a dry run found, and why it was one. */
export function PlanCheckNote({ check, count }: { check: PlanCheck; count: number }) {
  const { t } = useTranslation('chat');
  const { cause, paths, checked, isKept } = check;
  const files = paths.map((path) => toVisible(path)).join(t('common:listSeparator'));
  return (
    <div className={classes.check} role="status">
      <p>{t(`plan.check.${cause}`, { files })}</p>
      <p>{t('plan.check.found', { count, checked: checked.length })}</p>
      {!isKept && <p>{t('plan.check.notKept')}</p>}
    </div>
  );
}
