/** Cached facts about a word before a colon. */
export interface SpeakerWord {
  readonly text: string;
  /** True when no rule has a finding for the word, whatever follows it. */
  readonly isPlain: boolean;
}

/** A power of two, far above the number of speakers in a story. */
const SLOTS = 256;
/** The runtime copies shorter strings; longer ones are slices that would keep the whole text in memory. */
const MAX_CACHED_LENGTH = 12;

const NARRATION: SpeakerWord = { text: '', isPlain: true };
const WORDS: (SpeakerWord | undefined)[] = new Array(SLOTS);

/**
 * The word before a line's colon. Few speakers have many lines: a known word is neither sliced from the line nor judged
 * again. `judge` decides whether it is plain and must depend only on the word.
 */
export function readSpeakerWord(line: string, colon: number, judge: (word: string) => boolean): SpeakerWord {
  if (colon === 0) return NARRATION;
  if (colon > MAX_CACHED_LENGTH) {
    const text = line.slice(0, colon);
    return { text, isPlain: judge(text) };
  }
  const slot = (line.charCodeAt(0) * 31 + line.charCodeAt(colon - 1) * 7 + colon) & (SLOTS - 1);
  const known = WORDS[slot];
  if (known !== undefined && known.text.length === colon && line.startsWith(known.text)) return known;
  const text = line.slice(0, colon);
  const word = { text, isPlain: judge(text) };
  WORDS[slot] = word;
  return word;
}
