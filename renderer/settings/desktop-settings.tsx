import { useTranslation } from 'react-i18next';
import { useProject } from '../state/project/project-store.ts';
import { Section } from './section.tsx';
import classes from './settings-view.module.css';
import { SwitchRow } from './switch-row.tsx';

/** Settings of the desktop app; not shown in a browser tab. */
export function DesktopSettings() {
  const { t } = useTranslation('settings');
  const host = useProject((state) => state.host);
  if (host !== 'electron') return null;
  return (
    <Section title={t('desktop.title')}>
      <div className={classes.card}>
        <SwitchRow setting="notifications" label={t('desktop.notifications')} hint={t('desktop.notificationsHint')} />
        <SwitchRow setting="spellCheck" label={t('desktop.spellCheck')} hint={t('desktop.spellCheckHint')} />
      </div>
    </Section>
  );
}
