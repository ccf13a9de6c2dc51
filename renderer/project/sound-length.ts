import { useEffect, useState } from 'react';

/** Returns the length of a sound in seconds; null without a URL, until it is read, and for one that has none or cannot be read. */
export function useSoundLength(url: string | null): number | null {
  const [length, setLength] = useState<number | null>(null);
  useEffect(() => {
    if (url === null) return;
    const sound = new Audio();
    sound.preload = 'metadata';
    const take = () => setLength(Number.isFinite(sound.duration) ? sound.duration : null);
    sound.addEventListener('loadedmetadata', take);
    sound.src = url;
    return () => {
      sound.removeEventListener('loadedmetadata', take);
      // Ends the download.
      sound.removeAttribute('src');
      sound.load();
    };
  }, [url]);
  return length;
}

/** Formats a length in seconds as minutes and seconds, such as `3:07`, rounded to seconds, at least one. */
export function formatLength(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
