/** Lines of a text that are looked at together. */
export interface Passage {
  path: string;
  /** 1-based, both inclusive. */
  line: number;
  endLine: number;
  text: string;
}

/** How many lines a passage has, and by how many the next one begins later: matches at an edge are whole in one of them. */
const LINES = 8;
const STEP = 4;
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|[\p{L}\p{N}_]+/gu;
const NO_SPACES = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** The usual constants of BM25. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

/**
 * The passages that speak of `query`, best first (BM25). Words are words where spaces part them; Chinese, Japanese and
 * Korean are taken by letters and by pairs of letters, which needs no dictionary. Passages of one file that overlap count once.
 */
export function rankPassages(
  query: string,
  files: readonly { path: string; text: string }[],
  limit: number,
): (Passage & { score: number })[] {
  const wanted = [...new Set(toTerms(query))];
  if (wanted.length === 0) return [];
  const passages = files.flatMap(toPassages).map((passage) => ({ passage, terms: countTerms(passage.text) }));
  const lengths = passages.map(({ terms }) => terms.total);
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length) || 1;
  const weights = new Map<string, number>();
  for (const term of wanted) {
    const holding = passages.filter(({ terms }) => terms.counts.has(term)).length;
    weights.set(term, Math.log(1 + (passages.length - holding + 0.5) / (holding + 0.5)));
  }
  const scored = passages.map(({ passage, terms }) => {
    let score = 0;
    for (const term of wanted) {
      const count = terms.counts.get(term) ?? 0;
      const norm = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * terms.total) / average);
      score += ((weights.get(term) ?? 0) * count * (SATURATION + 1)) / (count + norm);
    }
    return { ...passage, score: Math.round(score * 1000) / 1000 };
  });
  const chosen: (Passage & { score: number })[] = [];
  for (const candidate of scored.filter(({ score }) => score > 0).sort(byScore)) {
    const overlaps = (other: Passage) =>
      other.path === candidate.path && other.line <= candidate.endLine && candidate.line <= other.endLine;
    if (!chosen.some(overlaps)) chosen.push(candidate);
    if (chosen.length >= limit) break;
  }
  return chosen;
}

function byScore(a: Passage & { score: number }, b: Passage & { score: number }): number {
  return b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line);
}

function toPassages({ path, text }: { path: string; text: string }): Passage[] {
  const lines = text.split(/\r?\n/);
  const passages: Passage[] = [];
  for (let start = 0; start < lines.length; start += STEP) {
    const part = lines.slice(start, start + LINES);
    passages.push({ path, line: start + 1, endLine: start + part.length, text: part.join('\n') });
    if (start + LINES >= lines.length) break;
  }
  return passages;
}

function countTerms(text: string): { counts: Map<string, number>; total: number } {
  const counts = new Map<string, number>();
  let total = 0;
  for (const term of toTerms(text)) {
    counts.set(term, (counts.get(term) ?? 0) + 1);
    total++;
  }
  return { counts, total };
}

function toTerms(text: string): string[] {
  const terms: string[] = [];
  for (const [word] of text.normalize('NFKC').toLowerCase().matchAll(WORD)) {
    if (!NO_SPACES.test(word)) terms.push(word);
    else {
      const letters = Array.from(word);
      // Letters alone as well: words are bent and put the other way round, and rare letters say much by themselves.
      terms.push(...letters);
      for (let index = 0; index + 1 < letters.length; index++) terms.push(`${letters[index]}${letters[index + 1]}`);
    }
  }
  return terms;
}
