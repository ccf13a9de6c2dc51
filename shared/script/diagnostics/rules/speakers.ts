import type { LineReport } from '../../syntax/line-report.ts';
import type { Statement } from '../../syntax/scan.ts';

/** Punctuation of a sentence rather than a name, in ASCII and full width. */
const SENTENCE = new Set([...'，。！？、；,!?"“”「」'].map((sign) => sign.charCodeAt(0)));
const MAX_NAME_LENGTH = 20;

/** True for an ordinary name, whatever follows. */
export function isPlainName(word: string): boolean {
  return (
    word.length <= MAX_NAME_LENGTH &&
    !word.startsWith('http') &&
    !readsLikeSentence(word, word.length) &&
    !/\d$/.test(word) &&
    !SPEECH_VERB.test(word)
  );
}

/** Ends like the introduction of a quotation. */
// Language data: verbs before direct speech.
const SPEECH_VERB = /(?:.[说道问答喊曰]|\s(?:say|said|ask|asked|reply|replied|shout|shouted|whisper|whispered)s?)$/;
const QUOTE = /^\s*["“”「『‘']/;

/** Placeholder name of an unknown speaker, such as ???. */
const UNKNOWN = /^[?？!！]+$/;

function readsLikeSentence(text: string, end: number): boolean {
  if (UNKNOWN.test(text.slice(0, Math.min(end, MAX_NAME_LENGTH)))) return false;
  for (let index = 0; index < end; index += 1) if (SENTENCE.has(text.charCodeAt(index))) return true;
  return false;
}

/** Checks a speaker's name that reads like a sentence. Whether it is used more than once depends on the project. */
export function checkSpeakerShape(statement: Statement, report: LineReport): void {
  const { colon, text } = statement;
  const isAddress = colon <= 5 && text.startsWith('http') && text.startsWith('//', colon + 1);
  const word = text.slice(0, Math.min(colon, 500));
  const isQuoted = SPEECH_VERB.test(word) && QUOTE.test(text.slice(colon + 1, colon + 20));
  // A time of day.
  const isTime = /(?:^|\D)[012]?\d$/.test(word) && /^[0-5]\d(?!\d)/.test(text.slice(colon + 1, colon + 4));
  if (colon <= MAX_NAME_LENGTH && !isAddress && !isQuoted && !isTime && !readsLikeSentence(text, colon)) return;
  if (!word.includes('{')) report.refer('odd-speaker', text.slice(0, colon), 0, colon);
}
