import { ActionIcon, SegmentedControl, Tooltip } from '@mantine/core';
import { IconArrowsMinimize } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { StageSource } from '../../shared/model/stage.ts';
import { toSceneName } from '../../shared/script/project-index/project-facts.ts';
import { openFile } from '../state/documents/editor-store.ts';
import { useReview } from '../state/review/review-store.ts';
import { useSettings } from '../state/settings-store.ts';
import { useStageBeside } from '../state/stage/stage-beside.ts';
import { reloadStage, showOnStage, stopReplay, useStage, useStageStatus } from '../state/stage/stage-store.ts';
import { FRAME_RATIOS, setStageLarge, useStageView } from '../state/stage/stage-view.ts';
import { useStageWindow } from '../state/stage/stage-window.ts';
import type { StagePictureState } from '../state/stage/stage-window-state.ts';
import { PaneHeader } from '../ui/pane-header.tsx';
import { openShownLine, toPlayedPlace } from '../workflows/stage/open-shown-line.ts';
import { BesidePicture } from './beside/beside-picture.tsx';
import { CompareButton } from './beside/compare-button.tsx';
import { StageHouse } from './beside/stage-house.tsx';
import { StageAway } from './own-window/stage-away.tsx';
import { useStageWindowFeed } from './own-window/use-stage-window-feed.ts';
import { StageControls } from './stage-controls.tsx';
import { StageEngine } from './stage-engine.tsx';
import classes from './stage-panel.module.css';
import { StagePicture } from './stage-picture.tsx';
import { StageProblems } from './stage-problems.tsx';
import { StageWay } from './stage-way.tsx';

/** Grace period after loading an engine: a `lost` status may still refer to the previous page. */
const GRACE_MS = 6000;

/** The stage panel: running game, position and problems. */
export function StagePanel() {
  const { t } = useTranslation('stage');
  const place = useStage(({ stage }) => stage.place);
  const hasProposal = useReview((state) => state.proposal !== null);
  const isLarge = useStageView((state) => state.isLarge);
  useEscape(isLarge);
  const isOut = useStageWindow();
  const { picture, reload } = usePicture(isOut);
  useStageWindowFeed(picture, reload);
  const source = place?.source ?? 'saved';
  const beside = useStageBeside();
  const compared = isOut ? null : beside;
  const played = usePlayedPlace();

  return (
    <div className={classes.panel} data-large={isLarge || undefined}>
      <PaneHeader
        title={t('title')}
        note={played ? t('note.playing', played) : t(toNoteKey(picture.status, source, place !== null))}
        noteAction={played ? { label: t('openShown'), onClick: openShownLine } : undefined}
      >
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
        {hasProposal && <CompareButton isDisabled={!place || isOut} />}
        {isLarge && (
          <Tooltip label={t('menu.small')}>
            <ActionIcon variant="default" aria-label={t('menu.small')} onClick={() => setStageLarge(false)}>
              <IconArrowsMinimize size={17} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
        )}
      </PaneHeader>
      <StageHouse
        source={source}
        beside={compared && { stage: compared, picture: <BesidePicture stage={compared} ratio={picture.ratio} /> }}
      >
        {isOut ? <StageAway /> : <StagePicture picture={picture} onReload={reload} onStopReplay={stopReplay} />}
      </StageHouse>
      <StageControls onReload={reload} />
      <div className={classes.notes}>
        <StageWay />
        <StageProblems onOpenPlace={(path, line) => void openFile(path, { line })} />
        <StageEngine />
      </div>
    </div>
  );
}

/** The line that the story has come to since it was played on, by the name of its scene; null at a requested line. */
function usePlayedPlace(): { scene: string; line: number } | null {
  const scene = useStage(({ stage }) => toPlayedPlace(stage)?.path ?? null);
  const line = useStage(({ stage }) => toPlayedPlace(stage)?.line ?? 0);
  return scene === null ? null : { scene: toSceneName(scene), line };
}

/** What the stage shows now, and how it is loaded again. */
function usePicture(isOut: boolean): { picture: StagePictureState; reload: () => void } {
  const { t } = useTranslation('stage');
  const { url, place, replay } = useStage((state) => state.stage);
  const isReplaying = replay?.state === 'playing';
  // What is played back is silent.
  const isMuted = useSettings((state) => state.settings.stageMuted) || isReplaying;
  const frame = useStageView((state) => state.frame);
  const [attempt, setAttempt] = useState(0);
  const isFresh = useFresh(`${url} ${attempt} ${isOut}`);
  const shown = useStageStatus();
  const status = shown === 'lost' && isFresh ? 'starting' : shown;
  const isLost = status === 'lost';
  const reload = useCallback(() => {
    // An unresponsive page cannot handle a reload message: mount a new frame.
    if (isLost) setAttempt((count) => count + 1);
    reloadStage();
  }, [isLost]);
  const isDraft = place?.source === 'proposal';
  const badge = isDraft ? t('badge', { scene: toSceneName(place.path), line: place.line }) : null;
  return { picture: { url, attempt, ratio: FRAME_RATIOS[frame], isMuted, status, badge, isReplaying }, reload };
}

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
