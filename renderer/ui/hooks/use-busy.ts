import { useCallback, useEffect, useRef, useState } from 'react';

/** Returns whether an action is running, and a function that starts one; ignores calls while one is running. */
export function useBusy(): [boolean, (work: () => Promise<unknown>) => void] {
  const [isBusy, setBusy] = useState(false);
  const running = useRef(false);
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  const run = useCallback((work: () => Promise<unknown>) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    void work().finally(() => {
      running.current = false;
      if (isMounted.current) setBusy(false);
    });
  }, []);
  return [isBusy, run];
}
