import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TerreState } from '../../../shared/model/stage/terre.ts';
import { api } from '../../api.ts';
import { attempt } from '../../state/notify.ts';
import { Section, SettingRow } from '../section.tsx';
import settingsClasses from '../settings-view.module.css';
import { SwitchRow } from '../switch-row.tsx';
import { TerreFolder } from './terre-folder.tsx';
import classes from './terre-settings.module.css';
import { useTerre } from './use-terre.ts';

/** WebGAL Terre: where it is installed, whether it runs, and what the app uses it for. */
export function TerreSettings() {
  const { t } = useTranslation('terre');
  const { terre, isBusy, run } = useTerre();
  if (terre === null) return null;
  return (
    <Section title={t('title')} lead={t('lead')} id="settings-terre">
      <div className={settingsClasses.card}>
        <TerreFolder terre={terre} run={run} />
        <SettingRow label={t('program')} hint={t(`status.${terre.status}`, { port: terre.port })}>
          <TerreSwitch terre={terre} isBusy={isBusy} run={run} />
        </SettingRow>
        <SwitchRow setting="prefersTerre" label={t('preferred')} hint={t('preferredHint')} />
        <TerreLog />
      </div>
    </Section>
  );
}

/** Starts or ends the program. One that the user started is the user's to end. */
function TerreSwitch({
  terre: { status, folder, problem },
  isBusy,
  run,
}: { terre: TerreState } & Pick<ReturnType<typeof useTerre>, 'isBusy' | 'run'>) {
  const { t } = useTranslation('terre');
  if (status === 'started' || status === 'starting')
    return (
      <Button variant="default" onClick={() => run(() => api.call('terre.stop', {}))}>
        {t('stop')}
      </Button>
    );
  if (status === 'running') return null;
  return (
    <Button
      variant="default"
      loading={isBusy}
      disabled={folder === null || problem !== null || status === 'other'}
      onClick={() => run(() => api.call('terre.start', {}))}
    >
      {t('start')}
    </Button>
  );
}

/** What Terre printed, for a start that failed. */
function TerreLog() {
  const { t } = useTranslation('terre');
  const [lines, setLines] = useState<string[] | null>(null);
  const toggle = () => {
    if (lines !== null) return setLines(null);
    void attempt(async () => setLines((await api.call('terre.log', {})).lines));
  };
  return (
    <div className={settingsClasses.row}>
      <div className={settingsClasses.words}>
        <div className={settingsClasses.label}>{t('log')}</div>
        <div className={settingsClasses.hint}>{t('logHint')}</div>
      </div>
      <Button variant="default" aria-expanded={lines !== null} onClick={toggle}>
        {t(lines === null ? 'showLog' : 'hideLog')}
      </Button>
      {lines !== null &&
        (lines.length === 0 ? (
          <p className={classes.empty}>{t('noLog')}</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
          <section className={classes.log} tabIndex={0} aria-label={t('log')}>
            {lines.join('\n')}
          </section>
        ))}
    </div>
  );
}
