import { Switch, UnstyledButton } from '@mantine/core';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlaytestResult } from '../../shared/model/playtest/playtest-state.ts';
import type { SceneCoverage } from '../../shared/model/playtest/report.ts';
import { SCENE_FOLDER } from '../../shared/script/project-index/project-facts.ts';
import { toVisible } from '../../shared/text/shown-text.ts';
import { usePlaytest } from '../state/playtest/playtest-store.ts';
import { updateSettings, useSettings } from '../state/settings-store.ts';
import { VirtualList } from '../ui/list/virtual-list.tsx';
import { Message } from '../ui/message.tsx';
import classes from './playtest-view.module.css';
import { showPlace } from './show-place.ts';

/** Runs of lines in a row; the rest is only counted. */
const MAX_RUNS = 12;

/** How much of each scene was played, with the lines that no route played. */
export function CoveragePart({ result }: { result: PlaytestResult }) {
  const { t } = useTranslation('playtest');
  const scroller = useRef<HTMLDivElement>(null);
  const areMarked = useSettings((state) => state.settings.unplayedMarks);
  const scenes = useMemo(() => {
    const all = result.coverage.scenes.filter(({ lines }) => lines > 0);
    return [...all].sort((one, other) => Number(one.never.length === 0) - Number(other.never.length === 0));
  }, [result]);
  if (scenes.length === 0) return <Message text={t('notPlayed')} />;
  return (
    <>
      <Switch
        className={classes.marks ?? ''}
        size="xs"
        label={t('showMarks')}
        checked={areMarked}
        onChange={(event) => void updateSettings({ unplayedMarks: event.currentTarget.checked })}
      />
      <div className={classes.scroll} ref={scroller}>
        <VirtualList items={scenes} label={t('coverage')} className={classes.list} scroller={scroller}>
          {(scene) => <CoverageRow key={scene.path} scene={scene} result={result} />}
        </VirtualList>
      </div>
    </>
  );
}

function CoverageRow({ scene, result }: { scene: SceneCoverage; result: PlaytestResult }) {
  const { t } = useTranslation('playtest');
  const isChanged = usePlaytest((state) => state.run?.changed.includes(scene.path) ?? false);
  const { path, lines, played, never } = scene;
  const runs = never.slice(0, MAX_RUNS).map(({ first, last }) => (first === last ? `${first}` : `${first}–${last}`));
  const name = path.startsWith(SCENE_FOLDER) ? path.slice(SCENE_FOLDER.length) : path;
  return (
    <div className={classes.row}>
      <meter className={classes.meter} min={0} max={lines} value={played} aria-label={t('covered')} />
      <UnstyledButton className={classes.open} onClick={() => showPlace({ path, line: never[0]?.first ?? 1 }, result)}>
        <span className={classes.place}>{toVisible(name)}</span> {t('playedLines', { played, lines })}
        {isChanged && <span className={classes.changed}>{t('changedSince')}</span>}
        {runs.length > 0 && (
          <span className={classes.route}>
            {t('neverLines', { lines: runs.join(', ') })}
            {never.length > MAX_RUNS && ' …'}
          </span>
        )}
      </UnstyledButton>
    </div>
  );
}
