import { Button, Loader } from '@mantine/core';
import { type CSSProperties, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { StageState } from '../../../shared/model/stage.ts';
import { compareOnStage } from '../../state/stage/stage-beside.ts';
import { useStageFocus } from '../../state/stage/stage-focus.ts';
import { Message } from '../../ui/message.tsx';
import frameClasses from '../engine-frame.module.css';
import classes from '../stage-picture.module.css';
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
    <div
      className={classes.picture}
      data-proposal={place?.source === 'proposal' || undefined}
      style={{ '--ratio': `${ratio[0] / ratio[1]}` } as CSSProperties}
    >
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
  useEngineMessages(frame, { origin: new URL(url).origin, isMuted: true, isFolded });
  useFocusGuard(frame, false);
  return (
    <iframe
      ref={frame}
      className={frameClasses.frame}
      title={t('beside.frameTitle')}
      src={`${url}?lang=${encodeURIComponent(i18n.language)}`}
      sandbox="allow-scripts allow-same-origin"
      allow="autoplay; focus-without-user-activation 'none'"
      referrerPolicy="no-referrer"
      {...{ credentialless: true }}
      inert
    />
  );
}
