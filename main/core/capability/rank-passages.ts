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
  const wanted = [...new Set(toTerms(fold(query)))];
  if (wanted.length === 0) return [];
  const candidates: { passage: Passage; counts: Map<string, number> }[] = [];
  let passages = 0;
  let letters = 0;
  for (const file of files) {
    for (const passage of toPassages(file)) {
      passages++;
      letters += passage.text.length;
      // Most passages hold nothing that is asked for, and a look is far cheaper than taking them apart.
      const folded = fold(passage.text);
      if (wanted.some((term) => folded.includes(term))) candidates.push({ passage, counts: countTerms(folded) });
    }
  }
  const average = letters / Math.max(1, passages) || 1;
  const weights = wanted.map((term) => {
    const holding = candidates.filter(({ counts }) => counts.has(term)).length;
    return { term, weight: Math.log(1 + (passages - holding + 0.5) / (holding + 0.5)) };
  });
  const scored = candidates.map(({ passage, counts }) => {
    const norm = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * passage.text.length) / average);
    let score = 0;
    for (const { term, weight } of weights) {
      const count = counts.get(term) ?? 0;
      score += (weight * count * (SATURATION + 1)) / (count + norm);
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

function countTerms(folded: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of toTerms(folded)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** One form for what is written in several: full and half width, large and small letters. */
function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** The terms of a folded text. */
function toTerms(folded: string): string[] {
  const terms: string[] = [];
  for (const [word] of folded.matchAll(WORD)) {
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
