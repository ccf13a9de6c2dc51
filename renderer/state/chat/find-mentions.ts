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
  /** The lower-case name, then where it is with the name again: one text, because one search per key is all there is time for. */
  searched: string;
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
  return { mention, name, detail, searched: `${name}\n${detail}/${name}`.toLowerCase() };
}

interface FileCandidates {
  scenes: readonly Candidate[];
  assets: readonly Candidate[];
}

const known = new WeakMap<readonly ProjectFile[], FileCandidates>();
/** By file: a list that changed consists of the same files but for a few. */
const knownFiles = new WeakMap<ProjectFile, Candidate>();
const ROOT = 'game/';

/** Returns the scenes and assets of a game as candidates; cached by the list of files. */
export function toFileCandidates(files: readonly ProjectFile[]): FileCandidates {
  const before = known.get(files);
  if (before) return before;
  const scenes: Candidate[] = [];
  const assets: Candidate[] = [];
  for (const file of files) {
    let candidate = knownFiles.get(file);
    if (!candidate) {
      candidate = toFileCandidate(file);
      knownFiles.set(file, candidate);
    }
    (file.kind === 'scene' ? scenes : assets).push(candidate);
  }
  const candidates = { scenes, assets };
  known.set(files, candidates);
  return candidates;
}

function toFileCandidate({ path, kind }: ProjectFile): Candidate {
  const rest = path.startsWith(ROOT) ? path.slice(ROOT.length) : path;
  const at = rest.lastIndexOf('/');
  const mention = kind === 'scene' ? ({ kind: 'scene', path } as const) : ({ kind: 'asset', path } as const);
  return toCandidate(mention, rest.slice(at + 1), at < 0 ? '' : rest.slice(0, at));
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
function toRank({ searched, name }: Candidate, wanted: string): number {
  const at = searched.indexOf(wanted);
  if (at < 0) return -1;
  if (at === 0) return searched.charAt(wanted.length) === '\n' ? 0 : 1;
  return at < name.length ? 2 : 3;
}
