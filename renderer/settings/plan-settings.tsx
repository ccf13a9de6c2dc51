import { useTranslation } from 'react-i18next';
import { Section } from './section.tsx';
import classes from './settings-view.module.css';
import { SwitchRow } from './switch-row.tsx';

/** What happens when a plan of the assistant is carried out. */
export function PlanSettings() {
  const { t } = useTranslation('settings');
  return (
    <Section title={t('plans.title')} lead={t('plans.lead')}>
      <div className={classes.card}>
        <SwitchRow setting="autoRun" label={t('plans.autoRun')} hint={t('plans.autoRunHint')} />
        <SwitchRow setting="dryRun" label={t('plans.dryRun')} hint={t('plans.dryRunHint')} />
      </div>
    </Section>
  );
}
