/** What is known of a word before a colon without looking at what is said. */
export interface SpeakerWord {
  readonly text: string;
  /** Whatever follows it, no rule has anything to say about the word. */
  readonly isPlain: boolean;
}

/** A power of two; far more than a story has speakers. */
const SLOTS = 256;
/** Shorter strings are copies of their own; longer ones would keep the text alive they were cut from. */
const LONGEST = 12;

const NARRATION: SpeakerWord = { text: '', isPlain: true };
const WORDS: (SpeakerWord | undefined)[] = new Array(SLOTS);

/**
 * The word before a line's colon. A story has few speakers and each speaks often: a word seen before is neither cut
 * out of the line nor judged again. `judge` says whether it is plain and must depend on nothing but the word.
 */
export function readSpeakerWord(line: string, colon: number, judge: (word: string) => boolean): SpeakerWord {
  if (colon === 0) return NARRATION;
  if (colon > LONGEST) {
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
