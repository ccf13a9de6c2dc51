import { type PointerEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { startPlaying, stopPlaying, useStageFocus } from '../state/stage/stage-focus.ts';
import { setStageFrame } from '../state/stage/stage-frame.ts';
import { Message } from '../ui/message.tsx';
import classes from './engine-frame.module.css';
import { GAME_FRAME, toGameAddress } from './game-frame.ts';
import { StoppedGame } from './stopped-game.tsx';
import { useEngineMessages } from './use-engine-messages.ts';
import { useFocusGuard } from './use-focus-guard.ts';
import { useIsSeen } from './use-is-seen.ts';

interface EngineFrameProps {
  /** URL of the engine, on a separate origin. */
  url: string;
  isMuted: boolean;
}

/**
 * The frame of the engine. Files of a game are untrusted: the frame cannot navigate or open other windows, and is inert
 * until the user clicks it or activates it by keyboard. The activating click is forwarded, so that one click continues
 * the game.
 */
export function EngineFrame({ url, isMuted }: EngineFrameProps) {
  const { t, i18n } = useTranslation('stage');
  const frame = useRef<HTMLIFrameElement>(null);
  const isPlaying = useStageFocus((state) => state.isPlaying);
  const isHeld = useStageFocus((state) => state.holds.length > 0);
  const hasSecret = useStageFocus((state) => state.holds.includes('secret'));
  const stoppedFor = useStageFocus((state) => state.stoppedFor);
  const origin = new URL(url).origin;

  const isFolded = !useIsSeen(frame);
  const { onLoad } = useEngineMessages(frame, { origin, isMuted, isFolded });
  useFocusGuard(frame, isPlaying);
  useEffect(() => stopPlaying, []);
  useEffect(() => setStageFrame(frame.current));

  if (hasSecret) return <Message text={t('secret')} hint={t('secretHint')} />;
  if (stoppedFor) return <StoppedGame reason={stoppedFor} />;

  const playAt = (event: PointerEvent<HTMLButtonElement>) => {
    if (isHeld) return;
    const { left, top } = event.currentTarget.getBoundingClientRect();
    startPlaying();
    frame.current?.contentWindow?.postMessage(
      { stage: 'click', x: event.clientX - left, y: event.clientY - top },
      origin,
    );
  };
  const label = t(isHeld ? 'playHeld' : 'playGame');
  return (
    <div className={classes.house}>
      <iframe
        ref={frame}
        className={classes.frame}
        title={t('frameTitle')}
        src={toGameAddress(url, i18n.language)}
        {...GAME_FRAME}
        onLoad={onLoad}
        inert={!isPlaying}
      />
      {!isPlaying && (
        <button
          type="button"
          className={classes.cover}
          aria-label={label}
          title={label}
          aria-disabled={isHeld}
          data-held={isHeld || undefined}
          onPointerUp={playAt}
          onClick={(event) => event.detail === 0 && startPlaying()}
        />
      )}
    </div>
  );
}
