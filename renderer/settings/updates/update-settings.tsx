import { Button, Progress } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { checkForUpdates, downloadUpdate, openReleasePage, useUpdates } from '../../state/updates-store.ts';
import { useNow } from '../../ui/hooks/use-now.ts';
import { timeAgo } from '../../ui/text/time-ago.ts';
import { Section, SettingRow } from '../section.tsx';
import settingsClasses from '../settings-view.module.css';
import { SwitchRow } from '../switch-row.tsx';
import { FeedField } from './feed-field.tsx';
import { ReleaseNotes } from './release-notes.tsx';
import { toUpdateSentence } from './update-sentence.ts';
import classes from './updates.module.css';

/** Update settings of the desktop app: state, release notes and switch. Renders nothing where updates are unsupported. */
export function UpdateSettings() {
  const { t, i18n } = useTranslation('settings');
  const state = useUpdates((all) => all);
  const now = useNow();
  if (state.support === 'none') return null;
  const { phase, page, checkedAt } = state;
  const offer = 'offer' in phase ? phase.offer : null;
  const isBusy = phase.status === 'checking' || phase.status === 'downloading';
  const checked =
    checkedAt === null ? t('updates.never') : t('updates.checked', { ago: timeAgo(checkedAt, i18n.language, now) });
  return (
    <Section title={t('updates.title')} id="settings-updates">
      <div className={settingsClasses.card}>
        <SettingRow label={t('updates.version', { version: state.version })} hint={checked}>
          <Button variant="default" disabled={isBusy || phase.status === 'ready'} onClick={checkForUpdates}>
            {t('updates.check')}
          </Button>
        </SettingRow>
        <SwitchRow setting="checksForUpdates" label={t('updates.automatic')} hint={t('updates.automaticHint')} />
        <FeedField />
      </div>
      <p className={classes.sentence} role="status" data-testid="update-state" data-phase={phase.status}>
        {toUpdateSentence(state, t)}
      </p>
      {phase.status === 'downloading' && <Progress value={phase.percent} aria-label={t('updates.progress')} />}
      {offer && offer.notes !== '' && <ReleaseNotes label={t('updates.notes')} text={offer.notes} />}
      <div className={classes.actions}>
        {phase.status === 'available' && state.support === 'self' && (
          <Button variant="default" onClick={downloadUpdate}>
            {t('updates.download')}
          </Button>
        )}
        {page !== null &&
          (phase.status === 'failed' || (phase.status === 'available' && state.support === 'byHand')) && (
            <Button variant="default" onClick={() => openReleasePage(page)}>
              {t('updates.page')}
            </Button>
          )}
      </div>
    </Section>
  );
}
