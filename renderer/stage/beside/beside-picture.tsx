import { Button, Loader } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { StageState } from '../../../shared/model/stage.ts';
import { compareOnStage } from '../../state/stage/stage-beside.ts';
import { useStageFocus } from '../../state/stage/stage-focus.ts';
import { Message } from '../../ui/message.tsx';
import frameClasses from '../engine-frame.module.css';
import { GAME_FRAME, toGameAddress } from '../game-frame.ts';
import classes from '../stage-picture.module.css';
import { toRatio } from '../stage-picture.tsx';
import { useEngineMessages } from '../use-engine-messages.ts';
import { useFocusGuard } from '../use-focus-guard.ts';
import { useIsSeen } from '../use-is-seen.ts';

interface BesidePictureProps {
  stage: StageState;
  ratio: readonly [number, number];
}

/** The other text of the game, at the sentence of the stage: it is looked at, and played on the stage. */
export function BesidePicture({ stage, ratio }: BesidePictureProps) {
  const { t } = useTranslation('stage');
  const { url, status, replay, place } = stage;
  // Same rules as on the stage: no game runs while a key can be typed, and none that took the focus.
  const isHeld = useStageFocus(({ holds, stoppedFor }) => holds.includes('secret') || stoppedFor !== null);
  const isMissing = stage.problems.some(({ reason, subject }) => reason === 'missing-scene' && subject === place?.path);
  const isBusy = status === 'starting' || replay?.state === 'playing';
  return (
    <div className={classes.picture} data-proposal={place?.source === 'proposal' || undefined} style={toRatio(ratio)}>
      {url !== null && !isHeld && <BesideFrame key={url} url={url} />}
      {isHeld && <div className={classes.veil}>{t('beside.held')}</div>}
      {isMissing && <div className={classes.veil}>{t('beside.missing')}</div>}
      {!isMissing && isBusy && (
        <div className={classes.veil} role="status">
          <Loader size="sm" color="gray" />
          <span>{t(status === 'starting' ? 'starting' : 'replay.playing')}</span>
        </div>
      )}
      {status === 'lost' && !isHeld && (
        <div className={classes.veil}>
          <Message tone="error" text={t('lost')}>
            <Button onClick={() => compareOnStage(false)}>{t('beside.end')}</Button>
          </Message>
        </div>
      )}
    </div>
  );
}

/** Like the frame of the stage, and never active: keys and clicks stay on the stage, and it is silent. */
function BesideFrame({ url }: { url: string }) {
  const { t, i18n } = useTranslation('stage');
  const frame = useRef<HTMLIFrameElement>(null);
  const isFolded = !useIsSeen(frame);
  const { onLoad } = useEngineMessages(frame, { origin: new URL(url).origin, isMuted: true, isFolded });
  useFocusGuard(frame, false);
  return (
    <iframe
      ref={frame}
      className={frameClasses.frame}
      title={t('beside.frameTitle')}
      src={toGameAddress(url, i18n.language)}
      {...GAME_FRAME}
      onLoad={onLoad}
      inert
    />
  );
}
