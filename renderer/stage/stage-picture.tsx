import { Badge, Button, Loader } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import type { StagePictureState } from '../state/stage/stage-window-state.ts';
import { Message } from '../ui/message.tsx';
import { EngineFrame } from './engine-frame.tsx';
import classes from './stage-picture.module.css';

interface StagePictureProps {
  picture: StagePictureState;
  onReload: () => void;
  onStopReplay: () => void;
}

/** The running game in its shape, and what covers it while it does not run. Everything it shows is passed: two windows render it. */
export function StagePicture({ picture, onReload, onStopReplay }: StagePictureProps) {
  const { t } = useTranslation('stage');
  const { url, attempt, ratio, isMuted, status, badge, isReplaying } = picture;
  if (url === null) return <Message text={t('off')} hint={t('offHint')} />;
  return (
    <div className={classes.picture} data-proposal={badge !== null || undefined} style={toRatio(ratio)}>
      <EngineFrame key={`${url} ${attempt}`} url={url} isMuted={isMuted} />
      {badge !== null && (
        <Badge className={classes.badge} size="lg" radius="xl" tt="none">
          {badge}
        </Badge>
      )}
      {isReplaying && (
        <div className={classes.veil} role="status">
          <Loader size="sm" color="gray" />
          <span>{t('replay.playing')}</span>
          <Button variant="default" size="compact-sm" onClick={onStopReplay}>
            {t('replay.stop')}
          </Button>
        </div>
      )}
      {status === 'starting' && (
        <div className={classes.veil} role="status">
          <Loader size="sm" color="gray" />
          <span>{t('starting')}</span>
        </div>
      )}
      {status === 'lost' && (
        <div className={classes.veil}>
          <Message tone="error" text={t('lost')} hint={t('lostHint')} icon={<IconPlugConnectedX size={22} />}>
            <Button onClick={onReload}>{t('reload')}</Button>
          </Message>
        </div>
      )}
    </div>
  );
}

/** Returns the style that gives a picture its shape, of width and height. */
export const toRatio = ([width, height]: readonly [number, number]) =>
  ({ '--ratio': `${width / height}` }) as CSSProperties;
