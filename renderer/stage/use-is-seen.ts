import { type RefObject, useEffect, useState } from 'react';

/** Returns whether an element takes up room on screen: false while its panel is folded or its view is not shown. */
export function useIsSeen(element: RefObject<Element | null>): boolean {
  const [isSeen, setSeen] = useState(true);
  // After each render: the element comes and goes.
  const [current, setCurrent] = useState<Element | null>(null);
  useEffect(() => setCurrent(element.current));
  useEffect(() => {
    if (!current) return;
    const observer = new IntersectionObserver((entries) => {
      const last = entries.at(-1);
      if (last) setSeen(last.boundingClientRect.width > 0 && last.boundingClientRect.height > 0);
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [current]);
  return isSeen;
}
