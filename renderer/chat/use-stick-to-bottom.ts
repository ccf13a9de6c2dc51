import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** Closer than this to the end counts as being there, in pixels. */
const NEAR = 56;

export interface StickToBottom {
  viewport: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  /** Something was added below while she was reading further up. */
  hasNews: boolean;
  toBottom: () => void;
}

/** Keeps a list at its end while it grows, but only as long as she is there; reading further up is never disturbed. */
export function useStickToBottom(): StickToBottom {
  const viewport = useRef<HTMLDivElement | null>(null);
  const content = useRef<HTMLDivElement | null>(null);
  const isAtBottom = useRef(true);
  const [hasNews, setNews] = useState(false);

  const toBottom = useCallback(() => {
    isAtBottom.current = true;
    setNews(false);
    const element = viewport.current;
    if (element) element.scrollTop = element.scrollHeight;
  }, []);

  useEffect(() => {
    const element = viewport.current;
    const inner = content.current;
    if (!element || !inner) return;
    let height = inner.offsetHeight;
    const onScroll = () => {
      isAtBottom.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
      if (isAtBottom.current) setNews(false);
    };
    const observer = new ResizeObserver(() => {
      if (isAtBottom.current) element.scrollTop = element.scrollHeight;
      else if (inner.offsetHeight > height) setNews(true);
      height = inner.offsetHeight;
    });
    observer.observe(inner);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, []);

  return { viewport, content, hasNews, toBottom };
}
