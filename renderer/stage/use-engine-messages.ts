import { type RefObject, useEffect, useRef, useState } from 'react';
import { setStopped } from '../state/stage/stage-focus.ts';
import { createMessageLimit, type MessageLimit } from './message-limit.ts';

interface EngineSettings {
  origin: string;
  isMuted: boolean;
  /** True while the frame is nowhere on screen: the engine draws nothing then and is silent. */
  isFolded: boolean;
}

/** Tells the page of the engine whether it is muted or folded away, and stops a game that sends messages without end. `onLoad` is for the frame. */
export function useEngineMessages(
  frame: RefObject<HTMLIFrameElement | null>,
  { origin, isMuted, isFolded }: EngineSettings,
): Pick<MessageLimit, 'onLoad'> {
  const [limit] = useState(createMessageLimit);
  /** True once the page of the engine reported that it listens; earlier messages would be lost. */
  const isListening = useRef(false);
  useEffect(() => {
    const tell = () => {
      frame.current?.contentWindow?.postMessage({ stage: 'mute', muted: isMuted }, origin);
      frame.current?.contentWindow?.postMessage({ stage: 'fold', folded: isFolded }, origin);
    };
    const onMessage = (event: MessageEvent<unknown>) => {
      // Frames inside of the game's can send, too, with its origin or none. The game decides how large the data is, so it is not read.
      if (event.source === window || (event.origin !== origin && event.origin !== 'null')) return;
      // Messages to a port that is not read would be kept here.
      for (const port of event.ports) port.close();
      // Ports, and what cannot be read in another process, such as code of WebAssembly, cost much to receive. No engine sends any.
      const isCostly = event.type === 'messageerror' || event.ports.length > 0;
      if (isCostly || limit.isFlood(event.timeStamp)) return setStopped('messages');
      if (event.origin !== origin || event.source !== frame.current?.contentWindow) return;
      isListening.current = true;
      tell();
    };
    window.addEventListener('message', onMessage);
    window.addEventListener('messageerror', onMessage);
    if (isListening.current) tell();
    return () => {
      window.removeEventListener('message', onMessage);
      window.removeEventListener('messageerror', onMessage);
    };
  }, [frame, isMuted, isFolded, origin, limit]);
  return limit;
}
