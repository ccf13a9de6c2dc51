import { diffArrays } from 'diff';
import { AppError } from '../../../../shared/errors.ts';
import { foldText } from '../../../core/text/folded-text.ts';
import { toNotFound } from '../quoted-change.ts';
import type { PatchTolerance } from './parse-patch.ts';

const MAX_LISTED = 20;

/**
 * Finds the old lines of a patch that differ from the file in widths of punctuation and blanks. `onTaken` is called with the
 * number of each line that was taken so.
 */
export function createPatchTolerance(path: string, text: string, onTaken: (line: number) => void): PatchTolerance {
  let folded: string[] | null = null;
  const fold = (line: string) => foldText(line).text.trim();
  return {
    find(lines, old, from) {
      folded ??= lines.map(fold);
      const sought = old.map(fold);
      if (sought.every((line) => line === '')) return null;
      const places: number[] = [];
      for (let at = folded.indexOf(sought[0] ?? '', from); at >= 0; at = folded.indexOf(sought[0] ?? '', at + 1)) {
        if (sought.every((line, index) => folded?.[at + index] === line)) places.push(at);
        if (places.length > MAX_LISTED) break;
      }
      const [place] = places;
      if (place === undefined) return null;
      if (places.length > 1) throw toAmbiguous(path, places);
      onTaken(place + 1);
      return place;
    },
    merge(there, { old, now }) {
      const made: string[] = [];
      let at = 0;
      for (const { added, removed, value, count } of diffArrays(old, now)) {
        if (added) made.push(...value);
        else {
          if (!removed) made.push(...there.slice(at, at + count));
          at += count;
        }
      }
      return made;
    },
    toFailure: ({ number, old }) => toNotFound(path, text, old.join('\n'), `What change ${number} takes out or keeps`),
  };
}

function toAmbiguous(path: string, places: readonly number[]): AppError {
  const lines = places.slice(0, MAX_LISTED).map((place) => place + 1);
  return new AppError(
    'E_NOT_FOUND',
    `The old lines of a change are not in ${path} literally; without punctuation widths and blanks they are there ${places.length} times, in lines ${lines.join(', ')}. Nothing was changed.`,
    { details: { path, lines }, hint: 'Quote more lines around the one place.', reason: 'text.notFound' },
  );
}
