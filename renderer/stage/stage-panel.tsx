import { ActionIcon, Badge, Button, Loader, SegmentedControl, Tooltip } from '@mantine/core';
import { IconArrowsMinimize, IconPlugConnectedX } from '@tabler/icons-react';
import { type CSSProperties, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { StageSource } from '../../shared/model/stage.ts';
import { openFile } from '../state/documents/editor-store.ts';
import { useReview } from '../state/review/review-store.ts';
import { useSettings } from '../state/settings-store.ts';
import { reloadStage, showOnStage, useStage, useStageStatus } from '../state/stage/stage-store.ts';
import { FRAME_RATIOS, setStageLarge, useStageView } from '../state/stage/stage-view.ts';
import { Message } from '../ui/message.tsx';
import { PaneHeader } from '../ui/pane-header.tsx';
import { EngineFrame } from './engine-frame.tsx';
import { StageControls } from './stage-controls.tsx';
import { StageEngine } from './stage-engine.tsx';
import classes from './stage-panel.module.css';
import { StageProblems } from './stage-problems.tsx';
import { ReplayCurtain, StageWay } from './stage-way.tsx';
import { toSceneName } from './to-scene-name.ts';

/** Grace period after loading an engine: a `lost` status may still refer to the previous page. */
const GRACE_MS = 6000;

/** The stage panel: running game, position and problems. */
export function StagePanel() {
  const { t } = useTranslation('stage');
  const stage = useStage((state) => state.stage);
  // What is played back is silent.
  const isMuted = useSettings((state) => state.settings.stageMuted) || stage.replay?.state === 'playing';
  const hasProposal = useReview((state) => state.proposal !== null);
  const [attempt, setAttempt] = useState(0);
  const isFresh = useFresh(`${stage.url} ${attempt}`);

  const { frame, isLarge } = useStageView((state) => state);
  useEscape(isLarge);
  const { place, url } = stage;
  const shown = useStageStatus();
  const status = shown === 'lost' && isFresh ? 'starting' : shown;
  const source = place?.source ?? 'saved';
  const isLost = status === 'lost';
  const reload = useCallback(() => {
    // An unresponsive page cannot handle a reload message: mount a new frame.
    if (isLost) setAttempt((count) => count + 1);
    reloadStage();
  }, [isLost]);

  return (
    <div className={classes.panel} data-source={source} data-large={isLarge || undefined}>
      <PaneHeader title={t('title')} note={t(toNoteKey(status, source, place !== null))}>
        {hasProposal && (
          <SegmentedControl
            aria-label={t('sourceLabel')}
            value={source}
            disabled={!place}
            onChange={(next) => place && showOnStage({ ...place, source: next as StageSource })}
            data={[
              { value: 'saved', label: t('source.saved') },
              { value: 'proposal', label: t('source.proposal') },
            ]}
          />
        )}
        {isLarge && (
          <Tooltip label={t('menu.small')}>
            <ActionIcon variant="default" aria-label={t('menu.small')} onClick={() => setStageLarge(false)}>
              <IconArrowsMinimize size={17} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
        )}
      </PaneHeader>
      <div className={classes.house}>
        {url === null ? (
          <Message text={t('off')} hint={t('offHint')} />
        ) : (
          <div className={classes.picture} data-frame={frame} style={toRatio(FRAME_RATIOS[frame])}>
            <EngineFrame key={`${url} ${attempt}`} url={url} isMuted={isMuted} />
            {source === 'proposal' && place && (
              <Badge className={classes.badge} size="lg" radius="xl" tt="none">
                {t('badge', { scene: toSceneName(place.path), line: place.line })}
              </Badge>
            )}
            <ReplayCurtain />
            {status === 'starting' && (
              <div className={classes.veil} role="status">
                <Loader size="sm" color="gray" />
                <span>{t('starting')}</span>
              </div>
            )}
            {isLost && (
              <div className={classes.veil}>
                <Message tone="error" text={t('lost')} hint={t('lostHint')} icon={<IconPlugConnectedX size={22} />}>
                  <Button onClick={reload}>{t('reload')}</Button>
                </Message>
              </div>
            )}
          </div>
        )}
      </div>
      <StageControls onReload={reload} />
      <StageWay />
      <StageEngine />
      <StageProblems onOpenPlace={(path, line) => void openFile(path, { line })} />
    </div>
  );
}

const toRatio = ([width, height]: readonly [number, number]) => ({ '--ratio': `${width / height}` }) as CSSProperties;

/** Esc puts a large stage back. The engine has its own Esc: keys in its frame do not arrive here. */
function useEscape(isLarge: boolean): void {
  useEffect(() => {
    if (!isLarge) return;
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && !event.defaultPrevented && setStageLarge(false);
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [isLarge]);
}

function toNoteKey(status: string, source: StageSource, hasPlace: boolean): string {
  if (status !== 'ready') return `note.${status}`;
  if (!hasPlace) return 'note.title';
  return `note.${source}`;
}

/** Returns true for `GRACE_MS` after `key` changed. */
function useFresh(key: string): boolean {
  const [settled, setSettled] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(key), GRACE_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return settled !== key;
}
