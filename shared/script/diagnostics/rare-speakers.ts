import { createMemo } from '../../memo.ts';
import type { NameCounts } from '../project-index/name-counts.ts';
import { editDistance, toHalfWidth } from '../project-index/near-names.ts';

/** Limits of the comparison: at most this many rare names with this many others. */
const MAX_RARE = 50;
const MAX_COMMON = 200;

const KNOWN = createMemo<NameCounts, { revision: number; rare: ReadonlyMap<string, string> }>();

/** Speakers with one line whose name is almost that of a speaker with more: rare name to common name. */
export function findRareSpeakers(speakers: NameCounts): ReadonlyMap<string, string> {
  const known = KNOWN.get(speakers);
  if (known !== undefined && known.revision === speakers.revision) return known.rare;
  const once: string[] = [];
  const common: string[] = [];
  for (const [name, uses] of speakers.entries()) {
    if (name.length < 2 || name.length > 30 || name.includes('{')) continue;
    if (uses === 1) {
      if (once.length < MAX_RARE) once.push(name);
    } else if (common.length < MAX_COMMON) common.push(name);
  }
  const rare = new Map<string, string>();
  for (const name of once) {
    const near = common.find((other) => isTypo(name, other));
    if (near !== undefined) rare.set(name, near);
  }
  KNOWN.set(speakers, { revision: speakers.revision, rare });
  return rare;
}

// Language data: letters and numerals by which names of characters are told apart.
const LETTER = /[甲乙丙丁a-z]$/;
// Language data: numerals.
const withoutNumber = (name: string) => name.replace(/[\d一二三四五六七八九十百]+$/, '');

/**
 * True when the names differ by a typing error. Short Chinese or Japanese names legitimately differ by one character;
 * for them only case and width count.
 */
function isTypo(name: string, other: string): boolean {
  if (Math.abs(name.length - other.length) > 1) return false;
  const one = toHalfWidth(name).toLowerCase().trim();
  const two = toHalfWidth(other).toLowerCase().trim();
  if (one === two) return true;
  if (one.length < 4 || (one[0] !== two[0] && one.at(-1) !== two.at(-1))) return false;
  // Numbered characters are different characters.
  if (one.replace(LETTER, '') === two.replace(LETTER, '') || withoutNumber(one) === withoutNumber(two)) return false;
  return editDistance(one, two, 1) === 1;
}
