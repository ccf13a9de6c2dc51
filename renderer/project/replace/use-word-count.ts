import { useEffect, useState } from 'react';
import type { WordReplacement } from '../../../shared/script/language-features/replace-words.ts';
import { language, whenFed } from '../../state/language/language.ts';

const DEBOUNCE_MS = 150;

/** Counts what a replacement changes; null for an empty text and until known. */
export function useWordCount({
  find,
  isOnlyRead,
  isWholeWords,
}: WordReplacement): { places: number; scenes: number } | null {
  const [count, setCount] = useState<{ places: number; scenes: number } | null>(null);
  useEffect(() => {
    setCount(null);
    if (find === '') return;
    let isWanted = true;
    const read = async () => {
      await whenFed();
      // Any text other than the one that is looked for.
      const replacement = `${find}.`;
      const found = await language().call('countWords', { find, replacement, isOnlyRead, isWholeWords });
      if (isWanted) setCount(found);
    };
    // A failed count stays unknown; the next text asks again.
    const timer = setTimeout(() => void read().catch(() => undefined), DEBOUNCE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [find, isOnlyRead, isWholeWords]);
  return count;
}
