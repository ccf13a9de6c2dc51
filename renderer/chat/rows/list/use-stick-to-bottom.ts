import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** Distance from the end that counts as at the end, in pixels. */
const NEAR_END_PX = 56;

/** A scroll event within this time after a wheel or key event counts as a user scroll. */
const INPUT_MS = 400;
/** Growth within this time after a click on something that unfolds is the user's: its head stays where it was clicked. */
const UNFOLD_MS = 500;
/** Consecutive frames at the top after which its rows are measured; `TOP_FRAMES` limits the attempts. */
const STILL_FRAMES = 40;
const TOP_FRAMES = 120;
/** Time after which newly mounted rows are measured. */
const SETTLE_MS = 2000;

export interface StickToBottom {
  viewport: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  /** True while the user has scrolled up. */
  isAway: boolean;
  /** True if rows were added below meanwhile. */
  hasNews: boolean;
  toBottom: () => void;
  toTop: () => void;
  /** Leaves the end, for a place that the caller scrolls to. */
  leaveBottom: () => void;
}

/**
 * Keeps a growing list scrolled to its end while the user is there; never scrolls while the user has scrolled up.
 * `newest` is the last item; a new one sets `hasNews`. With `isOn` false the list stays at its start.
 */
export function useStickToBottom(isOn: boolean, newest: unknown): StickToBottom {
  const viewport = useRef<HTMLDivElement | null>(null);
  const content = useRef<HTMLDivElement | null>(null);
  const isAtBottom = useRef(true);
  /** The running scroll to the top; any user input cancels it. */
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
    // Newly mounted rows may differ from their estimated height, which moves the list again.
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

  const leaveBottom = useCallback(() => {
    topRun.current = null;
    isAtBottom.current = false;
    const element = viewport.current;
    setAway(element !== null && element.scrollHeight - element.clientHeight > NEAR_END_PX);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the dependency is a trigger
  useEffect(() => {
    if (!isAtBottom.current) setNews(true);
  }, [newest]);

  useEffect(() => {
    const element = viewport.current;
    const inner = content.current;
    if (!element || !inner || !isOn) return;
    return followEnd({ element, inner, isAtBottom, topRun, setAway, setNews });
  }, [isOn]);

  return { viewport, content, isAway, hasNews, toBottom, toTop, leaveBottom };
}

interface Followed extends Record<'element' | 'inner', HTMLElement> {
  isAtBottom: RefObject<boolean>;
  topRun: RefObject<symbol | null>;
  setAway: (isAway: boolean) => void;
  setNews: (hasNews: boolean) => void;
}

/** Scrolls to the end with each growth while the user is there. Returns what ends it. */
function followEnd({ element, inner, isAtBottom, topRun, setAway, setNews }: Followed): () => void {
  let top = element.scrollTop;
  let height = element.scrollHeight;
  let changedAt = performance.now();
  let movedAt = Number.NEGATIVE_INFINITY;
  let unfoldedAt = Number.NEGATIVE_INFINITY;
  const onInput = () => {
    topRun.current = null;
    movedAt = performance.now();
  };
  const onScroll = () => {
    const isNear = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX;
    // Only an upward scroll leaves the end; a large distance may only mean that added rows were not followed yet. While
    // rows are measured, the list moves without user input.
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
  const onClick = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest('[aria-expanded]')) unfoldedAt = performance.now();
  };
  const observer = new ResizeObserver(() => {
    if (performance.now() - unfoldedAt < UNFOLD_MS && isAtBottom.current) {
      isAtBottom.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX;
      setAway(!isAtBottom.current);
    } else if (isAtBottom.current) element.scrollTop = element.scrollHeight;
    changedAt = performance.now();
    height = element.scrollHeight;
  });
  observer.observe(inner);
  observer.observe(element);
  const ends = new AbortController();
  element.addEventListener('scroll', onScroll, { passive: true, signal: ends.signal });
  element.addEventListener('click', onClick, { capture: true, signal: ends.signal });
  for (const name of ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const) {
    element.addEventListener(name, onInput, { passive: true, signal: ends.signal });
  }
  return () => {
    observer.disconnect();
    ends.abort();
  };
}
