import type { Mention } from '../../../shared/model/message/mention.ts';
import type { ProjectFile } from '../../../shared/model/project.ts';

/** Maximum number of suggestions. */
export const MAX_SUGGESTIONS = 50;
/** Suggestions of each list before anything is typed, so that every kind is seen. */
const FIRST_OF_EACH = 8;
/** Longest text behind an @ that is taken for a search. */
const MAX_QUERY = 60;

/** Something that can be mentioned. */
export interface Candidate {
  mention: Mention;
  name: string;
  /** Where it is, to tell apart what has the same name. */
  detail: string;
  /** Lower-case name and place, which are searched. */
  key: string;
  where: string;
}

/** The text behind an @ before the caret, and where the @ stands. */
export interface MentionQuery {
  start: number;
  query: string;
}

// Language data: the signs that begin a mention; the second is that of Chinese and Japanese input.
const SIGNS = '@＠';
/** An @ after one of these belongs to an address. */
const ADDRESS = /[A-Za-z0-9_.-]/;

/** Returns the mention that is being typed at the caret; null if none is. */
export function toMentionQuery(text: string, caret: number): MentionQuery | null {
  for (let at = caret - 1; at >= 0 && caret - at <= MAX_QUERY; at -= 1) {
    const character = text.charAt(at);
    if (/\s/.test(character)) return null;
    if (!SIGNS.includes(character)) continue;
    if (at > 0 && ADDRESS.test(text.charAt(at - 1))) return null;
    return { start: at, query: text.slice(at + 1, caret) };
  }
  return null;
}

export function toCandidate(mention: Mention, name: string, detail: string): Candidate {
  return { mention, name, detail, key: name.toLowerCase(), where: detail.toLowerCase() };
}

interface FileCandidates {
  scenes: readonly Candidate[];
  assets: readonly Candidate[];
}

const known = new WeakMap<readonly ProjectFile[], FileCandidates>();

/** Returns the scenes and assets of a game as candidates; cached by the list of files. */
export function toFileCandidates(files: readonly ProjectFile[]): FileCandidates {
  const before = known.get(files);
  if (before) return before;
  const scenes: Candidate[] = [];
  const assets: Candidate[] = [];
  for (const { path, kind } of files) {
    const rest = path.replace(/^game\//, '');
    const at = rest.lastIndexOf('/');
    const [name, folder] = [rest.slice(at + 1), at < 0 ? '' : rest.slice(0, at)];
    if (kind === 'scene') scenes.push(toCandidate({ kind: 'scene', path }, name, folder));
    else assets.push(toCandidate({ kind: 'asset', path }, name, folder));
  }
  const candidates = { scenes, assets };
  known.set(files, candidates);
  return candidates;
}

/**
 * Returns the best matches, at most `MAX_SUGGESTIONS`: the same name, then names that begin with the text, contain it, or lie where it
 * says; each in the order of the lists. One pass, because it runs at each key over tens of thousands of names.
 */
export function findMentions(lists: readonly (readonly Candidate[])[], query: string): Candidate[] {
  const wanted = query.toLowerCase();
  if (wanted === '') return lists.flatMap((list) => list.slice(0, FIRST_OF_EACH));
  const ranks: Candidate[][] = [[], [], [], []];
  for (const list of lists) {
    for (const candidate of list) {
      const rank = ranks[toRank(candidate, wanted)];
      if (rank && rank.length < MAX_SUGGESTIONS) rank.push(candidate);
    }
  }
  return ranks.flat().slice(0, MAX_SUGGESTIONS);
}

/** Returns the index of a candidate's rank; -1 if it does not match. */
function toRank({ key, where }: Candidate, wanted: string): number {
  const at = key.indexOf(wanted);
  if (at === 0) return key.length === wanted.length ? 0 : 1;
  if (at > 0) return 2;
  return where.includes(wanted) || (wanted.includes('/') && `${where}/${key}`.includes(wanted)) ? 3 : -1;
}
