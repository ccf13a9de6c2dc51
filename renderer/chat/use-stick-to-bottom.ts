import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** Closer than this to the end counts as being there, in pixels. */
const NEAR = 56;

/** A scroll this long after a wheel or a key is the user's, in milliseconds. */
const INPUT_MS = 400;
/** Rows that came into the page have their height by then, in milliseconds. */
const SETTLE_MS = 2000;

export interface StickToBottom {
  viewport: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  /** True while the user reads further up. */
  isAway: boolean;
  /** Something was added below meanwhile. */
  hasNews: boolean;
  toBottom: () => void;
}

/**
 * Keeps a list at its end while it grows, but only as long as the user is there; reading further up is never disturbed.
 * `newest` is what stands at the end; another one is news. With `isOn` false the list stays at its beginning.
 */
export function useStickToBottom(isOn: boolean, newest: unknown): StickToBottom {
  const viewport = useRef<HTMLDivElement | null>(null);
  const content = useRef<HTMLDivElement | null>(null);
  const isAtBottom = useRef(true);
  const [isAway, setAway] = useState(false);
  const [hasNews, setNews] = useState(false);

  const toBottom = useCallback(() => {
    isAtBottom.current = true;
    setAway(false);
    setNews(false);
    const element = viewport.current;
    if (element && isOn) element.scrollTop = element.scrollHeight;
  }, [isOn]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: it says when, not what
  useEffect(() => {
    if (!isAtBottom.current) setNews(true);
  }, [newest]);

  useEffect(() => {
    const element = viewport.current;
    const inner = content.current;
    if (!element || !inner || !isOn) return;
    let top = element.scrollTop;
    let changedAt = performance.now();
    let movedAt = Number.NEGATIVE_INFINITY;
    const onInput = () => {
      movedAt = performance.now();
    };
    const onScroll = () => {
      const isNear = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
      // Only going up leaves the end; being far from it may just mean that more was added than has been followed yet. While
      // rows turn out to be of another height than assumed, the list moves by itself.
      const now = performance.now();
      const isUserMove = now - movedAt < INPUT_MS || now - changedAt > SETTLE_MS;
      if (isNear) isAtBottom.current = true;
      else if (element.scrollTop < top && isUserMove) isAtBottom.current = false;
      else if (isAtBottom.current) element.scrollTop = element.scrollHeight;
      top = element.scrollTop;
      setAway(!isAtBottom.current);
      if (isNear) setNews(false);
    };
    const observer = new ResizeObserver(() => {
      if (isAtBottom.current) element.scrollTop = element.scrollHeight;
      changedAt = performance.now();
    });
    observer.observe(inner);
    observer.observe(element);
    const ends = new AbortController();
    element.addEventListener('scroll', onScroll, { passive: true, signal: ends.signal });
    for (const name of ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const) {
      element.addEventListener(name, onInput, { passive: true, signal: ends.signal });
    }
    return () => {
      observer.disconnect();
      ends.abort();
    };
  }, [isOn]);

  return { viewport, content, isAway, hasNews, toBottom };
}
