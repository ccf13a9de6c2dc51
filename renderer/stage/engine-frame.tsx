import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './engine-frame.module.css';

interface EngineFrameProps {
  /** Where the engine is served: an origin of its own. */
  url: string;
  isMuted: boolean;
}

/**
 * The engine, kept in: it runs its own scripts and nothing of ours is in its reach. Files of a game are strangers, so the
 * frame may neither leave its page for another window nor open one.
 */
export function EngineFrame({ url, isMuted }: EngineFrameProps) {
  const { t, i18n } = useTranslation('stage');
  const frame = useRef<HTMLIFrameElement>(null);
  /** True once the engine's page has said that it hears us; before, there is nobody to tell. */
  const isListening = useRef(false);
  const origin = new URL(url).origin;

  useEffect(() => {
    const tell = () => frame.current?.contentWindow?.postMessage({ stage: 'mute', muted: isMuted }, origin);
    const hear = (event: MessageEvent<unknown>) => {
      if (event.origin !== origin || event.source !== frame.current?.contentWindow) return;
      isListening.current = true;
      tell();
    };
    window.addEventListener('message', hear);
    if (isListening.current) tell();
    return () => window.removeEventListener('message', hear);
  }, [isMuted, origin]);

  return (
    <iframe
      ref={frame}
      className={classes.frame}
      title={t('frameTitle')}
      src={`${url}?lang=${encodeURIComponent(i18n.language)}`}
      sandbox="allow-scripts allow-same-origin"
      allow="autoplay; fullscreen"
      referrerPolicy="no-referrer"
    />
  );
}
