import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { attempt } from '../state/notify.ts';
import { useProject } from '../state/project/project-store.ts';
import { proposeNotes } from '../workflows/update-notes.ts';
import { Section, SettingRow } from './section.tsx';
import classes from './settings-view.module.css';
import { SwitchRow } from './switch-row.tsx';

export function StageSettings() {
  const { t } = useTranslation('settings');
  const hasGame = useProject((state) => state.project !== null);
  return (
    <Section title={t('stage.title')}>
      <div className={classes.card}>
        <SwitchRow setting="stageFollowsCursor" label={t('stage.follow')} hint={t('stage.followHint')} />
        <SwitchRow setting="stageMuted" label={t('stage.muted')} />
        {hasGame && (
          <SettingRow label={t('stage.notes')} hint={t('stage.notesHint')}>
            <Button variant="default" onClick={() => void attempt(proposeNotes)}>
              {t('stage.notesPropose')}
            </Button>
          </SettingRow>
        )}
      </div>
    </Section>
  );
}
