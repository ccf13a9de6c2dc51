import { useTranslation } from 'react-i18next';
import { Section } from './section.tsx';
import classes from './settings-view.module.css';
import { SwitchRow } from './switch-row.tsx';

export function StageSettings() {
  const { t } = useTranslation('settings');
  return (
    <Section title={t('stage.title')}>
      <div className={classes.card}>
        <SwitchRow setting="stageFollowsCursor" label={t('stage.follow')} hint={t('stage.followHint')} />
        <SwitchRow setting="stageMuted" label={t('stage.muted')} />
      </div>
    </Section>
  );
}
