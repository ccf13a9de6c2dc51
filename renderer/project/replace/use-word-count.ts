import { useEffect, useState } from 'react';
import type { WordReplacement } from '../../../shared/script/language-features/replace-words.ts';
import { language, whenFed } from '../../state/language/language.ts';
import type { WordCount } from '../../state/language/operations/replace-operations.ts';

const DEBOUNCE_MS = 150;

/** Counts what a replacement changes; null for an empty text and until known. */
export function useWordCount({ find, replacement, isOnlyRead, isWholeWords }: WordReplacement): WordCount | null {
  const [count, setCount] = useState<WordCount | null>(null);
  useEffect(() => {
    setCount(null);
    if (find === '') return;
    let isWanted = true;
    const read = async () => {
      await whenFed();
      // For the same text the places are counted as for another one.
      const other = replacement === find ? '' : replacement;
      const found = await language().call('countWords', { find, replacement: other, isOnlyRead, isWholeWords });
      if (isWanted) setCount(found);
    };
    // A failed count stays unknown; the next text asks again.
    const timer = setTimeout(() => void read().catch(() => undefined), DEBOUNCE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [find, replacement, isOnlyRead, isWholeWords]);
  return count;
}
