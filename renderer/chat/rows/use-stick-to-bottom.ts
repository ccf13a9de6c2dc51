import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** Closer than this to the end counts as being there, in pixels. */
const NEAR = 56;

/** A scroll this long after a wheel or a key is the user's, in milliseconds. */
const INPUT_MS = 400;
/** So many frames at the top without moving away mean that the rows there have their heights; it is given up after some more. */
const STILL_FRAMES = 40;
const TOP_FRAMES = 120;
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
  toTop: () => void;
}

/**
 * Keeps a list at its end while it grows, but only as long as the user is there; reading further up is never disturbed.
 * `newest` is what stands at the end; another one is news. With `isOn` false the list stays at its beginning.
 */
export function useStickToBottom(isOn: boolean, newest: unknown): StickToBottom {
  const viewport = useRef<HTMLDivElement | null>(null);
  const content = useRef<HTMLDivElement | null>(null);
  const isAtBottom = useRef(true);
  /** The way to the top that is under way; whatever the user does ends it. */
  const topRun = useRef<symbol | null>(null);
  const [isAway, setAway] = useState(false);
  const [hasNews, setNews] = useState(false);

  const toBottom = useCallback(() => {
    topRun.current = null;
    isAtBottom.current = true;
    setAway(false);
    setNews(false);
    const element = viewport.current;
    if (element && isOn) element.scrollTop = element.scrollHeight;
  }, [isOn]);

  const toTop = useCallback(() => {
    isAtBottom.current = false;
    // Rows that come into the page on the way turn out to be of another height, which moves the list again.
    let still = 0;
    const run = Symbol('to the top');
    topRun.current = run;
    const step = (left: number) => {
      const element = viewport.current;
      if (!element || topRun.current !== run) return;
      still = element.scrollTop === 0 ? still + 1 : 0;
      element.scrollTop = 0;
      if (left > 0 && still < STILL_FRAMES) requestAnimationFrame(() => step(left - 1));
    };
    step(TOP_FRAMES);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: it says when, not what
  useEffect(() => {
    if (!isAtBottom.current) setNews(true);
  }, [newest]);

  useEffect(() => {
    const element = viewport.current;
    const inner = content.current;
    if (!element || !inner || !isOn) return;
    let top = element.scrollTop;
    let height = element.scrollHeight;
    let changedAt = performance.now();
    let movedAt = Number.NEGATIVE_INFINITY;
    const onInput = () => {
      topRun.current = null;
      movedAt = performance.now();
    };
    const onScroll = () => {
      const isNear = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
      // Only going up leaves the end; being far from it may just mean that more was added than has been followed yet. While
      // rows turn out to be of another height than assumed, the list moves by itself.
      const now = performance.now();
      const isSettled = element.scrollHeight === height && now - changedAt > SETTLE_MS;
      const isUserMove = isSettled || now - movedAt < INPUT_MS;
      if (isNear) {
        isAtBottom.current = true;
        if (!isUserMove) element.scrollTop = element.scrollHeight;
      } else if (element.scrollTop < top && isUserMove) isAtBottom.current = false;
      else if (isAtBottom.current) element.scrollTop = element.scrollHeight;
      top = element.scrollTop;
      if (element.scrollHeight !== height) changedAt = now;
      height = element.scrollHeight;
      setAway(!isAtBottom.current);
      if (isNear) setNews(false);
    };
    const observer = new ResizeObserver(() => {
      if (isAtBottom.current) element.scrollTop = element.scrollHeight;
      changedAt = performance.now();
      height = element.scrollHeight;
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

  return { viewport, content, isAway, hasNews, toBottom, toTop };
}
