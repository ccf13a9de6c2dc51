import { Button, Progress, Select } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlaytestSource, PlaytestState } from '../../shared/model/playtest/playtest-state.ts';
import { useEditor } from '../state/documents/editor-store.ts';
import { startPlaytest, steerPlaytest, usePlaytest } from '../state/playtest/playtest-store.ts';
import { useReview } from '../state/review/review-store.ts';
import classes from './playtest-view.module.css';

const ICON = { size: 14, stroke: 1.6 } as const;

/** Starts, pauses and ends the run, and shows how far it is. */
export function RunBar() {
  const { t } = useTranslation('playtest');
  const run = usePlaytest((state) => state.run);
  const bar = useRef<HTMLFieldSetElement>(null);
  const hasFocus = useRef(false);
  const isIdle = run?.status === 'idle';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the buttons are others in each state
  useEffect(() => {
    // The button that was pressed is gone.
    if (hasFocus.current && document.activeElement === document.body) bar.current?.querySelector('button')?.focus();
  }, [isIdle]);
  if (run === null) return null;
  return (
    <fieldset
      ref={bar}
      aria-label={t('runBar')}
      className={classes.run}
      onFocus={() => {
        hasFocus.current = true;
      }}
      onBlur={({ relatedTarget }) => {
        // Null: the focused button was removed, or nothing is focused.
        if (relatedTarget !== null) hasFocus.current = false;
      }}
    >
      {run.status === 'idle' ? <StartBar resumable={run.resumable} /> : <Running run={run} />}
    </fieldset>
  );
}

/** Statuses of an open text that is on the disk as it is shown. */
const ON_DISK: ReadonlySet<string> = new Set(['saved', 'loading', 'unreadable']);

function StartBar({ resumable }: Pick<PlaytestState, 'resumable'>) {
  const { t } = useTranslation('playtest');
  const hasUnsaved = useEditor(({ files }) => files.some(({ state }) => !ON_DISK.has(state.status)));
  const hasProposal = useReview((state) => state.proposal !== null);
  const [wanted, setWanted] = useState<PlaytestSource>('saved');
  const sources: PlaytestSource[] = [
    'saved',
    ...(hasUnsaved ? (['unsaved'] as const) : []),
    ...(hasProposal ? (['proposed'] as const) : []),
  ];
  const source = sources.includes(wanted) ? wanted : 'saved';
  const isLess = source === 'saved' && sources.length > 1;
  return (
    <div className={classes.bar}>
      <Button
        leftSection={<IconPlayerPlay {...ICON} />}
        onClick={() => void startPlaytest({ source, onlyTests: false })}
      >
        {t('start')}
      </Button>
      {resumable !== null && (
        <Button
          variant="default"
          onClick={() => void startPlaytest({ source: resumable, onlyTests: false, resumes: true })}
        >
          {t('continue')}
        </Button>
      )}
      <Button variant="default" onClick={() => void startPlaytest({ source, onlyTests: true })}>
        {t('startTests')}
      </Button>
      {sources.length > 1 && (
        <Select
          className={classes.source ?? ''}
          aria-label={t('source.label')}
          allowDeselect={false}
          value={source}
          data={sources.map((value) => ({ value, label: t(`source.${value}`) }))}
          onChange={(value) => setWanted(value as PlaytestSource)}
        />
      )}
      {isLess && (
        <p className={classes.hint}>
          {t(hasProposal ? (hasUnsaved ? 'leftOut.both' : 'leftOut.proposed') : 'leftOut.unsaved')}
        </p>
      )}
    </div>
  );
}

function Running({ run }: { run: PlaytestState }) {
  const { t, i18n } = useTranslation('playtest');
  const { status, progress, ms } = run;
  const format = (value: number) => value.toLocaleString(i18n.language);
  const percent = progress && progress.lines > 0 ? (progress.played / progress.lines) * 100 : 0;
  const words = progress
    ? t('progress', {
        ...{ routes: format(progress.routes), steps: format(progress.steps), findings: format(progress.findings) },
        ...{ played: format(progress.played), lines: format(progress.lines), seconds: format(Math.floor(ms / 1000)) },
      })
    : t('starting');
  return (
    <div className={classes.bar}>
      {status === 'running' ? (
        <Button variant="default" leftSection={<IconPlayerPause {...ICON} />} onClick={() => steerPlaytest('pause')}>
          {t('pause')}
        </Button>
      ) : (
        <Button leftSection={<IconPlayerPlay {...ICON} />} onClick={() => steerPlaytest('resume')}>
          {t('resume')}
        </Button>
      )}
      <Button variant="default" leftSection={<IconPlayerStop {...ICON} />} onClick={() => steerPlaytest('stop')}>
        {t('stop')}
      </Button>
      <div className={classes.progress}>
        <Progress.Root size="sm">
          <Progress.Section value={percent} aria-label={t('covered')} />
        </Progress.Root>
        <p className={classes.hint}>
          {status === 'paused' ? `${t('paused')} ` : status === 'pausing' ? `${t('pausing')} ` : ''}
          {words}
        </p>
      </div>
    </div>
  );
}
