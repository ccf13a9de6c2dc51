import { useEffect, useState } from 'react';

const MINUTE = 60_000;

/** The time now, anew every half minute, for what says how long ago something was. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE / 2);
    return () => clearInterval(timer);
  }, []);
  return now;
}
